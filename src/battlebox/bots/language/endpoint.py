"""A model behind a URL that understands OpenAI's chat completions."""

from __future__ import annotations

import json
import os
import re
import time
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from ...core.errors import BotError, BotTimeout
from .messages import Answer, Question

KEY = "BATTLEBOX_API_KEY"  # an environment variable; with _HOST behind it for one host alone
USUAL = 600.0  # seconds for one answer, where there is no limit
WAITS = (1.0, 2.0, 4.0, 8.0, 16.0)  # seconds before it is tried again
LONGEST_WAIT = 120.0  # that an endpoint may ask for
BUSY = (429, 500, 502, 503, 504, 529)
MOST = 10_000_000  # bytes of an answer
TOLD = 200  # letters of what is wrong

pause = time.sleep


class _NoRedirects(HTTPRedirectHandler):
    """A key goes to the host that was named, and to no other."""

    def redirect_request(self, *args: Any) -> None:
        return None


class Endpoint:
    """A URL, and a model there."""

    def __init__(self, url: str, model: str) -> None:
        self.url, self.model = url, model

    def ask(self, question: Question, seconds: float | None) -> Answer:
        """What the model answers. If the endpoint is busy, it is asked again, after a while.

        Errors: BotTimeout if it takes longer; BotError says what the endpoint refuses.
        """
        ends = None if seconds is None else time.monotonic() + seconds
        for wait in (*WAITS, None):
            try:
                return self._post(question, _left(ends))
            except (HTTPError, ConnectionError) as e:  # such as: closed without an answer
                said, asked = self._said(e), _asked_for(e)
                if isinstance(e, HTTPError):
                    e.close()
                if wait is None or (isinstance(e, HTTPError) and e.code not in BUSY):
                    raise BotError(f"{said}") from None
                if ends is not None and time.monotonic() + max(wait, asked) >= ends:
                    raise self._late(seconds) from None
                pause(max(wait, asked))
            except TimeoutError:
                raise self._late(seconds) from None
            except URLError as e:
                if isinstance(e.reason, TimeoutError):
                    raise self._late(seconds) from None
                raise BotError(f"it cannot be reached: {_why(e)}") from None
            except (HTTPException, OSError) as e:
                raise BotError(f"{type(e).__name__}: {e}") from None
        raise AssertionError("the last try returns or raises")

    def _late(self, seconds: float | None) -> BotError:
        if seconds is None:  # nobody has set a limit: then it is nobody's defeat
            return BotError(f"no answer within {USUAL:g} s")
        return BotTimeout(f"no answer within {seconds:g} s")

    def _post(self, question: Question, seconds: float) -> Answer:
        """One try. Errors: HTTPError, OSError, HTTPException; BotError for a strange answer."""
        told = [
            {"role": "system", "content": question.instructions},
            {"role": "user", "content": question.prompt},
        ]
        body = json.dumps({"model": self.model, "messages": told}).encode()
        headers = {"Content-Type": "application/json", "User-Agent": "battlebox"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
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
        return self._read(b"".join(parts))

    def _read(self, body: bytes) -> Answer:
        """What is said in a completion. Errors: BotError if it is none."""
        try:
            said = json.loads(body)
            text, usage = said["choices"][0]["message"].get("content"), said.get("usage") or {}
            return Answer(
                answer=text or "",
                tokens_in=usage.get("prompt_tokens"),
                tokens_out=usage.get("completion_tokens"),
                cost=usage.get("cost"),
            )
        except (ValueError, LookupError, TypeError, AttributeError):
            shown = self._hidden(body[:TOLD].decode(errors="replace"))
            raise BotError(f"this is no chat completion: {shown!r}") from None

    @property
    def _key(self) -> str:
        """The key for this host, looked up where it is needed, so that it is kept nowhere."""
        host = re.sub(r"\W", "_", urlsplit(self.url).hostname or "").upper()
        return os.environ.get(f"{KEY}_{host}") or os.environ.get(KEY, "")

    def _hidden(self, text: str) -> str:
        """A text that may be told: some endpoints repeat the key."""
        return text.replace(self._key, "***") if self._key else text

    def _said(self, e: HTTPError | ConnectionError) -> str:
        """What an endpoint refuses, in its own words if it has any."""
        if not isinstance(e, HTTPError):
            return f"it closed the connection {len(WAITS) + 1} times"
        if 300 <= e.code < 400:
            return f"it redirects to {e.headers.get('Location', 'nowhere')}: name that URL"
        try:
            text = e.read(MOST).decode(errors="replace")
            said = json.loads(text)["error"]
            text = said["message"] if isinstance(said, dict) else str(said)
        except (ValueError, LookupError, TypeError, OSError):
            text = e.reason
        told = f"HTTP {e.code}: {self._hidden(' '.join(str(text).split()))[:TOLD]}"
        if e.code in (401, 403):
            had = "the key in" if self._key else "there is no key in"
            told += f" ({had} {KEY})"
        return told


def _opener() -> OpenerDirector:
    return build_opener(_NoRedirects)


def _left(ends: float | None) -> float:
    return USUAL if ends is None else max(0.001, ends - time.monotonic())


def _asked_for(e: HTTPError | ConnectionError) -> float:
    """The seconds that an endpoint asks one to wait, within bounds."""
    said = e.headers.get("Retry-After", "") if isinstance(e, HTTPError) else ""
    return min(float(said), LONGEST_WAIT) if re.fullmatch(r"\d{1,6}(\.\d+)?", said) else 0.0


def _why(e: URLError) -> str:
    return getattr(e.reason, "strerror", None) or str(e.reason)
