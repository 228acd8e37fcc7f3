"""A match on a server, as it is shown and played at this terminal."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence

from rich.text import Text

from ...client import room_text
from ...client.client import LOST, STILL, RemoteClient
from ...client.connection import Connection
from ...client.room_text import DRAW
from ...client.state import RemoteState
from ...core.errors import BattleboxError
from ...core.scene import Scene
from ...protocol.messages import EndInfo
from ...text.event_text import Said
from .. import prompt_loop
from ..prompt_loop import OFFER_HELP, Command, PromptLoop
from ..screen import Screen, Wake, Woken
from .arrival import as_sent
from .commands import ServerCommands
from .invitations import Invitations

HELP = (
    *prompt_loop.HELP,
    "u        undo your last decision, if the others agree; bots always do",
    prompt_loop.HINT,
    "draw     offer a draw; y or n answers what others offer or ask",
    "resign   give up; you are asked whether you are sure",
    "q        leave; the match is kept, and the same command brings you back",
)
QR = "qr       the links to open seats, with QR codes"
WATCHING = (*prompt_loop.HELP[1:], "q        leave; the same command brings you back")
HURRY = 60  # more seconds than this are not counted down
SHORTEST = 24  # lines that the scene is to keep when links are shown below it


class RemoteMatch(PromptLoop):
    """Shows what the server shows, and sends what is typed, until the end."""

    def __init__(
        self, connection: Connection, state: RemoteState, screen: Screen, wake: Wake | None = None
    ) -> None:
        super().__init__(screen)
        self.state = state
        self.client = RemoteClient(connection, state, self.remark)
        self.link, self.wake = connection.link, wake
        self.invitations = Invitations(self.link, screen, state.name_of)
        self.server = ServerCommands(self.client, self, self.invitations)
        self.shown: object = None  # what the screen shows; None: it must be drawn
        self.asking: object = None  # the question on it
        self.typed = ""  # a line begun before the screen was drawn again
        self.waited = ""
        self._rulebook: dict[str, str] | None = None

    # ---- the match ----
    def greet(self, name: str | None) -> None:
        """Says who we are, if we were told to; or that we only watch, if that is a surprise.

        Errors: BattleboxError if the name cannot be.
        """
        room = self.state.room
        if room.you is None and self.link.token and not room.end:
            self.notices.append("Somebody else has the seat of this link: you are watching.")
        if self.state.plays and room.you is not None and name and name != room.seats[room.you].name:
            reply = self.client.ask("rename", name=as_sent(name))
            if reply.refused:
                raise BattleboxError(reply.refused)

    def run(self) -> EndInfo:
        """Until the match is over: how it ended. Errors: Left."""
        while (end := self.state.room.end) is None:
            self.step()
        return end

    def step(self) -> None:
        """Shows what is to be seen, and hears what the person wants, until something changes."""
        self.client.take_in()
        if self.state.room.end:
            return
        if self.client.sent:  # first the answer: what it leads to may be another question
            self.client.take_in(STILL)
            return
        scene = self.state.scene
        if not (scene.choices or self.state.is_asked or self.screen.live):
            self.overhear()
            return
        if (asking := (scene.choices, self.state.is_asked)) != self.asking:
            self.asking, self.typed = asking, ""
            self.screen.drop_typed()  # it answers no question that anybody has seen
        if self.notices or self.face() != self.shown:
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
        for text in self.state.news():
            self.screen.say(text)
        self.state.mark()
        if not self.client.take_in(STILL) and (now := self.state.waiting()) != self.waited:
            self.waited = now
            self.screen.say(f"{now}.")

    # ---- what is typed ----
    def hear(self, line: str, scene: Scene) -> None:
        """Does what a line says."""
        if self.state.is_asked and (said := line.lower()) in ("y", "yes", "n", "no"):
            self.server.answer(said in ("y", "yes"))
        elif scene.choices:
            action = self.understand(line, scene)
            if action is not None:
                self.state.decide()
                self.client.send("act", question=self.state.picture.question, action=action)
        elif not line:
            self.shown = None  # so much is asked for: the screen again
        elif not self.obey(line, scene):
            text = f"{line!r}: you have nothing to choose now. Type ? to see what you can do."
            self.notice(text, scene)

    def commands(self) -> dict[str, Command]:
        """What can be typed besides a choice."""
        return super().commands() | self.server.by_name()

    def help_lines(self) -> Sequence[str]:
        """What can be typed here."""
        if not self.state.plays:
            return WATCHING
        room = self.state.room
        offers = (OFFER_HELP.format(what=x) for x in room.may_propose if x != DRAW)
        return (*HELP[:-2], *offers, *([QR] if room.invitations else []), *HELP[-2:])

    # ---- what is shown ----
    def remark(self, text: str) -> None:
        """Says what is not part of the match: under the next screen, or at once."""
        if self.screen.live and not self.client.sent:
            self.notices.append(text)
        else:
            self.screen.say(text)

    def face(self) -> object:
        """All that the screen shows: where it is the same, nothing need be drawn again."""
        s = self.state
        told = (s.picture.run, s.picture.n, len(s.events), len(s.remarks), self.client.reply.id)
        return (told, self.who(), s.waiting(), s.is_asked, s.room.invitations, s.lost)

    def show(self, scene: Scene) -> None:
        """The screen, and remembers what it shows."""
        super().show(scene)
        self.shown = self.face()

    def under(self) -> list[Text]:
        """What stands between the scene and the question: notices, proposals, links to be sent."""
        s, pen, out = self.state, self.pen(), super().under()
        if s.lost and not any(LOST in x for x in self.notices):
            out += pen.wrap(LOST, "! ", "bold")
        if s.picture.until is not None and not s.room.end:
            left = max(0, math.ceil(s.picture.until - time.monotonic()))
            count = f": {left} s left" if left <= HURRY else ""
            out += pen.wrap(f"{room_text.RESPONSES}{count}.", "! ", "bold")
        if (proposal := s.room.proposal) and s.is_asked:
            out += pen.wrap(f"{room_text.proposed(proposal, s.names)}: y or n?", "! ", "bold")
        elif proposal and proposal.by == s.room.you and s.scene.choices:
            out += pen.wrap(f"{room_text.yours(proposal.what)} {s.waiting()}.", "! ", "bold")
        lines = self.screen.console.height - SHORTEST - len(out)
        return [*out, *self.invitations.lines(s.room.invitations, lines)]

    def question(self, scene: Scene) -> str:
        """The line a person types behind: also while others are to act."""
        if self.state.is_asked:
            return f"y or n{', or your choice' if scene.choices else ''} (? help) > "
        if scene.choices:
            return super().question(scene)
        return f"{self.state.waiting()} (? help) > "

    def who(self) -> list[str]:
        """The bots by their levels; of people, what others should know."""
        return room_text.seat_notes(self.state.room)

    def told(self, viewer: int | None) -> list[Said]:
        """All that this viewer was told."""
        return [(x.turn, x.text) for x in self.state.events if x.text]

    def news(self, viewer: int | None) -> list[str]:
        """What has happened since the person last decided."""
        return self.state.news()

    def options(self) -> str:
        """The options of this match, and the commitment to its chance."""
        return room_text.options(self.state.room, self.state.commitment)

    def rulebook(self) -> Mapping[str, str]:
        """The rules by their ids, asked of the server once; none, if it does not answer."""
        if self._rulebook is None:
            try:
                self._rulebook = self.link.site.rules(self.state.room.game)
            except BattleboxError as e:
                self.notices.append(f"The rules cannot be shown: {e}.")
                return {}
        return self._rulebook

    def rule_pages(self) -> list[Text]:
        """The rules, one after the other."""
        pen = self.screen.pen()
        return [x for id, text in self.rulebook().items() for x in pen.wrap(text, f" {id}  ")]
