"""Warnings to a side before an action that could lose the game by triggering war (section 5.5).

They rest on what the side knows: the open table, its own last card, and that the cards it has not seen are the other
side's last one and Cuba.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

from brinkmanship.engine.message import Message, Ref
from brinkmanship.games.thirteen_minutes.rules.ruleset import ThirteenMinutesRuleset
from brinkmanship.games.thirteen_minutes.rules.state import COLOURS, CUBA, Area, CardIs, Node, State

SPHERES = (Area.US_SPHERE, Area.USSR_SPHERE)
"""The sphere of each side."""

Colours = Counter[str]
"""The number of cards of each colour."""


def warning(game: ThirteenMinutesRuleset, before: State, after: State, side: int) -> Message | None:
    """Return how an action would lose by war: for certain, unless a card moves, or by cards the side has not seen."""
    if after.node == Node.SCORE_BATTLEGROUNDS:
        return _at_the_end(game, after, side)
    war = game.data.scoring.war_cards
    was, now = _open_in(game, before, SPHERES[side]), _open_in(game, after, SPHERES[side])
    for colour in COLOURS:
        if now[colour] >= war and (now[colour] > was[colour] or not _decides_again(game, after, side)):
            return _worded("stands", colour, now[colour], war)
    return None


def _at_the_end(game: ThirteenMinutesRuleset, view: State, side: int) -> Message | None:
    """Return the warning after the last turn: what is left is to turn up Cuba and to show the last cards."""
    war = game.data.scoring.war_cards
    ends = list(_possible_ends(game, view, side))
    wars = [(own, _has(theirs, war)) for own, theirs in ends if _has(own, war)]
    if not wars:
        return None
    key = "may"
    if len(wars) == len(ends) and len({is_double for _, is_double in wars}) == 1:
        key = "both" if wars[0][1] else "loses"
    colour = max(COLOURS, key=lambda one: min(own[one] for own, _ in wars))
    return _worded(key, colour, max(war, min(own[colour] for own, _ in wars)), war)


def _has(colours: Colours, some: int) -> bool:
    return max(colours.values(), default=0) >= some


def _possible_ends(game: ThirteenMinutesRuleset, view: State, side: int) -> Iterator[tuple[Colours, Colours]]:
    """Yield the colours in the side's own and in the other sphere after scoring step 3, for all unseen cards (Q40)."""
    colours, places = [card.colour for card in game.data.card], view.card.tolist()
    unseen = [card for card, place in enumerate(places) if place == CardIs.UNKNOWN]
    own = next((card for card, place in enumerate(places) if place == CardIs.IN_HAND + side), None)
    for cuba, theirs in permutations(unseen, 2):
        ends = []
        for one in (side, 1 - side):
            end = _open_in(game, view, SPHERES[one])
            end[colours[cuba]] += int(view.area[CUBA] == SPHERES[one])
            end[colours[theirs]] += int(own is not None and colours[own] == colours[theirs])
            ends.append(end)
        yield ends[0], ends[1]


def _worded(key: str, colour: str, some: int, war: int) -> Message:
    return Message(f"warning.{key}", {"kind": Ref("colour", colour), "some": some, "war": war})


def _decides_again(game: ThirteenMinutesRuleset, view: State, side: int) -> bool:
    """Return True if the side has a choice of its own before the end, whatever the other side does."""
    if view.mover == side or (view.depth and view.stack[0].player == side):
        return True
    turns = range(int(view.turn) + int(view.depth), int(game.rules.limits.last_turn))
    return any(turn % 2 == (view.first != side) for turn in turns)


def _open_in(game: ThirteenMinutesRuleset, view: State, area: int) -> Colours:
    """Return the colours of the cards that lie face up in an area."""
    areas = view.area.tolist()
    found: Colours = Counter(card.colour for card, there in zip(game.data.card, areas, strict=False) if there == area)
    if areas[CUBA] == area and view.cuba_card >= 0:
        found[game.data.card[view.cuba_card].colour] += 1
    return found
