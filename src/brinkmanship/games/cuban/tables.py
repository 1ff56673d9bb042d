"""Events as rows of integers for the interpreter: `EffectTables` collects them for all cards of a deck."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from enum import IntEnum
from typing import Any

from brinkmanship.engine.record import row_dtype
from brinkmanship.games.cuban import data as d
from brinkmanship.games.cuban.frame import NOBODY, US, USSR


class Op(IntEnum):
    """Kind of an effect."""

    PLACE = 0
    PLACE_UNTIL = 1
    REMOVE = 2
    RELOCATE = 3
    SHIFT = 4
    COMMAND = 5
    PRESTIGE = 6
    MODIFIER = 7
    BAN = 8
    EXCHANGE = 9
    TAKE = 10
    CHOOSE = 11
    MOVE = 12


_OPS = {
    d.Place: Op.PLACE,
    d.PlaceUntil: Op.PLACE_UNTIL,
    d.Remove: Op.REMOVE,
    d.Relocate: Op.RELOCATE,
    d.Shift: Op.SHIFT,
    d.Command: Op.COMMAND,
    d.Prestige: Op.PRESTIGE,
    d.Modifier: Op.MODIFIER,
    d.DeflationBan: Op.BAN,
    d.ExchangeHand: Op.EXCHANGE,
    d.TakeCard: Op.TAKE,
    d.Choose: Op.CHOOSE,
    d.Move: Op.MOVE,
}


class Party(IntEnum):
    """Party that an effect refers to."""

    US = US
    USSR = USSR
    ACTOR = 2
    OPPONENT = 3
    TV_LEADER = 4


class Filter(IntEnum):
    """Bits: conditions on the cubes of a battleground; all that are set must hold."""

    HAS_CUBES = 1
    HAS_NO_CUBES = 2
    OTHER_HAS_CUBES = 4
    OTHER_HAS_NO_CUBES = 8


class InArea(IntEnum):
    """Bits: areas of a battleground, as the chooser sees them; none: anywhere."""

    OWN = 1
    NEUTRAL = 2
    OPPONENTS = 4


class Movement(IntEnum):
    """Rule for the movement of battlegrounds whose cubes an effect moves."""

    AS_USUAL = 0
    NONE = 1
    AS_CHOSEN = 2


class Pick(IntEnum):
    """Selection of tracks for a shift."""

    ONE = 0
    ALL = 1
    UP_TO_TWO = 2
    HIGHEST = 3


class Direction(IntEnum):
    """Bits: directions in which a shift moves a marker."""

    UP = 1
    DOWN = 2


class Way(IntEnum):
    """Bits: directions in which a move takes a battleground, as its owner sees them."""

    TOWARD = 1
    AWAY = 2
    TO_NEUTRAL = 4


class Amount(IntEnum):
    """Rule for the amount of an effect."""

    FREELY = 0
    HALF_UP = 1
    AS_MOVED = 2
    IN_FULL = 3  # a move of `exactly` its number of steps


class Stop(IntEnum):
    """Bits: conditions that end a `place_until`."""

    LEADS_BY_1 = 1
    PLACE_FULL = 2
    SUPPLY_EMPTY = 4


class If(IntEnum):
    """Subject of a condition, with the meaning of its numbers a, b, c."""

    LEADER = 0  # place
    IN_AREA = 1  # side, track, area
    HIGHER = 2  # side, other side, track
    CUBES = 3  # side, place, cubes


# The words of the data file for them; a word for several members is not a member itself.
PARTIES = {party.name.lower(): party for party in Party}
_FILTERS = {
    "of_has_cubes": Filter.HAS_CUBES,
    "of_has_no_cubes": Filter.HAS_NO_CUBES,
    "other_has_cubes": Filter.OTHER_HAS_CUBES,
    "other_has_no_cubes": Filter.OTHER_HAS_NO_CUBES,
}
_AREAS = {"own": InArea.OWN, "neutral": InArea.NEUTRAL, "opponent": InArea.OPPONENTS}
_MOVEMENTS = {"normal": Movement.AS_USUAL, "none": Movement.NONE, "choose": Movement.AS_CHOSEN}
_PICKS = {pick.name.lower(): pick for pick in Pick}
_DIRECTIONS = {"up": Direction.UP, "down": Direction.DOWN, "either": Direction.UP | Direction.DOWN}
_WAYS = {"toward": Way.TOWARD, "away": Way.AWAY, "either": Way.TOWARD | Way.AWAY, "neutral": Way.TO_NEUTRAL}
_STOPS = {"leads_by_1": Stop.LEADS_BY_1, "battleground_full": Stop.PLACE_FULL, "supply_empty": Stop.SUPPLY_EMPTY}

NO_LIMIT = 99


@dataclass(slots=True)
class EffectRow:
    """One effect of an event, a row of `Rules.effects`."""

    op: int  # Op
    by: int  # Party
    of: int  # Party
    where: int  # bits: battlegrounds or, for a shift, tracks
    condition: int  # row of `Rules.conditions`, NOBODY for none
    optional: int
    sites: int
    filter: int = 0  # bits of Filter
    least: int = 0
    most: int = 0  # of a Prestige gain or modifier: the amount
    each: int = 0
    pick: int = 0  # Pick
    direction: int = 0  # bits: of a shift Direction, of a move Way
    place_only: int = 0
    amount: int = 0  # Amount
    stops: int = 0  # bits of Stop
    branches: int = 0  # first row of `Rules.branches`
    branch_count: int = 0
    next: int = 0  # the effect after this one, NOBODY at the end
    areas: int = 0  # bits of InArea
    movement: int = 0  # Movement


@dataclass(slots=True)
class BranchRow:
    """One alternative of a choice, a row of `Rules.branches`."""

    effect: int  # its first effect
    condition: int  # condition that it requires, NOBODY for none


@dataclass(slots=True)
class ConditionRow:
    """A row of `Rules.conditions`."""

    kind: int  # If
    a: int
    b: int = 0
    c: int = 0


def event_tables(cards: int) -> list[tuple[str, Any, int]]:
    """Return the fields of `Rules` that hold the events of this number of cards."""
    effects = cards * d.MAX_EFFECTS_PER_CARD
    return [
        ("effects", row_dtype(EffectRow), effects),
        ("branches", row_dtype(BranchRow), effects),
        ("conditions", row_dtype(ConditionRow), 2 * effects),
    ]


class EffectTables(ABC):
    """Collector of the rows of effects, branches and conditions of all cards; each game adds its places and tests."""

    def __init__(self) -> None:
        self.rows: list[EffectRow] = []
        self.branches: list[BranchRow] = []
        self.conditions: list[ConditionRow] = []

    @abstractmethod
    def where(self, names: Sequence[str]) -> int:
        """Return the battlegrounds that ids and group names stand for, as bits; without names, all of them."""

    @abstractmethod
    def condition(self, condition: d.Condition) -> ConditionRow:
        """Return the row of a condition."""

    @abstractmethod
    def own_effect(self, effect: d.AnyEffect, row: EffectRow) -> None:
        """Fill in the parts of an effect that only one game has."""

    def write(self, rules: Any) -> None:
        """Fill in the fields of `event_tables`."""
        for index, effect in enumerate(self.rows):
            rules.effects[index] = astuple(effect)
        for index, branch in enumerate(self.branches):
            rules.branches[index] = astuple(branch)
        for index, condition in enumerate(self.conditions):
            rules.conditions[index] = astuple(condition)

    def add_event(self, effects: Sequence[d.AnyEffect], after: int = NOBODY) -> int:
        """Append a list of effects that leads on to the row `after`; return its first row."""
        first = len(self.rows)
        rows = [self._row(effect) for effect in effects]
        for offset, row in enumerate(rows):
            row.next = after if offset == len(rows) - 1 else first + offset + 1
        self.rows += rows
        for effect, row in zip(effects, rows, strict=True):
            if isinstance(effect, d.Choose):
                self._add_branches(effect, row)
        return first

    def _add_branches(self, effect: d.Choose, row: EffectRow) -> None:
        branches = []
        for branch in effect.options:
            first = self.add_event(branch.effects, after=row.next) if branch.effects else row.next
            branches.append(BranchRow(first, self._condition(branch.requires)))
        row.branches, row.branch_count = len(self.branches), len(branches)
        self.branches += branches

    def _condition(self, condition: d.Condition | None) -> int:
        if condition is None:
            return NOBODY
        self.conditions.append(self.condition(condition))
        return len(self.conditions) - 1

    def _row(self, effect: d.AnyEffect) -> EffectRow:
        sites = getattr(effect, "sites", None)
        row = EffectRow(
            op=_OPS[type(effect)],
            by=PARTIES[getattr(effect, "by", "actor")],
            of=PARTIES[getattr(effect, "of", "actor")],
            where=self.where(getattr(effect, "where", [])),
            condition=self._condition(effect.condition),
            optional=getattr(effect, "optional", False),
            sites=NO_LIMIT if sites is None else sites,
        )
        match effect:
            case d.Place():
                row.filter, row.areas, row.movement = _narrowed(effect)
                row.each = NO_LIMIT if effect.each is None else effect.each
                row.least, row.most = span(effect)
            case d.Remove():
                row.filter, row.areas, row.movement = _narrowed(effect)
                row.amount = Amount.HALF_UP if effect.amount else Amount.FREELY
                row.least, row.most = span(effect)
            case d.Relocate():
                row.most = effect.max
            case d.Command():
                row.most = effect.n
                row.place_only = effect.place_only
            case d.Move():
                row.filter, row.areas, _ = _narrowed(effect)
                row.direction = _WAYS[effect.dir]
                row.amount = Amount.FREELY if effect.exactly is None else Amount.IN_FULL
                row.most = (effect.max or 0) if effect.exactly is None else effect.exactly
            case d.PlaceUntil():
                row.stops = sum(_STOPS[stop] for stop in set(effect.stop))
            case d.Shift():
                row.pick = _PICKS[effect.pick]
                row.direction = _DIRECTIONS[effect.dir]
                row.amount = Amount.AS_MOVED if effect.steps else Amount.FREELY
                row.least, row.most = span(effect)
            case d.Prestige():
                row.most = effect.exactly
            case d.Modifier():
                row.most = effect.delta
                row.least = effect.floor or 0
        self.own_effect(effect, row)
        return row


def _narrowed(effect: d.Place | d.Remove | d.Move) -> tuple[int, int, int]:
    filters = [effect.filter] if isinstance(effect.filter, str) else effect.filter or []
    areas = sum(_AREAS[area] for area in set(effect.area))
    movement = _MOVEMENTS[getattr(effect, "movement", "normal")]
    return sum(_FILTERS[one] for one in set(filters)), areas, movement


def span(effect: d.Place | d.Remove | d.Shift) -> tuple[int, int]:
    """Return the minimum and maximum amount of an effect."""
    if effect.exactly is not None:
        return effect.exactly, effect.exactly
    if effect.max is None or effect.max == "all":
        return effect.min, NO_LIMIT
    return effect.min, effect.max


def bits(indexes: Sequence[int]) -> int:
    """Return a set of small numbers as a bit mask."""
    return sum(1 << index for index in set(indexes))
