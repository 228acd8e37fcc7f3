"""The routes of HTTP, by what they are about.

games.py       games, options, rules            matches.py     matches: make, join, look back
operations.py  health, readiness, metrics       pages.py       the page and its files
problems.py    errors, all in one form
"""
