"""What a ruleset is like, measured: who wins, how long it takes, what is used, what options do.

study = Study(bb.load("war_zone"), "quick")
write(page(Findings(study, measure(study)), "how it was called"), Path("balance.html"))

    study.py       which matches                    recorder.py    what is noted of each
    players.py     by whom, and who judges
    findings.py    numbers with intervals           verdict.py     what stands out, in sentences
    page.py        these as words                   figures.py     drawn
    parameters.py  options and decks by paths       compare.py     variants side by side
    tune.py        searches numbers for a target
"""

from .compare import Comparison, compare
from .figures import matplotlib
from .findings import Findings
from .page import page, page_of_variants, summary, write
from .parameters import change, read_setting, variants
from .players import usual_bots
from .study import Study, measure
from .tune import Found, Range, Search, Target, read_range, read_target, report, tune
from .verdict import verdict, verdicts

__all__ = [
    "Comparison",
    "Findings",
    "Found",
    "Range",
    "Search",
    "Study",
    "Target",
    "change",
    "compare",
    "matplotlib",
    "measure",
    "page",
    "page_of_variants",
    "read_range",
    "read_setting",
    "read_target",
    "report",
    "summary",
    "tune",
    "usual_bots",
    "variants",
    "verdict",
    "verdicts",
    "write",
]
