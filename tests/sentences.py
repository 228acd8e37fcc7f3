"""Lists every sentence that people read in whole matches, to be read in one go.

    python -m tests.sentences                      all games
    python -m tests.sentences war_zone battle      two of them
    python -m tests.sentences --kind log --kind prompt
    python -m tests.sentences --reviews            with reviews and hints, which take a search

The matches are those of the playthroughs: every mode and most variants, played at random. Sentences
stand by game and by kind, each once, with how often it came up. Those that differ only in names and
numbers are listed once, as the first of them was.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tests.playthroughs import COURSES, Course

import battlebox as bb
from battlebox.bots.review import hint, review
from battlebox.bots.review_text import advice, decisions, summary, turning_points
from battlebox.bots.search import by_rounds
from battlebox.core.errors import BattleboxError
from battlebox.core.game import Game
from battlebox.core.match import Match
from battlebox.core.scene import Scene
from battlebox.games import find

NAMES = ("Ada", "Bo", "Cy", "Dot", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo")
WRONG = ("", "what", "9", "?", "A1", "B2")  # typed in place of a word of the notation
#: what a fact of a zone holds that people read, and how it is called here
FACTS = {
    **{"text": "text", "notes": "note", "pills": "note", "chips": "chip", "tags": "tag"},
    **{"you": "text", "goal": "text", "early": "text", "rooms": "text", "short": "short"},
    **{
        "points_name": "short",
        "token_name": "short",
        "blocked_name": "short",
        "team": "short",
        "sum": "short",
        "turn": "short",
    },
    **{"rows": "text", "odds": "odds"},
}
KINDS = {
    "about": "the game, its modes and its options",
    "title": "where we are",
    "prompt": "what is asked",
    "cue": "what is asked, in short",
    "choice": "choices, with what they lead to",
    "refusal": "why a piece or zone cannot be chosen",
    "hint": "hints of zones",
    "text": "texts of zones",
    "note": "notes and offers at zones",
    "chip": "marks of seats",
    "tag": "marks of cards",
    "odds": "marks of choices on a board",
    "short": "names of numbers, and zones in short",
    "zone": "names of zones",
    "piece": "cards and figures",
    "log": "what is told",
    "undo": "why nothing can be taken back",
    "agree": "what all may agree on",
    "error": "what is said of a wrong word",
    "end": "results",
    "review": "reviews",
    "advice": "hints of a bot",
}
OTHERS = 0.3  # how often a seat is looked at that has nothing to decide
SIMULATIONS = 60  # of a decision in reviews and hints: it is their words that count


class Sentences:
    """The sentences of a game by kind, and how often each came up."""

    def __init__(self) -> None:
        self.found = {kind: Counter[str]() for kind in KINDS}
        self.names = set(NAMES)  # of players, cards and figures

    def add(self, kind: str, *parts: str) -> None:
        """Notes a sentence; several parts are one that is drawn in several places."""
        if text := " | ".join(x for x in parts if x):
            self.found[kind][text] += 1

    def lines(self, kinds: Iterable[str] = KINDS) -> Iterator[str]:
        """All of these kinds, in the order of the alphabet; like ones as the first of them."""
        names = "|".join(map(re.escape, sorted(self.names, key=lambda x: (-len(x), x))))
        for kind in kinds:
            first, count = dict[str, str](), Counter[str]()
            for text, n in self.found[kind].items():
                key = text if kind == "about" else alike(text, names)
                first.setdefault(key, text)
                count[key] += n
            if first:
                yield f"-- {kind}: {KINDS[kind]} ({len(first)})"
                for key, text in sorted(first.items(), key=lambda x: x[1]):
                    yield f"{count[key]:7}  {text}"


def alike(text: str, names: str) -> str:
    """The text without what may differ: names (a pattern), numbers, quoted words, and how many of
    them are listed. "an Ace" is not as "a Ten", nor "1 card" as "2 cards".
    """
    text = re.sub(rf"\b(an? )?(?:{names})\b", _unnamed, text)
    text = re.sub(r"\b(an? )?\d+( [a-z])?|'[^ ]*'", _unnumbered, text)
    text = re.sub(r"\b(N #|N|#)(?:(?:, | \+ | and )(?:N #|N|#|you))+", r"\1, \1", text)
    return re.sub(r"(, [^,.:]*#)+", ", #", text)


def _unnamed(found: re.Match[str]) -> str:
    article = found[1] or ""
    return f"{article}{'V' if article and found[0][len(article)] in 'AEIOU' else 'N'}"


def _unnumbered(found: re.Match[str]) -> str:
    article, letter = found[1] or "", found[2] or ""
    if found[0].startswith("'"):
        return "'word'"
    number = found[0].removeprefix(article).removesuffix(letter)
    vowel = article and number in ("8", "11", "18")
    one = letter and number == "1"
    return f"{article}{'V' if vowel else 'one' if one else '#'}{letter}"


# ---- matches -------------------------------------------------------------------------------------
def collect(game: Game, courses: Sequence[Course], *, reviews: bool = False) -> Sentences:
    """The sentences of a game, from a match of each course. reviews: those of the first, too."""
    out = Sentences()
    about(out, game)
    rulesets = [bb.load(x.game, **x.options) for x in courses]
    for course, rules in zip(courses, rulesets, strict=True):
        out.add("about", rules.options_in_words)
        match = played(out, course, rules)
        if reviews and course is courses[0]:
            look_back(out, match)
    return out


def about(out: Sentences, game: Game) -> None:
    """What people read before a match."""
    out.add("about", game.title, game.about)
    for mode in game.modes:
        out.add("about", "mode", mode.name, mode.about)
    for name, x in game.options.model_fields.items():
        extra: Any = x.json_schema_extra or {}
        values = ", ".join(f"{k}: {v}" for k, v in extra.get("names", {}).items())
        out.add("about", f"option {name}", x.title or "", x.description or "", values)


def played(out: Sentences, course: Course, rules: bb.Ruleset) -> Match:
    """Plays a match at random, and notes all that is read in it."""
    match, dice = rules.match(course.seed), random.Random(course.seed)
    match.names = NAMES[: rules.players]
    if course.windows:
        match.open_response_windows()
    viewers: tuple[int | None, ...] = (None, *range(rules.players))
    heard, words = dict.fromkeys(viewers, 0), [*WRONG]
    for _ in range(course.most):
        for p in viewers:
            told = match.events(p, heard[p])
            heard[p] += len(told)
            for x in told:
                out.add("log", match.say(x, p))
        deciding = match.deciding
        others = [dice.randrange(rules.players)] if dice.random() < OTHERS else []
        for p in {None, *deciding, *others}:
            look(out, match.scene(p))
            for then in match.intermediate_views(p):
                look(out, then.scene)
        if match.over and not match.response_window:
            return match
        for p in range(rules.players):
            out.add("undo", match.why_no_undo(p))
        for what in match.agreements:
            out.add("agree", what)
        for p in deciding:
            mistype(out, match, p, [*dice.sample(words, min(3, len(words)))])
        if match.response_window:
            for p in deciding:
                if dice.random() < 0.75:
                    match.submit(p, dice.choice(match.choices(p)))
            match.close_response_window()
        else:
            (seat,) = deciding
            action = dice.choice(match.legal_actions)
            words.append(match.word(action))
            match.submit(seat, action)
    return match


def mistype(out: Sentences, match: Match, seat: int, words: Sequence[str]) -> None:
    """What is said of words that are not legal now, or no words."""
    for word in words:
        try:
            match.check(seat, word)
        except BattleboxError as e:
            out.add("error", re.sub(r"(legal:|hand is) [^;]*", r"\1 ...", str(e)))


def look(out: Sentences, scene: Scene) -> None:
    """All that is read in a scene."""
    out.add("title", scene.title)
    out.add("end" if scene.over else "prompt", scene.prompt)
    out.add("cue", scene.cue)
    for choice in scene.choices:
        out.add("choice", choice.label, choice.sub)
    for refusal in scene.refusals:
        out.add("refusal", refusal.why)
    for zone in scene.zones:
        out.add("zone", zone.label)
        for key, value in zone.facts.items():
            kind = "hint" if key == "hint" else FACTS.get(key, "")
            for text in _texts(value) if kind else ():
                for sentence in re.split(r"(?<=\.) ", text):
                    out.add(kind, sentence)
        for piece in zone.pieces:
            if len(piece.name) > 1 and not piece.name.isdigit():
                out.names.add(piece.name)
            out.add("piece", piece.label, "" if piece.text in piece.label else piece.text)


def _texts(value: object) -> Iterator[str]:
    """The texts in a fact."""
    if isinstance(value, str):
        yield from re.findall(r"^.*[A-Za-z].*$", value)
    elif isinstance(value, dict):
        for x in value.values():
            yield from _texts(x)
    elif isinstance(value, list | tuple):
        for x in value:
            yield from _texts(x)


def look_back(out: Sentences, match: Match) -> None:
    """The reviews of a match, and a hint at every tenth decision of it."""
    rules, names = match.rules, match.names
    for seat in review(match, simulations=SIMULATIONS):
        out.add("review", summary(seat, "You", "your"))
        for line in (*turning_points(seat, names), *decisions(seat, every=True)):
            out.add("review", line.text)
    for then in match.look_back(range(0, len(match.history), 10)):
        if (p := then.to_act) is not None and len(then.legal_actions) > 1:
            labels = {c.action: c.label for c in then.scene(p).choices}
            found = hint(rules, then.observation(p), simulations=SIMULATIONS)
            told = rules.game.consequences
            said = advice(*(found, labels, p, names), by_rounds=by_rounds(rules), consequences=told)
            out.add("advice", said)


# ---- the command line ----------------------------------------------------------------------------
def main(words: Sequence[str] | None = None) -> int:
    """The command line; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.sentences", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("games", nargs="*", help=f"of {', '.join(bb.games())}; none: all")
    kinds = ", ".join(KINDS)
    parser.add_argument("--kind", action="append", choices=[*KINDS], metavar="KIND", help=kinds)
    parser.add_argument("--only", default="", metavar="TEXT", help="how names of modes begin")
    parser.add_argument("--reviews", action="store_true", help="with reviews and hints")
    o = parser.parse_args(words)
    if wrong := [x for x in o.games if x not in bb.games()]:
        parser.error(f"no game is called {wrong[0]}: {', '.join(bb.games())}")
    for name in o.games or bb.games():
        courses = [
            x for key, x in COURSES.items() if x.game == name and key.startswith(f"{name}-{o.only}")
        ]
        if not courses:
            parser.error(f"no mode of {name} begins with {o.only}")
        print(f"==== {name}: {len(courses)} match{'es' if len(courses) > 1 else ''}")
        print(*collect(find(name), courses, reviews=o.reviews).lines(o.kind or KINDS), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
