"""The version of the package. A game's rules have a version of their own (`Game.version`)."""

__version__ = "0.1.0"
