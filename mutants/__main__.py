"""Tries small changes of a game's rules, and shows those that nobody notices.

    make mutants GAME=war_zone                     200 of them, two minutes on two cores
    python -m mutants war_zone --only draw_up      all mutants whose name has that text
    python -m mutants war_zone --judged            also those that are judged equivalent
    python -m mutants war_zone --lessons           how many of them a lesson notices

Fails if a mutant survives that is not judged, or a judgement fits nothing any more; with --lessons,
if no lesson notices any.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from battlebox.games import NAMES

from . import judged, texts, trials
from .texts import Mutant

COUNT = 200
ADVICE = """\
Give each a scenario or a test; or, if it changes nothing that anybody could
notice, judge it in {file}:

[[equivalent]]
mutant = '''...'''
because = "Why nobody could notice it, in a sentence."
"""


def run(
    package: str,
    file: Path,
    *,
    count: int = COUNT,
    only: str = "",
    again: bool = False,
    at_once: int = 0,
) -> bool:
    """Tries the mutants of a game and prints what comes of it; whether all is well.

    file: the judged ones. only: all mutants whose name has this text, in place of a sample.
    again: the judged ones, too. at_once: how many processes.

    Errors: BadJudgement, Unfit.
    """
    reasons = judged.read(file)
    every = texts.every(trials.rules_files(trials.folder_of(package)))
    gone = judged.stale(reasons, (m.name for m in every))
    chosen = [m for m in every if only in m.name] if only else texts.sample(every, count)
    if not chosen:
        raise trials.Unfit(f"no mutant has the text {only!r} in its name")
    todo = [m for m in chosen if again or m.name not in reasons]
    print(f"{len(chosen)} of {len(every)} mutants; {len(chosen) - len(todo)} judged", flush=True)
    survivors, needless = list[Mutant](), list[str]()
    usual = trials.usual_courses(package)
    for k, (m, noticed) in enumerate(
        trials.tried(package, todo, usual, at_once or os.cpu_count() or 1), 1
    ):
        where = f"{m.file.name}:{m.line} {m.where}"
        print(f"{k:4} of {len(todo)}  {where:44} {noticed or 'SURVIVES'}", flush=True)
        if not noticed and m.name not in reasons:
            survivors.append(m)
        elif noticed and m.name in reasons:
            needless.append(m.name)
    report(survivors, gone, needless, file)
    return not (survivors or gone or needless)


def by_lessons(package: str, *, count: int, at_once: int = 0) -> bool:
    """Tries mutants on the lessons of a game alone; whether a lesson noticed one. Errors: Unfit."""
    chosen = texts.sample(texts.every(trials.rules_files(trials.folder_of(package))), count)
    at_once, stages = at_once or os.cpu_count() or 1, (trials.by_lessons,)
    usual, noticed = trials.usual_courses(package, stages), 0
    for m, who in trials.tried(package, chosen, usual, at_once, stages):
        noticed += bool(who)
        print(f"{m.file.name}:{m.line} {m.where:44} {who or '-'}", flush=True)
    print(f"\nLessons notice {noticed} of {len(chosen)}.")
    return noticed > 0


def report(
    survivors: Sequence[Mutant], gone: Sequence[str], needless: Sequence[str], file: Path
) -> None:
    """Prints what there is to do."""
    for m in sorted(survivors, key=lambda m: (m.file, m.line)):
        print(f"\n{m.file}:{m.line} {m.where}\n  - {m.was}\n  + {m.now}\n  mutant = '''{m.name}'''")
    for name in gone:
        print(f"\nStale: there is no such mutant any more: {name}")
    for name in needless:
        print(f"\nStale: it is noticed, so it is not equivalent: {name}")
    if survivors:
        print(f"\n{len(survivors)} survive. {ADVICE.format(file=file)}")
    if gone or needless:
        print(f"\nTake what is stale out of {file}.")
    if not (survivors or gone or needless):
        print("\nAll are noticed or judged.")


def main(words: Sequence[str] | None = None) -> int:
    """The command line; the exit status."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("game", choices=NAMES)
    parser.add_argument("--count", type=int, default=COUNT, help="how many, drawn by lot")
    parser.add_argument("--only", default="", help="all whose name has this text")
    parser.add_argument("--judged", action="store_true", help="also those judged equivalent")
    parser.add_argument("--lessons", action="store_true", help="ask the lessons alone")
    parser.add_argument("--at-once", type=int, default=0, help="processes; else one for each core")
    o = parser.parse_args(words)
    file, package = judged.FOLDER / f"{o.game}.toml", f"battlebox.games.{o.game}"
    try:
        if o.lessons:
            return 0 if by_lessons(package, count=o.count, at_once=o.at_once) else 1
        well = run(
            package,
            file,
            count=o.count,
            only=o.only,
            again=o.judged,
            at_once=o.at_once,
        )
    except (judged.BadJudgement, trials.Unfit) as e:
        print(e)
        return 2
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
