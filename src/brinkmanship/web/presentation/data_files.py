"""Cards and scenarios of somebody's own, as forms and programs send them."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import NamedTuple

from sqlalchemy import Engine
from starlette.datastructures import UploadFile

from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.errors import BrinkError, FileError, LocalizedError
from brinkmanship.engine.game import Game
from brinkmanship.games.registry import game_class, kit_of, kits
from brinkmanship.store import repository
from brinkmanship.text import errors
from brinkmanship.web.support.errors import TooLargeError

MAX_BYTES = 200_000
"""Of a file that is sent: several times what the largest of the package has."""
LONGEST_NAME = 60
MAX_TYPED = 300
"""Characters that are read of the end of a file's name."""
KINDS = ("cards", "scenario")
"""Data files of which pages have words of their own; one of another kind is called cards."""


class FileFault(NamedTuple):
    """Why a file could not be used, with the line where there is one."""

    line: int | None
    text: str
    """The line itself."""
    reason: str
    language: str
    """Of the reason."""


def fault_of(error: BrinkError, content: bytes, language: str) -> FileFault:
    """What is wrong with a file that was sent, in this language where the error is told in more than English."""
    line = error.line if isinstance(error, FileError) else None
    lines = content.decode("utf-8", "replace").splitlines()
    text = lines[line - 1][:200] if line and line <= len(lines) else ""
    if isinstance(error, LocalizedError):
        return FileFault(line, text, errors.reason(error, language), language)
    return FileFault(line, text, str(error), "en")


async def sent_data(file: UploadFile | None) -> DataFile | None:
    """The data file in a form; None where none was chosen.

    Raises:
        TooLargeError: it is larger than any that can be used.
    """
    if file is None or not file.filename:
        return None
    return data_file(file.filename, await file.read(MAX_BYTES + 1))


def data_file(name: str, content: bytes) -> DataFile:
    """A data file that was sent, under what is left of its name without folders and strange characters.

    Raises:
        TooLargeError: it is larger than any that can be used.
    """
    if len(content) > MAX_BYTES:
        raise TooLargeError("a data file", MAX_BYTES)
    last = PurePath(name[-MAX_TYPED:].replace("\\", "/")).name
    plain = re.sub(r"[^\w. -]", "_", last)[-LONGEST_NAME:].strip()
    return DataFile(plain or "data.toml", content)


def kept_data(engine: Engine, game_id: str, sha256: str) -> DataFile | None:
    """The data file with a fingerprint, if it is kept here, under a name that tells it from others. Waits for the
    database."""
    with engine.connect() as connection:
        return repository.data_file(connection, sha256, f"{game_id}-{sha256[:8]}.toml")


def kind_of(game: Game) -> str:
    """What pages call the data file of a game."""
    return game.data_name if game.data_name in KINDS else KINDS[0]


def has_workshop(game_id: str) -> bool:
    """Whether the cards or the scenario of a game can be changed in the browser."""
    return game_id in kits() and bool(own_files(game_id))


def own_files(game_id: str) -> dict[str, bytes]:
    """The data files in the package of a game, by name."""
    folder = kit_of(game_id).folder
    found = {name: folder.joinpath(name) for name in game_class(game_id).own_files()}
    return {name: file.read_bytes() for name, file in found.items() if file.is_file()}
