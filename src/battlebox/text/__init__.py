"""What is shown, as text: for the terminal, and for programs that read. It knows no game.

draw.py       scenes as lines               event_text.py  what happened, in sentences
choosing.py   what is typed for a choice    reading.py     a whole scene for who reads
why_not.py    why that is no choice now
pieces.py     what a match is played with
"""
