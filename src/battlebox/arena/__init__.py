"""Many matches between bots, and what they prove."""

from .series import Series, series

__all__ = ["Series", "series"]
