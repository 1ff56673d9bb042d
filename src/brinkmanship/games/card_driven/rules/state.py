"""The records of a card-driven game: its state and its rules, with dtype, shape and meaning of every field."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype

from brinkmanship.engine.jit.compile import Records
from brinkmanship.engine.record import blank_record
from brinkmanship.games.card_driven.rules.data import EVERYWHERE, MAX_EFFECTS, Card, GameData
from brinkmanship.games.card_driven.rules.numbers import Numbers, numbers


class CardIs(IntEnum):
    """The place of a card; 0 and 1 are the hands of the sides."""

    IN_DECK = 2
    DISCARDED = 3
    REMOVED = 4
    PLAYED = 5
    UNSEEN = 6  # in views: in the deck or in a hand that the viewer does not see


class Node(IntEnum):
    """The next kind of step: rules steps first, then chance, then decisions."""

    RESHUFFLE = 0
    END_ROUND = 1
    DEAL = 2
    PLAY = 3
    OFFER = 4
    OPS = 5
    EVENT = 6
    OVER = 7


class Do(IntEnum):
    """The kinds of effects, as in `data.Effect.do`."""

    PUT = 0
    TAKE_OFF = 1
    TRACK = 2
    SPECIAL = 3


NOTHING = -1
"""No card in play, no effect in progress, no decision."""
NEUTRAL_SIDE = 2

NOT_OVER, BY_POINTS, BY_DRAW = 0, 1, 2
REASONS = ("not_over", "points", "draw")
"""Why a game ends; a game adds its own reasons."""

State = Any
Rules = Any


class Shape(NamedTuple):
    """The dimensions of a game: its data file must have exactly this many records."""

    game: str
    """The id of the game."""
    cards: int
    places: int
    tracks: int

    @property
    def numbers(self) -> Numbers:
        """The numbers of its actions."""
        return numbers(self.cards, self.places, self.tracks)

    def state_dtype(self) -> np.dtype[Any]:
        """Return the dtype of a state. Its last field is never written: no two games may have equal records."""
        return np.dtype(
            [
                ("card", np.int8, self.cards),  # CardIs
                ("hand", np.int8, 2),  # number of cards in each hand
                ("deck", np.int8),  # number of cards in the deck
                ("influence", np.int8, (2, self.places)),
                ("track", np.int8, self.tracks),  # towards its `high` for side 0
                ("counter", np.int16, 4),  # numbers that only this game has; its hooks read and write them
                ("round_number", np.int8),  # from 1
                ("first", np.int8),  # side that plays first in this round
                ("node", np.int8),  # Node
                ("mover", np.int8),  # side to decide, or NOTHING
                ("played", np.int8),  # the card in play, or NOTHING
                ("player", np.int8),  # side that played it
                ("actor", np.int8),  # side that carries out its event
                ("effect", np.int16),  # the effect in progress, or NOTHING
                ("left", np.int8),  # operations or influence still to spend
                ("happened", np.int8),  # 1 if the event of the card in play was carried out
                ("reason", np.int8),  # why the game ended
                (f"of_{self.game}", np.int8),
            ],
            align=True,
        )

    def rules_dtype(self) -> np.dtype[Any]:
        """Return the dtype of the rules."""
        effects = self.cards * MAX_EFFECTS
        return np.dtype(
            [
                *((name, np.int16) for name in Numbers._fields),
                ("rounds", np.int16),
                ("full_hand", np.int16),
                ("room", np.int16),  # maximum influence of a side on a place
                ("offers", np.int16),
                ("side", np.int16, self.cards),  # a side or NEUTRAL_SIDE
                ("ops", np.int16, self.cards),
                ("once", np.int16, self.cards),
                ("first_effect", np.int16, self.cards + 1),  # of the next card too: there the event ends
                ("does", np.int16, effects),  # Do
                ("amount", np.int16, effects),
                ("where", np.int64, effects),  # bits of places
                ("moves", np.int16, effects),  # a track
                ("worth", np.int16, self.places),
                ("next_to", np.int64, self.places),  # bits of places
                ("start", np.int16, (2, self.places)),
                ("track_start", np.int16, self.tracks),
                ("low", np.int16, self.tracks),
                ("high", np.int16, self.tracks),
            ],
            align=True,
        )

    def records(self, module: str) -> Records:
        """Return the record types for the game whose hooks are in a module, given as ``__name__``."""
        dtype = self.state_dtype()
        return Records(from_dtype(self.rules_dtype()), from_dtype(dtype), dtype, module)


def build(data: GameData, shape: Shape) -> Rules:
    """Return the rules record of checked data."""
    rules = blank_record(shape.rules_dtype())
    for name, number in zip(Numbers._fields, shape.numbers, strict=True):
        rules[name] = number
    rules.rounds, rules.full_hand = data.limits.rounds, data.limits.hand
    rules.room, rules.offers = data.limits.influence, data.limits.offers
    places = [place.id for place in data.place]
    for number, place in enumerate(data.place):
        rules.worth[number] = place.worth
        rules.next_to[number] = _bits(place.next_to, places)
        rules.start[:, number] = place.start
    for number, track in enumerate(data.track):
        rules.track_start[number], rules.low[number], rules.high[number] = track.start, track.low, track.high
    sides = [*data.side_ids, "neutral"]
    effect = 0
    for number, card in enumerate(data.card):
        rules.side[number], rules.ops[number], rules.once[number] = sides.index(card.side), card.ops, card.once
        rules.first_effect[number] = effect
        effect = _effects(rules, effect, card, places, [track.id for track in data.track])
    rules.first_effect[len(data.card)] = effect
    return rules


def _effects(rules: Rules, effect: int, card: Card, places: list[str], tracks: list[str]) -> int:
    for one in card.event:
        rules.does[effect] = Do[one.do.upper()]
        rules.amount[effect] = one.n
        rules.where[effect] = _bits(places if EVERYWHERE in one.where else one.where, places)
        rules.moves[effect] = tracks.index(one.track) if one.track else 0
        effect += 1
    return effect


def _bits(names: list[str] | tuple[str, ...], places: list[str]) -> int:
    return sum(1 << places.index(name) for name in names)
