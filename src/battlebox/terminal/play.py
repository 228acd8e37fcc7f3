"""A match at the terminal: people, bots and programs on its seats, in any mixture."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from ..bots.adviser import Option, judges_rounds
from ..bots.review import hint, may_end
from ..bots.review_text import advice
from ..core.errors import BattleboxError, BotError, RulesetError, UndoRefused
from ..core.game import Ruleset
from ..core.match import Match
from ..core.scene import Scene
from ..games import command_for
from ..text.draw import draw
from ..text.event_text import told
from . import files, prompt_loop
from .local import LocalMatch
from .prompt_loop import OFFER, OFFER_HELP, Command, Left, agreement, standings
from .screen import Ask, Screen
from .seats import HUMAN, MakeBot, Player, Program, let_choose, make_bot, seat_programs

PACE = 0.35  # seconds a bot's move stays before the next, at a live terminal
INVITE = "To respond, type the number of your seat. Enter: nobody responds > "
RESUME = "{battlebox} play --resume {path}"
REPLAY = "{battlebox} replay {path}"
NEW = (
    "New here? Type a choice by its number or part of its text. Type ? for help, r for the rules{}."
)
NEW_ALONE = ", hint for what the strongest bot would do"
THINKING = "The strongest bot is thinking"

HELP = (
    *prompt_loop.HELP,
    "u        undo your last decision, unless it has shown you dice or hidden cards",
    prompt_loop.HINT,
    "s [FILE] save a copy; the match also saves itself after every move",
    "q        leave; you can resume the match later",
)


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
    """Plays matches until the people stop; returns the last, finished or not.

    seats: "human", a bot's word, or a program, one for each seat. save_path: the match's file;
    None: a new one in the user's data folder. ask: shows a prompt, gives a line (EOFError: leave).
    live: whether a person sits at a real terminal; None: found out.
    Errors: RulesetError for wrong seats; BattleboxError if save_path is there already.
    """
    if save_path is not None and save_path.exists():
        raise BattleboxError(f"{save_path} already exists: resume it, or name another file")
    screen = Screen(console, ask, live=live)
    match = rules.match(seed)
    is_first = not files.kept()
    played = PlayedMatch(
        match, seats, screen, save_path or files.new_path(match), pace=pace, bots=bots
    )
    if is_first:
        played.notices.append(NEW.format(NEW_ALONE if len(played.people) == 1 else ""))
    return played.sit()


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

    name: a path, a name in the folder of matches, or "last". seats None: those the file names,
    or else a person on seat 0 and medium bots; but a bot of others (a file, a program, a model)
    plays only if it is named here, as a match may come from anywhere.
    Errors: RecordError names file and line that are wrong, or says that there is no such file;
    BattleboxError if it cannot be read; RulesetError if such a bot is not named.
    """
    from ..bots import is_foreign

    path, match, sat = files.read(str(name))
    if seats is None:
        seats = sat or [HUMAN, *["medium"] * (match.rules.players - 1)]
        if theirs := [x for x in seats if is_foreign(x)]:
            raise RulesetError(
                f"{path}: {theirs[0]} played there; a bot of others plays only if you name it: "
                f"add --seats {shlex.quote(','.join(seats))}"
            )
    screen = Screen(console, ask, live=live)
    return PlayedMatch(match, seats, screen, path, pace=pace, bots=bots).sit()


