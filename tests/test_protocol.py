"""The protocol is what docs/protocol.md says, and its schema is what the models are."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pydantic
import pytest

from battlebox.protocol import PROTOCOL
from battlebox.protocol.http import ProblemBody
from battlebox.protocol.messages import (
    BadMessage,
    IntermediateInfo,
    RoomMessage,
    read_client_message,
    read_hello,
    server_message,
)
from battlebox.protocol.schema import schema

DOCS = Path(__file__).parent.parent / "docs"
TEXT = (DOCS / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(x) for x in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]
MESSAGES = [m for x in EXAMPLES for m in (x if isinstance(x, list) else [x])]
CLIENTS = {
    "act",
    "take_seat",
    "rename",
    "fill_seat",
    "undo",
    "propose",
    "answer",
    "resign",
    "cancel",
}


def is_of_client(message: dict[str, Any]) -> bool:
    """Whether a client says it. Both sides have a hint and a review: the client's has no text."""
    type = message.get("type")
    return type in CLIENTS or (type in ("hint", "review") and not {"text", "sums"} & message.keys())


@pytest.mark.parametrize("message", MESSAGES, ids=lambda x: str(x.get("type", "part")))
def test_an_example_is_what_the_models_say(message: dict[str, Any]) -> None:
    text = json.dumps(message)
    if message.get("type") == "hello":
        assert read_hello(text).protocol == PROTOCOL
    elif is_of_client(message):
        assert read_client_message(text).model_dump(exclude_none=True) == message
    elif "type" in message:
        server_message.validate_json(text)
        _check_that_all_is_known(message)
    elif "error" in message:
        ProblemBody.model_validate_json(text)
    else:
        IntermediateInfo.model_validate_json(text)


def _check_that_all_is_known(message: dict[str, Any]) -> None:
    """An example has no field that the models do not have."""
    found = server_message.validate_json(json.dumps(message)).model_dump(exclude_unset=True)
    assert found == message


def test_every_message_has_an_example() -> None:
    told = {x["type"] for x in MESSAGES if "type" in x}
    defined = schema()["$defs"].values()
    types = {x["properties"]["type"]["const"] for x in defined if "type" in x.get("properties", {})
             and "const" in x["properties"]["type"]}  # fmt: skip
    assert told == types


def test_the_page_says_which_version_it_is_of() -> None:
    assert f"**version {PROTOCOL}**" in TEXT
    assert RoomMessage.model_fields["protocol"].default == PROTOCOL


def test_the_schema_on_disk_is_that_of_the_models() -> None:
    kept = json.loads((DOCS / "protocol.schema.json").read_text(encoding="utf-8"))
    assert kept == json.loads(json.dumps(schema())), "write it anew: make page-types"


@pytest.mark.parametrize("left_out", ["id", "question", "action"])
def test_a_command_needs_all_its_parts(left_out: str) -> None:
    message = {"type": "act", "id": "a", "question": "q", "action": 1}
    del message[left_out]
    with pytest.raises(BadMessage, match=left_out):
        read_client_message(json.dumps(message))


def test_what_a_newer_server_says_besides_is_left_out() -> None:
    beat = server_message.validate_json('{"type": "beat", "mood": "good"}')
    assert beat.model_dump() == {"type": "beat"}
    with pytest.raises(pydantic.ValidationError):
        server_message.validate_json('{"type": "song"}')
