"""Custom cards and scenarios, as sent by forms and API clients."""

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
"""Maximum size of an uploaded file in bytes, several times that of the largest packaged file."""
MAX_NAME_LENGTH = 60
MAX_TYPED = 300
"""Characters considered at the end of an uploaded file's name."""
KINDS = ("cards", "scenario")
"""Kinds of data files that have texts of their own on pages; others are shown as cards."""


class FileFault(NamedTuple):
    """Why a file could not be used, with the line where known."""

    line: int | None
    text: str
    """The text of that line."""
    reason: str
    language: str
    """Language of `reason`."""


def fault_of(error: BrinkError, content: bytes, language: str) -> FileFault:
    """Return the fault of an uploaded file, in the given language if the error is localized, otherwise in English."""
    line = error.line if isinstance(error, FileError) else None
    lines = content.decode("utf-8", "replace").splitlines()
    text = lines[line - 1][:200] if line and line <= len(lines) else ""
    if isinstance(error, LocalizedError):
        return FileFault(line, text, errors.reason(error, language), language)
    return FileFault(line, text, str(error), "en")


async def sent_data(file: UploadFile | None) -> DataFile | None:
    """Return the data file of a form, or None if none was chosen.

    Raises:
        TooLargeError: the file exceeds `MAX_BYTES`.
    """
    if file is None or not file.filename:
        return None
    return data_file(file.filename, await file.read(MAX_BYTES + 1))


def data_file(name: str, content: bytes) -> DataFile:
    """Return an uploaded data file under a sanitised name, without folders and unusual characters.

    Raises:
        TooLargeError: the file exceeds `MAX_BYTES`.
    """
    if len(content) > MAX_BYTES:
        raise TooLargeError("a data file", MAX_BYTES)
    last = PurePath(name[-MAX_TYPED:].replace("\\", "/")).name
    plain = re.sub(r"[^\w. -]", "_", last)[-MAX_NAME_LENGTH:].strip()
    return DataFile(plain or "data.toml", content)


def kept_data(engine: Engine, game_id: str, sha256: str) -> DataFile | None:
    """Return the stored data file with a SHA-256, under a distinguishing name, or None. Blocks on the database."""
    with engine.connect() as connection:
        return repository.data_file(connection, sha256, f"{game_id}-{sha256[:8]}.toml")


def kind_of(game: Game) -> str:
    """Return the name that pages use for the data file of a game."""
    return game.data_name if game.data_name in KINDS else KINDS[0]


def has_workshop(game_id: str) -> bool:
    """Return True if the cards or the scenario of a game can be edited in the browser."""
    return game_id in kits() and bool(own_files(game_id))


def own_files(game_id: str) -> dict[str, bytes]:
    """Return the data files packaged with a game, by name."""
    folder = kit_of(game_id).folder
    found = {name: folder.joinpath(name) for name in game_class(game_id).own_files()}
    return {name: file.read_bytes() for name, file in found.items() if file.is_file()}
