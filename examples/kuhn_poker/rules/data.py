"""The data file as classes, and its checks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from brinkmanship.engine.data_file import Faults, names, options, read, unique_ids
from brinkmanship.engine.options import Option

N_CARDS = 3
OPTION_VALUES: dict[str, tuple[bool, ...]] = {}


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A card; a later one beats an earlier one."""

    id: str
    names: dict[str, str]


class GameData(Struct, frozen=True, forbid_unknown_fields=True):
    """The data file.

    `sha256` is the fingerprint of its text, `file` its origin ("" = the package).
    """

    schema: Literal[1]
    game: Literal["kuhn-poker"]
    options: dict[str, Option]
    card: Annotated[list[Card], Meta(min_length=N_CARDS, max_length=N_CARDS)]
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
    yield from unique_ids("card", [card.id for card in data.card])
    for index, card in enumerate(data.card):
        yield from names(("card", index, "names"), card.names)
