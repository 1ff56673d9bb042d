"""The action space of 13 Minutes: every decision, draw and step of the rules as one number.

The numbers are laid out in blocks; a block's first number is a member of `Action`. The text of an action ("place 2
cuba") is what journals and programs write; people read what the `steps` say.

| block | text | where (section 4) |
|---|---|---|
| RULES_STEP | set_cuba, reveal_bids ... | a step the rules take themselves |
| DRAW | draw scramble | chance: a hand card |
| TURN_UP | turn_up scramble | chance: what the face-down Cuba is |
| COIN | coin us | chance: start player (beginner), bid winner (bid_tie_cap) |
| BID | bid 3 | BID, both sides at once in secret |
| FIRST | first us | CHOOSE_FIRST |
| PLAY | play scramble us, play scramble neutral | PLAY, with the area |
| USE_EVENT, USE_COMMAND | event, command | CHOOSE_USE |
| USE_OFFER, DECLINE | use, decline | OFFER |
| DONE | done | the end of any choice that may be less; a Command of 0 |
| PLACE, REMOVE | place 2 cuba, remove 1 scramble | EVENT, COMMAND |
| MOVE | move cuba ussr | EVENT: a battleground goes to that area |
| CHOOSE | choose 1 | EVENT, counted from 1 |
"""

from __future__ import annotations

from enum import IntEnum

from numba import types

from brinkmanship.engine.action_parser import NO_SIDE, ActionReader
from brinkmanship.engine.jit.compile import compiled
from brinkmanship.engine.message import ActionParts
from brinkmanship.games.cuban.data import MAX_BRANCHES
from brinkmanship.games.thirteen_minutes.rules.data import CUBES_PER_SIDE, GameData
from brinkmanship.games.thirteen_minutes.rules.state import N_AREAS, N_CARDS, N_PLACES

RULES_STEPS = (
    "set_cuba",
    "reveal_bids",
    "score_battlegrounds",
    "score_military",
    "aftermath",
    "check_war",
    "count_prestige",
)
"""The steps of the rules, in the order of their nodes, Node.SET_CUBA to Node.COUNT_PRESTIGE."""

N_BIDS = CUBES_PER_SIDE + 1


class Action(IntEnum):
    """The number of each action, or of the first one of its block."""

    RULES_STEP = 0  # + node
    DRAW = RULES_STEP + len(RULES_STEPS)  # + card
    TURN_UP = DRAW + N_CARDS  # + card
    COIN = TURN_UP + N_CARDS  # + side
    BID = COIN + 2  # + side * N_BIDS + cubes
    FIRST = BID + 2 * N_BIDS  # + side
    PLAY = FIRST + 2  # + card * N_AREAS + area
    USE_EVENT = PLAY + N_CARDS * N_AREAS
    USE_COMMAND = USE_EVENT + 1
    USE_OFFER = USE_COMMAND + 1
    DECLINE = USE_OFFER + 1
    DONE = DECLINE + 1
    PLACE = DONE + 1  # + place * CUBES_PER_SIDE + cubes - 1
    REMOVE = PLACE + N_PLACES * CUBES_PER_SIDE  # likewise
    MOVE = REMOVE + N_PLACES * CUBES_PER_SIDE  # + place * N_AREAS + area
    CHOOSE = MOVE + N_PLACES * N_AREAS  # + branch


N_ACTIONS = Action.CHOOSE + MAX_BRANCHES

MAX_LEGAL = 2 * N_PLACES * CUBES_PER_SIDE + 1
"""No position has more legal actions or outcomes than a Command of 13 cubes on 14 battlegrounds would."""


@compiled(types.int64, types.int64, types.int64)
def bid_action(side: int, cubes: int) -> int:
    """Bid so many cubes, from 0; the side is part of the action since both bid at once."""
    return Action.BID + int(side) * N_BIDS + int(cubes)


@compiled(types.int64, types.int64, types.int64)
def play_action(card: int, area: int) -> int:
    """Play a card to an area: one's own sphere or NEUTRAL."""
    return Action.PLAY + int(card) * N_AREAS + int(area)


@compiled(types.int64, types.int64, types.int64)
def place_action(place: int, cubes: int) -> int:
    """Place so many cubes, from 1, on a battleground."""
    return Action.PLACE + int(place) * CUBES_PER_SIDE + int(cubes) - 1


