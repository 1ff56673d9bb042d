"""Options shared by several commands, and the parsing of their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Annotated

import typer

from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.options import OptionValue
from brinkmanship.text import LANGUAGES, words_for

if TYPE_CHECKING:
    from brinkmanship.lab.matches.cluster import Cluster

OptionTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
    ),
]
Cards = Annotated[
    Path | None,
    typer.Option(
        "--cards",
        "--scenario",
    ),
]
Seed = Annotated[int | None, typer.Option("--seed", min=0)]
AsJson = Annotated[bool, typer.Option("--json")]


def _check_ray(address: str | None) -> str | None:
    """Return the address of a cluster.

    Raises:
        ModuleNotFoundError: Ray is not installed; it would be missed only after games have been compiled.
    """
    if address is not None and find_spec("ray") is None:
        raise ModuleNotFoundError(name="ray")
    return address


ClusterAddress = Annotated[str | None, typer.Option("--cluster", callback=_check_ray)]


def check_output(file: Path | None, option: str = "-o") -> None:
    """Check before any work begins that an output file can be written.

    The contents of an existing file are unchanged, and no new file remains.

    Raises:
        OptionError: it cannot be written.
    """
    if file is None:
        return
    if not file.parent.is_dir():
        raise OptionError(Message("fault.command.no_folder", {"option": option, "folder": str(file.parent)}))
    is_new = not file.exists()
    if not is_new and not file.is_file() and not file.is_dir():
        return  # a device or a pipe: its viewer would take opening and closing it for the output
    try:
        with file.open("ab"):
            pass
        if is_new:
            file.unlink()
    except OSError as error:
        raise unwritable(file, error, option) from error


def unwritable(file: Path, error: OSError, option: str = "-o") -> OptionError:
    """Return the error for a file that cannot be written."""
    why = {"option": option, "file": str(file), "why": error.strerror or str(error)}
    return OptionError(Message("fault.command.output_unwritable", why))


def make_folder(folder: Path, option: str) -> None:
    """Create the output folder of a command if it does not exist.

    Raises:
        OptionError: the folder cannot be created or is not writable.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        known = {"option": option, "folder": str(folder), "why": error.strerror or str(error)}
        raise OptionError(Message("fault.command.make_folder", known)) from error


@contextmanager
def cluster_at(address: str | None, cores: int | None) -> Iterator[Cluster | None]:
    """Yield the cluster of ``--cluster``, or None without the option.

    Raises:
        OptionError: a number of workers was given for other machines.
        ClusterError: there is no such cluster.
    """
    if address is None:
        yield None
        return
    from brinkmanship.lab.matches.cluster import LOCAL, Cluster  # loads Numba

    if cores is not None and address != LOCAL:
        raise OptionError(Message("fault.cluster.workers", {"address": address}))
    with Cluster(address, cores) as cluster:
        yield cluster


def name_and_value(text: str, what: str) -> tuple[str, str]:
    """Split ``name=value``; `what` names the command line option for the error.

    Raises:
        OptionError: the text has no "=", or a part is empty.
    """
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise OptionError(Message("fault.command.name_value", {"option": what, "value": text}))
    return name.strip(), value.strip()


def chosen_options(texts: list[str] | None) -> dict[str, OptionValue]:
    """Return ruleset options from the command line's NAME=VALUE texts.

    Raises:
        OptionError: a text is malformed, or an option is given twice.
    """
    chosen: dict[str, OptionValue] = {}
    for text in texts or ():
        name, value = name_and_value(text, "--option")
        if name in chosen:
            raise OptionError(Message("fault.command.option_twice", {"name": name}))
        chosen[name] = value
    return chosen


def side_number(game: Game, name: str, others: Sequence[str] = ()) -> int:
    """Return the number of a side from its name, in journal form or in any language.

    Args:
        game: the ruleset.
        name: name of the side.
        others: other accepted values, for the error message.

    Raises:
        OptionError: the game has no such side.
    """
    if name in game.sides:
        return game.sides.index(name)
    for language in LANGUAGES:
        words = words_for(game, language)
        for number, side in enumerate(game.sides):
            if name.casefold() in (side, words.name("side", side).casefold()):
                return number
    sides = (*game.sides, *others)
    raise OptionError(Message("fault.command.side", {"title": game.title, "name": name, "known": ", ".join(sides)}))
