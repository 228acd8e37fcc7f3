"""Policies that have been learned: a small network chooses at once, without any search.

inputs.py     what a network is told, as numbers  network.py     its layers, and what they say
file.py       such a network as a file            bot.py         a bot that plays by it
lookahead.py  one that looks ahead                candidates.py  the actions it weighs
weighing.py   all that in one call, of one position
"""

from .bot import PolicyBot
from .file import About, PolicyFile, packed, read_policy
from .inputs import Inputs
from .lookahead import LookaheadBot
from .network import CriticLayers, Layers, Network

__all__ = [
    "About",
    "CriticLayers",
    "Inputs",
    "Layers",
    "LookaheadBot",
    "Network",
    "PolicyBot",
    "PolicyFile",
    "packed",
    "read_policy",
]
