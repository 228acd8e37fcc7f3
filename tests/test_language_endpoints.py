"""Language models behind URLs, as players: a fake endpoint on this machine, and all it may do."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from test_language_players import SHORT, at_a_choice

import battlebox as bb
from battlebox.arena import Plan, tournament
from battlebox.bots.language import endpoint
from battlebox.core.errors import BotError, BotTimeout

Reply = Callable[[BaseHTTPRequestHandler], None]


class Fake:
    """An endpoint on this machine: what it was asked, and what it answers, one after the other."""

    def __init__(self) -> None:
        self.replies = list[Reply]()
        self.asked = list[tuple[str, dict[str, str], Any]]()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                fake.asked.append((self.path, dict(self.headers), json.loads(body)))
                fake.replies.pop(0)(self)

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def word(self, how: str = "") -> str:
        return self.url.replace("http", f"http{how}", 1) + "#tiny"


def sent(code: int, body: Any, **headers: str) -> Reply:
    """An answer with that body."""

    def reply(handler: BaseHTTPRequestHandler) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return reply


def said(text: Any, **usage: Any) -> Reply:
    """A completion that says this."""
    return sent(200, {"choices": [{"message": {"content": text}}], "usage": usage})


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    for name in [
        x for x in os.environ if x.lower().endswith("_proxy") or x.startswith(endpoint.KEY)
    ]:
        monkeypatch.delenv(name)
    found = Fake()
    yield found
    found.server.shutdown()
    found.thread.join()
    found.server.server_close()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that were waited for, in no time."""
    found = list[float]()
    monkeypatch.setattr(endpoint, "pause", found.append)
    return found


def asked_once(fake: Fake, *replies: Reply, think: float | None = None, how: str = "") -> Any:
    """A bot that was asked once, and what it chose."""
    fake.replies += replies
    bot, m = bb.bot(fake.word(how), SHORT, think=think), at_a_choice(SHORT)
    return bot, m.word(bot.choose(m.observation(0)))


def test_an_endpoint_is_asked(fake: Fake) -> None:
    answer = said("Hm.\npass", prompt_tokens=800, completion_tokens=3, cost=0.25)
    bot, word = asked_once(fake, answer)
    assert word == "pass"
    ((path, headers, body),) = fake.asked
    assert path == "/v1/chat/completions"
    assert "Authorization" not in headers
    assert body["model"] == "tiny"
    assert [x["role"] for x in body["messages"]] == ["system", "user"]
    assert "You play War Zone" in body["messages"][0]["content"]
    assert "[1] " in body["messages"][1]["content"]
    stats = bot.stats
    assert (stats.tokens_in, stats.tokens_out, stats.cost) == (800, 3, 0.25)


def test_it_may_tell_no_costs_and_nothing_at_all(fake: Fake) -> None:
    bot, word = asked_once(
        fake, said(None), said(""), sent(200, {"choices": [{"message": {"content": "pass"}}]})
    )
    assert word == "pass"
    assert (bot.stats.illegal, bot.stats.tokens_in) == (2, None)
    assert "Your answer is empty." in fake.asked[1][2]["messages"][1]["content"]


