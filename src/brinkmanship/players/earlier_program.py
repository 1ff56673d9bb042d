"""The program behind a player of an earlier version (`earlier_version`), which runs with the sources of that version.

It is started as a script, and imports the package only after it has put those sources first:

    python -P earlier_program.py FOLDER PLAYER
"""

from __future__ import annotations

import json
import os
import sys
from base64 import b64decode
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

Message = Mapping[str, Any]
PROTOCOL = 1
LOADERS = ("brinkmanship.games.registry:load_game", "brinkmanship.games:load_game")
OBSERVATIONS = ("brinkmanship.engine.observation:Observation", "brinkmanship.engine.seen:SeenGame")
ACTIONS = ("brinkmanship.engine.observation:SeenAction", "brinkmanship.engine.seen:SeenAction")


def main(folder: str, name: str) -> None:
    """Answer every message with one line, until the input ends."""
    sys.path.insert(0, str(Path(folder, "src")))
    os.environ["NUMBA_CACHE_DIR"] = str(Path(folder, "compiled"))
    choose = None
    for line in sys.stdin:
        message = json.loads(line)
        try:
            if choose is None:
                choose = start(message, name)
                answer: Message = {"protocol": PROTOCOL}
            else:
                answer = {"action": choose(message)}
        except Exception as error:  # whatever that version raises is an answer
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


def start(message: Message, name: str) -> Callable[[Message], str]:
    """Load the game and the player; return the function that answers the questions that follow."""
    game = _find(LOADERS)(message["game"], None, message["options"])
    if message["layout"] != str(game.dtype.descr):
        raise ValueError("states were laid out differently in that version")
    player = _find(("brinkmanship.players:load_player",))(name, game, 0)
    observation, action = _find(OBSERVATIONS), _find(ACTIONS)

    def choose(question: Message) -> str:
        side = game.sides.index(question["side"])
        views = tuple(map(b64decode, question["views"]))
        seen = observation(game, side, tuple(action(*each) for each in question["actions"]), views)
        legal = [
            {"number": int(number), "text": game.action_text(number)}
            for number in game.legal_actions(seen.view(), side)
        ]
        if question["legal"] != legal:
            raise ValueError("that version has other legal actions, or other numbers for them")
        text: str = game.action_text(player.fresh(question["seed"]).choose(seen).action)
        return text

    return choose


def _find(places: tuple[str, ...]) -> Any:
    """Return what is at the first of some places, each a module and a name, that this version has."""
    faults = []
    for place in places:
        module, _, name = place.partition(":")
        try:
            return getattr(import_module(module), name)
        except (ImportError, AttributeError) as error:
            faults.append(str(error))
    raise ImportError("; ".join(faults))


if __name__ == "__main__":
    main(*sys.argv[1:])
