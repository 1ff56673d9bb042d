"""The data file as classes, and its checks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from brinkmanship.engine.data_file import Faults, names, options, read, unique_ids
from brinkmanship.engine.options import Option

N_PRIZES = 3
MAX_COINS = 9
OPTION_VALUES: dict[str, tuple[bool, ...]] = {"favourites": (True, False)}


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of the game."""

    coins: Annotated[int, Meta(ge=1, le=MAX_COINS)]


class Prize(Struct, frozen=True, forbid_unknown_fields=True):
    """A card to bid for."""

    id: str
    worth: Annotated[int, Meta(ge=1, le=9)]
    names: dict[str, str]


class GameData(Struct, frozen=True, forbid_unknown_fields=True):
    """The data file.

    `sha256` is the fingerprint of its text, `file` its origin ("" = the package).
    """

    schema: Literal[1]
    game: Literal["sealed-bids"]
    limits: Limits
    options: dict[str, Option]
    prize: Annotated[list[Prize], Meta(min_length=N_PRIZES, max_length=N_PRIZES)]
    sha256: str = ""
    file: str = ""


def load(path: str | Path | None = None) -> GameData:
    """Read and check a data file; without a path the game's own ``cards.toml``.

    Raises:
        DataFileError: the file cannot be read or used; the message names file, line and field.
    """
    return read(path, __package__, GameData, _faults)


def _faults(raw: dict[str, Any], data: GameData) -> Faults:  # noqa: ARG001 - the signature `read` calls
    yield from options(data.options, OPTION_VALUES)
    yield from unique_ids("prize", [prize.id for prize in data.prize])
    for index, prize in enumerate(data.prize):
        yield from names(("prize", index, "names"), prize.names)
