"""The data file of 13 Days: its structure, reading and checks.

One TOML file lists all parts of the game: limits, areas of the DEFCON tracks, start position, options, battlegrounds,
agendas and strategy cards with their events as lists of effects. The classes below and the effects of
`games.cuban.data` *are* its vocabulary; ``docs/design/cards.md`` explains it for designers. `tables` turns the data
into the arrays of the rules, `text` turns the same effects into the sentence on the card.

Reading fails with `DataFileError`, which names the file, the line, the card and the field.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from brinkmanship.engine.options import Option
from brinkmanship.games.cuban.data import MAX_CUBES, AnyEffect, Names, Side

TRACKS = ("military", "political", "world_opinion")
"""The three DEFCON tracks, in the order of every array over tracks; also the names of the battleground groups."""

BATTLEGROUNDS = (
    "cuba_military",
    "atlantic",
    "berlin",
    "cuba_political",
    "italy",
    "turkey",
    "united_nations",
    "television",
    "alliances",
)
"""The nine battlegrounds, in the order of every array over battlegrounds."""

MAX_CARDS = 48
MAX_AGENDAS = 12
MAX_COPIES = 9
MAX_CUBES_PER_BATTLEGROUND = MAX_CUBES
MAX_HAND = 9
MAX_TAKE_CARDS = 3


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of section 1.1; `brink cards 13-days` prints what they change."""

    cubes_per_side: Annotated[int, Meta(ge=1, le=81)]
    cubes_per_battleground: Annotated[int, Meta(ge=1, le=MAX_CUBES_PER_BATTLEGROUND)]
    defcon_min: Annotated[int, Meta(ge=1, le=1)]
    defcon_max: Annotated[int, Meta(ge=3, le=10)]
    prestige_lead_max: Annotated[int, Meta(ge=1, le=99)]
    rounds: Annotated[int, Meta(ge=1, le=9)]
    agendas_dealt: Annotated[int, Meta(ge=1, le=4)]
    hand_size: Annotated[int, Meta(ge=2, le=MAX_HAND)]
    turns_per_round: Annotated[int, Meta(ge=1, le=MAX_HAND - 1)]
    aftermath_award: Annotated[int, Meta(ge=0, le=99)]
    letter_bonus: Annotated[int, Meta(ge=0, le=5)]


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """The position after set-up (section 1.2)."""

    letter: Side
    prestige: Annotated[int, Meta(ge=-99, le=99)]
    defcon_us: dict[str, int]
    defcon_ussr: dict[str, int]
    cubes_us: dict[str, int]
    cubes_ussr: dict[str, int]


class Battleground(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the nine battlegrounds; `bonus` is the leader's bonus in step 5."""

    order: int
    id: str
    track: str
    names: Names
    bonus: Literal["letter", "defcon", "draw"] | None = None


class Track(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the three DEFCON tracks."""

    order: int
    id: str
    names: Names


class Agenda(Struct, frozen=True, forbid_unknown_fields=True):
    """An agenda card (section 1.4), of which there may be several copies."""

    id: str
    copies: Annotated[int, Meta(ge=1, le=MAX_COPIES)]
    kind: Literal["track", "battleground", "letter"]
    defcon_icon: bool
    flag: str
    track: str | None = None
    battleground: str | None = None
    bonus: Annotated[int, Meta(ge=0, le=99)] = 0
    award: Annotated[int, Meta(ge=0, le=99)] = 0
    connected: list[str] = []
    names: Names | None = None


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A strategy card: `cubes` is its Command value, `effects` its event."""

    id: str
    side: Literal["us", "ussr", "un"]
    cubes: Annotated[int, Meta(ge=0, le=MAX_CUBES_PER_BATTLEGROUND)]
    defcon_icon: bool
    names: Names
    effects: list[AnyEffect]
    summary: str = ""
    disputed: list[Literal["side", "cubes", "defcon_icon", "effects"]] = []
    """Fields in which two sources based on the printed game differ."""


class GameData(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of the data file. `sha256` is the fingerprint of its text, `file` its path ("" = the package)."""

    schema: Literal[1]
    game: Literal["13-days"]
    limits: Limits
    areas: dict[str, list[int]]
    start: Start
    options: dict[str, Option]
    battleground: list[Battleground]
    track: list[Track]
    agenda: list[Agenda]
    card: list[Card]
    sha256: str = ""
    file: str = ""

    def card_index(self, card_id: str) -> int:
        """Return the index of a card, as in every array over cards; raise `KeyError` for an unknown id."""
        for index, card in enumerate(self.card):
            if card.id == card_id:
                return index
        raise KeyError(card_id)
