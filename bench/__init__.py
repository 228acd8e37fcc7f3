"""How fast we are, beside the peers, measured in turn in one run: `python -m bench`."""
