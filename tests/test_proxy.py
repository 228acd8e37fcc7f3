"""nginx in front, with TLS and a folder, as docs/operating.md has it: whole matches in Chromium.

Needs nginx, openssl and Chromium; on Debian: apt install nginx-light openssl
chromium-headless-shell.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from bench.postgres import free_port
from playwright.sync_api import Browser, BrowserContext, Page, Request, Response, expect
from serving import InThread, in_thread, until
from test_docs import blocks
from test_join import one, says
from test_page import SHORT, browser, browser_type_launch_args, press_to_the_end, somebody

__all__ = ["browser", "browser_type_launch_args"]  # fixtures

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("proxy")]

OPERATING = Path(__file__).parent.parent / "docs" / "operating.md"
FOLDER = "/games/"
MATCHES = 10  # new ones a minute
#: what the document says beside the block of nodes
OF_NODES = (
    "proxy_pass http://battlebox;",
    "proxy_connect_timeout 1s;",
    "proxy_next_upstream error timeout http_503;",
)
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
PROGRAMS = {
    x: shutil.which(x, path=f"{os.environ['PATH']}:/usr/sbin") for x in ("nginx", "openssl")
}


def run(name: str, *words: str) -> None:
    done = subprocess.run([PROGRAMS[name] or name, *words], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")


def certificate(home: Path) -> Path:
    """A certificate of its own for localhost, and its key beside it."""
    cert, key = home / "cert.pem", home / "key.pem"
    run(
        "openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey", "ec",
        "-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(cert),
    )  # fmt: skip
    return cert


def as_documented(home: Path, port: int, behind: int, *, way: str) -> str:
    """The configuration of the documents, with the ports and files of a test."""
    assert all(f"`{x}`" in OPERATING.read_text(encoding="utf-8") for x in OF_NODES)
    upstream, text = blocks(OPERATING.read_text(encoding="utf-8"), "nginx")
    node = "127.0.0.1:8765"
    changes = [
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("server_name games.example.org", "server_name localhost"),
        ("/etc/ssl/games.example.org.pem", str(home / "cert.pem")),
        ("/etc/ssl/private/games.example.org.key", str(home / "key.pem")),
        (node, f"127.0.0.1:{behind}{'/' if way == 'taken off' else ''}"),
    ]
    if way == "of nodes":  # two of which have ended
        text = upstream + text.replace(f"proxy_pass http://{node};", " ".join(OF_NODES))
        changes += [(f"127.0.0.1:{x}", f"127.0.0.1:{free_port()}") for x in (8766, 8767)]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    temporary = "".join(f"{x}_temp_path {home / x};\n" for x in TEMPORARY)
    head = f"pid {home}/pid;\nerror_log {home}/errors;\nevents {{}}\n"
    return f"{head}http {{\naccess_log off;\n{temporary}{text}}}\n"


@contextmanager
def nginx(home: Path, port: int, behind: int, *, way: str) -> Iterator[None]:
    """nginx as long as the block lasts."""
    config = home / "nginx.conf"
    config.write_text(as_documented(home, port, behind, way=way))
    words = ("-p", str(home), "-e", str(home / "errors"), "-c", str(config))
    run("nginx", *words)  # it returns when it listens
    try:
        yield
    finally:
        run("nginx", *words, "-s", "quit")
        until(lambda: not (home / "pid").exists())


@pytest.fixture(scope="module", params=["left on", "taken off", "of nodes"])
def site(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[tuple[str, InThread]]:
    """The address of a server behind nginx, and the server."""
    if missing := [x for x, found in PROGRAMS.items() if not found]:
        needed = f"{' and '.join(missing)} missing (apt install {' '.join(missing)})"
        assert os.environ.get("BATTLEBOX_BROWSER") != "needed", needed
        pytest.skip(needed)
    home, port = tmp_path_factory.mktemp("nginx"), free_port()
    url = f"https://localhost:{port}{FOLDER}"
    how = {"public_url": url, "trusted_proxy": "127.0.0.1"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(certificate(home)))  # as if known to this machine
        with (
            in_thread(
                tmp_path_factory.mktemp("data"), how=how, matches_per_minute=MATCHES
            ) as server,
            nginx(home, port, server.port, way=request.param),
        ):
            yield url, server


Open = Callable[[str], Page]


@pytest.fixture(scope="module")
def trusting(
    browser: Browser,
    launch_browser: Callable[..., Browser],
    browser_type_launch_args: dict[str, Any],
) -> Iterator[Browser]:
    """A browser that takes any certificate. (A page that is told to retries, and may give up.)"""
    args = [*browser_type_launch_args["args"], "--ignore-certificate-errors"]
    launched = launch_browser(args=args)
    yield launched
    launched.close()


@pytest.fixture
def open_page(trusting: Browser, site: tuple[str, InThread]) -> Iterator[Open]:
    """open_page(url): a page of a person of its own, which asks for nothing outside the folder,
    and gets all that it asks for.
    """
    contexts, wrong = list[BrowserContext](), list[str]()

    def asked(request: Request) -> None:
        if not request.url.startswith((site[0], "data:", "blob:")):
            wrong.append(f"asked for {request.url}")

    def answered(response: Response) -> None:
        if response.status >= 400:
            wrong.append(f"{response.status} {response.url}")

    def make(url: str) -> Page:
        context = somebody(trusting, reduced_motion="reduce")
        contexts.append(context)
        page = context.new_page()
        page.on("request", asked)
        page.on("response", answered)
        page.on("pageerror", lambda e: wrong.append(str(e)))
        page.on("console", lambda m: m.type == "error" and wrong.append(f"{m.text} {m.location}"))
        page.goto(url)
        return page

    yield make
    for context in contexts:
        context.close()
    assert wrong == []


def test_two_people_play_a_whole_match_behind_nginx(
    site: tuple[str, InThread], open_page: Open
) -> None:
    url, server = site
    ada = open_page(url)
    ada.get_by_role("link", name="Rules", exact=True).first.click()
    ada.wait_for_url(f"{url}rules/*")
    ada.get_by_role("link", name="battlebox: back to the box").click()
    ada.wait_for_url(url)
    made = server.make(["you", "open"], options=SHORT)
    ada.get_by_label("A link or a match’s id").fill(f"{url}match/{made['id']}#{made['token']}")
    ada.get_by_role("button", name="Join", exact=True).click()
    ada.wait_for_url(f"{url}match/{made['id']}#{made['token']}")
    invitation = ada.get_by_label("Link for a friend", exact=True).input_value()
    assert invitation.startswith(f"{url}match/{made['id']}#")
    ada.keyboard.press("Escape")
    ben = open_page(invitation)
    ben.locator("#choices input").fill("Ben")
    ben.locator("#choices button").click()
    expect(ada.locator(".plaque").first).to_contain_text("Ben")
    press_to_the_end(ada, ben)
    assert server.room(made["id"]).session.match.over
    # at a terminal, over the same proxy
    seen = one(f"{url}match/{made['id']}", says())
    assert f"To see it again: {url}replay/{made['id']}" in seen.text
    # again, and the replay
    ben.get_by_role("link", name="Watch the replay").click()
    ben.wait_for_url(f"{url}replay/{made['id']}*")
    expect(ben.get_by_label("Seen by")).to_be_visible()
    ada.get_by_role("button", name="Play again").click()
    ada.wait_for_url(re.compile(rf"^{re.escape(url)}match/(?!{made['id']})"))
    expect(ada.locator("#choices")).to_be_visible()
    ada.goto(url)
    expect(ada.locator(".my-matches .resume").first).to_be_visible()
    ada.get_by_role("link", name=re.compile("^Continue")).first.click()
    ada.wait_for_url(f"{url}match/*")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8")
def test_nobody_is_counted_as_somebody_else_behind_nginx(site: tuple[str, InThread]) -> None:
    """nginx adds the address that it sees to what the sender wrote, and drops `Forwarded`."""
    url = site[0]
    body = {"game": "war_zone", "seats": ["you", "open"], "name": "Ada"}

    def make(k: int) -> int:
        heads = {
            "origin": url.removesuffix(FOLDER),
            "x-forwarded-for": f"203.0.113.{k}",
            "forwarded": f"for=203.0.113.{k}",
        }
        return client.post(f"{url}api/matches", json=body, headers=heads).status_code

    # from an address that is not a trusted proxy
    way = httpx.HTTPTransport(verify=httpx.create_ssl_context(), local_address="127.0.0.2")
    with httpx.Client(transport=way) as client:
        other = {"origin": "https://evil.example"}
        assert client.post(f"{url}api/matches", json=body, headers=other).status_code == 403
        answers = [make(k) for k in range(3 * MATCHES)]
        assert set(answers) == {201, 429}
        assert client.get(url.removesuffix("/")).headers["location"] == url  # nginx adds the slash
