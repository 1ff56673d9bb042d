"""The vocabulary of events, one for 13 Days and 13 Minutes: an event is a list of the effects below.

Words that both games have mean the same in both. Some words belong to one game, because only it has the things they
refer to; a data file of the other game that uses them is rejected with an error message (`checks`):

* 13 Days: ``place_until``, ``shift``, ``prestige``, ``modifier``, ``deflation_ban``, ``exchange_hand``, ``take_card``,
  the party ``tv_leader``, conditions on markers and leaders, the card field ``defcon_icon``;
* 13 Minutes: ``move``, ``movement``, ``area``, ``just_played``, ``other_has_cubes``, ``other_has_no_cubes``, several
  filters at once, ``sites`` on ``place``.

Cubes that an event moves may move something else as well: in 13 Days the DEFCON marker of the track, if the card has
the icon (R14); in 13 Minutes the battleground itself (Q17 to Q24). See `hooks`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from brinkmanship.engine.data_file import ShapeError
from brinkmanship.engine.message import Message

Side = Literal["us", "ussr"]
Party = Literal["actor", "opponent", "us", "ussr", "tv_leader"]
"""A party that chooses, or that owns cubes and markers: see `Effect`. "opponent" is the side that is not the actor."""

MAX_CUBES = 9
"""The highest number of cubes a field may name; "all" is the word for more."""
MAX_STEPS = 9
MAX_EFFECTS_PER_CARD = 12
MAX_BRANCHES = 8

Cubes = Annotated[int, Meta(ge=0, le=MAX_CUBES)]
Steps = Annotated[int, Meta(ge=0, le=MAX_STEPS)]
Sites = Annotated[int, Meta(ge=1, le=9)]

Filter = Literal["of_has_cubes", "of_has_no_cubes", "other_has_cubes", "other_has_no_cubes"]
"""`of` is the side whose cubes an effect moves, `other` the other side."""
Area = Literal["own", "neutral", "opponent"]
"""Areas of the table of 13 Minutes, seen from `by`."""


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """A test of the position. Exactly one of four forms.

    * ``leader_on``: some side leads on that battleground
    * ``marker``, ``track``, ``area``: the marker of that side on that track stands in that area
    * ``higher``, ``than``, ``track``: the marker of the first side is strictly above that of the second
    * ``cubes_of``, ``at``, ``at_least``: that side has at least that number of cubes on that battleground
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
            shapes = {
                "one": "{ leader_on }",
                "two": "{ marker, track, area }",
                "three": "{ higher, than, track }",
                "four": "{ cubes_of, at, at_least }",
                "given": f"{{ {', '.join(sorted(given))} }}" if given else "{ }",
            }
            raise ShapeError(Message("fault.condition", shapes))
        if self.higher is not None and self.higher == self.than:
            raise ShapeError(Message("fault.condition.sides"))


class Effect(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="op"):
    """One step of an event. Effects are carried out in order by the *actor*, the player of the event."""

    condition: Condition | None = field(default=None, name="if")
    """Tested when the event starts (R43); when false the effect is skipped."""


class Place(Effect, frozen=True, kw_only=True, tag="place"):
    """Put cubes of `of` from its supply on `where`: in total `min`..`max` (or `exactly`), at most `each` on one.

    In 13 Minutes also: on at most `sites` battlegrounds; only on those in an `area`; and `movement` of those that gain
    cubes: they move towards `by` as usual, not at all, or `by` picks one battleground, even with no
    cube placed, and one of the two directions for it (Q24).
    """

    where: list[str]
    by: Party = "actor"
    of: Party = "actor"
    max: Cubes | None = None
    min: Cubes = 0
    exactly: Cubes | None = None
    each: Cubes | None = None
    filter: Filter | list[Filter] | None = None
    sites: Sites | None = None
    area: list[Area] = []
    movement: Literal["normal", "none", "choose"] = "normal"
    optional: bool = False


class PlaceUntil(Effect, frozen=True, kw_only=True, tag="place_until"):
    """Forced: add one cube of `of` on the single battleground `where` until one of `stop` holds (R39)."""

    where: list[str]
    stop: list[Literal["leads_by_1", "battleground_full", "supply_empty"]]
    of: Party = "actor"


class Remove(Effect, frozen=True, kw_only=True, tag="remove"):
    """Take cubes of `of` from `where` to its supply, from at most `sites` battlegrounds.

    Either `min`..`max` in total ("all" = no limit), or `exactly`, or ``amount = "half_up"``: exactly half of the
    cubes, rounded up, from each of exactly `sites` battlegrounds, an empty one allowed (R40, Q26). The other fields
    belong to 13 Minutes, as on `Place`.
    """

    where: list[str]
    by: Party = "actor"
    of: Party = "actor"
    max: Cubes | Literal["all"] | None = None
    min: Cubes = 0
    exactly: Cubes | None = None
    sites: Sites | None = None
    amount: Literal["half_up"] | None = None
    filter: Filter | list[Filter] | None = None
    area: list[Area] = []
    movement: Literal["normal", "none", "choose"] = "normal"
    optional: bool = False


class Relocate(Effect, frozen=True, kw_only=True, tag="relocate"):
    """Take up to `max` cubes of `of` from any battlegrounds and put all on ones from which none was taken (R41)."""

    max: Cubes
    by: Party = "actor"
    of: Party = "actor"


class Move(Effect, frozen=True, kw_only=True, tag="move"):
    """13 Minutes: battlegrounds of `where` move without cubes (Q25), at most `sites` of them.

    `dir`: "toward" or "away" as `of` sees it, "either" as `by` chooses for each, or "neutral", toward the neutral area
    (one that lies there cannot be taken). Steps of each: 0..`max`, or `exactly`.
    """

    where: list[str]
    dir: Literal["toward", "away", "either", "neutral"]
    by: Party = "actor"
    of: Party = "actor"
    sites: Sites | None = None
    max: Steps | None = None
    exactly: Steps | None = None
    filter: Filter | list[Filter] | None = None
    area: list[Area] = []
    optional: bool = False


class Shift(Effect, frozen=True, kw_only=True, tag="shift"):
    """Move DEFCON markers of `of` on `tracks`.

    `pick`: "one" track, "all" of them, "up_to_two" different ones, or the "highest" (`by` breaks ties, R37). `dir`:
    "up", "down" or "either". Steps on each picked track: `min`..`max`, or `exactly`, or ``steps =
    "as_moved_before"``: exactly as many as the previous shift actually moved (R38).
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
    | Move
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
    """Return all effects of an event in the order of their rows in `tables`: the list, then those of alternatives."""
    found = list(effects)
    for effect in effects:
        if isinstance(effect, Choose):
            for branch in effect.options:
                found += effects_in_order(branch.effects)
    return found


Names = dict[str, str]
"""Names by language: en, ru, de, pl; English is required."""
