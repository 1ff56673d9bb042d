"""The position as drawings need it, read once from a side's view: plain numbers and ids, nothing hidden."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from brinkmanship.games.ukrainian_crisis.rules.action_numbers import stack_of, type_in
from brinkmanship.games.ukrainian_crisis.rules.data import AREAS, COUNTRIES, EVENTS
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA, Event
from brinkmanship.games.ukrainian_crisis.rules.phrases import frame_of
from brinkmanship.games.ukrainian_crisis.rules.state import PLACE, REASONS, EventPlace, Mark, Node, Place, State
from brinkmanship.games.ukrainian_crisis.rules.victory import points_of_prestige, points_of_zones


class Stack(NamedTuple):
    """Identical units in one place."""

    unit: str
    """Its id in the scenario: "ru_ground"."""
    side: int
    type: str
    kind: str
    neutralised: bool
    size: int
    """Number of units."""
    cv: int
    """The Combat Value of each in this condition; 0 for units that never fight, and for counters of several sorts."""

    @property
    def name(self) -> str:
        """Name in actions: "ru_ground neutralised"; empty for counters of several sorts."""
        return f"{self.unit} neutralised" if self.unit and self.neutralised else self.unit


class Score(NamedTuple):
    """A side's current Victory Points, by source."""

    prestige: int
    zones: int

    @property
    def total(self) -> int:
        """The sum of all Victory Points."""
        return self.prestige + self.zones


@dataclass(frozen=True)
class DrawnPosition:
    """A view in plain values. Pairs are (Ukraine, Russia)."""

    side: int
    """The viewing side: 0, 1, or `OBSERVER`."""
    turn: int
    turns: int
    turn_type: int
    """-1 not fixed, 0 Strategic, 1 Combat."""
    combat_turns: int
    prestige: tuple[int, int]
    scores: tuple[Score, Score]
    rp: tuple[int, int]
    """Resource Points of the area or half in progress, with those of an event."""
    ally_rp: int
    boxes: dict[str, int]
    """The box of each country, from 1; 0 once it has left."""
    stacks: dict[int, tuple[Stack, ...]]
    """Stacks by place, in the order of the scenario, Ukraine first."""
    pack: tuple[tuple[int, ...], tuple[int, ...]]
    matrix: tuple[tuple[int, ...], tuple[int, ...]]
    """The ranks of the cards in the three areas, from 1; 0 none, -1 face down."""
    face_up: tuple[bool, ...]
    order: tuple[int, ...]
    """The areas in the order the leader has fixed so far."""
    area: int
    """The area in progress, or -1."""
    segments: int
    half: int
    held: tuple[int, int]
    held_known: tuple[str | None, str | None]
    """The Event Card a side holds, if the viewer knows it."""
    immediate: tuple[str, ...]
    """Immediate Event Cards being resolved."""
    opened: int
    union: int
    """Zones, as bits."""
    pending: tuple[bool, bool]
    names_enemy_units: bool
    """True if units of the opponent's boxes are being chosen (K of diamonds)."""
    over: bool
    winner: int
    level: str

    def at(self, place: int, side: int) -> tuple[Stack, ...]:
        """Return a side's stacks in a place."""
        return tuple(stack for stack in self.stacks.get(place, ()) if stack.side == side)

    def strength(self, place: int, side: int) -> int:
        """Return the Combat Value of a side in a place."""
        return sum(stack.size * stack.cv for stack in self.at(place, side))

    def controller(self, zone: int) -> int | None:
        """Return the only side with units that are neither neutralised nor Special Forces (R44), or None."""
        able = {s.side for s in self.stacks.get(zone, ()) if not s.neutralised and s.kind != "special"}
        return able.pop() if len(able) == 1 else None


def read(game: UkrainianCrisis, view: State, side: int) -> DrawnPosition:
    """Return the position in a view of `side` (or of the observer)."""
    over = int(view.node) == Node.OVER
    pending = 0 if over else int(game.pending(game.rules, view))
    events = view.event.tolist()

    def both(name: str) -> tuple[int, int]:
        ua, ru = view[name].tolist()
        return ua, ru

    def held(owner: int) -> str | None:
        return next((c.id for c, at in zip(EVENTS, events, strict=True) if at == EventPlace.HELD + owner), None)

    def rows(name: str, length: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        ua, ru = view[name].tolist()
        return tuple(ua[:length]), tuple(ru[:length])

    def score(owner: int) -> Score:
        return Score(int(points_of_prestige(view, owner)), int(points_of_zones(game.rules, view, owner)))

    points, bonus = both("rp"), both("bonus")
    fixed = int(view.ordered)
    return DrawnPosition(
        side=side,
        turn=int(view.turn),
        turns=game.data.start.turns,
        turn_type=int(view.turn_type),
        combat_turns=int(view.combat_turns),
        prestige=both("prestige"),
        scores=(score(UA), score(RU)),
        rp=(points[UA] + bonus[UA], points[RU] + bonus[RU]),
        ally_rp=int(view.ally_rp),
        boxes=dict(zip(COUNTRIES, view.box.tolist(), strict=True)),
        stacks=_stacks(game, view),
        pack=rows("pack", len(game.ranks)),
        matrix=rows("matrix", len(AREAS)),
        face_up=tuple(up == 1 for up in view.face_up.tolist()),
        order=tuple(view.order.tolist()[:fixed]),
        area=int(view.area),
        segments=int(view.segments),
        half=int(view.half),
        held=both("held"),
        held_known=(held(UA), held(RU)),
        immediate=tuple(
            c.id
            for c, at in zip(EVENTS, events, strict=True)
            if at in (EventPlace.DRAWN_IMMEDIATE, EventPlace.DRAWN_IMMEDIATE + 1)
        ),
        opened=int(view.opened),
        union=int(view.union),
        pending=(bool(pending & 1), bool(pending & 2)),
        names_enemy_units=int(view.node) == Node.EVENT_UNIT and int(frame_of(view).event) == Event.UNIT_NOT_READY,
        over=over,
        winner=int(view.winner),
        level=REASONS[int(view.level)],
    )


def stack(game: UkrainianCrisis, number: int, size: int) -> Stack:
    """Return the stack of a number (`action_numbers.stack_of`) with `size` units."""
    unit = game.data.unit[type_in(number)]
    owner = UA if unit.side == "UA" else RU
    neutralised = bool(number % 2)
    cv = unit.cv_neutralised if neutralised else unit.cv
    return Stack(unit.id, owner, unit.type, unit.kind, neutralised, size, cv or 0)


def _stacks(game: UkrainianCrisis, view: State) -> dict[int, tuple[Stack, ...]]:
    found: Counter[tuple[int, int, int]] = Counter()
    for entry, unit_type in zip(view.unit.tolist(), game.rules.type_of.tolist(), strict=True):
        if entry != Place.NOWHERE:
            found[entry // PLACE, unit_type, entry & Mark.NEUTRALISED] += 1
    places: dict[int, list[Stack]] = {}
    for place, unit_type, neutralised in sorted(found):
        count = found[place, unit_type, neutralised]
        places.setdefault(place, []).append(stack(game, stack_of(unit_type, neutralised, place), count))
    return {place: tuple(sorted(stacks, key=lambda stack: stack.side)) for place, stacks in places.items()}
