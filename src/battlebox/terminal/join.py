"""A match on a server, joined by its link: on a seat of it, or to watch.

The scenes, the choices and their words come from the server; no game is needed here. What is typed
is what `battlebox play` understands, and what only people among themselves need: a draw, giving up.
"""

from __future__ import annotations

import getpass
import math
import shlex
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..core.errors import BattleboxError
from ..core.scene import Scene
from ..protocol.messages import EndInfo, EventInfo, ProposalInfo, RoomMessage
from . import link, prompt_loop, seat_tokens
from .draw import draw
from .event_text import Said
from .files import SUFFIX, short
from .invitations import Invitations
from .link import Link, clean
from .online import Answer, Back, Failed, Lost, News, Online, Picture
from .prompt_loop import OFFER, Command, Left, PromptLoop, agreement, matching, standings
from .review import show_review
from .screen import Ask, Screen, Wake, Woken
from .seats import HUMAN

JOIN = "battlebox join {link}"
HELP = (
    *prompt_loop.HELP,
    "u        ask to go back to your last decision; bots always agree",
    prompt_loop.HINT,
    "draw     offer a draw; y or n answers what others offer or ask",
    "resign   give up; you are asked whether you are sure",
    "q        leave; the match is kept, and the same command brings you back",
)
QR = "qr       the links to open seats, with QR codes"
WATCHING = (*prompt_loop.HELP[1:], "q        leave; the same command brings you back")
AGAIN = "a: again, r: how it went, s FILE: save it, l: the whole log, q: leave > "
OFFERS = {"undo": "asks to take back what was done last", "draw": "offers a draw"}
NO_DEAL = {"undo": "It is not taken back.", "draw": "There is no draw: the match goes on."}
ALL_WAIT = "Everybody waits"
TABLE = 24  # lines that the table is to keep
LOST = "The connection is lost; it is being opened again."
PATIENCE = 20.0  # seconds for the first picture
STILL = 1.0  # seconds of silence before it is said whom everybody waits for


def join(
    url: str,
    name: str | None = None,
    *,
    console: Console | None = None,
    ask: Ask | None = None,
    live: bool | None = None,
    wake: Wake | None = None,
) -> EndInfo | None:
    """Joins the match of a link until it is over, and those after it; how the last one ended.

    None: it was left before. name: for the seat, if the link has one; None: a person is asked,
    anybody else is called by the login name. wake: rings when there is news; an `ask` of one's own
    may then raise Woken.
    Errors: BattleboxError says why the link leads to no match, or to none that can be joined.
    """
    screen, wake = Screen(console, ask, live=live), wake or Wake()
    next_one: Link | None = seat_tokens.own(link.read(url))
    end = None
    with wake.listening():
        while next_one is not None:
            visit = RemoteMatch(next_one, screen, wake, name)
            next_one, name = visit.sit(), None
            end = visit.room.end if visit.arrived else None
    return end


