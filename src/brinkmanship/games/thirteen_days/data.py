"""The data file of 13 Days, read and checked.

One TOML file names everything the game is made of: limits, areas of the DEFCON tracks, start position, options,
battlegrounds, agendas and strategy cards with their events as lists of effects. The classes below *are* its
vocabulary; ``docs/cards.md`` explains it for designers. `tables` turns the data into the arrays of the rules,
`text` turns the same effects into the sentence on the card.

Reading fails with `DataFileError`, which names the file, the line, the card and the field.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

Side = Literal["us", "ussr"]
Party = Literal["actor", "opponent", "us", "ussr", "tv_leader"]
"""Who chooses, or whose cubes and markers: see `Effect`. "opponent" is the other side than the actor."""

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
MAX_CUBES_PER_BATTLEGROUND = 9
MAX_STEPS = 9
MAX_HAND = 9
MAX_EFFECTS_PER_CARD = 12
MAX_BRANCHES = 8
MAX_TAKE_CARDS = 3

Cubes = Annotated[int, Meta(ge=0, le=MAX_CUBES_PER_BATTLEGROUND)]
Steps = Annotated[int, Meta(ge=0, le=MAX_STEPS)]


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """A test of the position. Exactly one of four forms.

    * ``leader_on``: some side leads on that battleground
    * ``marker``, ``track``, ``area``: the marker of that side on that track stands in that area
    * ``higher``, ``than``, ``track``: the marker of the first side is strictly above that of the second
    * ``cubes_of``, ``at``, ``at_least``: that side has so many cubes on that battleground
    """

    leader_on: str | None = None
    marker: Side | None = None
    area: str | None = None
    higher: Side | None = None
    than: Side | None = None
    track: str | None = None
    cubes_of: Side | None = None
    at: str | None = None
    at_least: Cubes | None = None

    def __post_init__(self) -> None:
        forms = (
            {"leader_on"},
            {"marker", "track", "area"},
            {"higher", "than", "track"},
            {"cubes_of", "at", "at_least"},
        )
        given = {name for name in self.__struct_fields__ if getattr(self, name) is not None}
        if given not in forms:
            raise ValueError(
                "a condition is { leader_on }, { marker, track, area }, { higher, than, track } "
                f"or {{ cubes_of, at, at_least }}, not {{ {', '.join(sorted(given)) or 'nothing'} }}"
            )
        if self.higher is not None and self.higher == self.than:
            raise ValueError("`higher` and `than` must be different sides")


class Effect(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="op"):
    """One step of an event. Effects are carried out in order by the *actor*, the player of the event."""

    condition: Condition | None = field(default=None, name="if")
    """Tested when the event starts (R43); when false the effect is skipped."""


class Place(Effect, frozen=True, kw_only=True, tag="place"):
    """Put cubes of `of` from its supply on `where`: in total `min`..`max` (or `exactly`), at most `each` on one."""

    where: list[str]
    by: Party = "actor"
    of: Party = "actor"
    max: Cubes | None = None
    min: Cubes = 0
    exactly: Cubes | None = None
    each: Cubes | None = None
    filter: Literal["of_has_cubes", "of_has_no_cubes"] | None = None


class PlaceUntil(Effect, frozen=True, kw_only=True, tag="place_until"):
    """Forced: add one cube of `of` on the single battleground `where` until one of `stop` holds (R39)."""

    where: list[str]
    stop: list[Literal["leads_by_1", "battleground_full", "supply_empty"]]
    of: Party = "actor"


class Remove(Effect, frozen=True, kw_only=True, tag="remove"):
    """Take cubes of `of` from `where` to its supply, from at most `sites` battlegrounds.

    Either `min`..`max` in total ("all" = no limit), or `exactly`, or ``amount = "half_up"``: exactly half of the
    cubes, rounded up, from each of exactly `sites` battlegrounds, an empty one allowed (R40).
    """

    where: list[str]
    by: Party = "actor"
    of: Party = "actor"
    max: Cubes | Literal["all"] | None = None
    min: Cubes = 0
    exactly: Cubes | None = None
    sites: Annotated[int, Meta(ge=1, le=9)] | None = None
    amount: Literal["half_up"] | None = None


class Relocate(Effect, frozen=True, kw_only=True, tag="relocate"):
    """Take up to `max` cubes of `of` from any battlegrounds and put all on ones from which none was taken (R41)."""

    max: Cubes
    by: Party = "actor"
    of: Party = "actor"


class Shift(Effect, frozen=True, kw_only=True, tag="shift"):
    """Move DEFCON markers of `of` on `tracks`.

    `pick`: "one" track, "all" of them, "up_to_two" different ones, or the "highest" (`by` breaks ties, R37). `dir`:
    "up", "down" or "either". Steps on each picked track: `min`..`max`, or `exactly`, or ``steps =
    "as_moved_before"``: exactly as many as the shift before really moved (R38).
    """

    tracks: list[str]
    pick: Literal["one", "all", "up_to_two", "highest"]
    dir: Literal["up", "down", "either"]
    by: Party = "actor"
    of: Party = "actor"
    max: Steps | None = None
    min: Steps = 0
    exactly: Steps | None = None
    steps: Literal["as_moved_before"] | None = None
    optional: bool = False


class Command(Effect, frozen=True, kw_only=True, tag="command"):
    """A Command of `n` cubes by `by` (R28), without the Personal Letter unless option letter_on_event_command (R24)."""

    n: Cubes
    by: Party = "actor"
    where: list[str] = []
    place_only: bool = False
    optional: bool = False


class Prestige(Effect, frozen=True, kw_only=True, tag="prestige"):
    """`of` gains `exactly` Prestige (R7)."""

    of: Party = "actor"
    exactly: Annotated[int, Meta(ge=0, le=99)]


class Modifier(Effect, frozen=True, kw_only=True, tag="modifier"):
    """Every Command of `of` is worth `delta` cubes more for the rest of the round, at least `floor` (R27-R29)."""

    delta: Annotated[int, Meta(ge=-9, le=9)]
    of: Party = "actor"
    floor: Cubes | None = None


class DeflationBan(Effect, frozen=True, kw_only=True, tag="deflation_ban"):
    """For the rest of the round events that `of` plays do not lower markers of `of` (R32)."""

    of: Party = "actor"


class ExchangeHand(Effect, frozen=True, kw_only=True, tag="exchange_hand"):
    """`by` discards any number of hand cards face up, then draws as many (R36)."""

    by: Party = "actor"


class TakeCard(Effect, frozen=True, kw_only=True, tag="take_card"):
    """`by` takes a random hand card of `of` and plays it as normal or discards it; then `of` draws one (R35)."""

    by: Party = "actor"
    of: Party = "opponent"


class Branch(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One of the alternatives of a `Choose`; it cannot be picked while `requires` is false."""

    effects: list[AnyEffect]
    requires: Condition | None = None


