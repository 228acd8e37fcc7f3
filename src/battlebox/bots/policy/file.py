"""A learned policy as a file: NumPy's .npz, with `about`, a text in JSON, the layers of the policy,
and those of its critic, if it has one.

Weights are halves, but for those of a first layer, which is by far the largest: bytes, with a
factor for each row. A file holds data alone: reading it runs nothing.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...core.checked import Array
from ...core.errors import BotError
from ...core.game import Ruleset
from ...core.table import sentence
from .bot import PolicyBot
from .inputs import Inputs, Shape
from .lookahead import LookaheadBot
from .network import WEIGHING, CriticLayers, Layers

FORMAT = 1
LARGEST = 16_000_000  # bytes of a file, and of each array in it
LARGEST_BYTE = 127
CRITIC = "critic_"  # begins the names of its layers


class About(BaseModel):
    """What a policy is for, and how it came to be."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    game: str
    version: int  # of its rules
    shape: Shape
    #: what it was made with: the settings of `battlebox train`, or whatever its maker notes
    made: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class PolicyFile:
    """A policy, wherever it is sent to."""

    path: str  # as it was given: a name by now, nobody reads there any more
    data: bytes
    evaluations: int = 0  # positions its bots judge at a decision; 0: they do not look ahead

    @property
    def word(self) -> str:
        """What a bot of it is called: policy:FILE, policy+N:FILE."""
        return (
            f"policy+{self.evaluations}:{self.path}" if self.evaluations else f"policy:{self.path}"
        )

    @property
    def digest(self) -> str:
        """A short name of the data."""
        return hashlib.sha256(self.data).hexdigest()[:16]

    @cached_property
    def _read(self) -> tuple[About, Layers, CriticLayers | None]:
        return _unpacked(self.path, self.data)

    @property
    def about(self) -> About:
        """What it says of itself."""
        return self._read[0]

    @property
    def layers(self) -> Layers:
        """Its weights, float32."""
        return self._read[1]

    @property
    def critic(self) -> CriticLayers | None:
        """Those of its critic."""
        return self._read[2]

    def make(self, rules: Ruleset, seed: int, *, even: bool = False) -> PolicyBot | LookaheadBot:
        """A bot that plays by it.

        Errors: as of `one_look`; BotError, too, if it has no critic to look ahead with.
        """
        if not self.evaluations:
            return self.one_look(rules, seed, even=even)
        inputs = self._inputs(rules)
        if not self.critic:
            raise BotError(f"{self.path}: no critic in it, which is what looks ahead")
        networks = self.layers, self.critic
        return LookaheadBot(inputs, *networks, self.evaluations, seed, even=even)

    def one_look(self, rules: Ruleset, seed: int, *, even: bool = False) -> PolicyBot:
        """A bot that plays by it and does not look ahead.

        Errors: BotError, if it was not learned for these rules; RulesetError, if their cards are
        others than those of the game.
        """
        return PolicyBot(self._inputs(rules), self.layers, seed, even=even)

    def _inputs(self, rules: Ruleset) -> Inputs:
        inputs = Inputs(rules)
        self.check(inputs)
        return inputs

    def check(self, inputs: Inputs) -> None:
        """Errors: BotError, if it was not learned for the rules of these inputs."""
        game, about = inputs.rules.game, self.about
        again = f"learn it anew, with: battlebox train {game.name}"
        if about.game != game.name:
            raise BotError(f"{self.path}: a policy for {about.game}, not for {game.name}")
        if about.version != game.version:
            raise BotError(
                f"{self.path}: learned with version {about.version} of the rules of {game.name}; "
                f"these are {game.version}; {again}"
            )
        if about.shape != inputs.shape:
            raise BotError(f"{self.path}: {_difference(about.shape, inputs.shape)}; {again}")


def _difference(then: Shape, now: Shape) -> str:
    """The first thing that has changed, in words."""
    for what in ("features", "options", "actions", "candidate_features"):
        a, b = getattr(then, what), getattr(now, what)
        for x, y in zip(a, b, strict=False):
            if x != y:
                return (
                    f"of the {what.replace('_', ' ')}, {_told(x)} was known where {_told(y)} is now"
                )
        if len(a) != len(b):
            return f"it knows {len(a)} {what.replace('_', ' ')}, there are {len(b)} now"
    if (then.places, then.classes) != (now.places, now.classes):
        return (
            f"it tells {then.places} candidates apart by {then.logits} logits, where there are "
            f"{now.places} and {now.logits} now"
        )
    return f"it has room for {then.room} seats, {now.room} are wanted"


def _told(x: Any) -> str:
    return x if isinstance(x, str) else str(x[0])


