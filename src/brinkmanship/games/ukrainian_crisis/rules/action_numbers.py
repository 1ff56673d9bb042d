"""The action space of Ukrainian Crisis: every decision, deal, die and step of the rules as one number.

Decisions are small steps, so the space stays bounded whatever is on the map: a unit is named by its *stack* (type,
full or neutralised, place), a destination by its zone, a payment first in Resource Points and then in Prestige. Only
the three cards of a Turn are one action, since both sides choose them at once and in secret. With room for 12 types of
unit, 28 zones and 63 combat groups the space has some 3,100 actions, half of them card placements.

The numbers are laid out in blocks (`Action`). Journals and programs use the text of an action ("unit ru_ground
SEV"); people read the texts of `narration`.

| block | text | what it is |
|---|---|---|
| RULES_STEP | reveal, type, income ... | a step the rules take themselves |
| DRAW_EVENT | draw belarus | an Event Card drawn |
| DEAL_CARD | deal small, deal 7 | a Resource Card drawn at random (R1, R46) |
| DIE | roll 4 | one die |
| TWO_DICE | roll 3 5 | the two dice of a Maximum card, the lower first |
| DICE_SUM | sum 11 | the dice of a diplomatic attempt |
| HITS | hits 3 | how many of up to 30 combat dice hit |
| PLACE | place small medium small | the Military, Diplomatic and Information card |
| DECLARE | declare strategic, declare combat | S5 |
| DONE | done | passes, ends a choice that may be less, declines a Ceasefire |
| REQUEST | ceasefire | S6 |
| PLAY_EVENT | play unit_not_ready | in an event window |
| ALLIES | allies 3 | allies' Resource Points used in this area |
| AREA | area military | the next area of the order |
| FIRST | first ua | who acts first in an area |
| COUNTRY | up GB, down GB, country GB | an attempt; the country an event names |
| PAY_RP, PAY_PRESTIGE | rp 3, prestige 2 | the payment for an attempt |
| INFORM | reduce, increase, neutralise | the action in the Information area |
| UNIT | unit ru_ground SEV | mobilise (from reserve), deploy (from mobilisation), relocate, move, aim at, hit ... |
| RECOVER | recover ru_ground DON | turn a neutralised unit to its full side |
| ZONE | zone DON | destination, zone attacked, zone an event names |
| FIGHT | fight 1 kinetic | the next combat and its type |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from functools import lru_cache
from itertools import chain, product
from typing import NamedTuple

from numba import types

from brinkmanship.engine.action_parser import NO_SIDE, ActionParser
from brinkmanship.engine.jit.compile import compiled
from brinkmanship.engine.message import ActionParts, Ref
from brinkmanship.games.ukrainian_crisis.rules.data import (
    AREAS,
    CLASSES,
    COMBATS,
    COUNTRIES,
    EVENTS,
    INFORMS,
    MAX_RANK,
    MAX_TYPES,
    MAX_ZONES,
    SIDES,
    GameData,
)
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, N_COUNTRIES, N_EVENTS, N_RANKS, ids
from brinkmanship.games.ukrainian_crisis.rules.state import LAST_STEP_OF_RULES, MAX_GROUPS, N_PLACES, Node, Place

RULES_STEPS = ids(Node)[: LAST_STEP_OF_RULES + 1]
"""The steps of the rules, in the order of their nodes."""

N_PAIRS = 21
MAX_DICE = 30
"""Combat dice rolled at once: 3^30 ways, the weight of an outcome, still fit into 64 bits."""
MAX_ALLY_RP = N_COUNTRIES * MAX_RANK
MAX_PAYMENT = 127
"""Maximum payment of one kind in one attempt: more than a side ever has, since 48 Prestige are in play at the start."""
N_PLACEMENTS = N_RANKS**N_AREAS
N_COMBATS = len(COMBATS)
N_STACKS = 2 * MAX_TYPES * N_PLACES


class Direction(IntEnum):
    """Effect of an action on a country: its marker moves down or up, or the country is only named."""

    DOWN = 0
    UP = 1
    NAMED = 2


DIRECTIONS = ("down", "up", "country")


class Action(IntEnum):
    """The first number of each block; the comments give the offset within it."""

    RULES_STEP = 0  # + node
    DRAW_EVENT = RULES_STEP + len(RULES_STEPS)  # + event
    DEAL_CARD = DRAW_EVENT + N_EVENTS  # + rank, from 0
    DIE = DEAL_CARD + N_RANKS  # + pips - 1
    TWO_DICE = DIE + 6  # + pair
    DICE_SUM = TWO_DICE + N_PAIRS  # + sum
    HITS = DICE_SUM + 6 * MAX_RANK + 1  # + hits
    PLACE = HITS + MAX_DICE + 1  # + side * N_PLACEMENTS + the three ranks, from 0, as digits
    DECLARE = PLACE + 2 * N_PLACEMENTS  # + 2 * side + type of the Turn
    DONE = DECLARE + 4
    REQUEST = DONE + 1
    PLAY_EVENT = REQUEST + 1  # + event
    ALLIES = PLAY_EVENT + N_EVENTS  # + points
    AREA = ALLIES + MAX_ALLY_RP + 1  # + area
    FIRST = AREA + N_AREAS  # + side
    COUNTRY = FIRST + 2  # + country * 3 + direction
    PAY_RP = COUNTRY + 3 * N_COUNTRIES  # + points
    PAY_PRESTIGE = PAY_RP + MAX_PAYMENT + 1  # + points
    INFORM = PAY_PRESTIGE + MAX_PAYMENT + 1  # + action
    UNIT = INFORM + len(INFORMS)  # + stack
    RECOVER = UNIT + N_STACKS  # + stack of a neutralised unit // 2
    ZONE = RECOVER + N_STACKS // 2  # + zone
    FIGHT = ZONE + MAX_ZONES  # + (group - 1) * 3 + type of combat
    END = FIGHT + MAX_GROUPS * N_COMBATS


N_ACTIONS = Action.END.value
MAX_LEGAL = N_PLACEMENTS
"""Maximum number of legal actions: the placements of three number cards (10.1)."""


@compiled(types.int64, types.int64, types.int64, types.int64)
def stack_of(unit_type: int, neutralised: int, place: int) -> int:
    """Return the number of a stack, added to `Action.UNIT`: the type and place of units, and whether neutralised."""
    return (int(place) * MAX_TYPES + int(unit_type)) * 2 + int(neutralised)


@compiled(types.int64, types.int64)
def type_in(stack: int) -> int:
    """Return the unit type of a stack."""
    return stack // 2 % MAX_TYPES


@compiled(types.int64, types.int64)
def place_in(stack: int) -> int:
    """Return the place of a stack."""
    return stack // (2 * MAX_TYPES)


@compiled(types.int64, types.int64, types.int64)
def pair_action(low: int, high: int) -> int:
    """Return the action for two dice with these pips, the lower first."""
    return Action.TWO_DICE + (int(high) - 1) * int(high) // 2 + int(low) - 1


@compiled(types.int64, types.int64)
def higher_die(action: int) -> int:
    """Return the higher of the two dice."""
    pair = action - Action.TWO_DICE
    high = 1
    while high * (high + 1) // 2 <= pair:
        high += 1
    return high


@compiled(types.int64, types.int64)
def lower_die(action: int) -> int:
    """Return the lower of the two dice."""
    high = higher_die(action)
    return action - Action.TWO_DICE - (high - 1) * high // 2 + 1


@compiled(types.int64, types.int64, types.int64, types.int64, types.int64)
def place_action(side: int, military: int, diplomatic: int, information: int) -> int:
    """Return the placement of cards of these ranks, from 1; the side is part of it since both choose at once."""
    cards = ((int(military) - 1) * N_RANKS + int(diplomatic) - 1) * N_RANKS + int(information) - 1
    return Action.PLACE + int(side) * N_PLACEMENTS + cards


@compiled(types.int64, types.int64, types.int64)
def placed_rank(action: int, area: int) -> int:
    """Return the rank, from 1, that a placement puts into an area."""
    cards = (action - Action.PLACE) % N_PLACEMENTS
    for _ in range(N_AREAS - 1 - area):
        cards //= N_RANKS
    return cards % N_RANKS + 1


BOX_IDS: dict[int, str] = {Place.RESERVE: "reserve", Place.MOBILISATION: "mobilisation"}
"""The places of units that are not zones."""


def rank_names(ordinary_cards: bool) -> tuple[str, ...]:
    """Return the Resource Cards by rank, from 0: the three classes, or the number cards (10.1)."""
    return tuple(str(number) for number in range(1, N_RANKS + 1)) if ordinary_cards else CLASSES


class NamedAction(NamedTuple):
    """The text of an action in programs, and its parts."""

    text: str
    parts: ActionParts


def named_actions(data: GameData, ordinary_cards: bool) -> Mapping[int, NamedAction]:
    """Return every action that this scenario allows, by its number.

    The two placements of the same cards, one for each side, share their text: the actor is given separately. Apart from
    "step" (of the rules), "die" and "two_dice" (of chance), the kind is the first word of the text. A place is a zone
    or "reserve" or "mobilisation"; `card` holds a unit, followed by " neutralised" if it is; `count` is a number of
    dice, points or hits, or the number of a combat.
    """
    return _named_actions(tuple(zone.id for zone in data.zone), tuple(unit.id for unit in data.unit), ordinary_cards)


Numbered = Iterator[tuple[int, str, ActionParts]]


@lru_cache(16)
def _named_actions(zones: tuple[str, ...], units: tuple[str, ...], ordinary_cards: bool) -> Mapping[int, NamedAction]:
    blocks = (_of_rules(), _of_chance(ordinary_cards), _of_cards(ordinary_cards), _of_politics(), _of_map(zones, units))
    return {number: NamedAction(text, parts) for number, text, parts in chain(*blocks)}


def _of_rules() -> Numbered:
    for node, step in enumerate(RULES_STEPS):
        yield Action.RULES_STEP + node, step, ActionParts("step")
    yield Action.DONE, "done", ActionParts("done")
    yield Action.REQUEST, "ceasefire", ActionParts("ceasefire")


def _of_chance(ordinary_cards: bool) -> Numbered:
    for event, card in enumerate(EVENTS):
        yield Action.DRAW_EVENT + event, f"draw {card.id}", ActionParts("draw", card=card.id)
    for rank, name in enumerate(rank_names(ordinary_cards)):
        yield Action.DEAL_CARD + rank, f"deal {name}", ActionParts("deal", card=name)
    for high in range(1, 7):
        yield Action.DIE + high - 1, f"roll {high}", ActionParts("die", count=high)
        for low in range(1, high + 1):
            yield pair_action(low, high), f"roll {low} {high}", ActionParts("two_dice", count=low + high)
    yield from _counted("sum", Action.DICE_SUM, range(6 * MAX_RANK + 1))
    yield from _counted("hits", Action.HITS, range(MAX_DICE + 1))


def _of_cards(ordinary_cards: bool) -> Numbered:
    ranks = list(enumerate(rank_names(ordinary_cards), 1))
    for side, side_id in enumerate(SIDES):
        for number, turn_type in enumerate(("strategic", "combat")):
            parts = ActionParts("declare", card=turn_type, side=side_id)
            yield Action.DECLARE + 2 * side + number, f"declare {turn_type}", parts
        for cards in product(ranks, repeat=N_AREAS):
            numbers, names = zip(*cards, strict=True)
            steps = tuple((Ref("area", area), Ref("card", rank)) for area, rank in zip(AREAS, names, strict=True))
            placed = " ".join(names)
            parts = ActionParts("place", card=placed, side=side_id, steps=steps)
            yield place_action(side, *numbers), f"place {placed}", parts
    for event, card in enumerate(EVENTS):
        yield Action.PLAY_EVENT + event, f"play {card.id}", ActionParts("play", card=card.id)


def _of_politics() -> Numbered:
    for side, side_id in enumerate(SIDES):
        yield Action.FIRST + side, f"first {side_id}", ActionParts("first", side=side_id)
    yield from _counted("allies", Action.ALLIES, range(1, MAX_ALLY_RP + 1))
    for area, area_id in enumerate(AREAS):
        yield Action.AREA + area, f"area {area_id}", ActionParts("area", track=area_id)
    for country, country_id in enumerate(COUNTRIES):
        for direction, word in enumerate(DIRECTIONS):
            number = Action.COUNTRY + country * len(DIRECTIONS) + direction
            yield number, f"{word} {country_id}", ActionParts(word, track=country_id)
    yield from _counted("rp", Action.PAY_RP, range(MAX_PAYMENT + 1))
    yield from _counted("prestige", Action.PAY_PRESTIGE, range(MAX_PAYMENT + 1))
    for action, word in enumerate(INFORMS):
        yield Action.INFORM + action, word, ActionParts(word)


def _of_map(zones: tuple[str, ...], units: tuple[str, ...]) -> Numbered:
    for zone, zone_id in enumerate(zones):
        yield Action.ZONE + zone, f"zone {zone_id}", ActionParts("zone", place=zone_id)
    for place, place_id in (dict(enumerate(zones)) | BOX_IDS).items():
        for unit_type, unit in enumerate(units):
            full, neutralised = (stack_of(unit_type, mark, place) for mark in (0, 1))
            for stack, name in ((full, unit), (neutralised, f"{unit} neutralised")):
                parts = ActionParts("unit", card=name, place=place_id)
                yield Action.UNIT + stack, f"unit {name} {place_id}", parts
            parts = ActionParts("recover", card=f"{unit} neutralised", place=place_id)
            yield Action.RECOVER + neutralised // 2, f"recover {unit} {place_id}", parts
    for group in range(MAX_GROUPS):
        for combat, word in enumerate(COMBATS):
            parts = ActionParts("fight", card=word, count=group + 1)
            yield Action.FIGHT + group * N_COMBATS + combat, f"fight {group + 1} {word}", parts


def _counted(kind: str, first: int, counts: range) -> Numbered:
    for count in counts:
        yield first + count, f"{kind} {count}", ActionParts(kind, count=count)


def parser(texts: Mapping[int, str]) -> ActionParser:
    """Return the parser from texts to actions (inverse of `named_actions`)."""
    return ActionParser("Ukrainian Crisis", texts, _owner, _EXAMPLES)


_EXAMPLES = '"place small medium small", "unit ua_militia mobilisation", "zone DON", "up GB", "rp 3", "done"'


def _owner(action: int) -> int:
    if Action.PLACE <= action < Action.DECLARE:
        return (action - Action.PLACE) // N_PLACEMENTS
    if Action.DECLARE <= action < Action.DONE:
        return (action - Action.DECLARE) // 2
    return NO_SIDE


def stack_name(data: GameData, stack: int) -> str:
    """Return the unit of a stack: "ru_ground" or "ru_ground neutralised"."""
    return data.unit[type_in(stack)].id + (" neutralised" if stack % 2 else "")


def place_id(data: GameData, place: int) -> str:
    """Return the id of a zone, "reserve" or "mobilisation"."""
    return BOX_IDS.get(place) or data.zone[place].id
