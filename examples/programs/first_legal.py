"""A player of its own, without any library: it plays an Event if it may, otherwise the first legal action.

    brink lab match 13-days --a "cmd:python examples/programs/first_legal.py" --b random --pairs 20

docs/research/python.md describes the messages.
"""

import json
import sys


def main() -> None:
    """Answer every message with one line, until the input ends."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["command"] == "start":
            answer = {"protocol": 1, "name": "first legal"}
        else:
            answer = {"action": choose(message["legal"])}
        print(json.dumps(answer), flush=True)


def choose(legal: list[dict]) -> int:
    """Return the number of the action to take."""
    events = [action for action in legal if action["text"].startswith("event ")]
    return (events or legal)[0]["number"]


if __name__ == "__main__":
    main()
