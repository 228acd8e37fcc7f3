"""A match at the terminal: people, bots and programs on its seats, in any mixture."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..core.errors import BattleboxError, UndoRefused
from ..core.game import Ruleset
from ..core.match import Match
from ..core.scene import Choice, Scene
from ..core.table import read_text
from . import files
from .draw import Pen, draw, explain, numbered, tag
from .screen import Ask, Screen
from .seats import HUMAN, MakeBot, Player, Program, let_choose, make_bot, name_of, seat_programs
from .told import told

PACE = 0.35  # seconds a bot's move stays before the next, at a live terminal
RESUME = "battlebox play --resume {path}"
REPLAY = "battlebox replay {path}"

HELP = (
    "Type the number in brackets; or a choice's word; or two letters or more of its text.",
    "?        every choice in full, with the rules behind it; ? 3 for one of them",
    "t        the whole table: the options, what lies in the piles, what the last card does",
    "l        everything that has happened",
    "r        the rules of the game; r ID for one of them",
    "u        take back what you just did, where that is still possible",
    "s [FILE] save; the match also saves itself after every move",
    "q        leave; you can go on later",
)


class Left(Exception):
    """The person leaves the match."""


def play(
    rules: Ruleset,
    seats: Sequence[Player],
    seed: int | None = None,
    *,
    save_path: Path | None = None,
    console: Console | None = None,
    ask: Ask | None = None,
    pace: float = PACE,
    live: bool | None = None,
    bots: MakeBot = make_bot,
) -> Match:
    """Plays matches until the people have had enough; returns the last, finished or not.

    seats: "human", a bot's level, or a program, one for each seat. save_path: the match's file;
    None: a new one in the user's data folder. ask: shows a prompt, gives a line (EOFError: leave).
    live: whether a person sits at a real terminal; None: found out.
    Errors: RulesetError for wrong seats; BattleboxError if save_path is there already.
    """
    if save_path is not None and save_path.exists():
        raise BattleboxError(f"{save_path} is there already: resume it, or name another file")
    screen = Screen(console, ask, live=live)
    match = rules.match(seed)
    table = Table(match, seats, screen, save_path or files.new_path(match), pace=pace, bots=bots)
    return table.sit()


def resume(
    name: Path | str,
    seats: Sequence[Player] | None = None,
    *,
    console: Console | None = None,
    ask: Ask | None = None,
    pace: float = PACE,
    live: bool | None = None,
    bots: MakeBot = make_bot,
) -> Match:
    """Goes on with a match from its file, which it keeps up to date.

    name: a path, a name in the folder of matches, or "last". seats None: those the file names.
    Errors: RecordError names the line that is wrong, or says that there is no such file;
    BattleboxError if it cannot be read.
    """
    from .. import replay as read

    path = files.find(str(name))
    text = read_text(path)
    match = read(text)
    seats = files.seats_of(text, match.rules.players) if seats is None else seats
    screen = Screen(console, ask, live=live)
    return Table(match, seats, screen, path, pace=pace, bots=bots).sit()


class Table:
    """One match and who plays it. `sit` plays it, and others after it."""

    def __init__(
        self,
        match: Match,
        seats: Sequence[Player],
        screen: Screen,
        path: Path,
        *,
        pace: float = PACE,
        bots: MakeBot = make_bot,
    ) -> None:
        self.match, self.seats, self.screen, self.path = match, list(seats), screen, path
        self.pace, self.bots = pace, bots
        self.people = [p for p, player in enumerate(seats) if player == HUMAN]
        self.programs: list[Program | None] = []
        self.trouble = ""  # why the match could not be saved, once said
        self._start()

    def _start(self) -> None:
        self.before = (
            self.people[0] if len(self.people) == 1 else None
        )  # who sits before the screen
        # how many events each viewer has heard of; a match gone on with: its last round is news
        self.seen = {p: self.heard(p, 2 * len(self.seats)) for p in [*self.people, None]}
        self.notices: list[str] = []
        self.decided: list[int] = []  # what the seat had heard before each decision, for `undo`

    def heard(self, viewer: int | None, turns: int = 0) -> int:
        """How many events a viewer was told of, all but those of his last so many turns."""
        events = self.match.events(viewer)
        end = events[-1].turn - turns if events else -1
        return sum(x.turn <= end for x in events)

    # ---- matches ----
    def sit(self) -> Match:
        """Plays until the people leave."""
        try:
            self.programs = seat_programs(
                self.match.rules, self.seats, self.match.seed, self.screen, self.bots
            )
            self.save()
            while True:
                self.run()
                self.finish()
                if not self.again():
                    return self.match
        except (Left, EOFError, KeyboardInterrupt):
            self.leave()
            return self.match
        except BattleboxError:
            self.save()
            raise

    def run(self) -> None:
        """One match to its end."""
        waited = True  # what was typed meanwhile answers no question that anybody has seen
        while (seat := self.match.to_act) is not None:
            program = self.programs[seat]
            if program is None:
                if waited:
                    self.screen.drop_typed()
                waited = False
                self.turn(seat)
                continue
            waited = True
            since = self.heard(self.before)
            let_choose(self.match, program)
            self.save()
            if self.pace and self.screen.live and self.people:
                self.narrate(since)

    def narrate(self, since: int) -> None:
        """Tells a bot's move at once; the next screen tells it again among the news."""
        for text in told(self.match, self.before, since).values():
            self.screen.say(text)
            self.screen.pause(self.pace)

    def again(self) -> bool:
        """Asks for another match; if so, it is set up."""
        if not self.people:
            return False
        while True:
            answer = self.screen.ask("a: again, l: the whole log, q: leave > ").lower()
            if answer in ("a", "again"):
                break
            if answer in ("q", "quit", "leave", "n", "no"):
                return False
            if answer == "l":
                self.show_log()
            else:
                self.screen.say(f"{answer!r}: type a, l or q.")
        self.match = self.match.rules.match()
        self.path = files.new_path(self.match)
        self._start()
        self.save()
        return True

    # ---- one decision ----
    def turn(self, seat: int) -> None:
        """Asks a person until he has decided (or taken something back)."""
        if self.before != seat:
            self.hand_over(seat)
        scene = self.match.scene(seat)
        self.show(scene, seat)
        while True:
            line = self.screen.ask(self.question(scene))
            action = self.understand(line, scene, seat)
            if action is not None:
                break
            if len(self.match.history) < self.shown:  # something was taken back
                return
        self.decided.append(self.seen[seat])
        self.seen[seat] = self.heard(seat)
        self.match.submit(seat, action)
        self.save()

    def hand_over(self, seat: int) -> None:
        """A screen between hidden hands."""
        self.screen.forget()
        self.screen.say(f"Seat {seat}: take the screen. Nobody else should look.", "bold")
        while answer := self.screen.ask("Press Enter (q: leave) > ").lower():
            if answer in ("q", "quit", "exit"):
                raise Left
        self.before = seat
        self.screen.forget()

    def show(self, scene: Scene, seat: int | None) -> None:
        """The screen of one decision: what happened, what is on the table, what is asked."""
        self.shown = len(self.match.history)
        self.screen.clear()
        below = [x for text in self.notices for x in self.pen().wrap(text, "! ", "bold")]
        self.notices.clear()
        self.screen.put(draw(scene, self.pen(below=1 + len(below)), self.news(seat)))
        self.screen.put(below)

    def pen(self, *, below: int = 1, full: bool = False) -> Pen:
        """What there is to draw on; other people are not named as bots are."""
        return self.screen.pen(below=below, who=[name_of(x) for x in self.seats], full=full)

    def news(self, seat: int | None) -> list[str]:
        """What this viewer was told since he last decided."""
        return list(told(self.match, seat, self.seen[seat]).values())

    def question(self, scene: Scene) -> str:
        """The line a person types behind."""
        numbers = sorted(numbered(scene))
        if len(numbers) == 1:
            return f"Enter: {scene.choices[0].label} (? help) > "
        seat = f"Seat {scene.viewer}, your" if len(self.people) > 1 else "Your"
        return f"{seat} choice, {numbers[0]} to {numbers[-1]} (? help) > "

    def understand(self, line: str, scene: Scene, seat: int) -> int | None:
        """The action a line stands for; None if it was a command, or nothing."""
        choices = numbered(scene)
        if not line:
            if len(choices) == 1:
                return scene.choices[0].action
            self.notice("Several things are possible: type a number.", scene, seat)
            return None
        if line in (words := {c.word: c for c in choices.values()}):
            return words[line].action
        command, _, rest = line.partition(" ")
        if (command := command.lower()) in (commands := self.commands()):
            commands[command](rest.strip(), scene, seat)
            return None
        found = matching(line, choices)
        if len(found) == 1:
            return found[0].action
        if found:
            named = "; ".join(c.label for c in found[:4])
            self.notice(f"{line!r} could be: {named}. Type more of it.", scene, seat)
            return None
        self.notice(
            f"{line!r} is no choice. Type a number, a word ({scene.choices[-1].word}), "
            "or two letters or more of a choice.",
            scene,
            seat,
        )
        return None

    def notice(self, text: str, scene: Scene, seat: int) -> None:
        """Says something under the screen of this decision."""
        if self.screen.live:
            self.notices.append(text)
            self.show(scene, seat)
        else:
            self.screen.say(text)

    # ---- commands ----
    def commands(self) -> dict[str, Callable[[str, Scene, int], None]]:
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
            "u": self.undo,
            "undo": self.undo,
            "s": self.save_as,
            "save": self.save_as,
            "q": self.quit,
            "quit": self.quit,
            "exit": self.quit,
        }

    def help(self, rest: str, scene: Scene, seat: int) -> None:
        """`?`: all choices; `? 3`: one."""
        choices, pen = numbered(scene), self.screen.pen()
        if rest:
            asked = matching(rest, choices)
            if not asked:
                self.notice(f"There is no choice {rest!r}: ? shows all of them.", scene, seat)
                return
            choices = {n: c for n, c in choices.items() if c in asked}
        pieces = [p for z in scene.zones if z.kind == "fan" for p in z.pieces]
        lines = explain(choices, self.match.rules.game.rulebook, pen, pieces if rest else ())
        if not rest:
            lines = [*(x for h in HELP for x in pen.wrap(h, " ")), Text(""), *lines]
        self.page(lines, scene, seat)

    def whole_table(self, rest: str, scene: Scene, seat: int) -> None:
        """`t`: the scene with every detail."""
        pen, r = self.pen(full=True), self.match.rules
        options = f"Options: {r.options_text}" + ("; a deck of your own" if r.text else "")
        self.page([*draw(scene, pen), *pen.wrap(options, " ")], scene, seat)

    def log(self, rest: str, scene: Scene, seat: int) -> None:
        """`l`: all that this seat was told."""
        self.show_log(seat)
        self.back(scene, seat)

    def show_log(self, seat: int | None = None) -> None:
        """Everything that has happened, as one viewer was told it."""
        alone = self.before if len(self.people) == 1 else None
        viewer = alone if seat is None else seat
        pen, said = self.screen.pen(), told(self.match, viewer)
        self.screen.page([x for turn, s in said.items() for x in pen.wrap(s, f"{turn + 1:>4}  ")])

    def rules(self, rest: str, scene: Scene, seat: int) -> None:
        """`r`: the rules; `r WZ-42`: one of them."""
        if not rest:
            self.screen.page(self.rulebook())
            self.back(scene, seat)
            return
        asked = re.sub(r"\W", "", rest).upper()
        for id, text in self.match.rules.game.rulebook.items():
            if id.replace("-", "") == asked:
                self.notice(f"{id}  {text}", scene, seat)
                return
        self.notice(f"There is no rule {rest!r}.", scene, seat)

    def rulebook(self) -> list[Text]:
        """The game's README as lines."""
        from rich.markdown import Markdown

        text = (self.match.rules.game.folder / "README.md").read_text(encoding="utf-8")
        pen, console = self.screen.pen(), self.screen.console
        options = console.options.update(width=pen.width - 1)
        rows = console.render_lines(Markdown(text), options, pad=False)
        return [Text.assemble(*((s.text, s.style or "") for s in row)) for row in rows]

    def undo(self, rest: str, scene: Scene, seat: int) -> None:
        """`u`: takes back this seat's last action, if nobody has learnt anything from it."""
        try:
            word = self.match.undo(seat)
        except UndoRefused as e:
            self.notice(f"{str(e)[:1].upper()}{str(e)[1:]}.", scene, seat)
            return
        # what was decided before the match was left and gone on with is not on the list
        before = self.decided.pop() if self.decided else self.seen[seat]
        self.seen[seat] = min(before, self.heard(seat))
        labels = {c.word: c.label for c in self.match.scene(seat).choices}
        self.notices.append(f"Taken back: {labels.get(word, word)}.")
        self.save()

    def save_as(self, rest: str, scene: Scene, seat: int) -> None:
        """`s FILE`: a copy; `s`: says where the match is kept."""
        path = Path(rest).expanduser() if rest else self.path
        own = path.exists() and self.path.exists() and path.samefile(self.path)
        if rest and path.exists() and not own:
            self.notice(f"Not saved: {path} is there already.", scene, seat)
            return
        try:
            files.save(path, self.match, self.seats)
        except OSError as e:
            self.notice(f"Not saved: {path}: {e.strerror}", scene, seat)
        else:
            self.notice(f"Saved: {path}", scene, seat)

    def quit(self, rest: str, scene: Scene, seat: int) -> None:
        """`q`."""
        raise Left

    def page(self, lines: list[Text], scene: Scene, seat: int) -> None:
        """A text instead of the screen; then the screen again."""
        self.screen.page(lines)
        self.back(scene, seat)

    def back(self, scene: Scene, seat: int) -> None:
        """The screen again, after something else stood there."""
        if self.screen.live:
            self.show(scene, seat)

    # ---- the file, and leaving ----
    def save(self) -> None:
        """Writes the match to its file; where that fails, says so once and plays on."""
        try:
            files.save(self.path, self.match, self.seats)
        except OSError as e:
            if not self.trouble:
                self.trouble = f"The match cannot be saved: {self.path}: {e.strerror}."
                self.notices.append(self.trouble)

    def leave(self) -> None:
        """The match is interrupted."""
        if len(self.people) > 1:
            self.screen.forget()
        self.save()
        self.screen.put([""])
        if self.match.over:
            return
        if self.trouble:
            self.screen.say(f"You left the match, and it is lost. {self.trouble}")
        else:
            self.screen.say("You left the match; it is saved. To go on:")
            self.screen.put([f"  {RESUME.format(path=files.short(self.path))}"])

    def finish(self) -> None:
        """The end: what happened last, who won, seat by seat."""
        viewer = self.before if len(self.people) == 1 else None
        scene = self.match.scene(viewer)
        lines = standings(scene, self.match.returns, self.pen())
        self.screen.clear()
        below = 3 + len(lines) + (1 if self.people else 0)
        if len(self.people) > 1:
            self.screen.forget()
        self.screen.put(draw(scene, self.pen(below=below), self.news(viewer)))
        self.screen.put(["", *lines])
        if not self.trouble:
            last = self.path.parent == files.folder()
            path = "last" if last else files.short(self.path)
            self.screen.put(["", f"To see it again: {REPLAY.format(path=path)}"])


