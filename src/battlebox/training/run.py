"""From nothing to a policy: a run, its files, and how it goes on after a kill.

settings.json     what it is made with        policy.npz     the policy so far, to play with
progress.jsonl    how it went, each update   checkpoint.pt  all that is needed to go on
curves.html       the same as a page          policy.onnx    the policy for other programs
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock, Timeout

from ..bots.policy import About, PolicyFile, packed, read_policy
from ..core.errors import BattleboxError, BotError
from ..core.game import Game
from .learning import learn
from .networks import Critic, Policy
from .onnx import exported
from .page import page
from .progress import Note, Rating, rate
from .self_play import SelfPlay
from .settings import Settings

SAVE_EVERY = 60.0  # seconds between two checkpoints
RATING = 0.2  # of the time: what ratings may take
Tell = Callable[[Note], None]


class Run:
    """A run in a folder. It goes on where it was, if there is one.

    Errors: BattleboxError, if the folder holds a run with other settings or under other rules, or
    is none.
    """

    def __init__(
        self,
        game: Game,
        settings: Settings,
        folder: Path,
        *,
        against: Sequence[str] = (),
        rated: int = 200,
        ratings: int = 10,
        device: str = "cpu",
        begin: PolicyFile | None = None,
    ) -> None:
        """against: bots it is rated by, `ratings` times on the way, in so many matches. begin: the
        policy that its settings begin with.
        """
        if (begin.digest if begin else None) != settings.begins_with:
            raise ValueError("begin: not the policy that the settings begin with")
        self.game, self.settings, self.folder = game, settings, folder
        self.against, self.rated, self.ratings = tuple(against), rated, ratings
        self.device = torch.device(device)
        _claim(folder, settings)
        torch.manual_seed(settings.seed)
        self.dice = torch.Generator().manual_seed(settings.seed)
        self.self_play = SelfPlay(game, settings, self.device)
        self.shape = shape = self.self_play.shape
        critical = shape.seen, settings.critic_width, settings.critic_deeper
        sizes = settings.width, settings.deeper, settings.candidate_width
        self.policy = Policy(self.self_play.inputs, *sizes).to(self.device)
        self.critic = Critic(*critical, shape.room).to(self.device)
        if begin:
            self.policy.begin_with(begin.layers)
            if begin.critic:
                self.critic.begin_with(begin.critic)
        parameters = [*self.policy.parameters(), *self.critic.parameters()]
        self.optimizer = torch.optim.Adam(parameters, settings.learning_rate, eps=1e-8)
        self.notes = list[Note]()
        self.seconds = 0.0
        if self._checkpoint.exists():
            self._restore()

    @property
    def update(self) -> int:
        """How many updates are over."""
        return len(self.notes)

    def go(self, tell: Tell) -> PolicyFile:
        """To the end. tell: is told after each update. It can be stopped at any time.

        Errors: BattleboxError, if another process goes on with this run.
        """
        try:
            with FileLock(self.folder / ".lock", blocking=False):
                self._go(tell)
        except Timeout:
            raise BattleboxError(f"{self.folder}: another process goes on with this run") from None
        return self.made()

    def _go(self, tell: Tell) -> None:
        settings = self.settings
        saved = began = time.monotonic()
        before = self.seconds
        while self.update < settings.updates:
            done = self.update / settings.updates
            trust = settings.trust(done)
            self.self_play.play(self.policy, self.critic, self.dice, trust)
            seen = self.self_play.seen(self.critic, trust)
            lesson = learn(
                self.policy, self.critic, self.optimizer, seen, settings, done, self.dice
            )
            over = self.update + 1
            self.seconds = before + time.monotonic() - began
            note = Note(
                update=over,
                decisions=over * settings.rollout,
                seconds=self.seconds,
                lesson=lesson,
                ratings=self._rate(over),
            )
            self.notes.append(note)
            now = time.monotonic()
            if now - saved > SAVE_EVERY or note.ratings or over == settings.updates:
                self.save()
                saved = now
            tell(note)

    # ---- how strong it is ----
    def _rate(self, over: int) -> tuple[Rating, ...]:
        """After some of the updates, and the last."""
        n, updates = self.ratings, self.settings.updates
        if over * n // updates == (over - 1) * n // updates:
            return ()
        rules = self.game.ruleset(self.settings.rulesets[0])
        found = self.made()
        since = max((x.seconds for x in self.notes if x.ratings), default=0.0)
        each = RATING * (self.seconds - since) / max(1, len(self.against))
        return tuple(
            rate(found, rules, word, self.rated, self.settings.seed, each) for word in self.against
        )

    # ---- files ----
    @property
    def _checkpoint(self) -> Path:
        return self.folder / "checkpoint.pt"

    def made(self) -> PolicyFile:
        """The policy so far."""
        made = self.settings.model_dump() | {"learned": self.update * self.settings.rollout}
        about = About(game=self.game.name, version=self.game.version, shape=self.shape, made=made)
        data = packed(about, self.policy.layers(), self.critic.layers())
        return PolicyFile(str(self.folder / "policy.npz"), data)

    def save(self) -> None:
        """Writes all files, each whole or not at all; the checkpoint last."""
        made = self.made()
        _write(self.folder / "policy.npz", made.data)
        lines = "".join(f"{x.model_dump_json()}\n" for x in self.notes)
        _write(self.folder / "progress.jsonl", lines.encode())
        if self.notes[-1].ratings:
            _write(self.folder / "policy.onnx", exported(made))
            curves = page(self.game.title, self.settings, self.notes)
            _write(self.folder / "curves.html", curves.encode())
        beside = self._checkpoint.with_suffix(".new")
        torch.save(
            {
                "update": self.update,
                "policy": self.policy.state_dict(),
                "critic": self.critic.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "matches": self.self_play.saved(),
                "dice": self.dice.get_state(),
            },
            beside,
        )
        beside.replace(self._checkpoint)

    def _restore(self) -> None:
        """A run of a GPU may go on without one, and the other way round.

        Errors: BattleboxError, if the rules have changed since.
        """
        try:
            read_policy(str(self.folder / "policy.npz")).check(self.self_play.groups[0].inputs)
        except BotError as e:
            raise BattleboxError(f"{e}, in another folder (--out)") from None
        then: dict[str, Any] = torch.load(self._checkpoint, "cpu", weights_only=True)
        self.policy.load_state_dict(then["policy"])
        self.critic.load_state_dict(then["critic"])
        self.optimizer.load_state_dict(then["optimizer"])
        try:
            self.self_play.restore(then["matches"])
        except (KeyError, ValueError):
            raise BattleboxError(
                f"{self.folder}: its matches were saved by another version of battlebox; begin in "
                "another folder (--out)"
            ) from None
        self.dice.set_state(then["dice"])
        lines = (self.folder / "progress.jsonl").read_text().splitlines()
        self.notes = [Note.model_validate_json(x) for x in lines[: then["update"]]]
        self.seconds = self.notes[-1].seconds


def _claim(folder: Path, settings: Settings) -> None:
    """Makes the folder of a run, or looks whether it is this one's."""
    if not folder.parent.is_dir():
        raise BattleboxError(f"{folder}: there is no folder {folder.parent}")
    folder.mkdir(exist_ok=True)
    path = folder / "settings.json"
    if not path.exists():
        if any(folder.iterdir()):
            raise BattleboxError(f"{folder}: a folder of something else; name a new one")
        _write(path, settings.model_dump_json(indent=2).encode() + b"\n")
    then = json.loads(path.read_text())
    now = json.loads(settings.model_dump_json())
    if changed := [k for k in now if then.get(k) != now[k]]:
        name = changed[0]
        raise BattleboxError(
            f"{folder}: a run with {name} = {then.get(name)} is there, not {now[name]}; name "
            "another folder with --out, or go on with its settings"
        )


def _write(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_bytes(data)
    beside.replace(path)
