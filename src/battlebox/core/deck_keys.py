"""What the keys of a deck mean and take, in words: from the JSON schema of its model."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pydantic

from .lines import Keys

WIDTH = 96


@cache
def _whole(model: type[pydantic.BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()


def schema_of(model: type[pydantic.BaseModel], path: Keys) -> dict[str, Any]:
    """What the JSON schema of a model says of a key; empty if it knows none."""
    whole = _whole(model)
    here: Any = whole
    for step in path:
        found: Any = None
        for arm in arms(here, whole):
            if isinstance(step, int):
                found = found or arm.get("items")
            else:
                found = found or arm.get("properties", {}).get(step)
                found = found or arm.get("additionalProperties")
        here = found if isinstance(found, dict) else {}
    every = arms(here, whole)
    return every[0] if len(every) == 1 else here


def arms(schema: dict[str, Any], whole: dict[str, Any]) -> list[dict[str, Any]]:
    """What a schema lets a value be, one or more; to be left out (null) is none."""
    every = schema.get("anyOf") or schema.get("oneOf") or [schema]
    return [follow(x, whole) for x in every if x.get("type") != "null"]


def follow(schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """A schema, with what it refers to put in its place."""
    if "$ref" not in schema:
        return schema
    rest = {k: v for k, v in schema.items() if k != "$ref"}
    return {**whole["$defs"][schema["$ref"].rpartition("/")[2]], **rest}


def takes(schema: Mapping[str, Any]) -> str:
    """What a key takes, in words."""
    if "takes" in schema:
        return str(schema["takes"])
    if every := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(filter(None, map(takes, every)))
    if "enum" in schema:
        *most, last = map(str, schema["enum"])
        return f"{', '.join(most)} or {last}" if most else last
    low, high = schema.get("minimum"), schema.get("maximum")
    match schema.get("type"):
        case "integer":
            return f"{low} to {high}" if low is not None and high is not None else "a whole number"
        case "boolean":
            return "true or false"
        case "string":
            least, most_ = schema.get("minLength", 0), schema.get("maxLength")
            return f"{least} to {most_} characters" if most_ else "a text"
        case "array":
            return "a list of entries" if schema.get("minItems") else "a list"
        case "object":
            return "a table"
    return ""


def explain(model: type[pydantic.BaseModel]) -> str:
    """What the keys of such a file mean and take, as TOML comments."""
    return "".join(f"# {line}".rstrip() + "\n" for line in _explained(model))


def _explained(model: type[pydantic.BaseModel]) -> Iterator[str]:
    whole = _whole(model)
    yield from _keys(whole, whole, "")


def _keys(table: Mapping[str, Any], whole: dict[str, Any], name: str) -> Iterator[str]:
    """The keys of a table: first those with values, then the tables in it."""
    inner = list[tuple[str, dict[str, Any]]]()
    fields = {k: follow(x, whole) for k, x in table["properties"].items()}
    required = table.get("required", [])
    width = max(map(len, fields))
    for key, schema in fields.items():
        path = f"{name}.{key}" if name else key
        items = follow(schema.get("items") or {}, whole)
        values = schema.get("additionalProperties")
        if "properties" in items:
            inner.append((f"[[{path}]]", {**items, **_described(schema, items)}))
        elif "properties" in schema and not name:
            inner.append((f"[{path}]", schema))
        elif isinstance(values, dict) and "$ref" in values:
            found = follow(values, whole)
            inner.append((f"[{path}.N]", {**found, **_described(schema, found)}))
        else:
            yield from _row(key, schema, whole, width, key in required)
    for head, schema in inner:
        yield ""
        yield from textwrap.wrap(f"{head}: {schema.get('description', '')}", WIDTH)
        yield from _keys(schema, whole, head.strip("[]"))


def _described(schema: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": schema.get("description") or other.get("description", "")}


def _row(
    key: str, schema: dict[str, Any], whole: dict[str, Any], width: int, required: bool
) -> Iterator[str]:
    """A key, what it is for, and what it takes."""
    table = next((x for x in arms(schema, whole) if "properties" in x), None)
    parts = [schema.get("description") or "", "" if table else takes(schema)]
    default = schema.get("default")
    if not required:
        shown = json.dumps(default) if default not in (None, "", {}) and not table else ""
        parts.append(f"{shown} if left out" if shown else "may be left out")
    text = "; ".join(filter(None, parts))
    yield from textwrap.wrap(
        text,
        WIDTH - (14 if key.startswith(".") else 0),
        initial_indent=f"  {key:{width}}  ",
        subsequent_indent=" " * (width + 4),
        break_long_words=False,
    )
    if table:
        told = {f".{k}": follow(x, whole) for k, x in table["properties"].items()}
        told = {k: x for k, x in told.items() if x.get("description")}
        inside = max(map(len, told), default=0)
        for name, inner in told.items():
            for line in _row(name, inner, whole, inside, name[1:] in table.get("required", [])):
                yield " " * (width + 2) + line