def standings(scene: Scene, returns: Sequence[float], pen: Pen) -> list[Text]:
    """One line for each seat: how it fared."""
    plaques = {z.owner: z for z in scene.zones if z.kind == "plaque"}
    names = [
        f"{plaques[p].label if p in plaques else f'Seat {p}'}"
        + (f" · {pen.who[p]}" if p < len(pen.who) and pen.who[p] != HUMAN else "")
        for p in range(len(returns))
    ]
    wide = max(map(len, names))
    out = []
    for p, x in enumerate(returns):
        outcome = "won" if x > 0 else "lost" if x < 0 else "shared"
        facts = plaques[p].facts if p in plaques else {}
        points = f"{facts['points']:>4} {facts.get('points_name', '')}" if "points" in facts else ""
        out.append(
            pen.line(f" {names[p].ljust(wide)}  {outcome:<6} {points}", "bold" if x > 0 else "")
        )
    return out


def matching(line: str, choices: dict[int, Choice]) -> list[Choice]:
    """The choices a line may mean: by number, by its whole word, by words of its label.

    Two letters at least, so that a slip of the finger plays nothing.
    """
    bare = line.strip("[]").strip()
    if bare.isdecimal():
        return [choices[int(bare)]] if int(bare) in choices else []
    low, found = line.casefold(), list(choices.values())
    if hits := [c for c in found if low in (c.word.casefold(), c.label.casefold())]:
        return hits
    begins = re.compile(rf"\b{re.escape(low)}")
    return [c for c in found if len(low) > 1 and begins.search(c.label.casefold())]


__all__ = ["Left", "Table", "play", "resume", "standings", "tag"]
