"""Medieval: three columns a battle, three sealed reinforcements. 2 players, 15 minutes."""

from ...core.assembly import game_of
from ...core.game import LengthUnit, Mode
from .rules import Event

COURT = "The same with the Court deck, whose cards ask for more decisions."

GAME = game_of(
    __name__,
    simulations=(12, 25, 60, 1_000, 10_000),  # with 250, expert was hardly the equal of quick
    length_unit=LengthUnit("battle", Event.BATTLE),
    toy={"deck": "medieval-toy", "max_battles": 1},
    modes=(
        Mode("Standard", "Win columns until the other side has no cards left."),
        Mode("Court", COURT, {"deck": "medieval-court"}),
    ),
)
