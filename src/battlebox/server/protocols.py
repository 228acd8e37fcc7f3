"""uvicorn's protocols for HTTP and WebSockets, with bounds where it has none.

uvicorn collects the head of a request without end and waits for it for ever, and as long for who
reads no answer; it answers every ping and collects every piece of a message, even if nobody reads
the answers. Here all that has bounds.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState, PayloadTooBig, ProtocolError
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]
from websockets.http11 import Request
from websockets.protocol import State

from ..protocol.http import problem
from .limits import HEAD, HEAD_OF_SOCKET, HEADERS_OF_SOCKET, RATE, UNREAD, Bucket
from .security import HEADERS
from .sockets import GOING_ON, TRANSPORT

#: How texts are packed for clients that can unpack them: with what each socket was sent before,
#: in a window of so many bits. What clients pack, they pack by itself, so that nothing is kept.
DEFLATE = ServerPerMessageDeflateFactory(
    server_max_window_bits=13,
    client_no_context_takeover=True,
    compress_settings={"level": 4, "memLevel": 6},
)
AHEAD = 8  # messages of a client that may wait for their turn
PLAIN, PACKED = 0x81, 0xC1  # the first byte of a text's only frame


class Http(HttpToolsProtocol):
    """A connection: its requests have heads of so many bytes, and arrive within so many seconds;
    of an answer something is read in each time of this length.
    """

    patience = 10.0
    folder = b""  # of a proxy's, in which this server lies: "/games"
    _seen = 0  # bytes of the head that have been read
    _raw = 0  # bytes that came since it began
    _in_head = True  # it is not complete
    _late: asyncio.TimerHandle | None = None
    _unread = 0  # bytes that waited to be read when it was looked last
    _looking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        self._look_away()
        super().connection_lost(exc)

    def _look(self) -> None:
        before, self._unread = self._unread, self.transport.get_write_buffer_size()
        if 0 < before <= self._unread:
            self.transport.abort()
        else:
            self._looking = self.loop.call_later(self.patience, self._look)

    def resume_writing(self) -> None:
        self._unread = 0  # it is being read, and what comes now may be as much again
        super().resume_writing()

    def _look_away(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None

    def data_received(self, data: bytes) -> None:
        self._raw += len(data)
        super().data_received(data)
        if self._in_head and self._raw > HEAD and not self.transport.is_closing():
            self.send_400_response("The head of a request is too long.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._seen = 0
        self._wait()

    def on_url(self, url: bytes) -> None:
        self._see(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._see(name + value)
        super().on_header(name, value)

    def _see(self, data: bytes) -> None:
        self._seen += len(data)
        if self._seen > HEAD:
            raise ValueError("the head is too long")  # the parser ends at it: 400

    def on_headers_complete(self) -> None:
        self._in_head = False  # what comes now is body, which the middleware counts
        if (self.url + b"/").startswith(self.folder + b"/"):  # a proxy takes it off, or leaves it
            self.url = self.url[len(self.folder) :] or b"/"
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_head, self._raw = True, 0
        self._arrived()
        super().on_message_complete()

    def _wait(self) -> None:
        self._arrived()
        self._late = self.loop.call_later(self.patience, self.transport.abort)

    def _arrived(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def handle_websocket_upgrade(self) -> None:
        self._arrived()
        self._look_away()
        if self._seen > HEAD_OF_SOCKET or len(self.headers) > HEADERS_OF_SOCKET:
            self.send_400_response("The head of a request is too long.")
        else:
            super().handle_websocket_upgrade()
            self.parser = None  # type: ignore[assignment]  # it keeps this, which is done

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, "invalid", msg)

    def _refuse(self, status: int, code: str, message: str) -> None:
        if self.transport.is_closing():
            return
        body = json.dumps(problem(code, message)).encode()
        head = {
            **HEADERS,
            "cache-control": "no-cache",
            "content-type": "application/json",
            "content-length": str(len(body)),
            "connection": "close",
        }
        lines = "".join(f"{k}: {v}\r\n" for k, v in head.items())
        line = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"
        self.transport.write(f"{line}\r\n{lines}\r\n".encode() + body)
        self.transport.close()


class WebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that takes so many bytes a second, and keeps so many for a client to read.

    It can be written to at once, without a task that waits for its turn: a `connections.Transport`.
    When the connection is lost it is gone at once, with what packing needs (`DEFLATE`, 72 kB): a
    circle would keep it until the collector comes, which is seldom, and hundreds of others with it.
    """

    drained: Callable[[], object] | None = None

    def __init__(self, *a: Any, **k: Any) -> None:
        super().__init__(*a, **k)
        self._bytes = Bucket(RATE, 10 * RATE)
        self.conn.available_extensions = [DEFLATE]

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):  # else the handshake was refused
            cast(Any, self.scope)["extensions"][TRANSPORT] = self

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.parser.close()  # it waits for more, and keeps what it is of
        if hasattr(self, "scope"):
            cast(Any, self.scope)["extensions"].pop(TRANSPORT, None)

    @property
    def gone(self) -> bool:
        return bool(self.close_sent or self.disconnected or self.transport.is_closing())

    @property
    def full(self) -> bool:
        return not self.writable.is_set()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.drained:
            self.drained()

    def push(self, text: bytes, packed: bool) -> None:
        """Sends a text, unless the connection is about to end; packed, if the client can unpack."""
        if not self.gone:
            with contextlib.suppress(InvalidState):
                self._send(text, packed)
                self.transport.write(b"".join(self.conn.data_to_send()))

    def _send(self, text: bytes, packed: bool) -> None:
        conn = self.conn
        usual, conn.extensions = conn.extensions, conn.extensions if packed else []
        try:
            conn.send_text(text)
        finally:
            conn.extensions = usual

    def hang_up(self) -> None:
        """The client is to come back, which it does when it is closed so."""
        close = {"type": "websocket.close", "code": GOING_ON}
        task = self.loop.create_task(self._close(close))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _close(self, message: Any) -> None:
        with contextlib.suppress(OSError, RuntimeError):
            await self.send(message)

    def send_receive_event_to_app(self) -> None:
        """Goes on reading while few messages wait: to stop and begin again costs two calls each."""
        few = not self.read_paused and self.queue.qsize() < AHEAD
        self.read_paused |= few  # for whom it is set, it is not paused again
        super().send_receive_event_to_app()
        self.read_paused &= not few

    def data_received(self, data: bytes) -> None:
        if not self._bytes.take(len(data)) or len(self.frames) > 1_000 or self._unread():
            self.transport.abort()
        elif frame := self._short(data):
            self.handle_text(frame)
        else:
            super().data_received(data)

    def _short(self, data: bytes) -> Frame | None:
        """A short text in a frame of its own, as nearly all are: read without the library's
        parser, which takes ten times as long. None: it is anything else.
        """
        size, conn = len(data) - 6, self.conn
        whole = 0 <= size < 126 and data[0] in (PLAIN, PACKED) and data[1] == 0x80 | size
        if not whole or conn.state is not State.OPEN or conn.reader.buffer or self.frames:
            return None
        packed = data[0] == PACKED
        frame = Frame(Opcode.TEXT, apply_mask(data[6:], data[2:6]), rsv1=packed)
        return self._unpacked(frame) if packed else frame

    def _unpacked(self, frame: Frame) -> Frame | None:
        """The same, if it is a packed text; by itself, as it builds on none before."""
        if not self.conn.extensions:
            return None
        try:
            return self.conn.extensions[0].decode(frame, max_size=self.conn.max_message_size)
        except (ProtocolError, PayloadTooBig):
            return None  # the library's parser says what is wrong with it

    def _unread(self) -> bool:
        return self.transport.get_write_buffer_size() > UNREAD

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()  # what they have not read they will not read
