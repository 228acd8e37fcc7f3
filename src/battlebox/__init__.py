"""battlebox: five tabletop battle games in one box.

import battlebox as bb

rules = bb.load("war_zone", players=3)
m = rules.match(seed=7)
m.submit(m.to_act, m.legal_words()[0])

Importing it compiles nothing and loads no Numba; `rules.compiled()` does. What is where:

    core           what every game stands on        games          the registry; our five games
    bots           programs that play               arena          many matches, and what they prove
    protocol       what server and clients say      server         matches for browsers
    terminal       play, watch, replay, join        cli            the command line
    dev            a game while it is written       version.py     the version of the package
    authoring.py   what games of others import      testing        what every game must keep
    template       a small game to start from       new_game.py    writes it under another name
    decks.py       deck files from the shell        links.py       links to give to others
    speed.py       how fast a ruleset runs here     envs           for Gymnasium, PettingZoo
    text           scenes and events as lines       client         a match on a server
    mcp            a table for language models      training       learns to play by self-play
    __main__.py    `python -m battlebox`
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .bots import LEVELS, Bot, bot
from .core import replay as _replay
from .core.batch import Arrays, Batch, BatchState
from .core.engine import Engine, Played
from .core.engine_state import EngineState
from .core.errors import (
    BattleboxError,
    BotError,
    BotTimeout,
    GameError,
    IllegalAction,
    InvalidWord,
    PositionError,
    RecordError,
    RulesetError,
    ScenarioError,
    UndoRefused,
)
from .core.event_log import EventView
from .core.game import Ruleset
from .core.match import Match
from .core.scene import Choice, Piece, Scene, Zone
from .games import find as _find
from .games import names as _names
from .games import open_game as _open_game
from .version import __version__


def games() -> list[str]:
    """The names of the games, as `load` takes them: ours, then those of others."""
    return _names()


def load(game: str | Path, **options: Any) -> Ruleset:
    """A game with its options, ready to play. `battlebox games NAME` lists the options.

    game: its name, or the path of its folder (`./my_game`), whose code then runs with your rights.
    Errors: RulesetError for an unknown game or option, a value out of range, a wrong deck file;
    GameError for a folder whose game cannot be played.
    """
    return _open_game(game).ruleset(options)


def toy(game: str | Path, **options: Any) -> Ruleset:
    """A game with options that make it so small that all of it can be searched, and others.

    Errors: RulesetError where a game has none, and as `load`.
    """
    found = _open_game(game)
    return found.ruleset({**found.toy_options(), **options})


def replay(text: str) -> Match:
    """Plays a match record again, up to where it ends, and proves that it was not changed.

    Errors: RecordError names the line and what is wrong with it.
    """
    return _replay.read(text, _find)


__all__ = [
    "LEVELS",
    "Arrays",
    "Batch",
    "BatchState",
    "BattleboxError",
    "Bot",
    "BotError",
    "BotTimeout",
    "Choice",
    "Engine",
    "EngineState",
    "GameError",
    "IllegalAction",
    "InvalidWord",
    "Match",
    "Piece",
    "Played",
    "PositionError",
    "RecordError",
    "Ruleset",
    "RulesetError",
    "Scene",
    "ScenarioError",
    "EventView",
    "UndoRefused",
    "Zone",
    "__version__",
    "bot",
    "games",
    "load",
    "replay",
    "toy",
]