class PlayedMatch(LocalMatch):
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
        super().__init__(match, seats, screen)
        self.path = path
        self.pace, self.bots = pace, bots
        self.people = [p for p, player in enumerate(seats) if player == HUMAN]
        self.programs: list[Program | None] = []
        self.trouble = ""  # why the match could not be saved, once said
        self._start()

    def _start(self) -> None:
        self.match.open_response_windows()
        self.before = (
            self.people[0] if len(self.people) == 1 else None
        )  # who sits before the screen
        # how many events each viewer has heard of; a match gone on with: its last round is news
        self.seen = {p: self.heard(p, 2 * len(self.seats)) for p in [*self.people, None]}
        self.notices.clear()
        # how many actions there were before each decision, and what the seat had heard: for `undo`
        self.decided: list[tuple[int, int]] = []

    def heard(self, viewer: int | None, turns: int = 0) -> int:
        """How many events a viewer was told of, but for those of the last so many turns."""
        events = self.match.events(viewer)
        end = events[-1].turn - turns if events else -1
        return sum(x.turn <= end for x in events)

    # ---- matches ----
    def sit(self) -> Match:
        """Plays until the people leave."""
        try:
            self.programs = self._programs()
            self.save()
            while True:
                self.run()
                self.finish()
                if not self.again():
                    return self.match
        except (Left, EOFError, KeyboardInterrupt):
            self.leave()
            return self.match
        except BotError:
            if self.programs:  # else nothing has begun
                self.leave("The match cannot go on now")
            raise
        except BattleboxError:
            self.save()
            raise

    def _programs(self) -> list[Program | None]:
        m = self.match
        return seat_programs(m.rules, self.seats, m.seed, self.screen, self.bots)

    def run(self) -> None:
        """One match to its end."""
        waited = True  # what was typed meanwhile answers no question that anybody has seen
        while self.match.response_window or not self.match.over:
            since = self.heard(self.audience())
            if self.match.response_window:
                self.ask_all()
            else:
                (seat,) = self.match.deciding
                if (program := self.programs[seat]) is None:
                    if waited:
                        self.screen.drop_typed()
                    waited = False
                    self.turn(seat)
                    continue
                let_choose(self.match, seat, program)
            waited = True
            self.save()
            if self.pace and self.screen.live and self.people:
                self.narrate(since)

    def narrate(self, since: int) -> None:
        """Shows what has happened since, if anything, while nobody is asked."""
        viewer = self.audience()
        if not told(self.match, viewer, since):
            return
        scene = replace(self.match.scene(viewer), choices=(), refusals=())
        self.screen.clear()
        self.screen.put(draw(scene, self.pen(), self.news(viewer)))
        self.screen.pause(self.pace)

    def again(self) -> bool:
        """Asks for another match; if so, it is set up."""
        if not self.people or not self.wants_another(self.audience()):
            return False
        self.match = self.match.rules.match()
        self.path = files.new_path(self.match)
        self.programs = self._programs()  # what they remember was of the last match
        self._start()
        self.save()
        return True

    # ---- one decision ----
    def turn(self, seat: int) -> None:
        """Asks a person until they have decided (or taken something back)."""
        if self.before != seat:
            self.hand_over(seat)
        scene = self.match.scene(seat)
        shown = len(self.match.history)
        self.show(scene)
        while True:
            line = self.screen.ask(self.question(scene))
            action = self.understand(line, scene)
            if action is not None:
                break
            if len(self.match.history) != shown:  # something was taken back, or agreed on
                return
        self.decided.append((len(self.match.history), self.seen[seat]))
        self.seen |= {seat: self.heard(seat), None: self.heard(None)}
        self.match.submit(seat, action)
        self.save()

    # ---- questions that nobody else may notice ----
    def ask_all(self) -> None:
        """What some may be asked and nobody else notice: bots answer, people if they want to."""
        for p in self.match.deciding:
            if (program := self.programs[p]) is not None:
                let_choose(self.match, p, program)
        if len(self.people) > 1:
            self.invite()
        elif self.people and self.people[0] in self.match.deciding:
            self.screen.drop_typed()
            self.turn(self.people[0])
        self.match.close_response_window()

    def invite(self) -> None:
        """Asks all people alike whether anybody answers. Who does not is not known to be asked."""
        self.before = None
        self.screen.forget()
        scene = self.match.scene(None)
        self.show(scene)
        self.seen[None] = self.heard(None)
        while seat := self.screen.ask(INVITE).strip():
            if seat.lower() in ("q", "quit", "exit"):
                raise Left
            if seat not in map(str, self.people):
                self.notice(
                    f"{seat!r} is not a seat of yours: type its number, or press Enter.", scene
                )
                continue
            self.answer(int(seat))
            self.screen.forget()
            self.show(scene)
        self.screen.forget()

    def answer(self, seat: int) -> None:
        """Somebody who wants to answer is asked, if there is anything to ask them."""
        if seat in self.match.deciding:
            self.turn(seat)
        else:
            self.hand_over(seat)
            self.screen.ask("You have nothing to respond with. Press Enter > ")
        self.before = None

    def hand_over(self, seat: int) -> None:
        """A screen between hidden hands."""
        self.screen.forget()
        self.screen.say(f"Seat {seat}: take the screen. Nobody else should look.", "bold")
        while answer := self.screen.ask("Press Enter (q: leave) > ").lower():
            if answer in ("q", "quit", "exit"):
                raise Left
        self.before = seat
        self.screen.forget()

    def whose(self, scene: Scene) -> str:
        """Whose choice it is: a seat's, where several people sit here."""
        return f"Seat {scene.viewer}, your" if len(self.people) > 1 else "Your"

    # ---- what the prompt loop asks for ----
    def help_lines(self) -> Sequence[str]:
        """What can be typed besides a choice."""
        return (*HELP[:-1], *(OFFER_HELP.format(what=x) for x in self.agreements()), HELP[-1])

    def audience(self) -> int | None:
        """Through whose eyes bots are seen to play: those of the one person, or a spectator's."""
        return self.before if len(self.people) == 1 else None

    def news(self, viewer: int | None) -> list[str]:
        """What this viewer was told since they last decided."""
        return [text for _, text in told(self.match, viewer, self.seen[viewer])]

    def agreements(self) -> Sequence[str]:
        """What the people may agree on now; bots agree to nothing."""
        return [*self.match.agreements] if len(self.people) == len(self.seats) else []

    # ---- commands ----
    def commands(self) -> dict[str, Command]:
        """What can be typed besides a choice."""
        return super().commands() | {
            "u": self.undo,
            "undo": self.undo,
            "s": self.save_as,
            "save": self.save_as,
            "offer": self.offer,
            "hint": self.hint,
        }

    def hint(self, rest: str, scene: Scene) -> None:
        """`hint`: what `champion` would do, by what this seat knows; not among several people."""
        if len(self.people) > 1:
            self.notice("You get hints only when you play alone against bots.", scene)
            return
        rules, names, seat = self.match.rules, self.match.names, scene.viewer
        assert seat is not None
        observation = self.match.observation(seat)
        found = list[Sequence[Option]]()
        self.screen.wait_for(lambda: found.append(hint(rules, observation)), THINKING)
        labels = {c.action: c.label for c in scene.choices}
        rounds, last = judges_rounds(rules), may_end(scene)
        told = rules.game.consequences
        said = advice(
            *(found[0], labels, seat, names), by_rounds=rounds, may_end=last, consequences=told
        )
        self.notice(said, scene)

    def offer(self, rest: str, scene: Scene) -> None:
        """`offer to ...`: asks all the others, and does it if they agree."""
        seat, what = scene.viewer, agreement(rest)
        assert seat is not None, "a person decides"
        if what not in self.agreements():
            can = "; ".join(OFFER.format(what=x) for x in self.agreements())
            said = (
                f"You cannot offer that now. Type: {can}." if can else "You cannot offer that now."
            )
            self.notice(said, scene)
            return
        self.screen.forget()  # the others are asked without a look at what this seat sees
        others = [p for p in self.people if p != seat]
        if all(self.agrees(p, f"Seat {seat} offers to {what}") for p in others):
            self.decided.append((len(self.match.history), self.seen[seat]))
            self.match.agree(what)
            self.save()
            self.before = None
        else:
            self.notices.append(f"The offer to {what} was declined: the match goes on.")
            self.hand_over(seat)
            self.show(scene)

    def agrees(self, seat: int, offer: str) -> bool:
        """Asks a person for consent."""
        while True:
            answer = self.screen.ask(f"Seat {seat}: {offer}. Do you agree, y or n > ").lower()
            if answer in ("y", "yes", "n", "no"):
                return answer in ("y", "yes")

    def undo(self, rest: str, scene: Scene) -> None:
        """`u`: back to this seat's last decision, if nobody has learnt anything from it."""
        seat, done = scene.viewer, len(self.match.history)
        assert seat is not None, "a person decides"
        try:
            word = self.match.undo(seat, alone=len(self.people) == 1)
        except UndoRefused as e:
            self.notice(f"{str(e)[:1].upper()}{str(e)[1:]}.", scene)
            return
        back = len(self.match.history)
        # what was decided before the match was left and gone on with is not on the list
        before = self.seen[seat]
        while self.decided and self.decided[-1][0] >= back:
            before = self.decided.pop()[1]
        self.seen[seat] = min(before, self.heard(seat))
        labels = {c.word: c.label for c in self.match.scene(seat).choices}
        more = " and all that followed" if done > back + 1 else ""
        self.notices.append(f"Taken back: {labels.get(word, word)}{more}.")
        self.save()

    def save_as(self, rest: str, scene: Scene) -> None:
        """`s FILE`: a copy; `s`: says where the match is kept."""
        path = Path(rest).expanduser() if rest else self.path
        own = path.exists() and self.path.exists() and path.samefile(self.path)
        if rest and path.exists() and not own:
            self.notice(f"Not saved: {path} already exists. Name another file: s FILE", scene)
            return
        try:
            files.save(path, self.match, self.seats)
        except OSError as e:
            self.notice(f"Not saved: {path}: {e.strerror}", scene)
        else:
            self.notice(f"Saved: {path}", scene)

    # ---- the file, and leaving ----
    def save(self) -> None:
        """Writes the match to its file; where that fails, says so once and plays on."""
        try:
            files.save(self.path, self.match, self.seats)
        except OSError as e:
            if not self.trouble:
                self.trouble = f"The match cannot be saved: {self.path}: {e.strerror}."
                self.notices.append(self.trouble)

    def leave(self, why: str = "You left the match") -> None:
        """The match is interrupted."""
        if len(self.people) > 1:
            self.screen.forget()
        self.save()
        self.screen.put([""])
        if self.match.over:
            return
        if self.trouble:
            self.screen.say(f"{why}, and it is lost. {self.trouble}")
        else:
            self.screen.say(f"{why}; it is saved. To resume it:")
            path, command = files.short(self.path), command_for(self.match.rules.game)
            self.screen.put([f"  {RESUME.format(battlebox=command, path=path)}"])

    def finish(self) -> None:
        """The end: what happened last, who won, seat by seat."""
        viewer = self.audience()
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
            replay = REPLAY.format(battlebox=command_for(self.match.rules.game), path=path)
            self.screen.put(["", f"To see it again: {replay}"])


__all__ = ["PlayedMatch", "play", "resume"]
