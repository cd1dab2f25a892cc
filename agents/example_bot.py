"""The smallest bot: any offered move, and the pass only where nothing else is. ``bot:python agents/example_bot.py``."""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:  # a request; other lines need no answer
        moves = [move for move in message["moves"] if move != "#"] or message["moves"]
        answer = {"id": message["id"], "move": random.Random(message["seed"]).choice(moves)}
        print(json.dumps(answer), flush=True)  # noqa: T201 - this is how a bot speaks
