"""Where a server is, and whom it counts: what the command line, a proxy and headers say."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from pathlib import Path

import pytest
from serving import in_thread, until
from starlette.datastructures import Headers

from battlebox.core.errors import BattleboxError
from battlebox.links import qr_picture, qr_text
from battlebox.server import address as address_of
from battlebox.server import serve as serving_
from battlebox.server.address import Contradiction, Proxies, Reach, asker, read_public_url
from battlebox.server.serve import serve

PROXIES = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"]


# ---- the address of the server -------------------------------------------------------------------
@pytest.mark.parametrize(
    ("given", "url", "origin", "folder", "name"),
    [
        ("https://example.org", "https://example.org/", "https://example.org", "", "example.org"),
        ("https://Example.org/games", "https://example.org/games/", "https://example.org",
         "/games", "example.org"),
        ("https://example.org:443/a/b-1/", "https://example.org/a/b-1/", "https://example.org",
         "/a/b-1", "example.org"),
        ("http://10.0.0.7:8080/", "http://10.0.0.7:8080/", "http://10.0.0.7:8080", "", "10.0.0.7"),
        ("http://[fd00::7]:443/", "http://[fd00::7]:443/", "http://[fd00::7]:443", "", "fd00::7"),
    ],
)  # fmt: skip
def test_public_urls(given: str, url: str, origin: str, folder: str, name: str) -> None:
    found = read_public_url(given)
    assert (str(found), found.origin, found.folder, found.name) == (url, origin, folder, name)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("example.org", "begin with http"),
        ("//example.org/", "begin with http"),
        ("ftp://example.org/", "begin with http"),
        ("localhost:8765", "begin with http"),
        ("https://", "names no host"),
        ("https:///games/", "names no host"),
        ("https://:8765/", "names no host"),
        ("https://me@example.org/", "user's name"),
        ("https://example.org/?a=b", "must not have a ?"),
        ("https://example.org/games/?", "must not have a ?"),
        ("https://example.org/#top", "must not have a ?"),
        ("https://example.org:99999/", "out of range"),
        ("https://example.org:http/", "Port could not"),
        ("https://example.org:/", "port"),
        ("https://example.org:0/", "port"),
        ("https://[::1/", "Invalid IPv6"),
        ("https://exa mple.org/", "characters"),
        ("https://example.org/games/ x", "characters"),
        ("https://example.org/\n", "characters"),
        ("https://ex\xe4mple.org/", "characters"),
        ("https://example.org,other.org/", "not a host name"),
        ("https://-/", "not a host name"),
        ("https://example.org/a//b/", "folders"),
        ("https://example.org/../b/", "folders"),
        ("https://example.org/%2e/", "folders"),
        ("https://example.org/match/", "first folder must not be called match"),
        ("https://example.org/api/games", "first folder must not be called api"),
    ],
)
def test_a_wrong_public_url_is_refused_and_told_what_to_write(
    tmp_path: Path, given: str, why: str
) -> None:
    data = tmp_path / "data"
    with pytest.raises(BattleboxError) as e:
        serve(data=data, port=0, browser=False, public_url=given)
    assert str(e.value).startswith(f"--public-url {given}: ")
    assert why in str(e.value)
    assert str(e.value).endswith("; write an address such as https://example.org/games/")
    assert not data.exists()


@pytest.mark.parametrize("given", ["proxy", "127.0.0.1/99", "10.0.0.1/8", "127.0.0.1,", "::g"])
def test_a_wrong_proxy_is_refused(tmp_path: Path, given: str) -> None:
    with pytest.raises(BattleboxError, match=r"^--trusted-proxy .*: .*write addresses or networks"):
        serve(data=tmp_path, port=0, browser=False, trusted_proxy=given)


# ---- links for others ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("reach", "host", "base"),
    [
        (Reach(), "127.0.0.1:8765", None),
        (Reach(), "localhost:8765", None),
        (Reach(), "box.localhost", None),
        (Reach(), "[::1]:8765", None),
        (Reach(), "0.0.0.0:8765", None),
        (Reach(), "192.168.0.7:8765", "http://192.168.0.7:8765/"),
        (Reach(port=8765), "mybox.local:8765", "http://mybox.local:8765/"),
        (Reach(port=8765), "localhost:8765", "http://192.168.0.9:8765/"),
        (Reach(port=8765), "[::1]:8765", "http://192.168.0.9:8765/"),
        (Reach(read_public_url("https://a.org/g")), "127.0.0.1:8765", "https://a.org/g/"),
    ],
)
def test_links_for_others_begin_with_an_address_that_others_reach(
    monkeypatch: pytest.MonkeyPatch, reach: Reach, host: str, base: str | None
) -> None:
    monkeypatch.setattr(address_of, "network_address", lambda: "192.168.0.9")
    scope = {"type": "http", "scheme": "http", "headers": [(b"host", host.encode())]}
    assert reach.base(scope) == base


def test_a_machine_in_no_network_has_no_links_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_of, "network_address", lambda: "")
    scope = {"type": "http", "scheme": "http", "headers": [(b"host", b"127.0.0.1:8765")]}
    assert Reach(port=8765).base(scope) is None


@pytest.mark.parametrize("found", ["192.168.0.9", ""])
def test_lan_listens_in_the_network_and_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: str
) -> None:
    monkeypatch.setattr(serving_, "_at_terminal", lambda: True)
    for module in (address_of, serving_):
        monkeypatch.setattr(module, "network_address", lambda: found)
    with in_thread(tmp_path, how={"lan": True}) as server:
        until(lambda: "Press Ctrl-C to stop it." in server.said)
        said = "\n".join(server.said)
        assert f"battlebox is ready: {server.url}/\n" in said
        there = f"http://{found}:{server.port}/"
        made = server.make(["you", "open", "random"])
        path = f"/api/matches/{made['id']}/links"
        told = server.ask("GET", path, made["token"]).json()
        watch = server.ask("GET", path).json()
    assert [x["seat"] for x in told["links"]] == [1]
    assert watch["links"] == []
    if found:
        assert f"Others in your network can open {there}\n{qr_text(there)}\n" in said
        assert not told["only_here"]
        [friend] = told["links"]
        assert friend["url"].startswith(f"{there}match/{made['id']}#")
        assert friend["qr"] == qr_picture(friend["url"])
    else:
        assert "seems to be offline" in said
        assert told["only_here"]
        assert {x["qr"] for x in told["links"]} == {""}


def test_lan_and_another_host_contradict_each_other(tmp_path: Path) -> None:
    with pytest.raises(BattleboxError, match=r"^--lan and --host 10.0.0.7: give one of them$"):
        serve(data=tmp_path, port=0, browser=False, lan=True, host="10.0.0.7")


# ---- the address of who asks ---------------------------------------------------------------------
def believed(peer: str, *headers: tuple[str, str]) -> tuple[str | None, str, str, bool]:
    """Whom limits count, the address, the scheme and whether it is known."""
    raw = [(k.lower().encode(), v.encode()) for k, v in headers]
    scope = {"type": "http", "scheme": "http", "client": (peer, 1234), "headers": raw}
    known = Proxies(PROXIES).believe(scope, Headers(scope=scope))
    return asker(scope), scope["client"][0], str(scope["scheme"]), known


def test_who_comes_through_a_proxy_at_this_machine_is_somebody() -> None:
    """Also if its word is not believed: only who asks from here by themselves is nobody."""

    def whom(public: bool, *headers: tuple[str, str]) -> str | None:
        raw = [(k.lower().encode(), v.encode()) for k, v in headers]
        scope = {"type": "http", "scheme": "http", "client": ("127.0.0.1", 1), "headers": raw}
        Proxies(public=public).believe(scope, Headers(scope=scope))
        return asker(scope)

    assert whom(False) is None
    assert whom(True) == "127.0.0.1"
    assert whom(False, for_("203.0.113.9")) == "127.0.0.1"
    assert whom(False, ("Forwarded", "for=203.0.113.9")) == "127.0.0.1"


def for_(*hops: str) -> tuple[str, str]:
    return "X-Forwarded-For", ", ".join(hops)


@pytest.mark.parametrize(
    ("peer", "headers", "address"),
    [
        ("127.0.0.1", [for_("203.0.113.9")], "203.0.113.9"),
        ("127.0.0.1", [for_("198.51.100.1", "203.0.113.9")], "203.0.113.9"),
        ("127.0.0.1", [for_("198.51.100.1"), for_("203.0.113.9")], "203.0.113.9"),
        ("127.0.0.1", [for_("198.51.100.1", "203.0.113.9", "10.1.2.3")], "203.0.113.9"),
        ("127.0.0.1", [for_("127.0.0.1", "203.0.113.9")], "203.0.113.9"),
        ("127.0.0.1", [for_("10.0.0.9", "10.0.0.8")], "10.0.0.9"),
        ("127.0.0.1", [for_("203.0.113.9:4711")], "203.0.113.9"),
        ("127.0.0.1", [for_("[2001:db8::1]:4711")], "2001:db8::1"),
        ("127.0.0.1", [for_("::ffff:203.0.113.9")], "203.0.113.9"),
        ("127.0.0.1", [for_("203.0.113.9", "unknown")], "127.0.0.1"),
        ("127.0.0.1", [for_("203.0.113.9", "")], "127.0.0.1"),
        ("127.0.0.1", [for_("203.0.113.9", "999.1.1.1")], "127.0.0.1"),
        ("127.0.0.1", [for_("203.0.113.9", "unknown", "10.0.0.4")], "10.0.0.4"),
        ("::ffff:127.0.0.1", [for_("203.0.113.9")], "203.0.113.9"),
        ("fd00::1", [("Forwarded", 'For="[2001:db8::1]:4711";Proto=https')], "2001:db8::1"),
        ("fd00::1", [("Forwarded", "for=198.51.100.1, for=203.0.113.9;by=fd00::1")], "203.0.113.9"),
        ("fd00::1", [for_("203.0.113.9"), ("Forwarded", "for=203.0.113.9")], "203.0.113.9"),
        ("127.0.0.1", [], "127.0.0.1"),
        ("203.0.113.9", [for_("198.51.100.1")], "203.0.113.9"),
        ("203.0.113.9", [("Forwarded", "for=198.51.100.1;proto=https")], "203.0.113.9"),
        ("127.0.0.2", [for_("198.51.100.1")], "127.0.0.2"),
    ],
)
def test_the_last_address_that_is_no_trusted_proxy_counts(
    peer: str, headers: Sequence[tuple[str, str]], address: str
) -> None:
    assert believed(peer, *headers)[1] == address


def test_limits_count_households_and_not_who_sits_at_this_machine() -> None:
    assert believed("203.0.113.9")[0] == "203.0.113.9"
    assert believed("2001:db8::1:2:3:4")[0] == "2001:db8::/64"
    assert believed("2001:db8::9:9:9:9")[0] == "2001:db8::/64"
    assert believed("::1")[0] is None
    assert believed("127.0.0.2")[0] is None
    assert believed("testclient")[0] == ""
    # behind a trusted proxy nobody is known to sit here: it may have left out who asked
    assert believed("127.0.0.1")[0] == "127.0.0.1"
    assert believed("127.0.0.1", for_("127.0.0.1"))[0] == "127.0.0.1"


def test_a_scheme_is_believed_from_trusted_proxies_alone() -> None:
    https = ("X-Forwarded-Proto", "https")
    assert believed("127.0.0.1", https)[2:] == ("https", True)
    assert believed("127.0.0.1", ("X-Forwarded-Proto", "https, http"))[2:] == ("http", True)
    assert believed("127.0.0.1", ("Forwarded", "for=1.2.3.4;proto=HTTPS"))[2:] == ("https", True)
    assert believed("203.0.113.9", https)[2:] == ("http", False)
    assert believed("127.0.0.1", ("X-Forwarded-Proto", "gopher"))[2:] == ("http", False)


def test_headers_that_disagree_are_refused() -> None:
    with pytest.raises(Contradiction):
        believed("127.0.0.1", for_("203.0.113.9"), ("Forwarded", "for=198.51.100.1"))


# ---- at the server -------------------------------------------------------------------------------
GOOD = {"game": "war_zone", "seats": ["you", "open"], "name": "Ada"}
HOW = {"public_url": "https://example.org/games/", "trusted_proxy": "127.0.0.1"}


def test_each_person_behind_a_proxy_has_limits_of_their_own(tmp_path: Path) -> None:
    with in_thread(tmp_path, how=HOW, matches_per_minute=2) as server:

        def make(*hops: str) -> int:
            heads = {"x-forwarded-for": ", ".join(hops)}
            return server.ask("POST", "/api/matches", json=GOOD, headers=heads).status_code

        assert [make("203.0.113.9") for _ in range(3)] == [201, 201, 429]
        assert make("198.51.100.7", "203.0.113.9") == 429
        assert make("198.51.100.7") == 201


def test_the_page_of_the_public_address_acts_and_others_do_not(tmp_path: Path) -> None:
    with in_thread(tmp_path, how=HOW) as server:

        def make(origin: str, **more: str) -> int:
            heads = {"origin": origin, "host": "example.org", **more}
            return server.ask("POST", "/api/matches", json=GOOD, headers=heads).status_code

        tls = {"x-forwarded-proto": "https"}
        assert make("https://example.org", **tls) == 201
        assert make("https://example.org", host=server.host) == 201  # a proxy that keeps no Host
        assert make("http://example.org", **tls) == 403
        assert make("https://example.org:444", **tls) == 403
        assert make("https://evil.example", **tls) == 403
        assert make("https://evil.example", host="evil.example", **tls) == 403
        both = {"x-forwarded-for": "203.0.113.9", "forwarded": "for=198.51.100.7"}
        assert make("https://example.org", **both) == 403


@pytest.mark.parametrize("folder", ["", "/games"], ids=["taken off", "left on"])
def test_a_folder_is_served_whether_the_proxy_takes_it_off_or_not(
    tmp_path: Path, folder: str
) -> None:
    with in_thread(tmp_path, how=HOW) as server:
        page = server.ask("GET", f"{folder}/").text
        assert '"/games/web/preload.js"' in page
        assert '"/web/' not in page
        assert server.ask("GET", "/games").text == page
        assert server.ask("GET", f"{folder}/match/x").text == page
        assert server.ask("GET", f"{folder}/health").status_code == 200
        assert server.ask("GET", f"{folder}/web/app.js").status_code == 200
        made = server.ask("POST", f"{folder}/api/matches", json=GOOD).json()
        told = server.ask("GET", f"{folder}/api/matches/{made['id']}", made["token"])
        assert told.json()["room"]["you"] == 0
        lost = server.ask("GET", f"{folder}/no", headers={"accept": "text/html"})
        assert (lost.status_code, lost.text) == (404, page)
        wrong = server.ask("GET", f"{folder}/api/no", headers={"accept": "text/html"})
        assert wrong.json()["error"]["code"] == "not_found"
        on = server.ask("GET", f"{folder}/api/games/").headers["location"]
        assert on.endswith("/games/api/games")


def test_a_folder_that_only_begins_alike_is_another(tmp_path: Path) -> None:
    with in_thread(tmp_path, how=HOW) as server:
        assert server.ask("GET", "/gamesome/health").status_code == 404
        assert server.ask("GET", "/games/games/health").status_code == 404


def test_all_behind_a_proxy_that_is_not_trusted_are_one(tmp_path: Path) -> None:
    """Whatever it says of them; and not nobody, as those are who sit here."""
    with in_thread(tmp_path, matches_per_minute=1) as server:
        for whom, statuses in (("203.0.113.9", [201, 429]), ("203.0.113.7", [429, 429])):
            heads = {"x-forwarded-for": whom}
            asked = [server.ask("POST", "/api/matches", json=GOOD, headers=heads) for _ in range(2)]
            assert [x.status_code for x in asked] == statuses
        answers = [server.ask("POST", "/api/matches", json=GOOD) for _ in range(3)]
        assert [x.status_code for x in answers] == [201] * 3


def test_a_ready_server_says_its_public_address(tmp_path: Path) -> None:
    with in_thread(tmp_path, how=HOW) as server:
        assert "battlebox is ready: https://example.org/games/" in server.said
        with socket.create_connection(("127.0.0.1", server.port)):
            pass
