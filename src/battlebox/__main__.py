"""`python -m battlebox` is the `battlebox` command."""

from .cli import main

main()
