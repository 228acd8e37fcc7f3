"""On which line of a TOML text each key stands: `tomllib` reads the values and forgets where."""

from __future__ import annotations

import re
import tomllib
from typing import NamedTuple

Keys = tuple[str | int, ...]  # keys, and places in lists: ("card", 2, "count")

TOKEN = re.compile(
    r"(?P<space>[ \t\r]+|\#[^\n]*)"
    r'|"""(?s:\\.|[^\\])*?"{3,5}'
    r"|'''(?s:.)*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|[\[\]{}=,.\n]"
    r"|[^\s\[\]{}=,.\"'#]+"
)


class Token(NamedTuple):
    """A word of a TOML text."""

    text: str
    line: int


def lines(text: str) -> dict[Keys, int]:
    """The line of each key, table and member of a list, from 1. The text is one `tomllib` takes."""
    return _Reader(text).found


class _Reader:
    """One pass over the tokens."""

    def __init__(self, text: str) -> None:
        self.found: dict[Keys, int] = {}
        self.sizes: dict[Keys, int] = {}  # of lists of tables: how many there are so far
        self.tokens, line = list[Token](), 1
        for token in TOKEN.finditer(text):
            if token.lastgroup != "space":
                self.tokens.append(Token(token[0], line))
            line += token[0].count("\n")
        self.tokens.append(Token("", line))
        self.at = 0
        table: Keys = ()
        while self.here:
            if self.here == "[":
                table = self.header()
            elif self.here != "\n":
                self.entry(table)
            else:
                self.take()

    @property
    def here(self) -> str:
        """The token that comes next; empty at the end."""
        return self.tokens[self.at].text

    def take(self) -> Token:
        """That token; on to the one after it."""
        self.at += 1
        return self.tokens[self.at - 1]

    def note(self, path: Keys, line: int) -> None:
        """A path and all it lies in: the first line that names it."""
        for n in range(1, len(path) + 1):
            self.found.setdefault(path[:n], line)

    def key(self) -> Keys:
        """A key, of one part or with dots."""
        parts = list[str]()
        while True:
            part = self.take().text
            quoted = part[:1] in ('"', "'")
            parts.append(tomllib.loads(f"key = {part}")["key"] if quoted else part)
            if self.here != ".":
                return tuple(parts)
            self.take()

    def header(self) -> Keys:
        """`[table]`, or `[[list]]`, which has one entry more."""
        line, many = self.take().line, self.here == "["
        if many:
            self.take()
        *outer, last = self.key()
        path: Keys = ()
        for part in outer:
            path = self.inside((*path, part))
        path = (*path, last)
        if many:
            self.sizes[path] = self.sizes.get(path, 0) + 1
        while self.here not in ("\n", ""):
            self.take()
        path = self.inside(path)
        self.note(path, line)
        return path

    def inside(self, path: Keys) -> Keys:
        """What keys are put into under this name: of a list of tables the last one."""
        return (*path, self.sizes[path] - 1) if path in self.sizes else path

    def entry(self, table: Keys) -> None:
        """`key = value`."""
        line, path = self.tokens[self.at].line, (*table, *self.key())
        self.note(path, line)
        self.take()  # the =
        self.value(path)

    def value(self, path: Keys) -> None:
        """A value, and what lies in it."""
        if self.here not in ("[", "{"):
            while self.here not in (",", "]", "}", "\n", ""):
                self.take()
            return
        ends = {"[": "]", "{": "}"}[opens := self.take().text]
        n = 0
        while self.here != ends:
            if self.here in (",", "\n"):
                self.take()
            elif opens == "{":
                self.entry(path)
            else:
                self.note((*path, n), self.tokens[self.at].line)
                self.value((*path, n))
                n += 1
        self.take()
