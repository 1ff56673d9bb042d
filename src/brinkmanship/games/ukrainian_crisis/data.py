"""The scenario of Ukrainian Crisis: countries, map, counters, tracks and starting values, as read from its file.

The rulebook does not print the map and the counters, so most values of the package's scenario are reconstructed. Each
record lists in `known` the fields that the rulebook states; `is_reconstructed` answers for a single field. No rule may
depend on a particular value. `loading` reads and checks the file, `tables` turns it into the arrays of the rules.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

SideId = Literal["UA", "RU"]
BoxId = Literal["neutrality", "support", "intervention"]

SIDES = ("ua", "ru")
"""The sides as programs and records name them, in the order of every array over sides."""

COUNTRIES = ("US", "PL", "GB", "DE", "FR", "RO", "BY")
"""The seven countries of the relations track, in the order of every array over countries."""

BOXES = ("neutrality", "support", "intervention")
"""The boxes of the relations track from the bottom; the index of a box, counted from 1, is its price (R23)."""

AREAS = ("military", "diplomatic", "information")
"""The areas of the card matrix."""

CLASSES = ("small", "medium", "maximum")
"""The classes of Resource Cards, in order of strength."""

KINDS = ("regular", "irregular", "special")
UNIT_TYPES = ("ground", "airborne", "naval", "militia", "special")

MAX_ZONES = 28
MAX_TYPES = 12
MAX_UNITS = 64
MAX_RANK = 6
MAX_ATTEMPTS = 4
MAX_TURNS = 8

Names = dict[str, str]
"""A name by language: en, uk_latn, ru, de, pl; English must be there."""

Known = list[str]
"""The fields of a record that the rulebook states."""


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """The position after set-up (section 1.6)."""

    turns: Annotated[int, Meta(ge=1, le=MAX_TURNS)]
    prestige: dict[SideId, Annotated[int, Meta(ge=1, le=99)]]
    regulars_in: Literal["reserve", "mobilisation"]
    irregulars_in: Literal["reserve", "mobilisation"]
    special_forces_in: Literal["reserve", "mobilisation"]
    units_on_map: list[UnitOnMap]
    known: Known


class UnitOnMap(Struct, frozen=True, forbid_unknown_fields=True):
    """Counters of one kind that stand in a zone when the game begins."""

    side: SideId
    type: Literal["ground", "airborne", "naval", "militia", "special"]
    zone: str
    count: Annotated[int, Meta(ge=1, le=MAX_UNITS)]


Results = Annotated[list[Annotated[int, Meta(ge=0, le=12)]], Meta(min_length=6, max_length=6)]


class ByClass(Struct, frozen=True, forbid_unknown_fields=True):
    """A number for each class of Resource Card."""

    small: Annotated[int, Meta(ge=0, le=MAX_ATTEMPTS)]
    medium: Annotated[int, Meta(ge=0, le=MAX_ATTEMPTS)]
    maximum: Annotated[int, Meta(ge=0, le=MAX_ATTEMPTS)]

    @property
    def values(self) -> tuple[int, int, int]:
        """In the order of `CLASSES`."""
        return (self.small, self.medium, self.maximum)


class Pack(Struct, frozen=True, forbid_unknown_fields=True):
    """How many cards of each class a pack has."""

    small: Annotated[int, Meta(ge=0, le=99)]
    medium: Annotated[int, Meta(ge=0, le=99)]
    maximum: Annotated[int, Meta(ge=0, le=99)]

    @property
    def values(self) -> tuple[int, int, int]:
        """In the order of `CLASSES`."""
        return (self.small, self.medium, self.maximum)


class Resources(Struct, frozen=True, forbid_unknown_fields=True):
    """The pack of each player and the Results Table (section 4.1)."""

    pack: Pack
    small: Results
    medium: Results
    maximum: Literal["sum of 2d6"]
    attempts: ByClass
    segments: ByClass
    known: Known


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    """A box of the relations track (section 1.4)."""

    id: BoxId
    index: Annotated[int, Meta(ge=1, le=3)]
    gives_rp: bool
    gives_prestige: bool


class RelationsTrack(Struct, frozen=True, forbid_unknown_fields=True):
    """The relations track from bottom to top."""

    boxes: list[Box]
    known: Known


class GeneralTrack(Struct, frozen=True, forbid_unknown_fields=True):
    """The track of Prestige and of the Turn; it has no upper end (R25)."""

    minimum: Literal[0]
    known: Known


class UnitBoxes(Struct, frozen=True, forbid_unknown_fields=True):
    """The two boxes beside the map that hold units."""

    boxes: list[Literal["reserve", "mobilisation"]]
    known: Known


class Tracks(Struct, frozen=True, forbid_unknown_fields=True):
    """All tracks."""

    relations: RelationsTrack
    general: GeneralTrack
    unit_boxes: UnitBoxes


class VpTotals(Struct, frozen=True, forbid_unknown_fields=True):
    """Sums of Victory Points by colour, as a check of a hand-entered map."""

    red: int
    orange: int
    yellow: int
    all: int


class Formula(Struct, frozen=True, forbid_unknown_fields=True):
    """How colours and Victory Points were reconstructed (section 13.3)."""

    red_from: float
    share_used: Literal["russian_share", "russian_language"]
    vp_totals: VpTotals
    known: Known


class Country(Struct, frozen=True, forbid_unknown_fields=True):
    """A marker of the relations track (section 1.5)."""

    id: str
    rank: Annotated[int, Meta(ge=1, le=MAX_RANK)]
    eu: bool
    box: BoxId
    names: Names
    known: Known


class Zone(Struct, frozen=True, forbid_unknown_fields=True):
    """A zone of the map; the file's header explains the fields."""

    id: Annotated[str, Meta(pattern="^[A-Z][A-Z0-9]{2}$")]
    order: int
    names: Names
    home: Literal["UA", "RU", "neutral", "closed"]
    colour: Literal["red", "yellow", "orange", "none"]
    vp: Annotated[int, Meta(ge=0, le=99)]
    airfield: bool
    port: bool
    azov_port: bool
    sea: Literal["black", "azov", "none"]
    borders_russia: bool
    adjacent: list[str]
    known: Known
    population_k: float | None = None
    russian_share: float | None = None
    russian_language: float | None = None


