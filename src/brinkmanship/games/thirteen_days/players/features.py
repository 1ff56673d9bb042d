"""Features of a 13 Days position for the learned value: named numbers, from the US point of view.

For a view the features are averages over all states that the side cannot tell apart: a card that may be in the
opponent's hand counts with its probability. So a value that is linear in them, fitted on full states, works for views.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.cuban.frame import NOBODY, UN, US, USSR
from brinkmanship.games.thirteen_days.players.danger import war_share
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, MAX_AGENDAS, MAX_CARDS, TRACKS
from brinkmanship.games.thirteen_days.rules.state import N_PLACES, N_TRACKS, STATE, CardIs, State
from brinkmanship.games.thirteen_days.rules.steps.agenda_scoring import award
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules

VALUES = types.Array(types.float64, 1, "C")

MAX_PRESTIGE = 5
MAX_LEAD = 3
STACK_BINS = 9
STACK_BIN = 2.0
N_STEPS = 8

_SIDES = ("us", "ussr")

_NAMES: dict[str, list[str]] = {
    "constant": [""],
    "prestige": [f"{lead:+d}" for lead in range(-MAX_PRESTIGE, MAX_PRESTIGE + 1)],
    "expected": [f"{lead:+d}" for lead in range(-MAX_PRESTIGE, MAX_PRESTIGE + 1)],
    "awards": list(_SIDES),
    "letter": [""],
    "lead": [f"{place} {lead:+d}" for place in BATTLEGROUNDS for lead in range(-MAX_LEAD, MAX_LEAD + 1)],
    "cubes_ahead": list(BATTLEGROUNDS),
    "cubes": list(_SIDES),
    "step": [f"{side} {track} {step}" for side in _SIDES for track in TRACKS for step in range(1, N_STEPS + 1)],
    "high": [f"{side} {count}" for side in _SIDES for count in range(N_TRACKS + 1)],
    "war": list(_SIDES),
    "first": [""],
    "hand": [f"{side} {card}" for side in _SIDES for card in range(MAX_CARDS)],
    "stack": [f"{(number - STACK_BINS // 2) * STACK_BIN:+.0f}" for number in range(STACK_BINS)],
    "stack_ahead": [""],
    "modifier": list(_SIDES),
    "ban": list(_SIDES),
    "used": [f"{agenda}" for agenda in range(MAX_AGENDAS)],
}

FEATURES = tuple(f"{block} {name}".strip() for block, names in _NAMES.items() for name in names)
"""Name of each feature: the block and the feature within it."""
N_FEATURES = len(FEATURES)

_first = dict(zip(_NAMES, np.cumsum([0, *map(len, _NAMES.values())]).tolist(), strict=False))
BLOCKS = {block: slice(first, first + len(_NAMES[block])) for block, first in _first.items()}
"""Slice of each block of features."""

PRESTIGE: int = _first["prestige"]
EXPECTED: int = _first["expected"]
AWARDS: int = _first["awards"]
LETTER: int = _first["letter"]
LEAD: int = _first["lead"]
CUBES_AHEAD: int = _first["cubes_ahead"]
CUBES: int = _first["cubes"]
STEP: int = _first["step"]
HIGH: int = _first["high"]
WAR: int = _first["war"]
FIRST: int = _first["first"]
HAND: int = _first["hand"]
STACK: int = _first["stack"]
STACK_AHEAD: int = _first["stack_ahead"]
MODIFIER: int = _first["modifier"]
BAN: int = _first["ban"]
USED: int = _first["used"]


@internal(types.void, VALUES, types.int64, types.int64, types.float64, types.float64)
def spread(out: npt.NDArray[np.float64], first: int, count: int, at: float, share: float) -> None:
    """Add a share to the two features between which a number lies, counted in features from the first one."""
    at = min(max(at, 0.0), count - 1.0)
    below = min(int(at), count - 2)
    out[first + below] += share * (below + 1 - at)
    out[first + below + 1] += share * (at - below)


@internal(types.float64, STATE, types.int64, types.int64)
def share_of(state: State, side: int, agenda: int) -> float:
    """Return the probability that a side has chosen an agenda, given the record: its own, or one of its flags."""
    if state.chosen[side] >= 0:
        return 1.0 if state.chosen[side] == agenda else 0.0
    return state.agenda_dealt[side, agenda] / state.dealt[side]


@internal(types.void, RULES, STATE, VALUES)
def write_agendas(rules: Rules, state: State, out: npt.NDArray[np.float64]) -> None:
    """Write the Prestige if the agendas were resolved now, and the value of each side's agenda."""
    if state.dealt[US] == 0 or state.dealt[USSR] == 0:
        out[EXPECTED + MAX_PRESTIGE + min(max(int(state.prestige), -MAX_PRESTIGE), MAX_PRESTIGE)] = 1.0
        return
    for us in range(MAX_AGENDAS):
        share_us = share_of(state, US, us)
        if share_us == 0.0:
            continue
        points = award(rules, state, us)
        out[AWARDS + US] += share_us * points
        for ussr in range(MAX_AGENDAS):
            share_ussr = share_of(state, USSR, ussr)
            if share_ussr > 0.0:
                others = award(rules, state, ussr)
                out[AWARDS + USSR] += share_us * share_ussr * others
                lead = min(max(int(state.prestige) + points + others, -MAX_PRESTIGE), MAX_PRESTIGE)
                out[EXPECTED + MAX_PRESTIGE + lead] += share_us * share_ussr


