"""Fingerprints of whole games: nothing that a position holds, offers, hides or says may change unnoticed.

Random games of every ruleset and games of the greedy players are hashed move by move, and compared with those on
record in ``tests/golden/fingerprints.json``. A fingerprint is over the named fields of a state, not over its bytes as a
whole: fields may be ordered anew, and a row of numbers may become a record. After a change that is meant to change
games:

    PYTHONPATH=src:tests python tests/games/test_fingerprints.py 13-days
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import CHANCE, OBSERVER, Game
from brinkmanship.engine.jit.compile import INTERPRETED
from brinkmanship.engine.message import LogLine, Message
from brinkmanship.engine.options import PRESET
from brinkmanship.engine.playout import record
from brinkmanship.engine.record import State
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.players import load_player

RECORDS = Path(__file__).parents[1] / "golden" / "fingerprints.json"
SEED = 1962
VIEWERS = (0, 1, OBSERVER)

PLACE_IN_THE_RULES = ("step", "node")
"""Fields that say where in its rules a game is: how a game numbers that is its own affair. It shows in what is asked,
offered and drawn."""
TASKS_OF_ITS_OWN = {"ukrainian-crisis": ("stack",)}
"""Fields that hold what is in progress in a game's own way, and show likewise in what is asked, offered and drawn."""

WHOLE = 200
"""Random games of the ruleset without options; of each other one a few."""
OF_ANOTHER = 5
GREEDY = 10
TOLD = 3
"""Games whose questions, answers and log lines are hashed too; these are also looked at interpreted."""


def fingerprints(game_id: str) -> dict[str, str]:
    """The fingerprint of each batch of games, by what it is."""
    game = load_game(game_id)
    found = {f"random {first}": of_games(game, range(first, first + 50)) for first in range(0, WHOLE, 50)}
    for name, ruleset in other_rulesets(game):
        found[name] = of_games(ruleset, range(OF_ANOTHER))
    found["greedy"] = of_games(game, range(GREEDY), player="greedy")
    found["told"] = of_told_games(game)
    return found


def of_told_games(game: Game) -> str:
    """The fingerprint of some games with everything that is said in them."""
    return of_games(game, range(TOLD), told=True)


def other_rulesets(game: Game) -> Iterator[tuple[str, Game]]:
    """A ruleset for each preset and each value of an option that is not its default, with its name."""
    for preset in game.presets():
        yield f"preset {preset}", game.load(options={PRESET: preset})
    for option, values in game.option_values().items():
        for value in values:
            # What only a campaign asks changes no game; what needs another option is in a preset.
            if value != game.default_options[option] and not option.startswith("campaign_"):
                with suppress(OptionError):
                    yield f"{option} {value}", game.load(options={option: value})


def of_games(game: Game, numbers: range, told: bool = False, player: str | None = None) -> str:
    """The fingerprint of these games of the seed."""
    digest = hashlib.sha256()
    policy = load_player(player, game, SEED).policy if player else None
    for number in numbers:
        state = game.new_state()
        for actor, action in record(game, number, SEED, (policy, policy)):
            digest.update(f"{actor} {action}".encode())
            digest.update(position(game, state))
            if told and actor != CHANCE:
                digest.update(questions(game, state))
            before = [game.view_of(state, viewer) for viewer in VIEWERS] if told else []
            audience = int(game.audience(game.rules, state, action))
            game.apply(game.rules, state, action)
            for viewer, view in enumerate(before):
                known = action if audience >> viewer & 1 else -1
                digest.update(lines(game.narrator.narrate(view, known, game.view_of(state, viewer), viewer)))
        digest.update(position(game, state))
        digest.update(repr((game.outcome(state)[0], game.outcome(state)[1].tolist())).encode())
    return digest.hexdigest()[:16]


def position(game: Game, state: State) -> bytes:
    """Everything that a position holds and offers: its fields, each viewer's view, choices and chances."""
    found = [content(game, state), *(content(game, game.view_of(state, viewer)) for viewer in VIEWERS)]
    pending = int(game.pending(game.rules, state))
    asked = [side for side in range(len(game.sides)) if pending >> side & 1]
    found += [repr((side, game.legal_actions(state, side))).encode() for side in asked]
    if game.actor(game.rules, state) == CHANCE:
        offered = game.distribution(state)
        found.append(repr(sorted(offered.items())).encode())
        found.append(repr([int(game.audience(game.rules, state, action)) for action in offered]).encode())
    return b"|".join(found)


def content(game: Game, state: State) -> bytes:
    """Every number of a state, field by field in the order of their names."""
    raw = state.tobytes()
    return b"".join(raw[start:end] for start, end in fields(game.id, game.dtype))


@cache
def fields(game_id: str, dtype: np.dtype[Any]) -> list[tuple[int, int]]:
    """Where the fields of a state lie in its bytes."""
    left_out = PLACE_IN_THE_RULES + TASKS_OF_ITS_OWN.get(game_id, ())
    found = sorted((name, *field[:2]) for name, field in (dtype.fields or {}).items())
    return [(start, start + kind.itemsize) for name, kind, start in found if name not in left_out]


def questions(game: Game, state: State) -> bytes:
    """What each viewer is asked or waits for, and what the asked may answer."""
    asked: list[Any] = []
    pending = int(game.pending(game.rules, state))
    for viewer in VIEWERS:
        view = game.view_of(state, viewer)
        asked.append(plain(game.narrator.prompt(view, viewer)))
        if pending >> viewer & 1:
            asked += [
                plain(game.narrator.describe(view, viewer, action)) for action in game.legal_actions(view, viewer)
            ]
    return json.dumps(asked).encode()


def lines(told: Iterator[LogLine]) -> bytes:
    """Log lines."""
    return json.dumps([[plain(line.message), line.side, line.card] for line in told], default=int).encode()


def plain(argument: Any) -> Any:
    """A message or an argument of one as plain data."""
    match argument:
        case Message():
            return [argument.key, {name: plain(value) for name, value in argument.args.items()}]
        case tuple():
            return [plain(part) for part in argument]
        case str():
            return argument
        case _:
            return int(argument)


@cache
def on_record() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(RECORDS.read_text())
    return found


@pytest.mark.skipif(INTERPRETED, reason="takes minutes interpreted")
@pytest.mark.parametrize("game_id", BUILT_IN)
def test_games_are_those_on_record(game_id: str) -> None:
    assert fingerprints(game_id) == on_record()[game_id]


@pytest.mark.skipif(not INTERPRETED, reason="the compiled games are all looked at")
@pytest.mark.parametrize("game_id", BUILT_IN)
def test_interpreted_games_are_the_same(game_id: str) -> None:
    assert of_told_games(load_game(game_id)) == on_record()[game_id]["told"]


if __name__ == "__main__":
    records = json.loads(RECORDS.read_text()) if RECORDS.exists() else {}
    records |= {name: fingerprints(name) for name in sys.argv[1:] or BUILT_IN}
    RECORDS.write_text(json.dumps(records, indent=1) + "\n")
