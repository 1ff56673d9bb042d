"""Reasons for the choices of `rules` and `greedy` in 13 Minutes: one sentence of the catalogue ``players``."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import compiled
from brinkmanship.engine.message import Argument, Message
from brinkmanship.games.thirteen_minutes.players.judgement import (
    COLOUR,
    FEATURES,
    HAND,
    MARGIN,
    MAX_AT_ONCE,
    MILITARY,
    N_CUBES,
    N_OF_COLOUR,
    N_TALLY,
    PLACE,
    SIDE,
    SUPPLY,
    TALLY,
    Tally,
    Weights,
    count_up,
    who_is_last,
    write_features,
)
from brinkmanship.games.thirteen_minutes.players.judgement import WEIGHTS as ROW
from brinkmanship.games.thirteen_minutes.players.tenth_card import FINEST
from brinkmanship.games.thirteen_minutes.players.weights import WEIGHTS
from brinkmanship.games.thirteen_minutes.rules.action_numbers import Action
from brinkmanship.games.thirteen_minutes.rules.phrases import the_side
from brinkmanship.games.thirteen_minutes.rules.state import STATE, Node, State
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules

PREFIX = "why.13-minutes."
Said = tuple[str, dict[str, Argument]]
"""The key of a sentence without the prefix, and its arguments."""

OF_CUBA = PLACE + 3 * N_CUBES * N_CUBES
"""First feature of Cuba as a battleground."""


class Part(IntEnum):
    """Parts of an evaluation; the names are message keys."""

    BATTLEGROUNDS = 0
    CUBA = 1
    MILITARY = 2
    PEACE = 3  # the colours in one's own sphere
    THREAT = 4  # the colours in the other side's sphere
    CUBES = 5
    HAND = 6


PARTS = types.Array(types.float64, 1, "C")

CLEAR = 0.02
"""Minimum difference in chance for the opponent's reply to be the reason."""
SURE = 0.98
NINTH_LEFT = 2
"""Turns left while the ninth card is chosen, or is in play."""


@compiled(types.void, RULES, STATE, types.int64, ROW, TALLY, FEATURES, PARTS)
def take_apart(
    rules: Rules, state: State, side: int, weights: Weights, tally: Tally, features: Any, parts: Any
) -> None:
    """Write each part of the evaluation of a table for a side to float64[len(Part)], in log-odds."""
    last = who_is_last(state)
    sign = 1.0 if side == last else -1.0
    for part in range(len(parts)):
        parts[part] = 0.0
    count_up(rules, state, last, tally)
    for number in range(write_features(state, last, tally, features)):
        feature = features[number]
        if feature < MARGIN:
            part = 1 if feature >= OF_CUBA else 0
        elif feature < MILITARY:
            part = 0
        elif feature < COLOUR:
            part = 2
        elif feature < SUPPLY:
            owner_is_last = feature < COLOUR + N_OF_COLOUR
            part = 3 if owner_is_last == (side == last) else 4
        elif feature < HAND:
            part = 5
        elif feature < SIDE:
            part = 6
        else:
            continue
        parts[part] += sign * weights[feature]


def reason(
    game: Game,
    view: State,
    side: int,
    actions: Sequence[int],
    values: npt.NDArray[np.float64],
    ends: Any,
    chosen: int,
) -> Message:
    """Return why a side chooses an action, from all legal actions, their win odds and the tables they leave."""
    key, args = _before_play(view, side, actions, chosen) or _by_odds(game, view, side, actions, values, ends, chosen)
    return Message(PREFIX + key, args)


def reason_by_tables(game: Game, view: State, side: int, actions: Sequence[int], ends: Any, chosen: int) -> Message:
    """Return why a side chooses an action, from all legal actions and the tables they leave, without win odds."""
    found = _before_play(view, side, actions, chosen)
    if found is None:
        found = _by_parts(_parts_of(game, view, side, actions, ends), side, actions.index(chosen))
    key, args = found
    return Message(PREFIX + key, args)


def _before_play(view: State, side: int, actions: Sequence[int], chosen: int) -> Said | None:
    """Return the reason for a bid, a first player or the only action; None for a choice between tables."""
    if view.node == Node.BID:
        cubes = actions.index(chosen)
        return ("bid.none" if cubes == 0 else "bid"), {"n": cubes}
    if view.node == Node.FIRST:
        return ("first.self" if chosen == Action.FIRST + side else "first.other"), {}
    return ("only", {}) if len(actions) == 1 else None


def _by_odds(
    game: Game,
    view: State,
    side: int,
    actions: Sequence[int],
    values: npt.NDArray[np.float64],
    ends: Any,
    chosen: int,
) -> Said:
    """Return the reason for a choice between tables with known win odds."""
    number = actions.index(chosen)
    turns_left = game.rules.limits.last_turn - view.turn
    if turns_left == 1:
        return _at_the_end(values, number)
    if turns_left == NINTH_LEFT and values.max() < CLEAR:
        return "end.alike", {}
    if turns_left == NINTH_LEFT and values[number] > SURE:
        return "ninth.won", {}
    if turns_left == NINTH_LEFT and values[number] > np.delete(values, number).max() + CLEAR:
        return "ninth.chance", {"chance": round(100 * float(values[number]))}
    parts = _parts_of(game, view, side, actions, ends)
    tables = parts.sum(axis=1)
    best = int(np.argmax(tables))
    if tables[best] > tables[number] + CLEAR and values[number] > values[best] + CLEAR:
        return "answer", {}
    return _by_parts(parts, side, number)


def _parts_of(game: Game, view: State, side: int, actions: Sequence[int], ends: Any) -> npt.NDArray[np.float64]:
    """Return the parts of the evaluation of each table, float64[actions, len(Part)]."""
    parts = np.empty((len(actions), len(Part)))
    weights = WEIGHTS[min(view.turn + 1, len(WEIGHTS) - 1)]
    tally, features = np.empty(N_TALLY, np.int64), np.empty(MAX_AT_ONCE, np.int16)
    for row, end in zip(parts, ends, strict=False):
        take_apart(game.rules, end, side, weights, tally, features, row)
    return parts


def _by_parts(parts: npt.NDArray[np.float64], side: int, number: int) -> Said:
    """Return the part in which a table is furthest above the mean of the others."""
    gains = parts[number] - np.delete(parts, number, axis=0).mean(axis=0)
    part = Part(int(np.argmax(gains)))
    args: dict[str, Argument] = {"who": the_side(1 - side)} if part == Part.THREAT else {}
    return part.name.lower(), args


def _at_the_end(values: npt.NDArray[np.float64], number: int) -> Said:
    chance = round(FINEST * float(values[number])) / FINEST
    if values.max() - values.min() < CLEAR:
        return "end.alike", {}
    if chance > SURE:
        return "end.won", {}
    is_best = values[number] > values.max() - CLEAR
    return "end.chance" if is_best else "end.behind", {"chance": round(100 * chance)}
