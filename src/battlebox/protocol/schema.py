"""The protocol as JSON Schema: what docs/protocol.schema.json and the page's types are made of.

python -m battlebox.protocol.schema > docs/protocol.schema.json
"""

from __future__ import annotations

import json
from typing import Any

import pydantic
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from ..core import zones
from . import PROTOCOL, http, messages

_SAID = (
    messages.RoomMessage,
    messages.Frame,
    messages.Ack,
    messages.Refusal,
    messages.HintAnswer,
    messages.ReviewProgress,
    messages.ReviewAnswer,
    messages.ErrorMessage,
    messages.Beat,
    http.GameInfo,
    http.RulesInfo,
    http.ComponentsInfo,
    http.Lessons,
    http.LessonPicture,
    http.Place,
    http.Links,
    http.Summary,
    http.Replay,
    http.Layout,
    http.ProblemBody,
    http.Health,
    http.Ready,
)
_HEARD = (
    messages.Hello,
    messages.Act,
    messages.TakeSeat,
    messages.Rename,
    messages.FillSeat,
    messages.Undo,
    messages.Propose,
    messages.Answer,
    messages.Resign,
    messages.HintRequest,
    messages.ReviewRequest,
    messages.Cancel,
    http.NewMatch,
    http.LessonStep,
)


class _Plainly(GenerateJsonSchema):
    """Without titles that only repeat the names of fields: types made of it would have them all."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schema() -> dict[str, Any]:
    """One schema, with a definition for each message and body, for what they are made of, and for
    the facts of each kind of zone.
    """
    models: list[tuple[type[pydantic.BaseModel], Any]] = [(x, "serialization") for x in _SAID]
    models += [(x, "validation") for x in _HEARD]
    _, found = models_json_schema(models, ref_template="#/$defs/{model}", schema_generator=_Plainly)
    kinds = [(kind, "validation", zones.adapter(kind)) for kind in zones.KINDS]
    _, facts = pydantic.TypeAdapter.json_schemas(
        kinds,  # type: ignore[arg-type]
        ref_template="#/$defs/{model}",
        schema_generator=_Plainly,
    )
    for model in found["$defs"].values():  # a type is always said: it tells messages apart
        if "const" in model["properties"].get("type", {}):
            model["required"] = sorted({*model.get("required", ()), "type"})
    about = f"The battlebox protocol, version {PROTOCOL}; docs/protocol.md explains it."
    found["$defs"] |= facts["$defs"]
    return {"title": "battlebox", "description": about, **found}


if __name__ == "__main__":
    print(json.dumps(schema(), indent=1, sort_keys=True))
