"""The house: what every game stands on. Names no game."""