# ---- packing -------------------------------------------------------------------------------------
def packed(about: About, layers: Layers, critic: CriticLayers | None = None) -> bytes:
    """The bytes of a file: the same for the same policy."""
    arrays = {"about": np.frombuffer(about.model_dump_json().encode(), np.uint8), **_halves(layers)}
    if critic:
        arrays |= {f"{CRITIC}{name}": x for name, x in _halves(critic).items()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, array in arrays.items():
            one = io.BytesIO()
            np.lib.format.write_array(one, array, allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy")  # without the time of day
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, one.getvalue())
    return out.getvalue()


def _halves(layers: Layers | CriticLayers) -> dict[str, Array]:
    first = np.asarray(layers.first, np.float32)
    factors = (np.abs(first).max(axis=1) / LARGEST_BYTE).astype(np.float16)
    steps = np.where(factors > 0, factors.astype(np.float32), 1)
    found = {name: np.asarray(x).astype(np.float16) for name, x in layers._asdict().items()}
    found["first"] = np.clip(np.rint(first / steps[:, None]), -LARGEST_BYTE, LARGEST_BYTE).astype(
        np.int8
    )
    found["first_factors"] = factors
    if isinstance(layers, Layers) and not layers.candidate_bias.size:
        return {name: x for name, x in found.items() if name not in WEIGHING}
    return found


def _whole(read: dict[str, Array]) -> dict[str, Array]:
    first = read.pop("first").astype(np.float32)
    first *= read.pop("first_factors").astype(np.float32)[:, None]
    return {"first": first} | {k: np.ascontiguousarray(x, np.float32) for k, x in read.items()}


def read_policy(path: str, evaluations: int = 0) -> PolicyFile:
    """The policy in a file; one that looks ahead, perhaps.

    Errors: BotError, if it cannot be read or is none.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as e:
        raise BotError(f"{path}: {e.strerror or e}") from None
    found = PolicyFile(path, data, evaluations)
    _ = found.about
    return found


def _unpacked(path: str, data: bytes) -> tuple[About, Layers, CriticLayers | None]:
    if len(data) > LARGEST:
        raise BotError(f"{path}: larger than {LARGEST // 1_000_000} MB: no policy")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            if sum(x.file_size for x in file.infolist()) > LARGEST:
                raise BotError(f"{path}: larger than {LARGEST // 1_000_000} MB: no policy")
            read = {x.removesuffix(".npy"): _array(file, x) for x in file.namelist()}
        about = About.model_validate_json(read.pop("about").tobytes())
        judged = [name for name in read if name.startswith(CRITIC)]
        rest = {name.removeprefix(CRITIC): read.pop(name) for name in judged}
        layers = Layers(**_whole(read))
        critic = CriticLayers(**_whole(rest)) if rest else None
    except (ValueError, TypeError, KeyError, EOFError, OSError, zipfile.BadZipFile) as e:
        said = f"about: {sentence(e)}" if isinstance(e, ValidationError) else str(e)
        raise BotError(f"{path}: not a learned policy ({said})") from None
    if about.format != FORMAT:
        raise BotError(f"{path}: format {about.format} of policies; this battlebox reads {FORMAT}")
    if wrong := _misfit(about.shape, layers) or (critic and _misfit(about.shape, critic)):
        raise BotError(f"{path}: not a learned policy ({wrong})")
    return about, layers, critic


def _array(file: zipfile.ZipFile, name: str) -> Array:
    found = np.lib.format.read_array(io.BytesIO(file.read(name)), allow_pickle=False)
    if found.dtype.names is not None or found.dtype.kind not in "iuf":
        raise ValueError(f"{name} is no array of numbers")
    return np.asarray(found)


def _misfit(shape: Shape, layers: Layers | CriticLayers) -> str:
    """What is wrong with the sizes of the layers; "": nothing."""
    if any(x.ndim != 2 - k % 2 for k, x in enumerate(layers)):
        return "a layer is no matrix with a row beside it"
    width, deeper = len(layers.first_bias), len(layers.second_bias)
    wanted = {
        "first": (shape.seen, width),
        "second": (width, deeper),
        "choice": (deeper, shape.logits),
        "choice_bias": (shape.logits,),
        "value": (deeper, shape.room),
        "value_bias": (shape.room,),
    }
    if isinstance(layers, Layers) and (wide := len(layers.candidate_bias)):
        wanted |= {
            "candidate": (shape.told, wide),
            "candidate_bias": (wide,),
            "context": (deeper, wide),
            "score": (wide, 1),
            "score_bias": (1,),
        }
    for name, found in layers._asdict().items():
        if found.shape != wanted.get(name, found.shape):
            return f"{name} is {found.shape}, not {wanted[name]}"
    if not all(np.isfinite(x).all() for x in layers):
        return "a weight is no number"
    return ""
