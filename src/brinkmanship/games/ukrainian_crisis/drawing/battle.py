"""Sketch of an attack: attackers and targets in a zone, their dice, the types of combat, and hits to place."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from babel.numbers import format_decimal, format_percent

from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.drawing.lettering import text, wrap
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, path, rect
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels, labels_for
from brinkmanship.games.ukrainian_crisis.drawing.position import Stack, stack
from brinkmanship.games.ukrainian_crisis.drawing.units import counters
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import stack_of
from brinkmanship.games.ukrainian_crisis.rules.data import COMBATS
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.groups import group_value, is_regular_group
from brinkmanship.games.ukrainian_crisis.rules.names import CombatType
from brinkmanship.games.ukrainian_crisis.rules.state import GROUP, MAX_GROUPS, PLACE, Mark, State, Task
from brinkmanship.games.ukrainian_crisis.rules.steps.combat import HIT_FROM, FightStage, suffered
from brinkmanship.text import Words

MISS = (HIT_FROM - 1) / 6
"""The chance that a die misses."""


class Force(NamedTuple):
    """One side of a combat."""

    side: int
    stacks: tuple[Stack, ...]
    value: int
    """The Combat Value, which is the number of dice rolled."""
    regular: bool
    hits: int | None
    """Hits it has scored that have yet to be placed; None before the dice."""
    suffers: int | None
    """Without dice (10.2): the hits it will take."""


class Combat(NamedTuple):
    """An attack group and its target group, which may have no unit yet."""

    number: int
    attacker: Force
    target: Force | None
    types: tuple[str, ...]
    """The possible types of combat, or the chosen one."""


def sketch(game: UkrainianCrisis, view: State, words: Words, *, layout: LayoutName = "wide") -> str:
    """Draw the combats of the zone in which groups are formed or combats fought, as SVG; "" if there are none."""
    combats = _combats(game, view)
    if not combats:
        return NOTHING
    labels = labels_for(words, game)
    rows, height = _rows(labels, combats, layout)
    return el(
        "svg",
        rows,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_PLANS[layout].wide} {height:g}",
        class_=f"brink battle {layout}",
        role="img",
        aria_label=". ".join(_told(labels, combat) for combat in combats),
        lang=words.language,
    )


def _combats(game: UkrainianCrisis, view: State) -> list[Combat]:
    frames = view.stack[: int(view.depth)]
    battle = next((frame for frame in frames if frame.task == Task.BATTLE), None)
    if battle is None:
        return []
    fight = frames[-1] if frames[-1].task == Task.FIGHT else None
    zone = int(battle.zone)
    groups: dict[int, tuple[Counter[int], Counter[int]]] = {}
    for unit, entry in enumerate(view.unit.tolist()):
        number = entry // GROUP % (MAX_GROUPS + 1)
        if entry >= 0 and number and entry // PLACE == zone:
            unit_type = int(game.rules.type_of[unit])
            sides = groups.setdefault(number, (Counter(), Counter()))
            sides[game.data.unit[unit_type].side == "RU"][stack_of(unit_type, entry & Mark.NEUTRALISED, zone)] += 1
    return [_combat(game, view, number, groups[number], int(battle.side), fight) for number in sorted(groups)]


def _combat(
    game: UkrainianCrisis,
    view: State,
    number: int,
    units: tuple[Counter[int], Counter[int]],
    side: int,
    fight: Any,
) -> Combat:
    rules = game.rules
    now = fight is not None and fight.group == number
    values = [int(group_value(rules, view, who, number)) for who in (side, 1 - side)]
    suffers: tuple[int | None, int | None] = (None, None)
    if rules.options.no_randomness and units[1 - side] and not now:
        suffers = suffered(rules, values[0], values[1], units[1 - side].total())
    hits: tuple[int | None, int | None] = (None, None)
    if now and fight is not None:
        attacker_waits = fight.stage <= FightStage.ATTACKER_HITS  # its hits are placed first
        hits = (int(fight.hits[side]) if attacker_waits else 0, int(fight.hits[1 - side]))
    forces = [
        Force(
            who,
            tuple(stack(game, each, count) for each, count in sorted(units[who].items())),
            values[at],
            bool(is_regular_group(rules, view, who, number)),
            hits[at],
            suffers[at],
        )
        for at, who in enumerate((side, 1 - side))
    ]
    attacker, target = forces
    if now and fight is not None:
        return Combat(number, attacker, target, (COMBATS[fight.combat],))
    if not target.stacks:
        return Combat(number, attacker, None, ())
    other = CombatType.KINETIC if attacker.regular == target.regular else CombatType.ASYMMETRIC
    return Combat(number, attacker, target, (COMBATS[CombatType.SYMBOLIC], COMBATS[other]))


# Texts.


def _facts(labels: Labels, force: Force) -> list[str]:
    kind = labels.say("crisis.group.regular" if force.regular else "crisis.group.irregular")
    facts = [labels.say("crisis.group", value=force.value, kind=kind)] if force.stacks else []
    if force.hits is not None:
        facts += [labels.say("crisis.open_hits", hits=force.hits)] if force.hits else []
    elif force.suffers is not None:
        facts.append(labels.say("crisis.suffers", hits=force.suffers))
    else:
        # Rounded down, so that nothing uncertain seems certain.
        chance = format_percent(int((1 - MISS**force.value) * 100) / 100, locale=labels.language)
        mean = format_decimal(round((1 - MISS) * force.value, 1), locale=labels.language)
        facts += [labels.say("crisis.chance", chance=chance), labels.say("crisis.mean", mean=mean)]
    return facts


def _types(labels: Labels, combat: Combat) -> list[str]:
    return [labels.say(f"crisis.combat.{each}") for each in combat.types]


def _told(labels: Labels, combat: Combat) -> str:
    told = [labels.sentence("crisis.combat_number", number=combat.number)]
    for force in (combat.attacker, combat.target):
        if force is not None:
            said = ", ".join([*labels.stacks(force.stacks), *_facts(labels, force)])
            told.append(f"{labels.sides[force.side]}: {said}")
    return "; ".join([*told, *_types(labels, combat)])


# Drawing: attackers on the left, an arrow with the types of combat, targets on the right.


class _Plan(NamedTuple):
    wide: int
    side: int
    """Width of a side's block; the arrow lies between the two blocks."""
    size: float
    """Font size."""


