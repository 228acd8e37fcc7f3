"""A player for battlebox that reads: it takes the first choice that does damage.

    battlebox arena war_zone 'llm:python3 examples/language_player.py' easy random --matches 60

A model of yours would be asked with question["instructions"] and question["prompt"].
"""

import json
import sys

for line in sys.stdin:
    question = json.loads(line)
    choices = [choice for choice in question["choices"] if "damage" in choice["text"]]
    choice = (choices or question["choices"])[0]
    print(json.dumps({"answer": choice["key"]}), flush=True)
