"""The data file of a card-driven game as classes, and its checks."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from brinkmanship.engine.data_file import Fault, Faults, fault, known_name, names, read, unique_ids

EVERYWHERE = "everywhere"
"""The place of an effect that may take any place."""
NEUTRAL = "neutral"
"""The side of a card that belongs to neither side."""
MAX_PLACES = 48
MAX_EFFECTS = 4
"""Maximum number of effects of one event."""

Small = Annotated[int, Meta(ge=0, le=9)]
Id = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$")]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of the game."""

    rounds: Annotated[int, Meta(ge=1, le=20)]
    hand: Annotated[int, Meta(ge=1, le=12)]
    """Number of cards to which each hand is filled at the start of a round."""
    influence: Annotated[int, Meta(ge=1, le=20)]
    """Maximum influence of a side on one place."""
    offers: bool = True
    """True if the other side may carry out the event of its card first when a player uses the card for operations."""


class Effect(Struct, frozen=True, forbid_unknown_fields=True):
    """One effect of an event, for the side that carries it out."""

    do: Literal["put", "take_off", "track", "special"]
    """Put influence of its own, take off the other side's, move a track, or take a step that only this game has."""
    n: Annotated[int, Meta(ge=-9, le=9)] = 1
    """Number of influence, steps towards the acting side's end of the track, or the number of the special step."""
    where: tuple[str, ...] = (EVERYWHERE,)
    """Ids of the places to choose from."""
    track: str = ""


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A card."""

    id: Id
    side: str
    ops: Annotated[int, Meta(ge=1, le=5)]
    names: dict[str, str]
    event: Annotated[tuple[Effect, ...], Meta(max_length=MAX_EFFECTS)]
    once: bool = False
    """True if the card leaves the game after its event."""


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """A place on the board."""

    id: Id
    names: dict[str, str]
    at: tuple[Annotated[int, Meta(ge=0, le=100)], Annotated[int, Meta(ge=0, le=100)]]
    """Its centre on the board, in percent of width and height."""
    worth: Small = 0
    """A number for the rules of the game, shown on the board: what the place scores, or resists."""
    next_to: tuple[str, ...] = ()
    start: tuple[Small, Small] = (0, 0)
    """Influence of each side at the start."""


class Track(Struct, frozen=True, forbid_unknown_fields=True):
    """A track from the second side's end, `low`, to the first side's, `high`."""

    id: Id
    names: dict[str, str]
    low: Annotated[int, Meta(ge=-20, le=0)]
    high: Annotated[int, Meta(ge=0, le=20)]
    start: int = 0


class Side(Struct, frozen=True, forbid_unknown_fields=True):
    """A side."""

    id: Id
    names: dict[str, str]


class GameData(Struct, frozen=True, forbid_unknown_fields=True):
    """The data file; `sha256` is the fingerprint of its text, `file` its origin ("" = the package)."""

    schema: Literal[1]
    game: str
    sides: tuple[Side, Side]
    limits: Limits
    card: list[Card]
    place: Annotated[list[Place], Meta(min_length=1, max_length=MAX_PLACES)]
    track: Annotated[list[Track], Meta(min_length=1)]
    sha256: str = ""
    file: str = ""

    @property
    def side_ids(self) -> tuple[str, str]:
        """The ids of the sides."""
        return self.sides[0].id, self.sides[1].id


def load(path: str | Path | None, package: str, game: str, counts: tuple[int, int, int]) -> GameData:
    """Read and check a data file; without a path the ``cards.toml`` beside the package of the rules.

    Args:
        path: the file.
        package: the package of the game's rules.
        game: the id of the game.
        counts: numbers of cards, places and tracks that the state of the game has room for.

    Raises:
        DataFileError: the file cannot be read or used; the message names file, line and field.
    """
    return read(path, package, GameData, lambda _, data: _faults(data, game, counts))


def _faults(data: GameData, game: str, counts: tuple[int, int, int]) -> Faults:
    yield from known_name(("game",), data.game, {game}, "game")
    for kind, count in zip(("card", "place", "track"), counts, strict=True):
        yield from _records(kind, getattr(data, kind), count)
    sides, places = {*data.side_ids, NEUTRAL}, {place.id for place in data.place}
    tracks = {track.id for track in data.track}
    for index, card in enumerate(data.card):
        yield from known_name(("card", index, "side"), card.side, sides, "side")
        for number, effect in enumerate(card.event):
            yield from _effect_faults(("card", index, "event", number), effect, places, tracks)
    for index, place in enumerate(data.place):
        for number, other in enumerate(place.next_to):
            yield from known_name(("place", index, "next_to", number), other, places, "place")


def _records(kind: str, found: list[Any], count: int) -> Faults:
    yield from unique_ids(kind, [one.id for one in found])
    for index, one in enumerate(found):
        yield from names((kind, index, "names"), one.names)
    if len(found) != count:
        yield fault((kind,), "must_be", what=count, value=len(found))


def _effect_faults(
    at: tuple[str | int, ...], effect: Effect, places: Collection[str], tracks: Collection[str]
) -> Iterator[Fault]:
    for number, place in enumerate(effect.where):
        yield from known_name((*at, "where", number), place, {*places, EVERYWHERE}, "place")
    if effect.do == "track":
        yield from known_name((*at, "track"), effect.track, tracks, "track")
