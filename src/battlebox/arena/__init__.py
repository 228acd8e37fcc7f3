"""Many matches between bots, and what they prove.

plan = Plan(bb.load("war_zone", players=2), ("hard", "medium", "random"))
print(standings(tournament(plan, 300)))
"""

from .plan import Plan, Result
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
    "pyarrow",
    "standings",
    "tournament",
    "write_csv",
    "write_page",
    "write_parquet",
]