_PLANS: dict[LayoutName, _Plan] = {"wide": _Plan(920, 370, 12.5), "narrow": _Plan(344, 134, 13)}
_COUNTERS = 20.0
_NUMBER = 22.0
"""Width of the number of a combat, before the counters of its attackers."""
_LINE = 15.5


def _rows(labels: Labels, combats: list[Combat], layout: LayoutName) -> tuple[list[Markup], float]:
    """Return the combats one below the other, and their total height."""
    plan = _PLANS[layout]
    drawn, y = [], 0.0
    for combat in combats:
        right = plan.wide - plan.side
        number = join(
            rect(0, y + 2, 16, 16, "panel", 8), text(8, y + 14.5, str(combat.number), plan.size, "b", "middle")
        )
        units = [
            _counters(combat.attacker, _NUMBER, y, plan.side - _NUMBER),
            _counters(combat.target, right, y, plan.side) if combat.target else _nobody(right, y),
        ]
        said, height = (_below if layout == "narrow" else _beside)(labels, combat, y, plan)
        drawn.append(group(number, units, _arrow(plan.side + 4, right - 8, y + 11), said))
        y += height
    return drawn, y


def _nobody(x: float, y: float) -> Markup:
    return join(rect(x, y + 2, 34, 18, "slot us", 2), text(x + 17, y + 15.5, "?", 13, "b mu", "middle"))


def _counters(force: Force, x: float, y: float, room: float) -> Markup:
    return join(counters(force.stacks, x, y + 2, (room, _COUNTERS), scales=(1.0, 0.8), middle=False))


def _arrow(x: float, right: float, y: float) -> Markup:
    return path(f"M{x:g} {y:g}H{right:g}M{right - 6:g} {y - 4:g}l6 4l-6 4", "line")


def _beside(labels: Labels, combat: Combat, y: float, plan: _Plan) -> tuple[Markup, float]:
    """Draw the text of each side below its counters, and of the combat below the arrow; return it with the height."""
    left, right = plan.side + 4, plan.wide - plan.side
    room = right - 8 - left
    types = " / ".join(_types(labels, combat))
    said = [text(left + room / 2, y + 27, types, plan.size, "b", "middle", room=room)]
    for force, x in ((combat.attacker, _NUMBER), (combat.target, float(right))):
        if force is not None:
            facts = ", ".join(_facts(labels, force))
            said.append(text(x, y + _COUNTERS + 15, facts, plan.size, SIDE_CSS[force.side], room=plan.side - _NUMBER))
    return join(said), 46


def _below(labels: Labels, combat: Combat, y: float, plan: _Plan) -> tuple[Markup, float]:
    """Draw the same on lines of full width, where the columns would be too narrow to read."""
    lines = [(line, "b") for line in wrap(" / ".join(_types(labels, combat)), plan.wide, plan.size, "b") if line]
    for force in (combat.attacker, combat.target):
        if force is not None:
            facts = wrap(", ".join(_facts(labels, force)), plan.wide, plan.size)
            lines += [(line, SIDE_CSS[force.side]) for line in facts]
    top = y + _COUNTERS + _LINE
    said = [text(0, top + at * _LINE, line, plan.size, css) for at, (line, css) in enumerate(lines)]
    return join(said), _COUNTERS + 9 + _LINE * len(lines)