def test_if_it_is_busy_it_is_asked_again(fake: Fake, waits: list[float]) -> None:
    def drop(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True  # without a word

    def cut(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"choices": ')
        handler.close_connection = True

    date = format_datetime(datetime.now(UTC) + timedelta(days=1), usegmt=True)
    busy = [
        *(sent(429, {}, Retry_After="7"), sent(503, b"x"), drop, sent(429, {}, Retry_After="x")),
        *(cut, sent(200, {"error": {"code": 502, "message": "gone"}})),
        sent(429, {}, Retry_After=date),
    ]
    bot, word = asked_once(fake, *busy, said("pass"))
    assert word == "pass"
    assert waits == pytest.approx([7, 2.2, 4.4, 8.8, 17.6, 35.2, 120], rel=0.1)
    assert bot.stats.answers == 1


def test_if_it_stays_busy_that_is_said(fake: Fake, waits: list[float]) -> None:
    replies = [sent(429, {"error": {"message": "slow  down"}}, Retry_After="99999")] * 8
    with pytest.raises(BotError, match=r"/v1#tiny: HTTP 429: slow down$"):
        asked_once(fake, *replies)
    assert waits == [120.0] * 7


def test_nobody_loses_because_an_endpoint_is_busy(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for longer than a decision may take, which is not the model's time."""
    waited = list[float]()

    def pause(seconds: float) -> None:
        waited.append(seconds)
        later = time.monotonic() + sum(waited)
        monkeypatch.setattr(endpoint.time, "monotonic", lambda: later)

    monkeypatch.setattr(endpoint, "pause", pause)
    bot, word = asked_once(
        fake, sent(429, {}, Retry_After="60"), said("nonsense"), said("pass"), think=50.0
    )
    assert word == "pass"
    assert waited == [60.0]
    assert bot.stats.seconds < 50


def test_what_was_there_is_waited_for(fake: Fake, waits: list[float]) -> None:
    """As while it is started anew; what has never answered has perhaps the wrong name."""
    bot, _ = asked_once(fake, said("pass"))
    fake.server.socket.close()
    m = at_a_choice(SHORT)
    with pytest.raises(BotError, match="it cannot be reached: Connection refused"):
        bot.choose(m.observation(0))
    assert len(waits) == len(endpoint.WAITS)


def test_an_answer_that_was_cut_off_is_no_answer(fake: Fake) -> None:
    cut = {"message": {"content": "Hm. I could\npass"}, "finish_reason": "length"}
    bot, word = asked_once(fake, sent(200, {"choices": [cut]}), said("1"))
    assert word != "pass"
    assert bot.stats.illegal == 1
    assert "Your answer was cut off before its last line" in str(fake.asked[1][2])


def test_an_answer_may_come_in_parts(fake: Fake) -> None:
    parts = [{"type": "reasoning"}, {"type": "text", "text": "pa"}, {"type": "text", "text": "ss"}]
    completion = {"choices": [{"message": {"content": parts}}], "error": None}
    _, word = asked_once(fake, sent(200, completion))
    assert word == "pass"


def test_what_it_tells_of_its_work_need_not_make_sense(fake: Fake) -> None:
    bot, word = asked_once(fake, said("pass", prompt_tokens=-1, cost="much"))
    assert word == "pass"
    assert (bot.stats.tokens_in, bot.stats.cost) == (None, None)


KEY = "sk-sesame"
WRONG_ENDPOINTS: dict[str, tuple[Reply, str]] = {
    "a wrong key": (
        sent(401, {"error": {"message": f"Incorrect API key: {KEY}"}}),
        r"HTTP 401: Incorrect API key: \*\*\* \(the key in BATTLEBOX_API_KEY\)$",
    ),
    "no such model": (sent(404, {"error": "model 'tiny' not found"}), "HTTP 404: model 'tiny' not"),
    "a page": (sent(404, b"<html>"), "HTTP 404: Not Found$"),
    "redirects": (
        sent(307, b"", Location="http://127.0.0.1:9/elsewhere"),
        r"it redirects to http://127\.0\.0\.1:9/elsewhere: name that URL$",
    ),
    "no JSON": (sent(200, f"hello {KEY}".encode()), r"this is no chat completion: 'hello \*\*\*'"),
    "another JSON": (sent(200, {"choices": []}), 'this is no chat completion: \'{"choices"'),
    "strange parts": (said([1]), "this is no chat completion"),
    "an error after all": (
        sent(200, {"error": {"message": f"no {KEY}", "code": 400}}),
        r"no \*\*\*$",
    ),
    "the key at the end of what is told": (
        sent(200, b"x" * 195 + KEY.encode()),
        r"this is no chat completion: 'x+\*\*\*'",
    ),
}


@pytest.mark.parametrize("what", WRONG_ENDPOINTS)
def test_what_endpoints_do_wrong(
    what: str, fake: Fake, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reply, wrong = WRONG_ENDPOINTS[what]
    monkeypatch.setenv("BATTLEBOX_API_KEY", KEY)
    fake.replies.append(reply)
    plan, out = Plan(SHORT, ("random", fake.word()), 5), tmp_path / "a.jsonl"
    with pytest.raises(BotError, match=wrong) as e:
        tournament(plan, 2, workers=1, out=out)
    assert fake.asked[0][1]["Authorization"] == f"Bearer {KEY}"
    assert KEY not in f"{e.value} {plan!r} {out.read_text(encoding='utf-8')}"


def test_without_a_key_that_is_said(fake: Fake) -> None:
    with pytest.raises(
        BotError, match=r"HTTP 401: Who\? \(there is no key in BATTLEBOX_API_KEY\)$"
    ):
        asked_once(fake, sent(401, {"error": {"message": "Who?"}}))


def test_a_host_can_have_a_key_of_its_own(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATTLEBOX_API_KEY", "any")
    monkeypatch.setenv("BATTLEBOX_API_KEY_127_0_0_1", "its own")
    asked_once(fake, said("pass"))
    assert fake.asked[0][1]["Authorization"] == "Bearer its own"


@pytest.mark.parametrize("key", ["sk-a\rb", "sk-ä", "sk-\u2028b"])
def test_a_key_that_can_be_none_is_not_shown(
    key: str, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BATTLEBOX_API_KEY", key)
    with pytest.raises(BotError, match="the key in BATTLEBOX_API_KEY holds a character") as e:
        asked_once(fake)
    assert "sk-" not in str(e.value)
    assert fake.asked == []


def test_a_key_may_end_in_a_new_line(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATTLEBOX_API_KEY", "sk-a\r\n")
    asked_once(fake, said("pass"))
    assert fake.asked[0][1]["Authorization"] == "Bearer sk-a"


def test_an_endpoint_that_never_answers(fake: Fake) -> None:
    """By the clock, of whose speed nothing is expected."""
    done = threading.Event()
    try:
        with pytest.raises(BotTimeout, match=r"no answer within 0\.5 s, which forfeits the match"):
            asked_once(fake, lambda handler: done.wait() and None, think=0.5)
    finally:
        done.set()


def test_an_endpoint_that_is_not_there(fake: Fake) -> None:
    fake.server.socket.close()
    with pytest.raises(BotError, match=r"#tiny: it cannot be reached: Connection refused"):
        asked_once(fake)
