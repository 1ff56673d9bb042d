"""Weights of the player `rules` of Ukrainian Crisis, in Victory Points: the one table of its numbers.

The two sides play different games, so each has a row. The values were found by self-play
(`brinkmanship.games.ukrainian_crisis.training.weights`).
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS

WEIGHTS = types.Array(types.float64, 2, "C", readonly=True)
"""The compiled type of a table: float64[2, N_WEIGHTS], a row for each side."""

Table = npt.NDArray[np.float64]


class Weight(IntEnum):
    """The columns of a table."""

    # Probability of war, and the side that wants it.
    WAR = 0  # probability that a game without a Combat Turn still has one, before the last Turn
    WAR_LATE = 1  # increase of it for each share of the game that is over
    WAR_PAYS = 2  # advantage in the score with a Combat Turn that a declaration needs
    PATIENCE = 3  # increase of it for each Turn that is left
    OWN_FORCE = 4  # a Combat Value of own Regulars on the map, once there is fighting
    ENEMY_FORCE = 5
    AGAIN = 6  # superiority that a side needs to continue a war
    MIXED = 7  # degree of randomness in a declaration
    CEASEFIRE = 8  # maximum advantage of a Combat Turn that is still stopped
    # Prestige and the allies.
    LASTS = 9  # share of the later Turns for which a marker stays where it was moved
    ALLY_INCOME = 10  # a Resource Point of the allies in a later Turn, in Prestige
    SPENT = 11  # a Resource Point paid, in Prestige: the rest could go into another attempt, or vanishes
    KEPT = 12  # Prestige that is not spent: at 0 the game ends
    ALLY_POINT = 13  # a Resource Point of the allies, wherever it is used
    INCOME = 14  # a point the allies would bring in a later Turn, for a declaration
    KILL = 15  # bringing the other side to Prestige 0 while ahead
    # The map.
    CONTROL = 16  # share of the points of a zone that is controlled now
    DEPTH = 17  # increase of it with much Combat Value there
    CONTEST = 18  # share of the points, by the share of the Combat Value, where both have units
    STANDING = 19  # a Regular on the map, wherever it is
    MOBILISED = 20  # a Regular waiting to be deployed
    OPENED = 21  # share of a militia's worth that its Special Forces are worth
    NEUTRALISES = 22  # share of what neutralising a unit changes
    THRIFT = 23  # minimum gain of a Resource Point
    ATTACK = 24  # minimum gain of an attack
    ELIMINATE = 25  # a Combat Value that has to come back from Reserve
    RISK = 26  # weight of the risk to its own control for an attacker
    # Which side acts first, if this side decides it: above 0 this one.
    FIRST_MILITARY = 27
    FIRST_DIPLOMATIC = 28
    FIRST_INFORMATION = 29
    # Order in which areas are resolved: the highest first.
    ORDER_MILITARY = 30
    ORDER_DIPLOMATIC = 31
    ORDER_INFORMATION = 32
    # Cards: worth of a Medium and a Maximum beyond a Small one, by phase of the game and area.
    WAR_MILITARY = 33  # if this side wants war, for each additional Resource Point
    WAR_DIPLOMATIC = 34
    WAR_INFORMATION = 35
    PLACE_MIXED = 36  # degree of randomness
    # A point of the own card in an area, above that of a Small one, for declaring war with it.
    CARD_MILITARY = 37
    CARD_DIPLOMATIC = 38
    CARD_INFORMATION = 39
    STANDING_LEFT = 40  # a Regular on the map, for each Turn that is left
    REACH = 41  # a point of a zone that a Regular could move to
    EXPOSED = 42  # share of the points of a zone that a strong enemy could take
    PLACE = 43  # + ((phase * N_AREAS) + area) * 2 + (0 Medium, 1 Maximum)


N_PHASES = 4
N_WEIGHTS = Weight.PLACE + N_PHASES * N_AREAS * 2

TABLE = {  # Ukraine, Russia
    "WAR": (0.73, 0.69),
    "WAR_LATE": (-0.66, 0.00),
    "WAR_PAYS": (-0.30, -7.06),
    "PATIENCE": (0.39, 0.26),
    "OWN_FORCE": (-0.03, 0.64),
    "ENEMY_FORCE": (1.11, -0.49),
    "AGAIN": (0.79, -7.62),
    "MIXED": (-0.38, -0.76),
    "CEASEFIRE": (0.14, -0.09),
    "LASTS": (0.96, 0.94),
    "ALLY_INCOME": (0.90, 1.13),
    "SPENT": (0.05, 0.03),
    "KEPT": (3.20, -0.79),
    "ALLY_POINT": (1.18, -0.09),
    "INCOME": (0.16, 1.32),
    "KILL": (5.74, 11.17),
    "CONTROL": (1.14, 0.65),
    "DEPTH": (0.21, 0.40),
    "CONTEST": (-0.20, 1.92),
    "STANDING": (0.96, 3.86),
    "MOBILISED": (0.95, 0.36),
    "OPENED": (0.16, 0.72),
    "NEUTRALISES": (0.29, 0.19),
    "THRIFT": (-0.32, 0.34),
    "ATTACK": (0.08, -3.27),
    "ELIMINATE": (1.19, 1.69),
    "RISK": (2.04, 1.18),
    "FIRST_MILITARY": (-0.32, -0.08),
    "FIRST_DIPLOMATIC": (-0.80, 1.16),
    "FIRST_INFORMATION": (1.69, 0.13),
    "ORDER_MILITARY": (0.27, 0.48),
    "ORDER_DIPLOMATIC": (0.74, -0.71),
    "ORDER_INFORMATION": (1.30, 5.25),
    "WAR_MILITARY": (-0.04, 0.43),
    "WAR_DIPLOMATIC": (0.52, -0.52),
    "WAR_INFORMATION": (-0.24, -0.51),
    "PLACE_MIXED": (-0.31, 0.00),
    "CARD_MILITARY": (0.86, -0.74),
    "CARD_DIPLOMATIC": (-0.05, 0.85),
    "CARD_INFORMATION": (-0.60, -0.89),
    "STANDING_LEFT": (0.19, 0.37),
    "REACH": (-0.23, 0.37),
    "EXPOSED": (0.02, -0.27),
}
PLACE = (  # by phase and area: a Medium and a Maximum card in the Military, the Diplomatic and the Information area
    (  # Ukraine
        (1.39, 4.13, 1.15, 5.81, 0.64, 9.50),
        (-0.87, 5.85, 0.63, 1.62, 0.11, 1.49),
        (0.82, 4.47, 2.73, 0.02, 1.64, 2.57),
        (1.38, 2.35, 0.81, 2.26, 0.32, 3.39),
    ),
    (  # Russia
        (1.44, 17.18, 0.04, 2.44, -0.02, 2.19),
        (1.16, 11.14, 2.29, 3.85, -0.69, 2.84),
        (1.29, 17.15, 0.98, 2.86, -0.56, 1.01),
        (1.47, 8.28, 0.72, 2.96, 2.11, 1.78),
    ),
)


def table() -> Table:
    """Return the table of weights, read-only."""
    made = np.zeros((2, N_WEIGHTS))
    for side in range(2):
        for name, values in TABLE.items():
            made[side, Weight[name]] = values[side]
        made[side, Weight.PLACE :] = np.ravel(PLACE[side])
    made.flags.writeable = False
    return made


LEARNED = table()
