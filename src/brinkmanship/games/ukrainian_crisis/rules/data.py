"""The scenario of Ukrainian Crisis: countries, map, counters, tracks and starting values, as read from its file.

The rulebook does not print the map and the counters, so most values of the package's scenario are reconstructed. Each
record lists in `known` the fields that the rulebook states; `is_reconstructed` answers for a single field. No rule may
depend on a particular value. `loading` reads and checks the file, `tables` turns it into the arrays of the rules.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from brinkmanship.games.ukrainian_crisis.rules import names
from brinkmanship.games.ukrainian_crisis.rules.names import Event, ids

SideId = Literal["UA", "RU"]
BoxId = Literal["neutrality", "support", "intervention"]

SIDES = ("ua", "ru")
"""The ids of the sides in programs and records, in the order of every array over sides."""


# The ids of the members of `names` in programs and records, in the order of every array over them.
COUNTRIES = tuple(country.name for country in names.Country)
BOXES = ids(names.Box)[1:]
AREAS = ids(names.Area)
CLASSES = ids(names.CardClass)
KINDS = ids(names.Kind)
UNIT_TYPES = ids(names.UnitType)
COMBATS = ids(names.CombatType)
INFORMS = ids(names.Inform)
CRITICAL_EVENTS = ids(names.Critical)

SCENARIOS = ("reconstructed", "balanced")
"""The package's own scenarios, the default first: values of the option ``scenario``."""
OWN_FILE = "file"
"""Value of that option for a scenario read from a custom file."""

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
    balanced: Known = []
    """The fields whose values were chosen so that both sides win about as often."""


class UnitOnMap(Struct, frozen=True, forbid_unknown_fields=True):
    """Counters of one kind that are in a zone when the game begins."""

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
        """The numbers in the order of `CLASSES`."""
        return (self.small, self.medium, self.maximum)


class Pack(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of cards of each class in a pack."""

    small: Annotated[int, Meta(ge=0, le=99)]
    medium: Annotated[int, Meta(ge=0, le=99)]
    maximum: Annotated[int, Meta(ge=0, le=99)]

    @property
    def values(self) -> tuple[int, int, int]:
        """The numbers in the order of `CLASSES`."""
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
    """The formula by which colours and Victory Points were reconstructed (section 13.3)."""

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
    balanced: Known = []
    """As in `Start`, and so in `Zone` and `Unit`."""


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
    balanced: Known = []
    population_k: float | None = None
    russian_share: float | None = None
    russian_language: float | None = None


class Counters(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of counters."""

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
    balanced: Known = []
    cv: Annotated[int, Meta(ge=0, le=9)] | None = None
    cv_neutralised: Annotated[int, Meta(ge=0, le=9)] | None = None

    @property
    def id(self) -> str:
        """The id of the unit in records and programs: "ru_airborne"."""
        return f"{self.side.lower()}_{self.type}"


class Marker(Struct, frozen=True, forbid_unknown_fields=True):
    """Counters that are not units; they limit nothing."""

    id: str
    count: Annotated[int, Meta(ge=0, le=99)]
    known: Known


class GameData(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole scenario file. `sha256` is the fingerprint of its text, `file` its origin ("" = the package)."""

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
        """Return the index of a zone, as in every array over zones; raise `KeyError` for an unknown id."""
        for index, zone in enumerate(self.zone):
            if zone.id == zone_id:
                return index
        raise KeyError(zone_id)


LABELS = frozenset({"id", "order", "names", "note", "known", "balanced", "side", "kind", "type"})
"""Fields that only name things; they are neither known nor reconstructed."""


def is_reconstructed(record: Start | Resources | Country | Zone | Unit | Marker | Counters, field: str) -> bool:
    """Return True if the rulebook does not state the value of a field, which must be shown as reconstructed."""
    return field not in LABELS and field not in record.known


def is_balanced(record: Start | Resources | Country | Zone | Unit | Marker | Counters, field: str) -> bool:
    """Return True if the value of a field was chosen for balance, whatever it is in the printed game."""
    return field in getattr(record, "balanced", ())


def basis_of(data: GameData, record: Country | Zone | Unit | Marker, field: str) -> str | None:
    """Return the basis of a reconstructed value ("geography", "statistics", "judgement"), or None if not given."""
    return data.basis.get(type(record).__name__.lower(), {}).get(field)


class EventCard(NamedTuple):
    """An Event Card. Its effect is code, one function each in `events`."""

    event: Event
    card: str
    """The ordinary playing card that stands for it (section 10.1): rank and S, C, H or D."""
    title: str
    """The title printed in English in every edition; a proper name that is never translated."""
    immediate: bool
    """True if resolved when drawn; any other card may be played in an event window or held."""

    @property
    def id(self) -> str:
        """The id of the card in records and programs: "runaway_guns"."""
        return self.event.name.lower()


EVENTS = (
    EventCard(Event.UNITED_FOR_UKRAINE, "10S", "#UnitedforUkraine", False),
    EventCard(Event.FLIGHT_370, "10C", "Flight 370 Found! Oh, wait, no…", False),
    EventCard(Event.RUNAWAY_GUNS, "10H", "Runaway Guns", False),
    EventCard(Event.ISIS_CRISIS, "10D", "ISIS Crisis", False),
    EventCard(Event.SVOBODA_SHAKEUP, "JS", "Svoboda Shakeup", True),
    EventCard(Event.PAID_DEMONSTRATORS, "JC", "Paid Demonstrators", False),
    EventCard(Event.MOLDOVA, "JH", "Moldova", True),
    EventCard(Event.BELARUS, "JD", "Belarus", True),
    EventCard(Event.ECONOMIC_SANCTIONS, "QS", "Economic Sanctions", False),
    EventCard(Event.SCREWED_THUMBS, "QC", "Screwed Thumbs", False),
    EventCard(Event.F_EU, "QH", "F**k EU", False),
    EventCard(Event.A_TERRIBLE_RESOLVE, "QD", "A Terrible Resolve", True),
    EventCard(Event.SPONTANEOUS_MOBILIZATION_SPADES, "KS", "Spontaneous Mobilization", False),
    EventCard(Event.SPONTANEOUS_MOBILIZATION_CLUBS, "KC", "Spontaneous Mobilization", False),
    EventCard(Event.RALLY_FOR_THE_MOTHERLAND, "KH", "Rally for the Motherland!", False),
    EventCard(Event.UNIT_NOT_READY, "KD", "Unit Not Ready / Disloyal Conscripts", False),
)
"""The Event Cards, each at the index of its event."""
