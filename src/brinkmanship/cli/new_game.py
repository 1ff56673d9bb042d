"""``brink new-game``: a game of one's own, from the template."""

from __future__ import annotations

import keyword
import re
import shlex
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

import brinkmanship
from brinkmanship.cli import command
from brinkmanship.cli.speech import Language, program_words
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.message import Message
from brinkmanship.kit import found

PACKAGE, ID, CLASS, TITLE = "template_game", "sealed-bids", "SealedBids", "Sealed Bids"
"""What the template is called, and what another game is called instead."""
AROUND = "project"
"""The folder of the template that holds what stands around the package."""
LONGEST_NAME = 40


class NewGameError(BrinkError, ValueError):
    """A game that cannot be made: its name is no good, or there is no place for it."""


@command("brink new-game cold-front", "brink new-game cold-front --folder ~/games")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    folder: Annotated[Path, typer.Option("--folder")] = Path(),
    lang: Language = "en",
) -> None:
    """Make a game that runs, to be changed into another: rules, data, a kit with its entry point, and a test."""
    words = program_words(lang)
    made = make_game(name, folder)
    print(words.text(Message("new_game.made", {"folder": str(made)})))
    place = shlex.quote(str(made))
    for step in (f"pip install -e {place}", f"brink play {name}", f"brink check {name}", f"pytest {place}"):
        print(f"  {step}")
    print(words.text(Message("new_game.next", {"file": str(made / module_name(name) / "flow.py")})))


def module_name(game_id: str) -> str:
    """The package of a game by its id: cold_front for cold-front."""
    return game_id.replace("-", "_")


def make_game(game_id: str, folder: Path) -> Path:
    """Make the project of a game in a folder; returns its own folder there, which is there as a whole or not at all.

    Raises:
        NewGameError: the id cannot be used, the folder is none or cannot be written to, or there is such a game.
    """
    template = template_folder()
    _check_name(game_id, template)
    if not folder.is_dir():
        raise NewGameError(f"there is no folder {folder}")
    made = folder / game_id
    if made.exists() or made.is_symlink():
        raise NewGameError(f"{made} is there already; choose another name, or another folder with --folder")
    try:
        with tempfile.TemporaryDirectory(prefix=f".{game_id}-", dir=folder) as work:
            project = Path(work) / game_id
            _write(template, project, game_id)
            project.rename(made)
    except OSError as error:
        raise NewGameError(f"{made} cannot be written: {error.strerror or error}") from error
    return made


def template_folder() -> Path:
    """Where the template is: in the installed package, or beside the sources."""
    package = Path(brinkmanship.__file__).parent
    installed = package / PACKAGE
    return installed if installed.is_dir() else package.parents[1] / "examples" / PACKAGE


def _check_name(game_id: str, template: Path) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", game_id) or len(game_id) > LONGEST_NAME:
        raise NewGameError(
            f"{game_id!r} cannot be the name of a game: it takes small letters a to z, digits and single hyphens,"
            f" a letter first, {LONGEST_NAME} characters at most, as cold-front"
        )
    known = found()
    if game_id in known.kits or game_id in known.faults:
        raise NewGameError(f"there is a game {game_id!r} already")
    package = module_name(game_id)
    if keyword.iskeyword(package) or package in (*sys.stdlib_module_names, "tests") or _is_module(package):
        raise NewGameError(f"{game_id!r} cannot be the name of a game: Python has a module or a word {package!r}")
    own = _class_name(game_id)
    if any(re.search(rf"\b{own}\b", source.read_text(encoding="utf-8")) for source in template.glob("*.py")):
        raise NewGameError(f"{game_id!r} cannot be the name of a game: its rules use the name {own} already")


def _is_module(name: str) -> bool:
    spec = find_spec(name)
    return spec is not None and spec.origin is not None  # a mere folder of that name has none


def _class_name(game_id: str) -> str:
    return "".join(part.capitalize() for part in game_id.split("-"))


def _write(template: Path, project: Path, game_id: str) -> None:
    names = {
        PACKAGE: module_name(game_id),
        ID: game_id,
        CLASS: _class_name(game_id),
        TITLE: " ".join(part.capitalize() for part in game_id.split("-")),
    }
    old = re.compile("|".join(map(re.escape, names)))
    unused = shutil.ignore_patterns("__pycache__", AROUND)
    shutil.copytree(template / AROUND, project, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(template, project / names[PACKAGE], ignore=unused)
    for file in (path for path in project.rglob("*") if path.is_file()):
        text = file.read_text(encoding="utf-8")
        file.write_text(old.sub(lambda match: names[match[0]], text), encoding="utf-8")
