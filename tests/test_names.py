"""One word has one meaning: names that were given up do not come back."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("src", "tests", "examples", "bench", "mutants", ".ci")
WEB = ROOT / "src" / "battlebox" / "web"

#: what a thing was called, and what it is called now
GIVEN_UP = {
    "guess": "determinize",
    "advise": "candidates",
    "neat": "clear_scratch_at",
    "Luck": "ChanceSource",
    "promise": "commitment",
    "hush": "response_window",
    "hushes": "response_windows",
    "Hush": "ResponseWindow",
    "_ear": "_listener",
    "_Eyes": "an observer",
    "lookout": "observing_engine",
    "quicken": "use_compiled_observer",
    "try_eyes": "warm_observer",
    "Moment": "IntermediateView",
    "Kit": "Resolved",
    "kit": "resolve",
    "afresh": "fresh_copy",
    "Thinker": "BotSpec",
    "Account": "SeatReview",
    "Weighed": "ActionStats",
    "Witness": "Recorder",
    "Meeting": "Session",
    "meeting": "session",
    "Tables": "Rooms",
    "house": "services",
    "Shown": "ViewKey",
    "Viewer": "View",
    "Post": "Outbox",
    "Guard": "SecurityMiddleware",
    "guard": "security",
    "Errand": "BackgroundRequest",
    "Figures": "Metrics",
    "Passage": "HandOff",
    "look_around": "Presence.update",
    "wish": "a command, its fingerprint",
    "Told": "EventView",
    "Desk": "PromptLoop",
    "Visit": "RemoteMatch",
    "visit": "a remote match",
}
MODULES = {
    *("hush", "meeting", "tables", "viewers", "doors", "guard", "errands", "shares"),
    *(
        "wire",
        "thinking",
        "live",
        "account",
        "witness",
        "proof",
        "numbers",
        "desk",
        "told",
        "online",
    ),
}
PAGE_MODULES = {
    *("went", "early", "mine", "lens", "hold", "news", "notices", "notes", "tab", "store", "live"),
}
#: where a word means something else, and what
EXCEPTIONS = {
    ("mutants/texts.py", "guard"): "the condition of a case, as Python's own grammar calls it",
    ("src/battlebox/core/build.py", "visit"): "ast.NodeVisitor's",
    ("tests/test_server_memory.py", "visit"): "somebody comes to a match and leaves it",
    ("bench/memory.py", "visit"): "somebody comes to a match and leaves it",
}


def sources() -> list[Path]:
    return sorted(p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py"))


def names_in(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {x.string for x in tokens if x.type == tokenize.NAME}


def test_no_name_that_was_given_up_comes_back() -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in sources()
        for name in names_in(path) & GIVEN_UP.keys()
    }
    back = {f"{path}: {name}, say {GIVEN_UP[name]}" for path, name in found - EXCEPTIONS.keys()}
    assert not back
    assert found >= EXCEPTIONS.keys(), "an exception that is no longer needed"


@pytest.mark.parametrize(
    ("suffix", "gone"), [(".py", MODULES), (".js", PAGE_MODULES)], ids=["Python", "page"]
)
def test_no_module_has_a_name_that_was_given_up(suffix: str, gone: set[str]) -> None:
    package = ROOT / "src" / "battlebox"
    assert not {p.stem for p in package.rglob(f"*{suffix}") if "vendor" not in p.parts} & gone


def test_the_protocol_has_no_word_of_version_1() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    gone = ("do", "name", "fill", "offer", "stop", "table")
    assert not [x for x in gone if f'"type": "{x}"' in text]
    assert not re.search(r'"(moments|hold|asked|answered|offers|invites|promise|accounts)"', text)
