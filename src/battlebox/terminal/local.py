"""A match on this machine, played, watched or stepped through: what it says of itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from ..core.match import Match
from ..text.event_text import Said, told
from ..text.pieces import played_with
from .prompt_loop import PromptLoop
from .review import show_review
from .screen import Screen
from .seats import Player, name_of

AGAIN = "a: again, r: review, l: log, q: leave > "


class LocalMatch(PromptLoop):
    """A prompt loop with a `Match`. seats: who sits on each, if that is known."""

    def __init__(self, match: Match, seats: Sequence[Player], screen: Screen) -> None:
        super().__init__(screen)
        self.match, self.seats = match, list(seats)

    def who(self) -> list[str]:
        """The bots by their levels; other people are not named as bots are."""
        return [name_of(x) for x in self.seats]

    def told(self, viewer: int | None) -> list[Said]:
        """All that a viewer was told."""
        return told(self.match, viewer)

    def options(self) -> str:
        """The options of this match, in a sentence."""
        return f"Options: {self.match.rules.options_in_words}."

    def rulebook(self) -> Mapping[str, str]:
        """The rules by their ids."""
        return self.match.rules.game.rulebook

    def rule_pages(self) -> list[Text]:
        """The game's README as lines; what this match is played with, before the rules."""
        from rich.markdown import Markdown

        brief, chapters = self.match.rules.game.readme_parts
        text = "\n\n".join([brief, *played_with(self.match.rules), chapters])
        pen, console = self.screen.pen(), self.screen.console
        options = console.options.update(width=pen.width - 1)
        rows = console.render_lines(Markdown(text), options, pad=False)
        return [Text.assemble(*((s.text, s.style or "") for s in row)) for row in rows]

    def wants_another(self, viewer: int | None) -> bool:
        """What a person wants after the end: another match, or nothing more."""
        while True:
            match answer := self.screen.ask(AGAIN).lower():
                case "a" | "again":
                    return True
                case "q" | "quit" | "exit" | "leave" | "n" | "no":
                    return False
                case "r" | "review":
                    show_review(self.screen, self.match, self.who())
                case "l" | "log":
                    self.show_log(viewer)
                case _:
                    self.screen.say(f"{answer!r}: type a, r, l or q.")
