"""The action space of Ukrainian Crisis: every decision, deal, die and step of the rules as one number.

Decisions are small steps, so the space stays bounded whatever stands on the map: a unit is named by its *stack* (type,
full or neutralised, place), a destination by its zone, a payment first in Resource Points and then in Prestige. Only
the three cards of a Turn are one action, since both sides choose them at once and in secret. With room for 12 types of
unit, 28 zones and 63 combat groups the space has some 3,100 actions, half of them card placements.

The numbers are laid out in blocks (`Action`). The text of an action ("unit ru_ground
SEV") is what journals and programs write; people read `narration`.

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

from enum import IntEnum

from numba import types

from brinkmanship.engine.action_parser import NO_SIDE, ActionReader
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
"""Of one kind in one attempt: more than a side ever has, since 48 Prestige are in play at the start."""
N_PLACEMENTS = N_RANKS**N_AREAS
N_COMBATS = len(COMBATS)
N_STACKS = 2 * MAX_TYPES * N_PLACES


class Direction(IntEnum):
    """What is said of a country: that its marker shall go down or up, or only its name."""

    DOWN = 0
    UP = 1
    NAMED = 2


DIRECTIONS = ("down", "up", "country")


class Action(IntEnum):
    """The first number of each block; what is added to it stands behind."""

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
"""No position has more legal actions than the placement of three number cards (10.1)."""


@compiled(types.int64, types.int64, types.int64, types.int64)
def stack_of(unit_type: int, neutralised: int, place: int) -> int:
    """The number of a stack, added to `Action.UNIT`: the type and place of units, and whether neutralised."""
    return (int(place) * MAX_TYPES + int(unit_type)) * 2 + int(neutralised)


@compiled(types.int64, types.int64)
def type_in(stack: int) -> int:
    """The unit type of a stack."""
    return stack // 2 % MAX_TYPES


@compiled(types.int64, types.int64)
def place_in(stack: int) -> int:
    """The place of a stack."""
    return stack // (2 * MAX_TYPES)


@compiled(types.int64, types.int64, types.int64)
def pair_action(low: int, high: int) -> int:
    """Two dice with these pips, the lower first."""
    return Action.TWO_DICE + (int(high) - 1) * int(high) // 2 + int(low) - 1


@compiled(types.int64, types.int64)
def higher_die(action: int) -> int:
    """The higher of the two dice."""
    pair = action - Action.TWO_DICE
    high = 1
    while high * (high + 1) // 2 <= pair:
        high += 1
    return high


@compiled(types.int64, types.int64)
def lower_die(action: int) -> int:
    """The lower of the two dice."""
    high = higher_die(action)
    return action - Action.TWO_DICE - (high - 1) * high // 2 + 1


@compiled(types.int64, types.int64, types.int64, types.int64, types.int64)
def place_action(side: int, military: int, diplomatic: int, information: int) -> int:
    """Cards of these ranks, from 1, in the three areas; the side is part of it since both choose at once."""
    cards = ((int(military) - 1) * N_RANKS + int(diplomatic) - 1) * N_RANKS + int(information) - 1
    return Action.PLACE + int(side) * N_PLACEMENTS + cards


@compiled(types.int64, types.int64, types.int64)
def placed_rank(action: int, area: int) -> int:
    """The rank, from 1, that a placement puts into an area."""
    cards = (action - Action.PLACE) % N_PLACEMENTS
    for _ in range(N_AREAS - 1 - area):
        cards //= N_RANKS
    return cards % N_RANKS + 1


_SINGLE: dict[int, str] = {Action.DONE: "done", Action.REQUEST: "ceasefire"}


BOX_IDS: dict[int, str] = {Place.RESERVE: "reserve", Place.MOBILISATION: "mobilisation"}
"""The places of units that are no zones."""


def rank_names(ordinary_cards: bool) -> tuple[str, ...]:
    """The Resource Cards by rank, from 0: the three classes, or the numbers of ordinary playing cards (10.1)."""
    return tuple(str(number) for number in range(1, N_RANKS + 1)) if ordinary_cards else CLASSES


def action_texts(data: GameData, ordinary_cards: bool) -> dict[int, str]:
    """The text of every action that this scenario allows.

    The two placements of the same cards, one for each side, share their text: who acts stands beside it.
    """
    ranks = rank_names(ordinary_cards)
    texts = {Action.RULES_STEP + node: text for node, text in enumerate(RULES_STEPS)} | _SINGLE
    for event, card in enumerate(EVENTS):
        texts[Action.DRAW_EVENT + event] = f"draw {card.id}"
        texts[Action.PLAY_EVENT + event] = f"play {card.id}"
    for rank, name in enumerate(ranks):
        texts[Action.DEAL_CARD + rank] = f"deal {name}"
    for high in range(1, 7):
        texts[Action.DIE + high - 1] = f"roll {high}"
        for low in range(1, high + 1):
            texts[pair_action(low, high)] = f"roll {low} {high}"
    for total in range(6 * MAX_RANK + 1):
        texts[Action.DICE_SUM + total] = f"sum {total}"
    for hits in range(MAX_DICE + 1):
        texts[Action.HITS + hits] = f"hits {hits}"
    for side, side_id in enumerate(SIDES):
        texts[Action.FIRST + side] = f"first {side_id}"
        texts[Action.DECLARE + 2 * side] = "declare strategic"
        texts[Action.DECLARE + 2 * side + 1] = "declare combat"
        for m, military in enumerate(ranks, 1):
            for d, diplomatic in enumerate(ranks, 1):
                for i, information in enumerate(ranks, 1):
                    texts[place_action(side, m, d, i)] = f"place {military} {diplomatic} {information}"
    for points in range(1, MAX_ALLY_RP + 1):
        texts[Action.ALLIES + points] = f"allies {points}"
    for area, area_id in enumerate(AREAS):
        texts[Action.AREA + area] = f"area {area_id}"
    for country, country_id in enumerate(COUNTRIES):
        for direction, word in enumerate(DIRECTIONS):
            texts[Action.COUNTRY + country * 3 + direction] = f"{word} {country_id}"
    for points in range(MAX_PAYMENT + 1):
        texts[Action.PAY_RP + points] = f"rp {points}"
        texts[Action.PAY_PRESTIGE + points] = f"prestige {points}"
    for action, word in enumerate(INFORMS):
        texts[Action.INFORM + action] = word
    places = {zone: zone_data.id for zone, zone_data in enumerate(data.zone)}
    for zone, zone_id in places.items():
        texts[Action.ZONE + zone] = f"zone {zone_id}"
    for place, place_id in (places | BOX_IDS).items():
        for unit_type, unit in enumerate(data.unit):
            texts[Action.UNIT + stack_of(unit_type, 0, place)] = f"unit {unit.id} {place_id}"
            texts[Action.UNIT + stack_of(unit_type, 1, place)] = f"unit {unit.id} neutralised {place_id}"
            texts[Action.RECOVER + stack_of(unit_type, 1, place) // 2] = f"recover {unit.id} {place_id}"
    for group in range(MAX_GROUPS):
        for combat, word in enumerate(COMBATS):
            texts[Action.FIGHT + group * N_COMBATS + combat] = f"fight {group + 1} {word}"
    return texts


def reader(texts: dict[int, str]) -> ActionReader:
    """The other way: the actions with these texts."""
    return ActionReader("Ukrainian Crisis", texts, _owner, _EXAMPLES)


_EXAMPLES = '"place small medium small", "unit ua_militia mobilisation", "zone DON", "up GB", "rp 3", "done"'


def _owner(action: int) -> int:
    if Action.PLACE <= action < Action.DECLARE:
        return (action - Action.PLACE) // N_PLACEMENTS
    if Action.DECLARE <= action < Action.DONE:
        return (action - Action.DECLARE) // 2
    return NO_SIDE


def parts(data: GameData, ordinary_cards: bool, action: int) -> ActionParts:
    """What an action is made of.

    The kind is the first word of its text, apart from "step" (of the rules), "die" and "two_dice" (of chance). A place
    is a zone or "reserve" or "mobilisation"; a unit stands in `card`, with " neutralised" behind it where it is so;
    `count` is a number of dice, points or hits, or the number of a combat.
    """
    if action < Action.DRAW_EVENT:
        return ActionParts("step")
    if action < Action.DEAL_CARD:
        return ActionParts("draw", card=EVENTS[action - Action.DRAW_EVENT].id)
    if action < Action.DIE:
        return ActionParts("deal", card=rank_names(ordinary_cards)[action - Action.DEAL_CARD])
    if action < Action.TWO_DICE:
        return ActionParts("die", count=action - Action.DIE + 1)
    if action < Action.DICE_SUM:
        return ActionParts("two_dice", count=lower_die(action) + higher_die(action))
    if action < Action.HITS:
        return ActionParts("sum", count=action - Action.DICE_SUM)
    if action < Action.PLACE:
        return ActionParts("hits", count=action - Action.HITS)
    if action < Action.DECLARE:
        ranks = [rank_names(ordinary_cards)[placed_rank(action, area) - 1] for area in range(N_AREAS)]
        steps = tuple((Ref("area", area), Ref("card", rank)) for area, rank in zip(AREAS, ranks, strict=True))
        return ActionParts("place", card=" ".join(ranks), side=SIDES[_owner(action)], steps=steps)
    if action < Action.DONE:
        turn_type = ("strategic", "combat")[(action - Action.DECLARE) % 2]
        return ActionParts("declare", card=turn_type, side=SIDES[_owner(action)])
    if action in _SINGLE:
        return ActionParts(_SINGLE[action])
    if action < Action.ALLIES:
        return ActionParts("play", card=EVENTS[action - Action.PLAY_EVENT].id)
    if action < Action.AREA:
        return ActionParts("allies", count=action - Action.ALLIES)
    if action < Action.FIRST:
        return ActionParts("area", track=AREAS[action - Action.AREA])
    if action < Action.COUNTRY:
        return ActionParts("first", side=SIDES[action - Action.FIRST])
    if action < Action.PAY_RP:
        country, direction = divmod(action - Action.COUNTRY, 3)
        return ActionParts(DIRECTIONS[direction], track=COUNTRIES[country])
    if action < Action.INFORM:
        kind, first = ("rp", Action.PAY_RP) if action < Action.PAY_PRESTIGE else ("prestige", Action.PAY_PRESTIGE)
        return ActionParts(kind, count=action - first)
    if action < Action.UNIT:
        return ActionParts(INFORMS[action - Action.INFORM])
    if action < Action.ZONE:
        kind, stack = (
            ("unit", action - Action.UNIT)
            if action < Action.RECOVER
            else ("recover", 2 * (action - Action.RECOVER) + 1)
        )
        return ActionParts(kind, card=stack_name(data, stack), place=place_id(data, place_in(stack)))
    if action < Action.FIGHT:
        return ActionParts("zone", place=data.zone[action - Action.ZONE].id)
    group, combat = divmod(action - Action.FIGHT, N_COMBATS)
    return ActionParts("fight", card=COMBATS[combat], count=group + 1)


def stack_name(data: GameData, stack: int) -> str:
    """The unit of a stack: "ru_ground" or "ru_ground neutralised"."""
    return data.unit[type_in(stack)].id + (" neutralised" if stack % 2 else "")


def place_id(data: GameData, place: int) -> str:
    """A zone, "reserve" or "mobilisation"."""
    return BOX_IDS.get(place) or data.zone[place].id
