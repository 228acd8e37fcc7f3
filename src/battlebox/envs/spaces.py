"""Gymnasium's spaces of a ruleset: bounded numbers, and a mask beside them."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from .one_match import OneMatch


def observations_of(match: OneMatch) -> spaces.Dict:
    """Of {"observation": float32 [features], "action_mask": int8 [actions]}."""
    encoder, n = match.encoder, match.engine.num_actions
    return spaces.Dict(
        {
            "observation": spaces.Box(encoder.low, encoder.high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (n,), np.int8),
        }
    )


def actions_of(match: OneMatch) -> spaces.Discrete:
    """Of action numbers."""
    return spaces.Discrete(match.engine.num_actions)
