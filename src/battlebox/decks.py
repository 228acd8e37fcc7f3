"""Deck files from the shell: one to start from, and whether one of yours is right."""

from __future__ import annotations

import shlex
from pathlib import Path

from . import games
from .core.deck import Part, faults, read_toml
from .core.deck_keys import explain
from .core.errors import RulesetError
from .core.game import Game, Ruleset
from .core.table import nearest, read_text
from .games import command_for, find


def listed() -> dict[str, list[str]]:
    """The decks that come with each game that has any."""
    return {name: list(find(name).decks) for name in games() if find(name).deck}


def template(game: Game, name: str = "") -> str:
    """A deck of a game as a file to start from, with a comment that explains each key.

    Errors: RulesetError if the game has no such deck.
    """
    model = _model(game)
    name = name or str(game.options.model_fields["deck"].default)
    if name not in game.decks:
        raise RulesetError(f"{game.name}: no deck {name!r}{nearest(name, game.decks)}")
    text = game.decks[name].read_text(encoding="utf-8")
    return (
        f"# A deck for {game.title}: {name}. Change it, check it, play it:\n"
        "#   battlebox deck check my.toml\n"
        f"#   {command_for(game)} play {game.name} deck=my.toml\n#\n"
        f"{explain(model)}\n{text}"
    )


def check(path: Path, game: Game | None = None) -> str:
    """What a file is, if nothing is wrong with it; without a game it is found out for which.

    Errors: BattleboxError tells all that is wrong.
    """
    if path.suffix != ".toml":
        raise RulesetError(f"{path}: the name of a deck file ends in .toml")
    text = read_text(path)
    game = game or _game_of(path, text)
    read_toml(text, _model(game), str(path))
    words = [f"deck={path}"]
    rules = _playable(game, text)
    if rules.players != game.options.model_fields["players"].default:
        words.insert(0, f"players={rules.players}")
    command = shlex.join(["play", game.name, *words])
    return f"{path}: a valid deck for {game.title}.\nPlay it: {command_for(game)} {command}"


def _playable(game: Game, text: str) -> Ruleset:
    """The game with this deck, for the usual number of players or another.

    Errors: RulesetError says why the usual number cannot play with it, if none can.
    """
    players = game.options.model_json_schema()["properties"]["players"]
    numbers = range(players["minimum"], players["maximum"] + 1)
    why: RulesetError | None = None
    for n in sorted(numbers, key=lambda n: n != players["default"]):
        try:
            return game.ruleset({"players": n, "deck": f"{text}\n"})
        except RulesetError as e:
            why = why or e
    assert why is not None
    raise why


def _model(game: Game) -> type[Part]:
    """What a deck of the game holds. Errors: RulesetError if it has none."""
    if game.deck is None:
        raise RulesetError(
            f"{game.name} has no decks; battlebox games {game.name} lists what you can set"
        )
    return game.deck


def _game_of(path: Path, text: str) -> Game:
    """The game that a file fits best. Errors: RulesetError if several fit as well."""
    choice = [game for game in map(find, games()) if game.deck]
    misfit = {game.name: _misfit(text, _model(game), str(path)) for game in choice}
    best = [game for game in choice if misfit[game.name] == min(misfit.values())]
    if len(best) > 1:
        names = ", ".join(game.name for game in best)
        raise RulesetError(f"{path}: which game is it for? Say --game, one of {names}")
    return best[0]


def _misfit(text: str, model: type[Part], where: str) -> tuple[int, int]:
    """How little a text is such a deck: wrong keys at the top count before all others."""
    wrong = faults(text, model, where)
    return sum(len(fault.path) == 1 for fault in wrong), len(wrong)
