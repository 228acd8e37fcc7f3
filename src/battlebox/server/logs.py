"""Lines that a server writes to stderr: for people, or JSON for a collector of logs."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Literal, get_args

from ..core.errors import BattleboxError

LogFormat = Literal["text", "json"]
FORMATS: tuple[LogFormat, ...] = get_args(LogFormat)
TEXT = "%(asctime)s %(levelname)s [%(process)d] %(message)s"


class JsonLines(logging.Formatter):
    """One object a line: time (RFC 3339, UTC), level, process, logger, message; node, once it has a
    database; match, if it is about one; traceback, if there is one.
    """

    def __init__(self, node: str) -> None:
        super().__init__()
        self._node = node

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        said = {
            "time": at.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "process": record.process,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if self._node:
            said["node"] = self._node
        if match := getattr(record, "match", None):
            said["match"] = match
        if record.exc_info:
            said["traceback"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


def read_log_format(text: str) -> LogFormat:
    """Errors: BattleboxError, if there is none of that name."""
    for known in FORMATS:
        if text == known:
            return known
    raise BattleboxError(f"--log-format {text}: give {' or '.join(FORMATS)}")


def log_to_stderr(how: LogFormat = "text", node: str = "") -> None:
    """Lines with the time and, of several processes, which. What others log stays as it is:
    `logging.config` would close all handlers that there are, and with them files of others.

    node: its name in the database and in metrics, which stands in lines for programs.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines(node) if how == "json" else logging.Formatter(TEXT))
    ours, uvicorn_log = logging.getLogger("battlebox"), logging.getLogger("uvicorn")
    uvicorn_log.propagate = False
    for logger, level in ((ours, logging.INFO), (uvicorn_log, logging.WARNING)):
        logger.handlers[:] = [handler]
        logger.setLevel(level)
