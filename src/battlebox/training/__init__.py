"""Learning to play by self-play: `battlebox train`, `pip install 'battlebox[train]'`. It needs
PyTorch, which nothing else does.

    settings.py   what a run is made with         networks.py   the policy and its critic
    self_play.py  matches, and what they showed   learning.py   what a network makes of that
    run.py        from nothing to a policy        onnx.py       a policy for other programs
    progress.py   how it stands, how strong it is  page.py      the same as a page
"""

from .settings import Settings, rulesets

__all__ = ["Settings", "rulesets"]
