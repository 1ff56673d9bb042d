"""Events as rows of integers, which the interpreter reads: `EffectTables` collects them for all cards of a deck."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from brinkmanship.games.events import data as d
from brinkmanship.games.events.frame import NOBODY, US, USSR

# Operations, column OP of `Rules.effects`.
OP_PLACE = 0
OP_PLACE_UNTIL = 1
OP_REMOVE = 2
OP_RELOCATE = 3
OP_SHIFT = 4
OP_COMMAND = 5
OP_PRESTIGE = 6
OP_MODIFIER = 7
OP_BAN = 8
OP_EXCHANGE = 9
OP_TAKE = 10
OP_CHOOSE = 11
OP_MOVE = 12
_OPS = {
    d.Place: OP_PLACE,
    d.PlaceUntil: OP_PLACE_UNTIL,
    d.Remove: OP_REMOVE,
    d.Relocate: OP_RELOCATE,
    d.Shift: OP_SHIFT,
    d.Command: OP_COMMAND,
    d.Prestige: OP_PRESTIGE,
    d.Modifier: OP_MODIFIER,
    d.DeflationBan: OP_BAN,
    d.ExchangeHand: OP_EXCHANGE,
    d.TakeCard: OP_TAKE,
    d.Choose: OP_CHOOSE,
    d.Move: OP_MOVE,
}

# Parties, columns BY and OF. US and USSR are 0 and 1.
P_ACTOR = 2
P_OPPONENT = 3
P_TV_LEADER = 4
PARTIES = {"us": US, "ussr": USSR, "actor": P_ACTOR, "opponent": P_OPPONENT, "tv_leader": P_TV_LEADER}

# Columns of `Rules.effects`.
OP = 0
BY = 1
OF = 2
WHERE = 3  # bits: battlegrounds or, for a shift, tracks
FILTER = 4  # bits: HAS_CUBES .. OTHER_HAS_NO_CUBES, all must hold
MIN = 5
MAX = 6  # of a Prestige gain or modifier: the amount
EACH = 7
SITES = 8
PICK = 9
DIRECTION = 10  # bits: of a shift GOES_UP, GOES_DOWN, of a move TOWARD, AWAY, TO_NEUTRAL
PLACE_ONLY = 11
OPTIONAL = 12
AMOUNT = 13  # FREELY, HALF_UP, AS_MOVED, IN_FULL
STOPS = 14  # bits: LEADS_BY_1, PLACE_FULL, SUPPLY_EMPTY
BRANCHES = 15  # first row of `Rules.branches`
N_BRANCHES = 16
NEXT = 17  # the effect after this one, NOBODY at the end
IF = 18  # row of `Rules.conditions`, NOBODY for none
AREAS = 19  # bits: IN_OWN_AREA, IN_NEUTRAL_AREA, IN_OPPONENTS_AREA; 0: any
MOVEMENT = 20  # MOVES_AS_USUAL, NO_MOVEMENT, MOVES_AS_CHOSEN
EFFECT_COLUMNS = 21

HAS_CUBES = 1
HAS_NO_CUBES = 2
OTHER_HAS_CUBES = 4
OTHER_HAS_NO_CUBES = 8
_FILTERS = {
    "of_has_cubes": HAS_CUBES,
    "of_has_no_cubes": HAS_NO_CUBES,
    "other_has_cubes": OTHER_HAS_CUBES,
    "other_has_no_cubes": OTHER_HAS_NO_CUBES,
}
IN_OWN_AREA = 1
IN_NEUTRAL_AREA = 2
IN_OPPONENTS_AREA = 4
_AREAS = {"own": IN_OWN_AREA, "neutral": IN_NEUTRAL_AREA, "opponent": IN_OPPONENTS_AREA}
MOVES_AS_USUAL = 0
NO_MOVEMENT = 1
MOVES_AS_CHOSEN = 2
_MOVEMENTS = {"normal": MOVES_AS_USUAL, "none": NO_MOVEMENT, "choose": MOVES_AS_CHOSEN}
ONE = 0
ALL = 1
UP_TO_TWO = 2
HIGHEST = 3
_PICKS = {"one": ONE, "all": ALL, "up_to_two": UP_TO_TWO, "highest": HIGHEST}
GOES_UP = 1
GOES_DOWN = 2
_DIRECTIONS = {"up": GOES_UP, "down": GOES_DOWN, "either": GOES_UP | GOES_DOWN}
TOWARD = 1
AWAY = 2
TO_NEUTRAL = 4
_WAYS = {"toward": TOWARD, "away": AWAY, "either": TOWARD | AWAY, "neutral": TO_NEUTRAL}
FREELY = 0
HALF_UP = 1
AS_MOVED = 2
IN_FULL = 3  # a move of `exactly` so many steps
LEADS_BY_1 = 1
PLACE_FULL = 2
SUPPLY_EMPTY = 4
_STOPS = {"leads_by_1": LEADS_BY_1, "battleground_full": PLACE_FULL, "supply_empty": SUPPLY_EMPTY}
NO_LIMIT = 99

# Conditions, column 0 of `Rules.conditions`, with the meaning of the columns 1 to 3.
IF_LEADER = 0  # place
IF_IN_AREA = 1  # side, track, area
IF_HIGHER = 2  # side, other side, track
IF_CUBES = 3  # side, place, cubes

# Columns of `Rules.cards`; a game may have one of its own in place of C_OWN.
C_SIDE = 0
C_CUBES = 1
C_OWN = 2
C_EVENT = 3  # first row of its effects
C_EVENT_END = 4  # one past the last row of its effects, branches included
CARD_COLUMNS = 5


class EffectTables(ABC):
    """Collects the rows of effects, branches and conditions of all cards; each game knows its own places and tests."""

    def __init__(self) -> None:
        self.rows: list[list[int]] = []
        self.branches: list[tuple[int, int]] = []
        self.conditions: list[tuple[int, int, int, int]] = []

    @abstractmethod
    def where(self, names: Sequence[str]) -> int:
        """The battlegrounds that ids and group names stand for, as bits; no names at all mean all of them."""

    @abstractmethod
    def condition(self, condition: d.Condition) -> tuple[int, int, int, int]:
        """The row of a condition."""

    @abstractmethod
    def own_effect(self, effect: d.AnyEffect, row: list[int]) -> None:
        """Fill in what only one game knows of an effect."""

    def add_event(self, effects: Sequence[d.AnyEffect], after: int = NOBODY) -> int:
        """Append a list of effects that leads on to the row `after`; returns its first row."""
        first = len(self.rows)
        rows = [self._row(effect) for effect in effects]
        for offset, row in enumerate(rows):
            row[NEXT] = after if offset == len(rows) - 1 else first + offset + 1
        self.rows += rows
        for effect, row in zip(effects, rows, strict=True):
            if isinstance(effect, d.Choose):
                self._add_branches(effect, row)
        return first

    def _add_branches(self, effect: d.Choose, row: list[int]) -> None:
        branches = []
        for branch in effect.options:
            first = self.add_event(branch.effects, after=row[NEXT]) if branch.effects else row[NEXT]
            branches.append((first, self._condition(branch.requires)))
        row[BRANCHES], row[N_BRANCHES] = len(self.branches), len(branches)
        self.branches += branches

    def _condition(self, condition: d.Condition | None) -> int:
        if condition is None:
            return NOBODY
        self.conditions.append(self.condition(condition))
        return len(self.conditions) - 1

    def _row(self, effect: d.AnyEffect) -> list[int]:
        row = [0] * EFFECT_COLUMNS
        row[OP] = _OPS[type(effect)]
        row[IF] = self._condition(effect.condition)
        row[BY] = PARTIES[getattr(effect, "by", "actor")]
        row[OF] = PARTIES[getattr(effect, "of", "actor")]
        row[OPTIONAL] = getattr(effect, "optional", False)
        row[WHERE] = self.where(getattr(effect, "where", []))
        sites = getattr(effect, "sites", None)
        row[SITES] = NO_LIMIT if sites is None else sites
        match effect:
            case d.Place():
                row[FILTER], row[AREAS], row[MOVEMENT] = _narrowed(effect)
                row[EACH] = NO_LIMIT if effect.each is None else effect.each
                row[MIN], row[MAX] = span(effect)
            case d.Remove():
                row[FILTER], row[AREAS], row[MOVEMENT] = _narrowed(effect)
                row[AMOUNT] = HALF_UP if effect.amount else FREELY
                row[MIN], row[MAX] = span(effect)
            case d.Relocate():
                row[MAX] = effect.max
            case d.Command():
                row[MAX] = effect.n
                row[PLACE_ONLY] = effect.place_only
            case d.Move():
                row[FILTER], row[AREAS], _ = _narrowed(effect)
                row[DIRECTION] = _WAYS[effect.dir]
                row[AMOUNT] = FREELY if effect.exactly is None else IN_FULL
                row[MAX] = (effect.max or 0) if effect.exactly is None else effect.exactly
            case d.PlaceUntil():
                row[STOPS] = sum(_STOPS[stop] for stop in set(effect.stop))
            case d.Shift():
                row[PICK] = _PICKS[effect.pick]
                row[DIRECTION] = _DIRECTIONS[effect.dir]
                row[AMOUNT] = AS_MOVED if effect.steps else FREELY
                row[MIN], row[MAX] = span(effect)
            case d.Prestige():
                row[MAX] = effect.exactly
            case d.Modifier():
                row[MAX] = effect.delta
                row[MIN] = effect.floor or 0
        self.own_effect(effect, row)
        return row


def _narrowed(effect: d.Place | d.Remove | d.Move) -> tuple[int, int, int]:
    filters = [effect.filter] if isinstance(effect.filter, str) else effect.filter or []
    areas = sum(_AREAS[area] for area in set(effect.area))
    movement = _MOVEMENTS[getattr(effect, "movement", "normal")]
    return sum(_FILTERS[one] for one in set(filters)), areas, movement


def span(effect: d.Place | d.Remove | d.Shift) -> tuple[int, int]:
    """The fewest and the most that an effect gives."""
    if effect.exactly is not None:
        return effect.exactly, effect.exactly
    if effect.max is None or effect.max == "all":
        return effect.min, NO_LIMIT
    return effect.min, effect.max


def bits(indexes: Sequence[int]) -> int:
    """A set of small numbers as the bits of one."""
    return sum(1 << index for index in set(indexes))
