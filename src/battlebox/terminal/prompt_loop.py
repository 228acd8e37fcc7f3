"""A person at a match: the screen of one decision, and all that can be typed at it.

What a match at this terminal and one on a server have in common. Where sentences, rules and names
come from is theirs to say; nothing here knows a match, let alone a game.
"""

from __future__ import annotations

import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence

from rich.text import Text

from ..core.errors import IllegalAction
from ..core.scene import Choice, Scene
from ..text.choosing import chosen, matching, numbered, on_board
from ..text.draw import Pen, draw, explain
from ..text.event_text import Said, log_lines
from .screen import Screen
from .seats import HUMAN

HELP = (
    "Type a choice: its number, its word, or at least two letters of its text.",
    "?        all choices in full, with their rules; ? 3 explains choice 3",
    "t        the whole table: the options, the piles, what the last card does",
    "l        the log: everything that has happened so far",
    "r        the rules of the game; r ID shows one of them",
)
HINT = "hint     what the strongest bot would do; only alone against bots"
ENTER = 50  # most letters of the only choice in a question
KEY = 9  # letters of a key in a line of help, with the blanks behind it
OFFER = "offer to {what}"  # how an agreement of the game is offered
OFFER_HELP = f"{OFFER}: it is done if the others agree"
Command = Callable[[str, Scene], None]  # gets what stands behind its name, and the scene shown


class Left(Exception):
    """The person leaves the match."""


