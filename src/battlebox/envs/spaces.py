"""Gymnasium's spaces of a ruleset: bounded numbers, and a mask beside them."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from ..core.features import Encoder


def observations_of(encoder: Encoder) -> spaces.Dict:
    """Of {"observation": float32 [features], "action_mask": int8 [actions]}."""
    return spaces.Dict(
        {
            "observation": spaces.Box(encoder.low, encoder.high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (encoder.build.num_actions,), np.int8),
        }
    )


def actions_of(encoder: Encoder) -> spaces.Discrete:
    """Of action numbers."""
    return spaces.Discrete(encoder.build.num_actions)
