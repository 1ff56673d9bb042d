"""The weights of the greedy player of 13 Days, in points of Prestige: the one table of its numbers.

The values were found by matches of changed tables against unchanged ones (`lab.matches.match`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype

from brinkmanship.engine.record import blank_record, blank_records

TABLE = {
    # Scores this round.
    "prestige": 1.0,  # a point that is already won
    "agenda": 0.85,  # a point that an agenda is worth now
    "doubt": 0.3,  # share of an agenda's points not counted at the start of a round; falls to 0 at its end
    "reach": 2.0,  # a lead is sure from 1 cube or step at the end of a round, from 1 + this at its start
    "letter": 0.6,  # holding the Personal Letter
    "letter_decides": 0.8,  # the same in the last round in addition: it breaks the tie
    "television": 0.5,  # leading there
    "united_nations": 0.5,
    "alliances": 0.5,
    # Lasts.
    "presence": 0.04,  # a cube more on the board than the other side, each round still to come
    "height": 0.2,  # a step of a marker, each round still to come
    "high": 0.5,  # a marker that will be in DEFCON 2 after the next escalation
    "aftermath": 0.33,  # a cube of difference on the aftermath stack
    # Helps this round.
    "modifier": 0.25,  # one more cube on each Command of a round, for each card still to be played
    "ban": 0.15,  # being free to lower markers by events, for each card still to be played
    "hand_cube": 0.1,  # a cube on a card in hand
    "hand_own": 0.15,  # in addition for a card of one's side in hand
    "hand_enemy": -0.25,  # in addition for a card of the other side in hand
    "average_card": 0.2,  # a card about to be drawn
    "taken_card": 1.2,  # a card about to be taken from the opponent's hand and played
    "alliances_card": 0.3,  # a card about to be drawn for Alliances
    "plays_last": 0.4,  # being the side that plays the last card of the round
    # Danger, for both sides: losing by war, by the cards that side still plays this round to get out of it.
    "war_0": 8.0,
    "war_1": 2.0,
    "war_2": 1.0,
    "war_3": 0.6,
}

DTYPE = np.dtype([(name, np.float64) for name in TABLE])
WEIGHTS_TYPE = from_dtype(DTYPE)

Weights = Any
"""A record of `DTYPE`."""


def weights(**changed: float) -> Weights:
    """Return the table as a record, with some values changed."""
    record = blank_record(DTYPE)
    for name, value in (TABLE | changed).items():
        record[name] = value
    return record


CHANGED_BY_ROUND: tuple[dict[str, float], ...] = (
    {"aftermath": 1.25, "height": 0.4, "presence": 0.25, "war_1": 4.0, "war_2": 3.0},
    {"aftermath": 0.6, "height": 0.45, "presence": 0.0, "war_1": 5.3, "war_2": 4.4},
    {"aftermath": 0.4, "war_1": 4.1, "war_2": 2.7},
)
"""Changed weights of `rules` and `fast` in rounds 1, 2 and 3: fitted to the winners of self-play of greedy."""


def by_round() -> Any:
    """Return the tables of all rounds, an array of records: round 1 at index 1, before it and after 3 the nearest."""
    table = blank_records(len(CHANGED_BY_ROUND) + 2, DTYPE)
    for number in range(len(table)):
        changed = CHANGED_BY_ROUND[min(max(number - 1, 0), len(CHANGED_BY_ROUND) - 1)]
        for name, value in (TABLE | changed).items():
            table[name][number] = value
    return table


BY_ROUND = by_round()
