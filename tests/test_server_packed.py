"""Texts go out packed to clients that can unpack them, and may come in packed."""

from __future__ import annotations

import json
import zlib
from typing import Any

import pytest
from serving import InThread
from test_server_hostile import TEXT, frame, hello, rest
from websockets.sync.client import ClientConnection


def noted(socket: ClientConnection) -> list[tuple[bool, int]]:
    """Of each frame that comes from now on: whether it is packed, and its bytes."""
    (packing,) = socket.protocol.extensions
    found, decode = list[tuple[bool, int]](), packing.decode

    def note(frame: Any, **how: Any) -> Any:
        found.append((frame.rsv1, len(frame.data)))
        return decode(frame, **how)

    packing.decode = note  # type: ignore[method-assign]
    return found


def frames(socket: ClientConnection, token: str, moves: int, **more: Any) -> list[str]:
    """What a player is sent, as long as they make so many moves: the texts."""
    texts = list[str]()
    socket.send(hello(token, **more))
    while True:
        texts.append(str(socket.recv()))
        found = json.loads(texts[-1])
        for message in found if isinstance(found, list) else [found]:
            if message["type"] != "frame" or not message["question"]:
                continue
            if not moves:
                return texts
            scene = message.get("scene") or message.get("changes") or {}
            action = scene["choices"][0][2] if scene else message["actions"][0]
            said = {"type": "act", "id": f"m{moves}", "question": message["question"]}
            socket.send(json.dumps({**said, "action": action}))
            moves -= 1


def test_people_get_packed_what_others_get_as_it_is(live_server: InThread) -> None:
    made = live_server.make(["you", "random"], seed=5)
    with live_server.dial(made["id"]) as socket:
        came = noted(socket)
        texts = frames(socket, made["token"], 10)
        sizes = came[: len(texts)]
    again = live_server.make(["you", "random"], seed=5)
    with live_server.dial(again["id"], compression=None) as socket:
        assert not socket.protocol.extensions
        plain = frames(socket, again["token"], 10)
    is_frame = [json.loads(x)["type"] == "frame" for x in texts]
    assert [packed for packed, _ in sizes] == is_frame, "what holds tokens is not packed"
    scenes = [[json.loads(x).get("scene") for x in found] for found in (texts, plain)]
    assert next(filter(None, scenes[0])) == next(filter(None, scenes[1]))
    pairs = [(n, len(x.encode())) for (packed, n), x in zip(sizes, texts, strict=True) if packed]
    assert sum(n for n, _ in pairs) < sum(n for _, n in pairs) / 4


def test_nothing_is_packed_for_programs(live_server: InThread) -> None:
    made = live_server.make(["you", "random"])
    with live_server.dial(made["id"]) as socket:
        came = noted(socket)
        texts = frames(socket, made["token"], 3, frames="data")
        sizes = came[: len(texts)]
    assert [size for _, size in sizes] == [len(x.encode()) for x in texts]
    assert not any(packed for packed, _ in sizes)


def test_nothing_is_kept_of_what_clients_pack(live_server: InThread) -> None:
    made = live_server.make(["you", "random"])
    with live_server.dial(made["id"]) as socket:
        assert socket.protocol.extensions[0].local_no_context_takeover  # type: ignore[attr-defined]


def deflated(data: bytes) -> bytes:
    """Packed as a text of a client."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("padding", [0, 300])
def test_clients_may_pack_what_they_say(live_server: InThread, padding: int, packed: bool) -> None:
    made = live_server.make(["you", "random"])
    text = (hello(made["token"]) + " " * padding).encode()
    with live_server.dial(made["id"]) as socket:
        said = frame(TEXT, deflated(text), flags=0x40) if packed else frame(TEXT, text)
        socket.socket.sendall(said)
        assert json.loads(socket.recv())["you"] == 0


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (deflated(b" " * 50_000), 1009),
        (deflated(b" " * 5_000_000), 1009),
        (b"\x07", 1002),
        (b"\x07" * 1_000, 1002),
        (deflated(b"\xff"), 1007),
    ],
    ids=["small bomb", "bomb", "not packed", "not packed, long", "no text"],
)
def test_what_cannot_be_unpacked_is_refused(live_server: InThread, data: bytes, code: int) -> None:
    made = live_server.make(["you", "random"])
    with live_server.dial(made["id"]) as socket:
        socket.socket.sendall(frame(TEXT, data, flags=0x40))
        assert rest(socket)[1] == code
    live_server.healthy()