@compiled(types.int64, types.int64, types.int64)
def remove_action(place: int, cubes: int) -> int:
    """Remove so many cubes, from 1, from a battleground."""
    return Action.REMOVE + int(place) * CUBES_PER_SIDE + int(cubes) - 1


@compiled(types.int64, types.int64, types.int64)
def move_action(place: int, area: int) -> int:
    """Move a battleground to an area."""
    return Action.MOVE + int(place) * N_AREAS + int(area)


SIDES = ("us", "ussr")
AREAS = ("us", "neutral", "ussr")
_SINGLE: dict[int, str] = {
    Action.USE_EVENT: "event",
    Action.USE_COMMAND: "command",
    Action.USE_OFFER: "use",
    Action.DECLINE: "decline",
    Action.DONE: "done",
}


def action_texts(data: GameData) -> dict[int, str]:
    """The text of every action that these cards allow.

    The two actions of a bid, one for each side, share their text: who acts stands beside it.
    """
    texts = {Action.RULES_STEP + node: text for node, text in enumerate(RULES_STEPS)}
    texts |= {int(action): text for action, text in _SINGLE.items()}
    for side, side_id in enumerate(SIDES):
        texts[Action.COIN + side] = f"coin {side_id}"
        texts[Action.FIRST + side] = f"first {side_id}"
        for cubes in range(N_BIDS):
            texts[bid_action(side, cubes)] = f"bid {cubes}"
    for card, card_data in enumerate(data.card):
        texts[Action.DRAW + card] = f"draw {card_data.id}"
        texts[Action.TURN_UP + card] = f"turn_up {card_data.id}"
        for area, area_id in enumerate(AREAS):
            texts[play_action(card, area)] = f"play {card_data.id} {area_id}"
    for place, place_id in enumerate(data.places):
        for cubes in range(1, CUBES_PER_SIDE + 1):
            texts[place_action(place, cubes)] = f"place {cubes} {place_id}"
            texts[remove_action(place, cubes)] = f"remove {cubes} {place_id}"
        for area, area_id in enumerate(AREAS):
            texts[move_action(place, area)] = f"move {place_id} {area_id}"
    for branch in range(MAX_BRANCHES):
        texts[Action.CHOOSE + branch] = f"choose {branch + 1}"
    return texts


def reader(texts: dict[int, str]) -> ActionReader:
    """The other way: the actions with these texts."""
    return ActionReader("13 Minutes", texts, _owner, _EXAMPLES)


_EXAMPLES = '"bid 2", "play scramble neutral", "command", "place 2 cuba", "move cuba ussr", "use", "done"'


def _owner(action: int) -> int:
    return (action - Action.BID) // N_BIDS if Action.BID <= action < Action.FIRST else NO_SIDE


def parts(data: GameData, action: int) -> ActionParts:
    """What an action is made of.

    The kind is the first word of its text, apart from "step" (of the rules). `card` is what is drawn, turned up or
    played; `place` a battleground, by the id of its card or "cuba"; `area` ("us", "neutral", "ussr") where a card is
    played to or a battleground moves to; `count` cubes, the bid, or the number of the alternative from 1.
    """
    if action < Action.DRAW:
        return ActionParts("step")
    if action < Action.TURN_UP:
        return ActionParts("draw", card=data.card[action - Action.DRAW].id)
    if action < Action.COIN:
        return ActionParts("turn_up", card=data.card[action - Action.TURN_UP].id)
    if action < Action.BID:
        return ActionParts("coin", side=SIDES[action - Action.COIN])
    if action < Action.FIRST:
        side, cubes = divmod(action - Action.BID, N_BIDS)
        return ActionParts("bid", side=SIDES[side], count=cubes)
    if action < Action.PLAY:
        return ActionParts("first", side=SIDES[action - Action.FIRST])
    if action < Action.USE_EVENT:
        card, area = divmod(action - Action.PLAY, N_AREAS)
        return ActionParts("play", card=data.card[card].id, area=AREAS[area])
    if action in _SINGLE:
        return ActionParts(_SINGLE[action])
    if action < Action.MOVE:
        kind, first = ("place", Action.PLACE) if action < Action.REMOVE else ("remove", Action.REMOVE)
        place, cubes = divmod(action - first, CUBES_PER_SIDE)
        return ActionParts(kind, place=data.places[place], count=cubes + 1)
    if action < Action.CHOOSE:
        place, area = divmod(action - Action.MOVE, N_AREAS)
        return ActionParts("move", place=data.places[place], area=AREAS[area])
    return ActionParts("choose", count=action - Action.CHOOSE + 1)
