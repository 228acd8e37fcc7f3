"""Plays the playthroughs and compares them with their files, or writes the files anew.

The table of positions by depth (`perft`) is compared and written with them.

make playthroughs                        writes all of them; then `git diff` shows what changed
make playthroughs ARGS=--check           says what differs, and fails
make playthroughs ARGS="--check --but-words war_zone"     all but what people read; one game
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from . import COURSES, FOLDER, LEFT_OUT, differences, file_of, perft, play


def main(words: Sequence[str] | None = None) -> int:
    """The command line; the exit status."""
    parser = argparse.ArgumentParser(prog="playthroughs", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("names", nargs="*", help="how names of files begin; none: all of them")
    parser.add_argument("--check", action="store_true", help="write nothing, say what differs")
    parser.add_argument("--but-words", action="store_true", help="leave out what people read")
    parser.add_argument("--but-scenes", action="store_true", help="leave out what is drawn")
    o = parser.parse_args(words)
    if (o.but_words or o.but_scenes) and not o.check:
        parser.error("--but-words and --but-scenes are for --check: files are written whole")
    chosen = [x for x in COURSES if x.startswith(tuple(o.names or [""]))]
    if not chosen:
        parser.error(f"no playthrough begins with {' or '.join(o.names)}: {', '.join(COURSES)}")
    options = {"words": o.but_words, "scenes": o.but_scenes}
    left_out = [verb for what, is_out in options.items() if is_out for verb in LEFT_OUT[what]]
    changed = [x for x in chosen if (check(x, left_out) if o.check else write(x))]
    if not o.names:
        changed += [x for x in sorted(stray()) if report_stray(x, o.check)]
    what = "differ" if o.check else "were written anew"
    print(f"{len(changed)} of {len(chosen)} playthroughs {what}.")
    counted = count(chosen, o.check) if o.check or not o.names else []
    return int(o.check and bool(changed or counted))


def check(name: str, left_out: Sequence[str]) -> bool:
    """Whether a playthrough differs from its file, and how."""
    old = file_of(name).read_text(encoding="utf-8") if file_of(name).exists() else ""
    if found := differences(name, old, play(COURSES[name]), left_out):
        print(found, end="\n\n")
    return bool(found)


def count(names: Sequence[str], only_check: bool) -> Sequence[str]:
    """Compares the positions by depth, or writes all of them anew; what differs."""
    if only_check:
        found = [x for x in map(perft.difference, names) if x]
        what = f"Positions by depth: {len(found)} of {len(names)} rulesets differ."
        print(*found, what, sep="\n\n" if found else "\n")
        return found
    if perft.write(names):
        print(f"{perft.FILE.name} was written anew.")
    return []


def write(name: str) -> bool:
    """Writes the file anew; whether it is another one now."""
    file, text = file_of(name), play(COURSES[name])
    if file.exists() and file.read_text(encoding="utf-8") == text:
        return False
    file.write_text(text, encoding="utf-8")
    print(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file)
    return True


def stray() -> set[str]:
    """The files of playthroughs that there are no longer."""
    return {f.stem for f in FOLDER.glob("*.txt")} - COURSES.keys()


def report_stray(name: str, only_check: bool) -> bool:
    """Says or deletes what is left over."""
    print(f"{name}: {'no playthrough has this name' if only_check else 'deleted'}")
    if not only_check:
        file_of(name).unlink()
    return True


if __name__ == "__main__":
    sys.exit(main())