class Choose(Effect, frozen=True, kw_only=True, tag="choose"):
    """`by` picks exactly one of `options`."""

    options: Annotated[list[Branch], Meta(min_length=2, max_length=MAX_BRANCHES)]
    by: Party = "actor"


AnyEffect = (
    Place
    | PlaceUntil
    | Remove
    | Relocate
    | Shift
    | Command
    | Prestige
    | Modifier
    | DeflationBan
    | ExchangeHand
    | TakeCard
    | Choose
)


def effects_in_order(effects: list[AnyEffect]) -> list[AnyEffect]:
    """All effects of an event in the order of their rows in `tables`: the list itself, then what alternatives hold."""
    found = list(effects)
    for effect in effects:
        if isinstance(effect, Choose):
            for branch in effect.options:
                found += effects_in_order(branch.effects)
    return found


Names = dict[str, str]
"""A name by language: en, ru, de, pl; English must be there."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of section 1.1, `brink cards 13-days` prints what they change."""

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


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """A point of the rules on which reasonable people differ, with the ruling that describes it."""

    default: str | bool
    other: list[str | bool]
    rule: str

    @property
    def values(self) -> list[str | bool]:
        """All values the option takes, its default first."""
        return [self.default, *self.other]


class Battleground(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the nine battlegrounds; `bonus` is what step 5 gives its leader."""

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


class GameData(Struct, frozen=True, forbid_unknown_fields=True):
    """All of the data file. `sha256` is the fingerprint of its text, `file` where it came from ("" = the package)."""

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
        """The index of a card, as in every array over cards; raises `KeyError` for an unknown id."""
        for index, card in enumerate(self.card):
            if card.id == card_id:
                return index
        raise KeyError(card_id)
