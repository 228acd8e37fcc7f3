"""Learning to play by self-play: `battlebox train`, `pip install 'battlebox[train]'`. It needs
PyTorch, which nothing else does.

    settings.py   what a run is made with         networks.py   the policy and its critic
    self_play.py  matches, and what they showed   learning.py   what a network makes of that
    judging.py    what a game says of positions   run.py        from nothing to a policy
    progress.py   how strong it is by then        page.py       how a run went
    sparse.py     rows that are mostly blank      onnx.py       a policy for other programs
"""

from .settings import Settings, rulesets

__all__ = ["Settings", "rulesets"]
