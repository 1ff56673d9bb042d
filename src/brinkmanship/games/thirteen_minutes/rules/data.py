"""The data file of 13 Minutes, read and checked.

One TOML file defines the whole game: limits, scoring, options and presets, areas, colours, and the 13 cards with their
events as lists of effects. The classes below and the effects of `games.cuban.data` *are* its vocabulary. Every field of
a card carries a mark, `Status`: the printed cards are not fully public, so parts of the deck are reconstructed (section
8 of the rules); owners of the printed game can correct them in a copy of the file.

Reading fails with `DataFileError`, which names the file, the line, the card and the field.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from brinkmanship.engine.options import Option, OptionValue
from brinkmanship.games.cuban.data import AnyEffect, Names
from brinkmanship.games.thirteen_minutes.rules.state import COLOURS as COLOURS
from brinkmanship.games.thirteen_minutes.rules.state import N_CARDS

CUBES_PER_SIDE = 13
"""Cubes of a side; the action space has no room for more."""
CUBA_ID = "cuba"

Mark = Literal["known", "reconstructed"]
"""Origin of a field: a source, or an adaptation of the card of the same name in 13 Days."""

Points = Annotated[int, Meta(ge=0, le=9)]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of sections 2 and 4."""

    cubes_per_side: Annotated[int, Meta(ge=1, le=CUBES_PER_SIDE)]
    cubes_per_battleground: Annotated[int, Meta(ge=0, le=CUBES_PER_SIDE)]
    hand_size: Annotated[int, Meta(ge=2, le=2)]
    turns: Annotated[int, Meta(ge=10, le=10)]
    command_max: Annotated[int, Meta(ge=3, le=3)]


class Scoring(Struct, frozen=True, forbid_unknown_fields=True):
    """Prestige by source (section 5.5), and the number of cards of a colour in one's own sphere that triggers war."""

    battleground: Points
    cuba: Points
    military_majority: Points
    aftermath: Points
    war_cards: Annotated[int, Meta(ge=2, le=9)]


class Area(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the three areas of the table."""

    order: int
    id: str
    names: Names


class Colour(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the three DEFCON types, its printed colour, and its number of cards."""

    order: int
    id: str
    printed: str
    cards: int
    names: Names


class FaceDownCard(Struct, frozen=True, forbid_unknown_fields=True):
    """The face-down card Cuba, whichever card it is."""

    id: Literal["cuba"]
    area: Literal["neutral"]
    names: Names


class Status(Struct, frozen=True, forbid_unknown_fields=True):
    """The mark of every field of a card."""

    names: Mark
    side: Mark
    colour: Mark
    cubes: Mark
    effects: Mark

    def marks(self) -> dict[str, Mark]:
        """Return the mark of each field, by its name."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A strategy card: `cubes` is its Command value, `effects` its event."""

    id: str
    side: Literal["us", "ussr", "un"]
    colour: Literal["military", "political", "world_opinion"]
    cubes: Annotated[int, Meta(ge=1, le=3)]
    names: Names
    effects: list[AnyEffect]
    status: Status
    summary: str = ""


class GameData(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole data file. `sha256` is the fingerprint of its text, `file` its origin ("" = the package)."""

    schema: Literal[1]
    game: Literal["13-minutes"]
    limits: Limits
    scoring: Scoring
    options: dict[str, Option]
    presets: dict[str, dict[str, OptionValue]]
    area: list[Area]
    colour: list[Colour]
    cuba: FaceDownCard
    card: Annotated[list[Card], Meta(min_length=N_CARDS, max_length=N_CARDS)]
    sha256: str = ""
    file: str = ""

    @property
    def places(self) -> tuple[str, ...]:
        """The id of every place: that of its card, and Cuba's."""
        return (*(card.id for card in self.card), CUBA_ID)

    def card_index(self, card_id: str) -> int:
        """Return the index of a card, as in every array over cards; raise `KeyError` for an unknown id."""
        for index, card in enumerate(self.card):
            if card.id == card_id:
                return index
        raise KeyError(card_id)
