"""Match files, read: tolerant of their form, and verified by playing them again."""

from __future__ import annotations

from collections.abc import Callable

from .errors import BattleboxError, RecordError
from .fair import Fair, commitment, read_hex
from .game import Game, Ruleset, parse_options
from .match import Match
from .record import FORMAT, ending

VERBS = (
    *("battlebox", "game", "options", "deck", "table", "seed", "fair", "position", "chance", "do"),
    *("agree", "end"),
)
Lines = list[tuple[int, str, str]]  # (line number, verb, the rest)


def read(text: str, find: Callable[[str], Game]) -> Match:
    """Plays a record again and proves it. `find` gives a game by its name.

    Errors: RecordError names the line and what is wrong with it.
    """
    lines: Lines = []
    for n, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            verb, rest = (*line.split(maxsplit=1), "")[:2]
            if verb not in VERBS:
                raise RecordError(f"line {n}: {verb!r} is not a line of a match record")
            lines.append((n, verb, rest.strip()))
    if not lines or lines[0][1] != "battlebox":
        raise RecordError("line 1: not a match record; it would begin with `battlebox 1`")
    if lines[0][2] != str(FORMAT):
        raise RecordError(
            f"line {lines[0][0]}: format {lines[0][2]!r}; this version reads format {FORMAT}"
        )
    if lines[-1][1] != "end":
        raise RecordError(
            f"line {lines[-1][0]}: the record breaks off here: its `end` line is missing"
        )

    def one(verb: str, default: str | None = None) -> tuple[int, str]:
        found = [(n, rest) for n, v, rest in lines if v == verb]
        if len(found) > 1:
            raise RecordError(f"line {found[1][0]}: a second `{verb}` line")
        if not found and default is None:
            raise RecordError(f"line {lines[0][0]}: the record has no `{verb}` line")
        return found[0] if found else (0, default or "")

    one("battlebox")
    r = _ruleset(one, lines, find)
    m = _begin(r, one, lines)
    heard = 0  # outcomes that a `chance` line has told of
    for n, verb, rest in lines:
        if verb in ("do", "agree", "end") and (left := _outcomes(m)[heard:]):
            raise RecordError(f"line {n}: a `chance` line is missing above: {' '.join(left)}")
        if verb == "chance":
            heard = _check_chance(n, rest.split(), _outcomes(m), heard)
        elif verb in ("do", "agree"):
            seat, word = _taken(n, rest) if verb == "do" else (None, rest)
            try:
                m.repeat(seat, word)
            except BattleboxError as e:
                raise RecordError(f"line {n}: {e}") from None
    at, said = one("end")
    _verify(at, said, ending(m))
    return m


def _taken(at: int, rest: str) -> tuple[int, str]:
    """The seat and the word of a `do` line."""
    seat, _, word = rest.partition(" ")
    if not seat.isdecimal() or len(seat) > 3 or not word:
        raise RecordError(f"line {at}: `do {rest}`; write `do SEAT WORD`")
    return int(seat), word.strip().strip('"')


def _begin(r: Ruleset, one: Callable[..., tuple[int, str]], lines: Lines) -> Match:
    """The match before its first action."""
    position = "\n".join(rest for _, verb, rest in lines if verb == "position") or None
    at, said = one("fair", "")
    chance: Fair | None = None
    seed = 0
    if at:
        if (other := one("seed", "")[0]) or len(said.split()) != 2:
            raise RecordError(f"line {other or at}: write `fair COMMITMENT SECRET`, and no `seed`")
        committed, secret = said.split()
        try:
            chance = Fair(read_hex(secret, "the secret"))
        except RecordError as e:
            raise RecordError(f"line {at}: {e}") from None
        if commitment(chance.secret) != committed:
            raise RecordError(f"line {at}: the secret is not the one committed to ({committed})")
    else:
        at, said = one("seed")
        if not said.isdecimal() or len(said) > 19 or int(said) >= 2**62:
            raise RecordError(f"line {at}: seed {said!r} is not a whole number 0 .. 2**62 - 1")
        seed = int(said)
    try:
        m = Match(r, seed, position=position, chance=chance)
    except BattleboxError as e:
        raise RecordError(f"line {next(n for n, v, _ in lines if v == 'position')}: {e}") from None
    return m


def _outcomes(m: Match) -> list[str]:
    """The fair outcomes so far."""
    return m.chance.outcomes if isinstance(m.chance, Fair) else []


def _check_chance(at: int, said: list[str], outcomes: list[str], heard: int) -> int:
    """The outcomes of a `chance` line against those of the secret; how many are now told of."""
    for k, outcome in enumerate(said, heard):
        if k >= len(outcomes):
            raise RecordError(f"line {at}: outcome {k} is {outcome}: the rules asked for none here")
        if outcomes[k] != outcome:
            raise RecordError(
                f"line {at}: outcome {k} is {outcome}: false, the secret gives {outcomes[k]}"
            )
    return heard + len(said)


def _ruleset(
    one: Callable[..., tuple[int, str]],
    lines: Lines,
    find: Callable[[str], Game],
) -> Ruleset:
    at, said = one("game")
    first = at
    name, version = (*said.split(maxsplit=1), "", "")[:2]
    try:
        game = find(name)
    except BattleboxError as e:
        raise RecordError(f"line {at}: {e}") from None
    if version != str(game.version):
        raise RecordError(
            f"line {at}: played by version {version or '?'} of the rules of {name}; "
            f"this is version {game.version}, which may decide otherwise"
        )
    at, said = one("options", "")
    at = at or first
    deck = "\n".join(
        rest.removeprefix("|").removeprefix(" ") for _, v, rest in lines if v == "deck"
    )
    try:
        options = parse_options(game, said.split())
        r = game.ruleset({**options, "deck": deck + "\n"} if deck else options, strings=True)
    except BattleboxError as e:
        raise RecordError(f"line {at}: {e}") from None
    at, digest = one("table")
    if digest != r.digest:
        raise RecordError(
            f"line {at}: played with other numbers (table {digest}; these options give "
            f"{r.digest} here): options or deck were changed since"
        )
    return r


def _verify(at: int, said: str, found: str) -> None:
    """The `end` line against what the replay gives."""
    a, b = (dict(w.partition("=")[::2] for w in text.split()) for text in (said, found))
    for key in {**b, **a}:
        value = b.get(key)
        if a.get(key) != value:
            raise RecordError(
                f"line {at}: the record ends with {key}={a.get(key)}, playing it again with "
                f"{key}={value}: a line above was changed or lost"
            )
