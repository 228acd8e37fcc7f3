"""What a player can type that is for the server to do."""

from __future__ import annotations

from rich.text import Text

from ...client.client import RemoteClient
from ...client.room_text import DRAW
from ...core.scene import Scene
from ...text.choosing import matching
from ..prompt_loop import Command, PromptLoop, agreement
from .invitations import Invitations


class ServerCommands:
    """Those of one match; the loop shows what there is to say."""

    def __init__(self, client: RemoteClient, loop: PromptLoop, invitations: Invitations) -> None:
        self.client, self.state, self.loop = client, client.state, loop
        self.invitations = invitations

    def by_name(self) -> dict[str, Command]:
        """The commands, by what is typed."""
        return {
            "u": self.undo,
            "undo": self.undo,
            "s": self.save,
            "save": self.save,
            "draw": self.draw,
            "offer": self.propose,
            "resign": self.resign,
            "hint": self.hint,
            "qr": self.show_qr,
        }

    def _may_act(self, scene: Scene) -> bool:
        """Whether this viewer plays; if not, says so."""
        if not self.state.plays:
            self.loop.notice("You are watching: only players can do that.", scene)
        return self.state.plays

    def hint(self, rest: str, scene: Scene) -> None:
        """`hint`: what `champion` would do; the server tells it to those who play bots alone."""
        if self._may_act(scene):
            self.client.send("hint")

    def undo(self, rest: str, scene: Scene) -> None:
        """`u`: asks to take back one's last decision."""
        if self._may_act(scene):
            self.client.send("undo")

    def draw(self, rest: str, scene: Scene) -> None:
        """`draw`: offers a draw, unless a choice may be meant."""
        if found := matching("draw", scene):  # a card may be drawn as well
            named = "; ".join(c.label for c in found[:4])
            self.loop.notice(f"'draw' could be: {named}. Type its number, or: offer a draw.", scene)
        else:
            self.propose("a draw", scene)

    def propose(self, rest: str, scene: Scene) -> None:
        """`offer a draw`, `offer to ...`; where that is proposed already, accepts it."""
        if not self._may_act(scene):
            return
        what = DRAW if rest in ("", "draw", "a draw") else agreement(rest)
        proposal = self.state.room.proposal
        if self.state.is_asked and proposal and proposal.what == what:
            self.answer(True)
        else:
            self.client.send("propose", what=what[:40])

    def answer(self, yes: bool) -> None:
        """Answers the proposal that waits for it."""
        proposal = self.state.room.proposal
        assert proposal is not None, "this viewer is asked"
        self.client.send("answer", what=proposal.what, yes=yes)

    def resign(self, rest: str, scene: Scene) -> None:
        """`resign`: gives up, if the person is sure."""
        if not self._may_act(scene):
            return
        sure = self.loop.screen.ask("Give up this match? Type yes if you are sure > ")
        if sure.lower() == "yes":
            self.client.send("resign")
        else:
            self.loop.notice("You play on.", scene)

    def show_qr(self, rest: str, scene: Scene) -> None:
        """`qr`: the links to open seats, with their QR codes."""
        lines: list[Text] = self.invitations.lines(self.state.room.invitations)
        if lines:
            self.loop.page(lines, scene)
        else:
            self.loop.notice("There is no open seat that you could give away.", scene)

    def save(self, rest: str, scene: Scene) -> None:
        """`s`: there is nothing to save before the end."""
        text = "The server keeps the match. You can save a copy when it is over."
        self.loop.notice(text, scene)
