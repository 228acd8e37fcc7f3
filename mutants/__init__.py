"""What the tests of a game would not notice: small changes of its rules, tried one by one.

`make mutants GAME=war_zone`. CONTRIBUTING.md says what to do with what survives.
"""
