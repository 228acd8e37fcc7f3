"""A model behind a URL that understands OpenAI's chat completions."""

from __future__ import annotations

import json
import math
import os
import random
import re
import time
from email.utils import parsedate_to_datetime
from http.client import HTTPException, IncompleteRead
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from ...core.errors import BotError, BotTimeout
from .messages import Answer, Heard, Question

KEY = "BATTLEBOX_API_KEY"  # an environment variable; with _HOST behind it for one host alone
USUAL = 600.0  # seconds for one answer, where there is no limit
WAITS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)  # seconds before it is tried again, and a bit more
LONGEST_WAIT = 120.0  # that an endpoint may ask for
LOST = (408, 504, 524)  # what a gateway says that has waited for a model
BUSY = (*LOST, 409, 425, 429, 500, 502, 503, 520, 521, 522, 523, 529)
MOST = 10_000_000  # bytes of an answer
TOLD = 200  # letters of what is wrong

pause = time.sleep
_there = set[str]()  # URLs that have answered: what cannot be reached else may have a wrong name


class Busy(Exception):
    """It cannot answer now, and may later. wait: the seconds that it asks for. thought: the model
    may have been at work on it.
    """

    def __init__(self, said: str, wait: float = 0.0, *, thought: bool = False) -> None:
        super().__init__(said)
        self.wait, self.thought = wait, thought


class _NoRedirects(HTTPRedirectHandler):
    """A key goes to the host that was named, and to no other."""

    def redirect_request(self, *args: Any) -> None:
        return None