class RemoteMatch(PromptLoop):
    """One match, from the first picture to the end, or until the person leaves."""

    def __init__(self, link: Link, screen: Screen, wake: Wake, name: str | None = None) -> None:
        super().__init__(screen)
        self.link, self.wake, self.name = link, wake, name
        self.online = Online(link, wake)
        self.room: RoomMessage
        self.picture: Picture
        self.events: list[EventInfo] = []  # all that this viewer was told
        self.talk: list[tuple[int, str]] = []  # what went on around it, after so many events
        self.seen = (0, 0)  # how many of both the person knew when he last decided
        self.decided: list[tuple[int, tuple[int, int]]] = []  # events, and `seen`, before each
        self.commitment = ""  # of fair chance, as it was when we came
        self.sent = ("", "")  # the id of what was sent and is not answered yet, and what it is
        self.answer = Answer("")  # to what was sent last
        self.lost = False  # the line is broken
        self.agreed = False  # to an undo: the next picture shows it
        self.shown: object = None  # what the screen shows; None: it must be drawn
        self.asking: object = None  # the question on it
        self.typed = ""  # a line begun before the screen was drawn again
        self.waited = ""
        self.invitations = Invitations(link, screen, self.name_of)
        self._rulebook: dict[str, str] | None = None

    # ---- the match ----
    def sit(self) -> Link | None:
        """Until the end; the link of the next match, if the person wants one.

        An invitation leads to the link of the seat that was taken by it.
        """
        self.link.check()
        with self.online:
            try:
                self.arrive()
                if self.room.invited is not None:
                    return self.take_seat(self.room.invited)
                self.greet()
                while self.room.end is None:
                    self.step()
                self.finish()
                return self.again()
            except (Left, EOFError, KeyboardInterrupt):
                self.leave()
                return None

    def arrive(self) -> None:
        """Waits for the first picture."""
        end = time.monotonic() + PATIENCE
        while not self.arrived:
            self.take_in(STILL)
            if time.monotonic() > end:
                raise BattleboxError(f"{self.link.base} answers, but shows nothing of the match")
        last = self.events[-1].turn if self.events else 0
        old = last - 2 * len(self.room.seats)  # the last round is news
        self.seen = (sum(x.turn <= old for x in self.events), 0)

    @property
    def arrived(self) -> bool:
        """Whether there has been a picture."""
        return hasattr(self, "room") and hasattr(self, "picture")

    def take_seat(self, seat: int) -> Link:
        """Takes the seat we are invited to, under a name that is asked for; the seat's own link."""
        ask = self.name is None and self.screen.live
        if ask:
            others = [f"{x.name}{f' ({x.level})' * (x.kind == 'bot')}" for x in self.room.seats]
            self.screen.say(f"{self.room.title}, with {' and '.join(filter(None, others))}.")
        while True:
            name = self.name or login()
            if ask:
                question = f"{self.name_of(seat)} is free. Your name [{login()}] > "
                name = self.screen.ask(question) or name
            self.say_name(
                "take_seat", name, key=uuid.uuid4().hex
            )  # shows that a repetition is ours
            if self.answer.token:
                own = self.link.sit(self.answer.token)
                seat_tokens.remember(self.link, own)
                return link.read(str(own))
            why = self.answer.refused or "the server gives no seat to whoever is invited"
            if not ask or self.answer.code == "taken":
                raise BattleboxError(why)
            self.screen.say(why)

    def greet(self) -> None:
        """Says who we are, if we were told to; or that we only watch, if that is a surprise."""
        room = self.room
        if room.you is None and self.link.token and not room.end:
            self.notices.append("The seat of this link is taken: you watch.")
        if self.plays and room.you is not None and self.name:
            if self.name != room.seats[room.you].name:
                self.say_name("rename", self.name)
            if self.answer.refused:
                raise BattleboxError(self.answer.refused)

    def say_name(self, what: str, name: str, **more: str) -> None:
        """Asks for a name, and waits for the answer."""
        # no name is longer than that, and a message that is would break the line
        clean = name[:100].encode(errors="replace").decode() or " "
        self.send(what, name=clean, **more)
        while self.sent[0]:
            self.take_in(STILL)

    def step(self) -> None:
        """Shows what is to be seen, and hears what the person wants, until something changes."""
        self.take_in()
        if self.room.end:
            return
        if self.sent[0]:  # first the answer: what it leads to may be another question
            self.take_in(STILL)
            return
        scene = self.scene()
        if not (scene.choices or self.is_asked or self.screen.live):
            self.overhear()
            return
        if (asking := (scene.choices, self.is_asked)) != self.asking:
            self.asking, self.typed = asking, ""
            self.screen.drop_typed()  # it answers no question that anybody has seen
        if self.face() != self.shown:
            self.show(scene)
        try:
            line = self.screen.ask(self.question(scene), self.wake, self.typed)
        except Woken as e:
            self.typed = e.typed
            return
        self.typed = ""
        self.hear(line, scene)

    def overhear(self) -> None:
        """Where nobody can be asked: what happens, as it happens."""
        for text in self.news(self.room.you):
            self.screen.say(text)
        self.mark()
        if not self.take_in(STILL) and (now := self.waiting()) != self.waited:
            self.waited = now
            self.screen.say(f"{now}.")

    def hear(self, line: str, scene: Scene) -> None:
        """Does what a line says."""
        if self.is_asked and (yes := line.lower()) in ("y", "yes", "n", "no"):
            assert self.room.proposal is not None
            self.send("answer", what=self.room.proposal.what, yes=yes in ("y", "yes"))
        elif scene.choices:
            action = self.understand(line, scene)
            if action is not None:
                self.decided.append((len(self.events), self.seen))
                self.mark()
                self.choose(action)
        elif not line:
            self.shown = None  # so much is asked for: the screen again
        elif not self.obey(line, scene):
            self.notice(
                f"{line!r}: there is nothing to choose now. ? shows what you can do.", scene
            )

    def choose(self, action: int) -> None:
        """Does one of the scene's choices."""
        self.send("act", question=self.picture.question, action=action)

    def send(self, what: str, /, **fields: object) -> None:
        """Wants something of the server."""
        self.sent = (self.online.do(what, **fields), what)
        if self.lost:
            self.screen.say("It will be sent as soon as the connection is there again.")

    # ---- what comes from the server ----
    def take_in(self, timeout: float = 0) -> bool:
        """All that has come; within so many seconds, if nothing has. Whether there was anything."""
        self.wake.rung.clear()
        news = self.online.next(timeout)
        if news is None:
            return False
        while news is not None:
            self.take(news)
            news = self.online.next()
        return True

    def take(self, news: News) -> None:
        """One message."""
        match news:
            case RoomMessage():
                if hasattr(self, "room"):
                    self.compare(self.room, news)
                self.room = news
                self.commitment = self.commitment or (news.fair.commitment or "")
            case Picture():
                self.look(news)
            case Answer():
                self.hear_answer(news)
            case Lost(why):
                self.lost = True
                self.remark(f"{why} {LOST}".strip())
            case Back():
                self.lost = False
                self.remark("Connected again.")
            case Failed(error):
                raise error

    def hear_answer(self, answer: Answer) -> None:
        """What was sent has been done, or refused."""
        id, what = self.sent
        if answer.id != id:
            return
        self.sent, self.answer, self.shown = ("", ""), answer, None
        if answer.text:
            self.remark(answer.text)
        if not answer.refused:
            return
        if what == "act" and self.decided:  # else an undo has taken it off the list
            self.seen = self.decided.pop()[1]
        if what not in ("take_seat", "rename"):  # who asked for the name says it
            self.remark(answer.refused)

    def remark(self, text: str) -> None:
        """Says what is not part of the match: under the next screen, or at once."""
        if self.screen.live and not self.sent[0]:
            self.notices.append(text)
            self.shown = None
        else:
            self.screen.say(text)

    def look(self, new: Picture) -> None:
        """The next picture; after an undo, what was told and no longer holds is taken back."""
        old = self.events
        self.events = [*old[: new.keep], *new.told]
        self.picture = new
        pairs = zip(old, self.events, strict=False)
        same = next((k for k, (a, b) in enumerate(pairs) if _what(a) != _what(b)), None)
        same = min(len(old), len(self.events)) if same is None else same
        gone = " ".join(x.text for x in old[same:] if x.text)
        if old[same:]:
            self.talk = [(min(at, same), text) for at, text in self.talk]
            self.talk.append((same, f"Taken back: {gone}" if gone else "It is taken back."))
            self.seen = (min(self.seen[0], same), self.seen[1])
            while self.decided and self.decided[-1][0] >= same:  # what led to it is news again
                self.seen = min(self.seen, self.decided.pop()[1])
        elif self.agreed and same == len(self.events):  # what is taken back had left no trace
            self.add("It is taken back.")
        self.agreed = False

    def compare(self, old: RoomMessage, new: RoomMessage) -> None:
        """Tells what has changed around the match."""
        for a, b in zip(old.seats, new.seats, strict=False):
            if b.seat != new.you and b.name != a.name and b.kind != "bot":
                came = f"{b.name} sits down." if a.kind == "open" else ""
                self.add(came or f"{a.name} is now called {b.name}.")
            elif b.kind != a.kind and b.kind == "bot":
                self.add(f"{b.name}, a bot ({b.level}), sits down.")
            if b.resigned and not a.resigned and not new.end:
                you = b.seat == new.you
                self.add(f"{'You give' if you else f'{b.name} gives'} up; a bot plays on.")
            if b.replaced and not a.replaced:
                self.add(f"{b.name} is away; a bot plays meanwhile.")
            elif a.replaced and b.here:
                self.add(f"{b.name} is back.")
        proposal = new.proposal if old.proposal is None else None
        if proposal and new.you not in (proposal.by, *proposal.waiting):
            self.add(f"{self.proposed(proposal)}.")
        if new.outcome and (old.proposal or new.outcome != old.outcome):
            self.agreed = new.outcome.accepted and new.outcome.what == "undo"
            if not new.outcome.accepted:
                what = new.outcome.what
                self.add(NO_DEAL.get(what, f"There is no agreement to {what}: the match goes on."))

    def proposed(self, proposal: ProposalInfo) -> str:
        """Who proposes what."""
        what = OFFERS.get(proposal.what, f"offers to {proposal.what}")
        return f"{self.name_of(proposal.by)} {what}"

    def add(self, text: str) -> None:
        """Something around the match, to be told among the news."""
        self.talk.append((len(self.events), text))

    # ---- what is to be seen ----
    @property
    def plays(self) -> bool:
        """Whether this viewer is a player who has not given up."""
        you, end = self.room.you, self.room.end
        seat = None if you is None else self.room.seats[you]
        return seat is not None and seat.kind == "person" and not seat.resigned and end is None

    @property
    def is_asked(self) -> bool:
        """Whether a proposal waits for this viewer's answer."""
        asked = self.room.proposal
        return self.plays and asked is not None and self.room.you in asked.waiting

    def scene(self) -> Scene:
        """The scene, with choices only for whoever may still choose."""
        scene = self.picture.scene
        if self.plays or not scene.choices:
            return scene
        return replace(scene, choices=(), refusals=(), prompt="It is not yours to choose any more.")

    def face(self) -> object:
        """All that the screen shows: where it is the same, nothing need be drawn again."""
        seen = (self.picture.run, self.picture.n, len(self.events), len(self.talk))
        return (seen, self.who(), self.waiting(), self.is_asked, self.room.invitations, self.lost)

    def show(self, scene: Scene) -> None:
        """The screen, and remembers what it shows."""
        super().show(scene)
        self.shown = self.face()

    def under(self) -> list[Text]:
        """What stands between the scene and the question: notices, offers, links to be sent."""
        out, pen = super().under(), self.pen()
        if self.lost and not any(LOST in x for x in self.notices):
            out += pen.wrap(LOST, "! ", "bold")
        if self.picture.until is not None and not self.room.end:
            left = max(0, math.ceil(self.picture.until - time.monotonic()))
            out += pen.wrap(f"{ALL_WAIT}, for {left} s.", "! ", "bold")
        if self.is_asked and (asked := self.room.proposal):
            out += pen.wrap(f"{self.proposed(asked)}: y or n?", "! ", "bold")
        elif self.room.proposal and self.room.proposal.by == self.room.you and self.scene().choices:
            out += pen.wrap(f"You have asked for it: {self.waiting()}.", "! ", "bold")
        lines = self.screen.console.height - TABLE - len(out)
        return [*out, *self.invitations.lines(self.room.invitations, lines)]

    def question(self, scene: Scene) -> str:
        """The line a person types behind: also while others are to act."""
        if self.is_asked:
            return f"y or n{', or your choice' if scene.choices else ''} (? help) > "
        if scene.choices:
            return super().question(scene)
        return f"{self.waiting()} (? help) > "

    def waiting(self) -> str:
        """Whom everybody waits for."""
        room, to_act = self.room, self.picture.scene.to_act
        if room.proposal:
            return f"Waiting for {' and '.join(map(self.name_of, room.proposal.waiting))} to answer"
        if room.preparing:
            return "The bots are being prepared, which takes a while the first time"
        if self.picture.until is not None:
            return ALL_WAIT
        if to_act is None or to_act >= len(room.seats):
            return "Waiting"
        seat = room.seats[to_act]
        if seat.kind == "open":
            return f"Waiting for somebody to take {self.name_of(to_act)}"
        away = ", who is away" if seat.kind == "person" and not (seat.here or seat.resigned) else ""
        if seat.replaced:
            away = ", for whom a bot plays"
        return f"Waiting for {self.name_of(to_act)}{away}"

    def name_of(self, p: int) -> str:
        """What a seat is called."""
        if p < len(self.room.seats) and self.room.seats[p].name:
            return self.room.seats[p].name
        zones = self.picture.scene.zones
        labels = [z.label for z in zones if z.kind == "plaque" and z.owner == p]
        return labels[0] if labels else f"Seat {p}"

    def mark(self) -> None:
        """The person knows all that has been told so far."""
        self.seen = (len(self.events), len(self.talk))

    # ---- what the desk asks for ----
    def help_lines(self) -> Sequence[str]:
        """What can be typed here."""
        if not self.plays:
            return WATCHING
        offers = (OFFER.format(what=x) for x in self.room.may_propose if x != "draw")
        invites = [QR] if self.room.invitations else []
        return (*HELP[:-2], *offers, *invites, *HELP[-2:])

    def who(self) -> list[str]:
        """The bots by their levels; of people, what is to be known of them."""
        return [
            (x.level if x.kind == "bot" else "free" if x.kind == "open" else "")
            or ("gave up" if x.resigned else "" if x.here or self.room.end else "away")
            for x in self.room.seats
        ]

    def told(self, viewer: int | None) -> list[Said]:
        """All that this viewer was told."""
        return [(x.turn, x.text) for x in self.events if x.text]

    def news(self, viewer: int | None) -> list[str]:
        """What has happened in the match and around it since the person last decided."""
        said = list[str]()
        events, around = self.seen
        for k in range(events, len(self.events) + 1):
            said += [text for at, text in self.talk[around:] if at == k or at < k == events]
            said += [x.text for x in self.events[k : k + 1] if x.text]
        return said

    def options(self) -> str:
        """The options of this match, and the commitment to its chance."""
        mode = f" ({self.room.mode})" if self.room.mode else ""
        commitment = f" Commitment to fair chance: {self.commitment}" if self.commitment else ""
        return f"{self.room.title}{mode}. Options: {self.room.options}.{commitment}"

    def rulebook(self) -> Mapping[str, str]:
        """The rules by their ids, asked of the server once; none, if it does not answer."""
        if self._rulebook is None:
            try:
                self._rulebook = self.link.rules(self.room.game)
            except BattleboxError as e:
                self.notices.append(f"The rules cannot be shown: {e}.")
                return {}
        return self._rulebook

    def rule_pages(self) -> list[Text]:
        """The rules, one after the other."""
        pen = self.screen.pen()
        return [x for id, text in self.rulebook().items() for x in pen.wrap(text, f" {id}  ")]

    # ---- commands ----
    def commands(self) -> dict[str, Command]:
        """What can be typed besides a choice."""
        return super().commands() | {
            "u": self.undo,
            "undo": self.undo,
            "s": self.save_as,
            "save": self.save_as,
            "draw": self.draw,
            "offer": self.propose,
            "resign": self.resign,
            "hint": self.hint,
            "qr": self.show_qr,
        }

    def may_act(self, scene: Scene) -> bool:
        """Whether this viewer plays; if not, says so."""
        if not self.plays:
            self.notice("You are watching: only players do that.", scene)
        return self.plays

    def hint(self, rest: str, scene: Scene) -> None:
        """`hint`: asks what `champion` would do; the server has it for who plays bots alone."""
        if self.may_act(scene):
            self.send("hint")

    def undo(self, rest: str, scene: Scene) -> None:
        """`u`: asks to take back one's last action."""
        if self.may_act(scene):
            self.send("undo")

    def draw(self, rest: str, scene: Scene) -> None:
        """`draw`: offers a draw, unless a choice may be meant."""
        if found := matching("draw", scene):  # a card may be drawn as well
            named = "; ".join(c.label for c in found[:4])
            self.notice(f"'draw' could be: {named}. Type its number, or: offer a draw.", scene)
        else:
            self.propose("a draw", scene)

    def propose(self, rest: str, scene: Scene) -> None:
        """`offer a draw`, `offer to ...`; where that is proposed already, accepts it."""
        if not self.may_act(scene):
            return
        what = "draw" if rest in ("", "draw", "a draw") else agreement(rest)
        if self.is_asked and self.room.proposal and self.room.proposal.what == what:
            self.send("answer", what=what, yes=True)
        else:
            self.send("propose", what=what[:40])

    def resign(self, rest: str, scene: Scene) -> None:
        """`resign`: gives up, if the person is sure."""
        if not self.may_act(scene):
            return
        if self.screen.ask("You give up this match. Type yes if you are sure > ").lower() == "yes":
            self.send("resign")
        else:
            self.notice("You play on.", scene)

    def show_qr(self, rest: str, scene: Scene) -> None:
        """`qr`: the links to open seats, with their QR codes."""
        if lines := self.invitations.lines(self.room.invitations):
            self.page(lines, scene)
        else:
            self.notice("No seat is free for you to give away.", scene)

    def save_as(self, rest: str, scene: Scene) -> None:
        """`s`: there is nothing to save before the end."""
        self.notice("The server keeps the match: nothing need be saved before its end.", scene)

    # ---- leaving, and the end ----
    def leave(self) -> None:
        """The person goes before the end."""
        self.screen.put([""])
        if self.arrived and self.room.end:
            return
        if self.sent[0]:
            self.screen.say("What you did last may not have reached the server.")
        watching = not self.arrived or self.room.you is None
        self.screen.say(
            "You stopped watching. To come back:"
            if watching
            else "You left; the match is kept, and so is your seat. To come back:"
        )
        self.screen.put([f"  {JOIN.format(link=shlex.quote(str(self.link)))}"])

    def finish(self) -> None:
        """The end: what happened last, who won, seat by seat, and how to see it again."""
        end = self.room.end
        assert end is not None, "the end"
        until = time.monotonic() + STILL
        while end.reason == "rules" and not self.picture.scene.over and time.monotonic() < until:
            self.take_in(STILL)  # the last picture comes after the word of the end
        scene = replace(self.picture.scene, choices=(), refusals=())
        if not scene.over:
            scene = replace(scene, prompt=end.text)
        lines = standings(scene, end.returns, self.pen())
        lines += [Text(""), self.pen().line(f"To see it again: {self.link.replay}")]
        self.screen.clear()
        pen = self.pen(below=4 + len(lines))
        self.screen.put(draw(scene, pen, self.news(scene.viewer)))
        self.screen.put(["", *lines])

    def again(self) -> Link | None:
        """What a player may do after the end; the link of the next match, if he wants one."""
        if self.room.you is None or not self.screen.live:
            return None
        said = None
        while True:
            if self.room.rematch != said:
                said = self.room.rematch
                self.screen.say("The next match is made: a joins it.")
            try:
                line = self.screen.ask(AGAIN, self.wake)
            except Woken:
                self.take_in()
                continue
            word, _, rest = line.partition(" ")
            try:
                match word.lower():
                    case "a" | "again":
                        return self.link.rematch()
                    case "s" | "save":
                        self.keep(rest.strip())
                    case "r":
                        self.look_back()
                    case "l" | "log":
                        self.show_log(self.room.you)
                    case "q" | "quit" | "exit" | "n" | "no":
                        return None
                    case _:
                        self.screen.say(f"{line!r}: type a, r, s, l or q.")
            except BattleboxError as e:
                self.screen.say(str(e))

    def look_back(self) -> None:
        """Luck and skill, found out here: which takes the game, at the version it was played by."""
        from .. import replay

        match = replay("\n".join(clean(self.link.record().split("\n"))))
        match.names = tuple(self.name_of(p) for p in range(match.rules.players))
        you = self.room.you
        who = [HUMAN if p == you else x for p, x in enumerate(self.who())]
        show_review(self.screen, match, who)

    def keep(self, name: str) -> None:
        """Writes the record of the match to a file, and says what it is good for."""
        path = Path(name or f"{self.room.game}-{self.link.match}{SUFFIX}").expanduser()
        text = self.link.record()
        try:
            with path.open("x", encoding="utf-8") as f:
                f.write(text)
        except FileExistsError:
            self.screen.say(f"Not saved: {path} is there already; name another file: s FILE")
            return
        except OSError as e:
            self.screen.say(f"Not saved: {path}: {e.strerror}")
            return
        self.screen.put([f"Saved. battlebox replay {short(path)}"])
        if self.commitment:
            self.screen.put(
                [f"       battlebox verify {short(path)} --commitment {self.commitment}"]
            )


def _what(event: EventInfo) -> tuple[object, ...]:
    """What an event is, whatever the seats are called."""
    return event.turn, event.event, event.args


def login() -> str:
    """The login name, as a name at the table."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # nobody here has a name
        return "Guest"
