"""Many matches between bots, and what they prove.

plan = Plan(bb.load("war_zone", players=2), ("hard", "medium", "random"))
print(standings(tournament(plan, 300)))

    plan.py        deals, seats, seeds              run.py         a tournament, until it is certain
    workers.py     processes, a Ray cluster         journal.py     its file, a line a match
    results.py     shares, ratings                  intervals.py   how certain they are
    report.py      text, page, CSV, Parquet         html.py        what pages are made of
    exact.py       whole trees of small games       solve.py       exploitability, CFR+
    challenges.py  lower bounds of exploitability   balance        what a ruleset is like
"""

from .plan import Plan, Result, match_of
from .report import check_files, pyarrow, standings, write_csv, write_page, write_parquet
from .results import Pair, Rating, Results
from .run import Progress, tournament

__all__ = [
    "Pair",
    "Plan",
    "Progress",
    "Rating",
    "Result",
    "Results",
    "check_files",
    "match_of",
    "pyarrow",
    "standings",
    "tournament",
    "write_csv",
    "write_page",
    "write_parquet",
]