class PromptLoop(ABC):
    """Shows a scene and understands a line. `notices` are said once, under the next screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.notices: list[str] = []

    # ---- what each kind of match knows ----
    @abstractmethod
    def help_lines(self) -> Sequence[str]:
        """What can be typed besides a choice, a line each."""

    @abstractmethod
    def who(self) -> list[str]:
        """What sits on each seat, besides its name; empty: nothing worth saying."""

    @abstractmethod
    def told(self, viewer: int | None) -> Iterable[Said]:
        """All that a viewer was told."""

    @abstractmethod
    def news(self, viewer: int | None) -> list[str]:
        """What this viewer was told since they last decided."""

    @abstractmethod
    def options(self) -> str:
        """The options of this match, in a sentence."""

    @abstractmethod
    def rulebook(self) -> Mapping[str, str]:
        """The rules by their ids."""

    @abstractmethod
    def rule_pages(self) -> list[Text]:
        """The rules of the game, to be read from one end to the other."""

    # ---- one decision ----
    def show(self, scene: Scene) -> None:
        """The screen of one decision: what happened, what is on the table, what is asked."""
        self.screen.clear()
        below = self.under()
        self.notices.clear()
        self.screen.put(draw(scene, self.pen(below=1 + len(below)), self.news(scene.viewer)))
        self.screen.put(below)

    def under(self) -> list[Text]:
        """What stands between the scene and the question."""
        return [x for text in self.notices for x in self.pen().wrap(text, "! ", "bold")]

    def pen(self, *, below: int = 1, full: bool = False) -> Pen:
        """What there is to draw on."""
        return self.screen.pen(below=below, who=self.who(), full=full)

    def whose(self, scene: Scene) -> str:
        """Whose choice it is."""
        return "Your"

    def question(self, scene: Scene) -> str:
        """The line a person types behind."""
        if len(scene.choices) == 1:
            label = textwrap.shorten(scene.choices[0].label, ENTER, placeholder=" ...")
            return f"Enter: {label} (? help) > "
        numbers = sorted(numbered(scene))
        asked = [f"{numbers[0]} to {numbers[-1]}"] if numbers else []
        asked += ["a square"] if on_board(scene) else []
        return f"{self.whose(scene)} choice, {' or '.join(asked)} (? help) > "

    def understand(self, line: str, scene: Scene) -> int | None:
        """The action a line stands for; None if it was a command, or nothing."""
        if not line:
            if len(scene.choices) == 1:
                return scene.choices[0].action
            self.notice("You have several choices: type one of them.", scene)
            return None
        if line in (words := {c.word: c for c in scene.choices}):
            return words[line].action
        if self.obey(line, scene):
            return None
        try:
            return chosen(line, scene).action
        except IllegalAction as e:
            self.notice(str(e), scene)
            return None

    def notice(self, text: str, scene: Scene) -> None:
        """Says something under the screen of this decision."""
        if self.screen.live:
            self.notices.append(text)
            self.show(scene)
        else:
            self.screen.say(text)

    # ---- commands ----
    def obey(self, line: str, scene: Scene) -> bool:
        """Does what a line commands; False: it is not a command."""
        name, _, rest = line.partition(" ")
        command = self.commands().get(name.lower())
        if command is not None:
            command(rest.strip(), scene)
        return command is not None

    def commands(self) -> dict[str, Command]:
        """What can be typed besides a choice."""
        return {
            "?": self.help,
            "h": self.help,
            "help": self.help,
            "t": self.whole_table,
            "table": self.whole_table,
            "l": self.log,
            "log": self.log,
            "r": self.rules,
            "rules": self.rules,
            "q": self.quit,
            "quit": self.quit,
            "exit": self.quit,
        }

    def help(self, rest: str, scene: Scene) -> None:
        """`?`: all choices; `? 3`: one."""
        pen, squares, more = self.screen.pen(), on_board(scene), ""
        choices: dict[int | str, Choice] = dict(numbered(scene).items())
        if rest:
            asked = matching(rest, scene)
            if not asked:
                self.notice(f"There is no choice {rest!r}: type ? to see all of them.", scene)
                return
            choices |= {c.word: c for c in squares}
            choices = {n: c for n, c in choices.items() if c in asked}
        elif squares:
            more = f"Besides {len(squares)} squares: ? {squares[-1].word} explains one of them."
        pieces = [p for z in scene.zones if z.kind == "fan" for p in z.pieces]
        lines = explain(choices, self.rulebook(), pen, pieces if rest else ())
        if not rest:
            helped = [x for line in self.help_lines() for x in _hanging(line, pen)]
            lines = [*helped, Text(""), *lines]
        self.page([*lines, *(pen.wrap(more, " ") if more else [])], scene)

    def whole_table(self, rest: str, scene: Scene) -> None:
        """`t`: the scene with every detail."""
        pen = self.pen(full=True)
        self.page([*draw(scene, pen), *pen.wrap(self.options(), " ")], scene)

    def log(self, rest: str, scene: Scene) -> None:
        """`l`: all that this seat was told."""
        self.show_log(scene.viewer)
        self.back(scene)

    def show_log(self, viewer: int | None) -> None:
        """Everything that has happened, as one viewer was told it."""
        self.screen.page(log_lines(self.told(viewer), self.screen.pen()))

    def rules(self, rest: str, scene: Scene) -> None:
        """`r`: the rules; `r WZ-42`: one of them."""
        if not rest:
            self.screen.page(self.rule_pages())
            self.back(scene)
            return
        asked = re.sub(r"\W", "", rest).upper()
        for id, text in self.rulebook().items():
            if id.replace("-", "") == asked:
                self.page(self.screen.pen().wrap(text, f"{id}  "), scene)
                return
        self.notice(f"There is no rule {rest!r}: type r to read all of them.", scene)

    def quit(self, rest: str, scene: Scene) -> None:
        """`q`."""
        raise Left

    def page(self, lines: list[Text], scene: Scene) -> None:
        """A text instead of the screen; then the screen again."""
        self.screen.page(lines)
        self.back(scene)

    def back(self, scene: Scene) -> None:
        """The screen again, after something else stood there."""
        if self.screen.live:
            self.show(scene)


def standings(scene: Scene, returns: Sequence[float | None], pen: Pen) -> list[Text]:
    """One line for each seat: how it fared. A return of None: it was not played out."""
    plaques = {z.owner: z for z in scene.zones if z.kind == "plaque"}
    names = [
        f"{plaques[p].label if p in plaques else f'Seat {p}'}"
        + (f" · {pen.who[p]}" if p < len(pen.who) and pen.who[p] not in ("", HUMAN) else "")
        for p in range(len(returns))
    ]
    wide = max(map(len, names))
    out = []
    for p, x in enumerate(returns):
        outcome = "-" if x is None else "won" if x > 0 else "lost" if x < 0 else "shared"
        facts = plaques[p].facts if p in plaques else {}
        points = f"{facts['points']:>4} {facts.get('points_name', '')}" if "points" in facts else ""
        style = "bold" if x is not None and x > 0 else ""
        out.append(pen.line(f" {names[p].ljust(wide)}  {outcome:<6} {points}", style))
    return out


def _hanging(line: str, pen: Pen) -> list[Text]:
    """A line of help; what does not fit stands below its text, not below its key."""
    head = line[:KEY] if line[KEY - 1 : KEY] == " " else ""
    return pen.wrap(line.removeprefix(head), f" {head}")


def agreement(rest: str) -> str:
    """What is offered, of what stands behind `offer`: "to halt play" is "halt play"."""
    return " ".join(rest.casefold().split()).removeprefix("to ")
