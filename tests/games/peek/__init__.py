"""Peek: look at totems, play cards, bury them where only you know. 2 to 4 players."""

from battlebox.authoring import game_of

GAME = game_of(__name__)
