"""Kuhn poker: three cards, one bet. 2 players, a minute."""

from battlebox.authoring import game_of

GAME = game_of(__name__)
