"""The action space of 13 Minutes: every decision, draw and step of the rules as one number.

The numbers are laid out in blocks; a block's first number is a member of `Action`. Journals and programs use the text
of an action ("place 2 cuba"); people read the texts of `narration`.

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

from collections.abc import Iterator
from enum import IntEnum

from numba import types

from brinkmanship.engine.action_parser import NO_SIDE, ActionParser
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
"""Maximum number of legal actions or outcomes: a Command of 13 cubes on 14 battlegrounds would have as many."""


@compiled(types.int64, types.int64, types.int64)
def bid_action(side: int, cubes: int) -> int:
    """Return the action of bidding `cubes`, from 0; the side is part of the action since both bid at once."""
    return Action.BID + int(side) * N_BIDS + int(cubes)


@compiled(types.int64, types.int64, types.int64)
def play_action(card: int, area: int) -> int:
    """Return the action of playing a card to an area: one's own sphere or NEUTRAL."""
    return Action.PLAY + int(card) * N_AREAS + int(area)


@compiled(types.int64, types.int64, types.int64)
def place_action(place: int, cubes: int) -> int:
    """Return the action of placing `cubes` cubes, from 1, on a battleground."""
    return Action.PLACE + int(place) * CUBES_PER_SIDE + int(cubes) - 1


@compiled(types.int64, types.int64, types.int64)
def remove_action(place: int, cubes: int) -> int:
    """Return the action of removing `cubes` cubes, from 1, from a battleground."""
    return Action.REMOVE + int(place) * CUBES_PER_SIDE + int(cubes) - 1


@compiled(types.int64, types.int64, types.int64)
def move_action(place: int, area: int) -> int:
    """Return the action of moving a battleground to an area."""
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


def all_actions(data: GameData) -> Iterator[tuple[int, str, ActionParts]]:
    """Yield the number, the text and the parts of every action that these cards allow.

    The kind of an action is the first word of its text, apart from "step" (of the rules). In its parts `card` is the
    card drawn, turned up or played; `place` a battleground, by the id of its card or "cuba"; `area` ("us", "neutral",
    "ussr") the area a card is played to or a battleground moves to; `count` the cubes, the bid, or the number of the
    alternative from 1. The two actions of a bid, one for each side, share their text: the actor is given separately.
    """
    for node, text in enumerate(RULES_STEPS):
        yield Action.RULES_STEP + node, text, ActionParts("step")
    for action, kind in _SINGLE.items():
        yield int(action), kind, ActionParts(kind)
    for side, side_id in enumerate(SIDES):
        for first, kind in ((Action.COIN, "coin"), (Action.FIRST, "first")):
            yield first + side, f"{kind} {side_id}", ActionParts(kind, side=side_id)
        for cubes in range(N_BIDS):
            yield bid_action(side, cubes), f"bid {cubes}", ActionParts("bid", side=side_id, count=cubes)
    for card, card_data in enumerate(data.card):
        card_id = card_data.id
        for first, kind in ((Action.DRAW, "draw"), (Action.TURN_UP, "turn_up")):
            yield first + card, f"{kind} {card_id}", ActionParts(kind, card=card_id)
        for area, area_id in enumerate(AREAS):
            parts = ActionParts("play", card=card_id, area=area_id)
            yield play_action(card, area), f"play {card_id} {area_id}", parts
    for place, place_id in enumerate(data.places):
        for cubes in range(1, CUBES_PER_SIDE + 1):
            for number, kind in ((place_action(place, cubes), "place"), (remove_action(place, cubes), "remove")):
                yield number, f"{kind} {cubes} {place_id}", ActionParts(kind, place=place_id, count=cubes)
        for area, area_id in enumerate(AREAS):
            parts = ActionParts("move", place=place_id, area=area_id)
            yield move_action(place, area), f"move {place_id} {area_id}", parts
    for branch in range(MAX_BRANCHES):
        yield Action.CHOOSE + branch, f"choose {branch + 1}", ActionParts("choose", count=branch + 1)


def parser(texts: dict[int, str]) -> ActionParser:
    """Return the parser from texts to actions (inverse of `all_actions`)."""
    return ActionParser("13 Minutes", texts, _owner, _EXAMPLES)


_EXAMPLES = '"bid 2", "play scramble neutral", "command", "place 2 cuba", "move cuba ussr", "use", "done"'


def _owner(action: int) -> int:
    return (action - Action.BID) // N_BIDS if Action.BID <= action < Action.FIRST else NO_SIDE
