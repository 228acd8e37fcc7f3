"""What every game must keep, as checks: for `battlebox check`, and for tests of a game.

    checks.py    Check, and the list of all          ways.py      rulesets: all ways to play
    rulebook.py  README.md and the scenarios         choices.py   options, modes, decks
    matches.py   random matches under the laws       failure.py   what is wrong, in words
    layout       how things lie on the page, in a browser

In tests/test_my_game.py of a package:

    import pytest
    from battlebox.testing import Check, checks_of

    import my_game

    @pytest.mark.parametrize("check", checks_of(my_game.GAME), ids=str)
    def test_my_game(check: Check) -> None:
        check()

It does without pytest, and looks at the page with `Effort(page=True)`.
"""

from .checks import Check, Group, checks_of
from .failure import Failure
from .matches import Effort

__all__ = ["Check", "Effort", "Failure", "Group", "checks_of"]