class Counters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many counters there are."""

    total: int
    units: int
    markers: int
    known: Known


class Unit(Struct, frozen=True, forbid_unknown_fields=True):
    """All counters of one side and type; Special Forces have no Combat Value (section 1.2)."""

    side: SideId
    kind: Literal["regular", "irregular", "special"]
    type: Literal["ground", "airborne", "naval", "militia", "special"]
    count: Annotated[int, Meta(ge=0, le=MAX_UNITS)]
    known: Known
    cv: Annotated[int, Meta(ge=0, le=9)] | None = None
    cv_neutralised: Annotated[int, Meta(ge=0, le=9)] | None = None

    @property
    def id(self) -> str:
        """The name of the stack in records and programs: "ru_airborne"."""
        return f"{self.side.lower()}_{self.type}"


class Marker(Struct, frozen=True, forbid_unknown_fields=True):
    """Counters that are no units; they limit nothing."""

    id: str
    count: Annotated[int, Meta(ge=0, le=99)]
    known: Known


class GameData(Struct, frozen=True, forbid_unknown_fields=True):
    """All of a scenario file. `sha256` is the fingerprint of its text, `file` where it came from ("" = the package)."""

    schema: Literal[1]
    game: Literal["ukrainian-crisis"]
    id: str
    edition: str
    names: Names
    start: Start
    resources: Resources
    tracks: Tracks
    formula: Formula
    basis: dict[str, dict[str, Literal["geography", "statistics", "judgement"]]]
    country: list[Country]
    zone: list[Zone]
    counters: Counters
    unit: list[Unit]
    marker: list[Marker]
    sha256: str = ""
    file: str = ""

    def zone_index(self, zone_id: str) -> int:
        """The index of a zone, as in every array over zones; raises `KeyError` for an unknown id."""
        for index, zone in enumerate(self.zone):
            if zone.id == zone_id:
                return index
        raise KeyError(zone_id)


LABELS = frozenset({"id", "order", "names", "note", "known", "side", "kind", "type"})
"""Fields that only name things; they are neither known nor reconstructed."""


def is_reconstructed(record: Start | Resources | Country | Zone | Unit | Marker | Counters, field: str) -> bool:
    """Whether the value of a field is not stated in the rulebook, and so has to be shown as reconstructed."""
    return field not in LABELS and field not in record.known


def basis_of(data: GameData, record: Country | Zone | Unit | Marker, field: str) -> str | None:
    """What a reconstructed value rests on ("geography", "statistics", "judgement"); None where nothing is said."""
    return data.basis.get(type(record).__name__.lower(), {}).get(field)


class EventCard(NamedTuple):
    """An Event Card. What it does is code, one function each in `events`."""

    id: str
    card: str
    """The ordinary playing card that stands for it (section 10.1): rank and S, C, H or D."""
    title: str
    """Printed in English in every edition; a proper name that is never translated."""
    immediate: bool
    """Resolved when drawn; any other may be played in an event window or let go."""


EVENTS = (
    EventCard("united_for_ukraine", "10S", "#UnitedforUkraine", False),
    EventCard("flight_370", "10C", "Flight 370 Found! Oh, wait, no...", False),
    EventCard("runaway_guns", "10H", "Runaway Guns", False),
    EventCard("isis_crisis", "10D", "ISIS Crisis", False),
    EventCard("svoboda_shakeup", "JS", "Svoboda Shakeup", True),
    EventCard("paid_demonstrators", "JC", "Paid Demonstrators", False),
    EventCard("moldova", "JH", "Moldova", True),
    EventCard("belarus", "JD", "Belarus", True),
    EventCard("economic_sanctions", "QS", "Economic Sanctions", False),
    EventCard("screwed_thumbs", "QC", "Screwed Thumbs", False),
    EventCard("f_eu", "QH", '"F**k EU"', False),
    EventCard("a_terrible_resolve", "QD", "A Terrible Resolve", True),
    EventCard("spontaneous_mobilization_spades", "KS", "Spontaneous Mobilization", False),
    EventCard("spontaneous_mobilization_clubs", "KC", "Spontaneous Mobilization", False),
    EventCard("rally_for_the_motherland", "KH", "Rally for the Motherland!", False),
    EventCard("unit_not_ready", "KD", "Unit Not Ready / Disloyal Conscripts", False),
)
"""The Event Cards in the order of every array over events (section 11)."""

CRITICAL_EVENTS = ("detente", "sanctions", "gas_turned_off", "nato_activity", "secession", "union")
"""The critical events of doubles 1-1 to 6-6 (section 4.2)."""