@internal(types.void, RULES, STATE, VALUES)
def write_cards(rules: Rules, state: State, out: npt.NDArray[np.float64]) -> None:
    """Write hands and the aftermath stack; cards of uncertain location count with their mean."""
    in_stack = float(state.aftermath[US] + state.aftermath[USSR])
    unknown = 0
    shown_us = 0
    shown_ussr = 0
    stack = 0.0
    unknown_cubes = 0.0
    for card in range(rules.limits.cards):
        place = int(state.card[card])
        belongs_to = rules.cards[card].side
        cubes = 0.0
        if belongs_to != UN:
            cubes = rules.cards[card].cubes if belongs_to == US else -rules.cards[card].cubes
        if CardIs.IN_HAND <= place <= CardIs.IN_HAND + 1:
            out[HAND + (place - CardIs.IN_HAND) * MAX_CARDS + card] = 1.0
            shown_us += place == CardIs.IN_HAND
            shown_ussr += place != CardIs.IN_HAND
        elif CardIs.IN_AFTERMATH <= place <= CardIs.IN_AFTERMATH + 1:
            stack += cubes
            in_stack -= 1.0
        elif place == CardIs.UNKNOWN:
            unknown += 1
            unknown_cubes += cubes
    if unknown > 0:
        stack += in_stack / unknown * unknown_cubes
        for card in range(rules.limits.cards):
            if state.card[card] == CardIs.UNKNOWN:
                out[HAND + card] = (state.hand[US] - shown_us) / unknown
                out[HAND + MAX_CARDS + card] = (state.hand[USSR] - shown_ussr) / unknown
    spread(out, STACK, STACK_BINS, stack / STACK_BIN + STACK_BINS // 2, 1.0)
    out[STACK_AHEAD] = stack


@compiled(types.void, RULES, STATE, VALUES)
def write_features(rules: Rules, state: State, out: npt.NDArray[np.float64]) -> None:
    """Write the features of a state or view to `out`, float64[N_FEATURES]."""
    for number in range(N_FEATURES):
        out[number] = 0.0
    out[0] = 1.0
    out[PRESTIGE + MAX_PRESTIGE + min(max(int(state.prestige), -MAX_PRESTIGE), MAX_PRESTIGE)] = 1.0
    write_agendas(rules, state, out)
    out[LETTER] = 1.0 if state.letter == US else -1.0
    for place in range(N_PLACES):
        ahead = int(state.influence[US, place]) - int(state.influence[USSR, place])
        lead = min(max(ahead, -MAX_LEAD), MAX_LEAD)
        out[LEAD + place * (2 * MAX_LEAD + 1) + MAX_LEAD + lead] = 1.0
        out[CUBES_AHEAD + place] = ahead
        out[CUBES + US] += state.influence[US, place]
        out[CUBES + USSR] += state.influence[USSR, place]
    for side in range(2):
        high = 0
        for track in range(N_TRACKS):
            step = int(state.defcon[side, track])
            out[STEP + (side * N_TRACKS + track) * N_STEPS + step - 1] = 1.0
            high += rules.area[step] < 3
        out[HIGH + side * (N_TRACKS + 1) + high] = 1.0
        out[WAR + side] = war_share(rules, state, side)
        out[MODIFIER + side] = state.modifier[side]
        out[BAN + side] = state.ban[side]
    if state.first != NOBODY:
        out[FIRST] = 1.0 if state.first == US else -1.0
    write_cards(rules, state, out)
    for agenda in range(MAX_AGENDAS):
        out[USED + agenda] = state.agenda_used[agenda]
