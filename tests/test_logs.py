"""The lines that a server writes to stderr."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from unittest import mock

import pytest
from serving import in_thread

from battlebox.core.errors import BattleboxError
from battlebox.server import security
from battlebox.server.logs import FORMATS, log_to_stderr, read_log_format
from battlebox.server.serve import serve

LOG = logging.getLogger("battlebox")


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Handlers and levels are those of the process."""
    names = ("battlebox", "uvicorn")
    before = [(x, x.handlers[:], x.level, x.propagate) for x in map(logging.getLogger, names)]
    yield
    for logger, handlers, level, propagate in before:
        logger.handlers[:], logger.propagate = handlers, propagate
        logger.setLevel(level)


def test_text_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr()
    LOG.warning("%s: it %s", "abc", "broke", extra={"match": "abc"})
    LOG.debug("not of interest")
    assert re.fullmatch(r"[\d-]+ [\d:,]+ WARNING \[\d+\] abc: it broke\n", capsys.readouterr().err)


def test_json_is_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr("json")
    LOG.info("Deleted %s matches:\n\u2028 “all”", 3)
    LOG.warning("%s: it broke", "abc", extra={"match": "abc"})
    logging.getLogger("uvicorn.error").error("no")
    plain, of_a_match, others = map(json.loads, capsys.readouterr().err.split("\n")[:-1])
    assert datetime.fromisoformat(plain.pop("time")).utcoffset() is not None
    assert isinstance(plain.pop("process"), int)
    assert plain == {
        "level": "info",
        "logger": "battlebox",
        "message": "Deleted 3 matches:\n\u2028 “all”",
    }
    assert of_a_match["match"] == "abc"
    assert "node" not in of_a_match
    assert of_a_match["level"] == "warning"
    assert others["logger"] == "uvicorn.error"
    log_to_stderr("json", "here-1")
    LOG.info("saved")
    assert json.loads(capsys.readouterr().err)["node"] == "here-1"


def test_what_breaks_inside_is_one_line_with_its_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with in_thread(tmp_path) as server:
        log_to_stderr("json")
        with mock.patch.object(server.rooms, "open", side_effect=RuntimeError("inside")):
            assert server.ask("GET", "/api/matches/x").status_code == 500
    (line,) = capsys.readouterr().err.splitlines()
    said = json.loads(line)
    assert said["level"] == "error"
    assert said["traceback"].startswith("Traceback")
    assert "inside" in said["traceback"]
    assert security.log is LOG


@pytest.mark.parametrize("given", ["xml", "", "JSON", "json "])
def test_a_format_that_is_none(tmp_path: Path, given: str) -> None:
    with pytest.raises(BattleboxError, match=rf"^--log-format {given}: give text or json$"):
        serve(data=tmp_path / "data", port=0, browser=False, log_format=given)
    assert not (tmp_path / "data").exists()
    assert [read_log_format(x) for x in FORMATS] == ["text", "json"]
