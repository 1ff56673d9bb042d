"""Phrases that several steps use: things with their names, and changes between two positions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import BOX_IDS, place_in, placed_rank, stack_of, type_in
from brinkmanship.games.ukrainian_crisis.rules.data import AREAS, BOXES, COUNTRIES, CRITICAL_EVENTS, EVENTS, SIDES
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, N_COUNTRIES, RU, UA
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import PLACE, REASONS, Mark, State
from brinkmanship.games.ukrainian_crisis.rules.victory import points_of_prestige, points_of_zones

# Things with names.


def the_side(side: int) -> Ref:
    """Return a side."""
    return Ref("side", SIDES[side])


def the_zone(game: UkrainianCrisisRuleset, zone: int) -> Ref:
    """Return a zone of the map."""
    return Ref("zone", game.data.zone[zone].id)


def the_place(game: UkrainianCrisisRuleset, place: int) -> Ref:
    """Return a zone, or one of the two boxes of units."""
    return Ref("place", BOX_IDS[place]) if place in BOX_IDS else the_zone(game, place)


def the_country(country: int) -> Ref:
    """Return a country of the relations track."""
    return Ref("country", COUNTRIES[country])


def the_box(box: int) -> Ref:
    """Return a box of the relations track, from 1."""
    return Ref("box", BOXES[box - 1])


def the_area(area: int) -> Ref:
    """Return an area of the card matrix."""
    return Ref("area", AREAS[area])


def the_event(event: int) -> Ref:
    """Return an Event Card."""
    return Ref("event", EVENTS[event].id)


def the_critical(doubles: int) -> Ref:
    """Return the critical event of doubles, 1 to 6."""
    return Ref("critical", CRITICAL_EVENTS[doubles - 1])


def the_card(game: UkrainianCrisisRuleset, rank: int) -> Ref:
    """Return a Resource Card by its rank, from 1: its class, or its number (10.1)."""
    return Ref("card", game.ranks[rank - 1])


def the_unit(game: UkrainianCrisisRuleset, stack: int) -> Argument:
    """Return a unit of a stack: its type, and whether it is neutralised."""
    unit = Ref("unit", game.data.unit[type_in(stack)].id)
    return Message("unit.neutralised", {"unit": unit}) if stack % 2 else unit


def the_stack(game: UkrainianCrisisRuleset, stack: int) -> dict[str, Argument]:
    """Return a unit of a stack and its place, as arguments."""
    return {"unit": the_unit(game, stack), "place": the_place(game, place_in(stack))}


def the_placement(game: UkrainianCrisisRuleset, action: int) -> dict[str, Argument]:
    """Return the three cards that an action places, as arguments."""
    return {AREAS[area]: the_card(game, placed_rank(action, area)) for area in range(N_AREAS)}


def the_chance(chance: Fraction) -> Message:
    """Return a chance in whole per cent; only a certain outcome reads as 100, only an impossible one as 0."""
    if chance in (0, 1):
        return Message("chance.certain" if chance else "chance.none")
    return Message("chance.percent", {"percent": min(max(round(chance * 100), 1), 99)})


def frame_of(view: State) -> Any:
    """Return the innermost task."""
    return view.stack[view.depth - 1]


# Changes between two positions.


def prestige_changes(before: State, after: State) -> list[Message]:
    """Return the Prestige of each side that has changed."""
    changes = []
    for side in (UA, RU):
        old, new = int(before.prestige[side]), int(after.prestige[side])
        if old != new:
            changes.append(
                Message("change.prestige", {"side": the_side(side), "before": old, "after": new, "by": new - old})
            )
    return changes


def box_changes(before: State, after: State) -> list[Message]:
    """Return the countries whose marker changed its box, or left the game."""
    changes = []
    for country in range(N_COUNTRIES):
        old, new = int(before.box[country]), int(after.box[country])
        if new == 0 != old:
            changes.append(Message("change.gone", {"country": the_country(country)}))
        elif old != new:
            boxes = {"before": the_box(old), "after": the_box(new)}
            changes.append(Message("change.box", {"country": the_country(country), **boxes}))
    return changes


def zone_changes(game: UkrainianCrisisRuleset, before: State, after: State) -> list[Message]:
    """Return the neutral states that have opened, and the zones that Union took."""
    changes = []
    for key, old, new in (
        ("change.opened", before.opened, after.opened),
        ("change.union", before.union, after.union),
    ):
        added = int(new) & ~int(old)
        zones = [zone for zone in range(len(game.data.zone)) if added >> zone & 1]
        changes += [Message(key, {"zone": the_zone(game, zone)}) for zone in zones]
    return changes


def unit_changes(game: UkrainianCrisisRuleset, before: State, after: State) -> list[Message]:
    """Return the units that were neutralised or eliminated in place, type by type and zone by zone."""
    old, new = stacks(game, before), stacks(game, after)
    changes = []
    for place in range(len(game.data.zone)):
        for unit_type, unit in enumerate(game.data.unit):
            full, neutralised = (stack_of(unit_type, condition, place) for condition in (0, 1))
            eliminated = old[full] + old[neutralised] - new[full] - new[neutralised]
            turned = old[full] - new[full] - max(eliminated - old[neutralised], 0)
            for key, number in (("change.neutralised", turned), ("change.eliminated", eliminated)):
                if number > 0:
                    who: dict[str, Argument] = {"n": number, "unit": Ref("unit", unit.id)}
                    changes.append(Message(key, {**who, "zone": the_zone(game, place)}))
    return changes


def stacks(game: UkrainianCrisisRuleset, state: State) -> Counter[int]:
    """Return the number of units in each stack."""
    return Counter(
        stack_of(int(game.rules.type_of[unit]), entry & Mark.NEUTRALISED, entry // PLACE)
        for unit, entry in enumerate(state.unit.tolist())
        if entry >= 0
    )


# The end.


def score(game: UkrainianCrisisRuleset, view: State, side: int) -> Message:
    """Return a side's current Victory Points, with their sources (9.0)."""
    prestige, zones = int(points_of_prestige(view, side)), int(points_of_zones(game.rules, view, side))
    parts: dict[str, Argument] = {"prestige": prestige, "zones": zones, "whole": int(view.prestige[side])}
    key = "log.score.halved" if view.combat_turns else "log.score.whole"
    return Message(key, {"side": the_side(side), "n": prestige + zones, **parts})


def ending(view: State) -> Message:
    """Return the winner, the level of the victory, and both sides' Victory Points."""
    points: dict[str, Argument] = {"ua": int(view.vp[UA]), "ru": int(view.vp[RU])}
    key = f"log.end.{REASONS[view.level]}"
    if view.winner < 0:
        return Message(key, points)
    return Message(key, points | {"who": the_side(int(view.winner))})
