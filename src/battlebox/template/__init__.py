"""High card: keep your card, or swap it. 2 to 4 players, a minute."""

from battlebox.authoring import game_of

GAME = game_of(__name__)
