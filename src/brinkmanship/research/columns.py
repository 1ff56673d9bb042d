"""How the fields of a game's record become columns: what is a number, what names one of several things, what is bits.

A field that is not named here is a number and takes one column. Only what is *named* by a number is spread out, one
column for each thing, so that no program takes card 7 for more than card 6. Index ranges are those of the games'
``state.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import NamedTuple

from brinkmanship.engine.game import OVER, Game


class Kind(IntEnum):
    """What the columns of a part of a field hold."""

    NUMBER = 0  # one column: the number itself
    ONE_OF = 1  # a column for each value from `low` on: 1 in that of the value, else 0
    BITS = 2  # a column for each bit from the lowest on


class Part(NamedTuple):
    """A part of a number of the record, and its columns."""

    kind: Kind
    low: int = 0
    width: int = 1
    """Columns."""
    shift: int = 0
    bits: int = 0
    """Where only some bits are meant: so many, from bit `shift` on. 0: the whole number."""
    name: str = ""
    """Of the part, where a field has several."""


Code = tuple[Part, ...]
"""How a number of the record is spread out."""

NUMBER: Code = (Part(Kind.NUMBER),)


def one_of(low: int, high: int) -> Code:
    """A number that names one of ``high - low + 1`` things."""
    return (Part(Kind.ONE_OF, low, high - low + 1),)


def bits(count: int) -> Code:
    """A set of things, a bit each."""
    return (Part(Kind.BITS, 0, count),)


def _side(low: int = 0) -> Code:
    return one_of(low, 1)


def codes_of(game: Game) -> Mapping[str, Code]:
    """The codes of a game's fields by their names, ``stack.card`` for the field of a row within the record.

    A game of another package has numbers only, apart from who is asked.
    """
    known = _CODES.get(game.id)
    return known() if known else {"mover": one_of(0, OVER)}


def _frame(cards: int, effects: int) -> Mapping[str, Code]:
    """A card in play, of both Cuban games."""
    from brinkmanship.games.cuban.frame import Mode, Stage, TurnStep

    return {
        "stack.card": one_of(0, cards - 1),
        "stack.player": _side(),
        "stack.mode": one_of(0, len(Mode) - 1),
        "stack.step": one_of(0, len(TurnStep) - 1),
        "stack.actor": _side(-1),
        "stack.stage": one_of(0, len(Stage) - 1),
        "stack.touched": bits(effects),
        "stack.qualified": bits(effects),
        "stack.conditions": bits(16),
        "stack.chooser": _side(-1),
        "stack.owner": _side(-1),
    }


def _thirteen_days() -> Mapping[str, Code]:
    from brinkmanship.games.thirteen_days.rules.data import MAX_AGENDAS, MAX_CARDS
    from brinkmanship.games.thirteen_days.rules.state import HIDDEN, N_PLACES, CardIs, Node, Reason

    return {
        "letter": _side(),
        "first": _side(-1),
        "node": one_of(0, len(Node) - 1),
        "mover": one_of(0, OVER),
        "drawer": _side(-1),
        "winner": _side(-1),
        "reason": one_of(0, len(Reason) - 1),
        "chosen": one_of(HIDDEN, MAX_AGENDAS - 1),
        "card": one_of(0, max(CardIs)),
        **_frame(MAX_CARDS, N_PLACES),
        "stack.taken_card": one_of(HIDDEN, MAX_CARDS - 1),
    }


def _thirteen_minutes() -> Mapping[str, Code]:
    from brinkmanship.games.thirteen_minutes.rules.state import N_CARDS, N_PLACES, Area, CardIs, Node, Reason

    return {
        "area": one_of(0, max(Area)),
        "card": one_of(0, max(CardIs) + 1),
        "cuba_card": one_of(-1, N_CARDS - 1),
        "first": _side(-1),
        "bidder": _side(-1),
        "node": one_of(0, max(Node)),
        "mover": one_of(0, OVER),
        "drawer": _side(-1),
        "winner": _side(-1),
        "reason": one_of(0, len(Reason) - 1),
        **_frame(N_CARDS, N_PLACES),
    }


def _ukrainian_crisis() -> Mapping[str, Code]:
    from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
    from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, N_COUNTRIES, N_RANKS, Box
    from brinkmanship.games.ukrainian_crisis.rules.state import (
        GROUP,
        MAX_GROUPS,
        PLACE,
        EventPlace,
        Level,
        Mark,
        Node,
        Place,
        Square,
        Step,
        Task,
        TurnType,
    )

    marks, groups = len(Mark), (PLACE // GROUP - 1).bit_length()
    unit = (
        Part(Kind.ONE_OF, Place.NOWHERE, max(Place) - Place.NOWHERE + 1, marks + groups, 7, "place"),
        Part(Kind.NUMBER, 0, 1, marks, MAX_GROUPS.bit_length(), "group"),
        Part(Kind.BITS, 0, marks, 0, marks, "marks"),
    )
    area = one_of(-1, N_AREAS)
    return {
        "zones_attacked": bits(MAX_ZONES),
        "union": bits(MAX_ZONES),
        "opened": bits(MAX_ZONES),
        "unit": unit,
        "box": one_of(0, max(Box)),
        "event": one_of(0, max(EventPlace)),
        "matrix": one_of(min(Square), N_RANKS),
        "declared": one_of(TurnType.NOT_YET, TurnType.COMBAT),
        "order": area,
        "area": area,
        "turn_type": one_of(TurnType.NOT_YET, TurnType.COMBAT),
        "drawn": bits(2),
        "resolve": _side(-1),
        "ally_area": area,
        "ally_countries": bits(N_COUNTRIES),
        "suspended": bits(N_COUNTRIES),
        "step": one_of(0, len(Step) - 1),
        "node": one_of(0, len(Node) - 1),
        "mover": one_of(0, OVER),
        "drawer": _side(-1),
        "winner": _side(-1),
        "level": one_of(0, len(Level) - 1),
        "stack.task": one_of(0, len(Task) - 1),
        "stack.side": _side(-1),
    }


_CODES = {"13-days": _thirteen_days, "13-minutes": _thirteen_minutes, "ukrainian-crisis": _ukrainian_crisis}