class Endpoint:
    """A URL, and a model there."""

    def __init__(self, url: str, model: str) -> None:
        self.url, self.model = url, model

    def ask(self, question: Question, seconds: float | None) -> Heard:
        """What the model answers. If the endpoint is busy, or was there and cannot be reached, it
        is asked again, after a while.

        Errors: BotTimeout if an answer takes longer; BotError says what the endpoint refuses.
        """
        begun, thought = time.monotonic(), 0.0
        for wait in (*WAITS, None):
            tried = time.monotonic()
            try:
                if seconds is not None and thought >= seconds:
                    raise TimeoutError
                answer = self._post(question, (USUAL if seconds is None else seconds) - thought)
            except TimeoutError:
                raise self._late(seconds) from None
            except Busy as e:
                if wait is None:
                    raise BotError(str(e)) from None
                thought += (time.monotonic() - tried) * e.thought
                pause(max(wait * random.uniform(1, 1.2), e.wait))  # not all at the same moment
            else:
                _there.add(self.url)
                return Heard(answer, tried - begun - thought)
        raise AssertionError("the last try returns or raises")

    def _late(self, seconds: float | None) -> BotError:
        if seconds is None:  # nobody has set a limit: then it is nobody's defeat
            return BotError(f"no answer within {USUAL:g} s")
        return BotTimeout(f"no answer within {seconds:g} s")

    def _post(self, question: Question, seconds: float) -> Answer:
        """One try. Errors: TimeoutError; Busy; BotError says what else is wrong."""
        try:
            return self._read(self._sent(question, max(0.001, seconds)))
        except HTTPError as e:
            with e:
                said = self._said(e)
                if e.code in BUSY:
                    wait = _asked_for(e.headers.get("Retry-After", ""))
                    raise Busy(said, wait, thought=e.code in LOST) from None
                raise BotError(said) from None
        except TimeoutError:
            raise
        except (OSError, HTTPException) as e:
            if isinstance(e, URLError) and isinstance(e.reason, TimeoutError):
                raise TimeoutError from None
            raise self._lost(e) from None

    def _lost(self, e: OSError | HTTPException) -> Busy | BotError:
        """What there is to say of a line that broke, or could not be made."""
        if isinstance(e, HTTPException) and not isinstance(e, (OSError, IncompleteRead)):
            return BotError(self._hidden(f"{type(e).__name__}: {e}")[:TOLD])  # it speaks no HTTP
        if not isinstance(e, URLError):  # such as: closed in the middle of an answer
            return Busy(f"the connection was lost: {e or type(e).__name__}"[:TOLD], thought=True)
        why = f"it cannot be reached: {getattr(e.reason, 'strerror', None) or e.reason}"
        return Busy(why) if self.url in _there else BotError(why)

    def _sent(self, question: Question, seconds: float) -> bytes:
        """Sends it; the body of the answer. Errors: OSError, HTTPException; BotError."""
        told = [
            {"role": "system", "content": question.instructions},
            {"role": "user", "content": question.prompt},
        ]
        body = json.dumps({"model": self.model, "messages": told}).encode()
        headers = {"Content-Type": "application/json", "User-Agent": "battlebox"}
        if key := self._key:
            headers["Authorization"] = f"Bearer {key}"
        request = Request(f"{self.url}/chat/completions", body, headers)
        ends, parts, size = time.monotonic() + seconds, list[bytes](), 0
        with _opener().open(request, timeout=seconds) as reply:
            while part := reply.read1(65536):
                parts.append(part)
                size += len(part)
                if time.monotonic() > ends:
                    raise TimeoutError
                if size > MOST:
                    raise BotError(f"an answer of more than {MOST:,} bytes")
            if reply.length:
                raise IncompleteRead(b"".join(parts), reply.length)
        return b"".join(parts)

    def _read(self, body: bytes) -> Answer:
        """What is said in a completion. Errors: BotError if it is none; Busy."""
        try:
            said = json.loads(body)
            if error := said.get("error"):  # some have already said that all is well, and then fail
                raise self._failed(error)
            first = said["choices"][0]
            text = first["message"].get("content") or ""
            if not isinstance(text, str):
                text = "".join(part.get("text", "") for part in text)
            cut_off = first.get("finish_reason") == "length"
            return _counted(said.get("usage")).model_copy(
                update={"answer": text, "cut_off": cut_off}
            )
        except (ValueError, LookupError, TypeError, AttributeError):
            shown = self._hidden(body.decode(errors="replace"))[:TOLD]
            raise BotError(f"this is no chat completion: {shown!r}") from None

    def _failed(self, error: Any) -> Busy | BotError:
        code = error.get("code") if isinstance(error, dict) else None
        said = self._hidden(_words(error))[:TOLD]
        return Busy(said) if code in BUSY else BotError(said)

    @property
    def _key(self) -> str:
        """The key for this host, looked up where it is needed, so that it is kept nowhere.

        Errors: BotError for what can be no key; its words do not show it.
        """
        host = re.sub(r"\W", "_", urlsplit(self.url).hostname or "").upper()
        name = next((x for x in (f"{KEY}_{host}", KEY) if os.environ.get(x)), KEY)
        key = os.environ.get(name, "").strip()
        if not (key.isascii() and key.isprintable()):
            raise BotError(f"the key in {name} holds a character that is in no key")
        return key

    def _hidden(self, text: str) -> str:
        """A text that may be told: some endpoints repeat the key."""
        return text.replace(self._key, "***") if self._key else text

    def _said(self, e: HTTPError) -> str:
        """What an endpoint refuses, in its own words if it has any."""
        if 300 <= e.code < 400:
            where = self._hidden(e.headers.get("Location", "nowhere"))[:TOLD]
            return f"it redirects to {where}: name that URL"
        try:
            text = _words(json.loads(e.read(MOST))["error"])
        except (ValueError, LookupError, TypeError, OSError, HTTPException):
            text = str(e.reason)
        told = f"HTTP {e.code}: {self._hidden(text)[:TOLD]}"
        if e.code in (401, 403):
            had = "the key in" if self._key else "there is no key in"
            told += f" ({had} {KEY})"
        return told


def _opener() -> OpenerDirector:
    return build_opener(_NoRedirects)


def _words(error: Any) -> str:
    """Of what an endpoint calls an error."""
    text = error.get("message", error) if isinstance(error, dict) else error
    return " ".join(str(text).split())


def _counted(usage: Any) -> Answer:
    """An empty answer with what an endpoint tells of its work, if that makes sense."""
    told = usage if isinstance(usage, dict) else {}
    names = {"tokens_in": "prompt_tokens", "tokens_out": "completion_tokens", "cost": "cost"}
    try:
        return Answer.model_validate({"answer": "", **{a: told.get(b) for a, b in names.items()}})
    except ValueError:
        return Answer(answer="")


def _asked_for(said: str) -> float:
    """The seconds that an endpoint asks one to wait, or until when; within bounds."""
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(said).timestamp() - time.time()
        except ValueError:
            return 0.0
    return min(max(0.0, seconds), LONGEST_WAIT) if math.isfinite(seconds) else 0.0
