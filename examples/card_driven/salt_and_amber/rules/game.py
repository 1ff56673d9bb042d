"""Salt and Amber: what only this game has.

1. *The Coast.* The League and the Crown seek influence in eight ports; each port has a worth.
2. *Six rounds.* Hands are filled to five cards; the sides alternate in playing one, for its event or its operations.
3. *Operations.* Influence goes where a side is, or next to it: 1 a piece, 2 where the other side has more. Taking off
   one of the other side's costs 2, in the same ports. Calming unrest by one costs 1.
4. *End of a round.* A side with more influence in a port scores its worth in Favour; then unrest falls by one.
5. *End.* At the end of the Favour track a side wins at once. A side whose event brings unrest to 9 loses. After six
   rounds Favour decides.
"""

from __future__ import annotations

from typing import Any

from brinkmanship.engine.jit.compile import implements
from brinkmanship.games.card_driven.rules import hooks
from brinkmanship.games.card_driven.rules.ruleset import CardDrivenGame, functions_for
from brinkmanship.games.card_driven.rules.state import Shape

FAVOUR, UNREST = 0, 1
"""The tracks, in the order of the data file."""
GUILTY = 0
"""The counter that says whose event brought the last unrest: 1 for the first side, 2 for the second."""
FAVOUR_REACHED, REVOLT = 3, 4
"""The reasons for an early end."""
REMOVAL, CALM = 2, 1
"""Costs in operations."""

Rules = Any
State = Any

SHAPE = Shape("salt-and-amber", cards=20, places=8, tracks=2)
RECORDS = SHAPE.records(__name__)


@implements(hooks.put_cost, RECORDS)
def put_cost(rules: Rules, state: State, side: int, place: int) -> int:
    """Return 1, or 2 where the other side has more; 0 where the side is neither in the port nor next to it."""
    is_near = state.influence[side, place] > 0
    for other in range(state.influence.shape[1]):
        if rules.next_to[place] >> other & 1 and state.influence[side, other] > 0:
            is_near = True
    if not is_near:
        return 0
    return 2 if state.influence[1 - side, place] > state.influence[side, place] else 1


@implements(hooks.take_off_cost, RECORDS)
def take_off_cost(rules: Rules, state: State, side: int, place: int) -> int:
    """Return the cost of removal in a port where the side is, or next to one."""
    for other in range(state.influence.shape[1]):
        if (other == place or rules.next_to[place] >> other & 1) and state.influence[side, other] > 0:
            return REMOVAL
    return 0


@implements(hooks.push_cost, RECORDS)
def push_cost(rules: Rules, state: State, side: int, track: int, step: int) -> int:  # noqa: ARG001 - the hook's shape
    """Return the cost of calming unrest; Favour cannot be bought."""
    return CALM if track == UNREST and step < 0 else 0


@implements(hooks.special, RECORDS)
def special(rules: Rules, state: State, side: int, number: int) -> None:
    """Change unrest by `number`."""
    unrest = state.track[UNREST] + number
    state.track[UNREST] = min(max(unrest, 0), rules.high[UNREST])
    if number > 0:
        state.counter[GUILTY] = side + 1


@implements(hooks.end_of_round, RECORDS)
def end_of_round(rules: Rules, state: State) -> None:
    """Score the ports; then unrest falls by one (section 4)."""
    favour = int(state.track[FAVOUR])
    for place in range(state.influence.shape[1]):
        if state.influence[0, place] > state.influence[1, place]:
            favour += rules.worth[place]
        elif state.influence[1, place] > state.influence[0, place]:
            favour -= rules.worth[place]
    state.track[FAVOUR] = min(max(favour, rules.low[FAVOUR]), rules.high[FAVOUR])
    state.track[UNREST] = max(int(state.track[UNREST]) - 1, 0)


@implements(hooks.ended, RECORDS)
def ended(rules: Rules, state: State) -> int:
    """Return the reason for an early end (section 5)."""
    if state.track[UNREST] == rules.high[UNREST]:
        return REVOLT
    if state.track[FAVOUR] == rules.low[FAVOUR] or state.track[FAVOUR] == rules.high[FAVOUR]:
        return FAVOUR_REACHED
    return 0


@implements(hooks.lead, RECORDS)
def lead(rules: Rules, state: State) -> int:  # noqa: ARG001 - the hook's shape
    """Return the Favour of the first side; after a revolt, -1 if it is to blame, else 1."""
    if state.reason == REVOLT:
        return -1 if state.counter[GUILTY] == 1 else 1
    return state.track[FAVOUR]


@implements(hooks.outlook, RECORDS)
def outlook(rules: Rules, state: State, side: int) -> float:
    """Return Favour, what the ports would score now, and a tenth of the lead in each up to three."""
    total = float(state.track[FAVOUR])
    for place in range(state.influence.shape[1]):
        ahead = int(state.influence[0, place]) - int(state.influence[1, place])
        total += rules.worth[place] * ((ahead > 0) - (ahead < 0) + 0.1 * min(max(ahead, -3), 3))
    return total if side == 0 else -total


class SaltAndAmber(CardDrivenGame, shape=SHAPE, records=RECORDS, functions=functions_for(RECORDS)):
    """A ruleset of Salt and Amber; it has no options."""

    version = 1
    title = "Salt and Amber"
    sides = ("league", "crown")
    own_reasons = ("favour", "revolt")
