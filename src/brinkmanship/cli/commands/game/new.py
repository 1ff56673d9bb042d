"""``brink game new``: create a new game from the template."""

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
from brinkmanship.cli import command, game_commands
from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import discover
from brinkmanship.terminal.words import Language, program_words

PACKAGE, ID, CLASS, TITLE = "template_game", "sealed-bids", "SealedBids", "Sealed Bids"
"""Names in the template, replaced by those of the new game."""
AROUND = "project"
"""Template folder with the project files around the package."""
MAX_NAME_LENGTH = 40


class NewGameError(LocalizedError):
    """The game cannot be created: its name is invalid, or the folder cannot be used."""


@command("brink game new cold-front", "brink game new cold-front --folder ~/games", within=game_commands, name="new")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    folder: Annotated[Path, typer.Option("--folder")] = Path(),
    lang: Language = "en",
) -> None:
    """Create a working game to be changed into another: rules, data, a kit with its entry point, and a test."""
    words = program_words(lang)
    made = make_game(name, folder)
    print(words.text(Message("new_game.made", {"folder": str(made)})))
    place, installed = shlex.quote(str(made)), shlex.quote(f"{made}[test]")
    for step in (f"pip install -e {installed}", f"brink play {name}", f"brink game check {name}", f"pytest {place}"):
        print(f"  {step}")
    print(words.text(Message("new_game.next", {"file": str(made / module_name(name) / "rules" / "flow.py")})))


def module_name(game_id: str) -> str:
    """Return the package name of a game id: cold_front for cold-front."""
    return game_id.replace("-", "_")


def make_game(game_id: str, folder: Path) -> Path:
    """Create the project of a game atomically in a folder, and return the project's own folder.

    Raises:
        NewGameError: the id is invalid or taken, or the folder does not exist or is not writable.
    """
    template = template_folder()
    _check_name(game_id, template)
    if not folder.is_dir():
        raise NewGameError(Message("fault.new_game.no_folder", {"folder": str(folder)}))
    made = folder / game_id
    if made.exists() or made.is_symlink():
        raise NewGameError(Message("fault.new_game.there", {"folder": str(made)}))
    try:
        with tempfile.TemporaryDirectory(prefix=f".{game_id}-", dir=folder) as work:
            project = Path(work) / game_id
            _write(template, project, game_id)
            project.rename(made)
    except OSError as error:
        why = {"folder": str(made), "why": error.strerror or str(error)}
        raise NewGameError(Message("fault.new_game.unwritable", why)) from error
    return made


def template_folder() -> Path:
    """Return the template folder: in the installed package, or beside the sources."""
    package = Path(brinkmanship.__file__).parent
    installed = package / PACKAGE
    return installed if installed.is_dir() else package.parents[1] / "examples" / PACKAGE


def _check_name(game_id: str, template: Path) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", game_id) or len(game_id) > MAX_NAME_LENGTH:
        raise NewGameError(Message("fault.new_game.form", {"name": game_id, "most": MAX_NAME_LENGTH}))
    known = discover()
    if game_id in known.kits or game_id in known.faults:
        raise NewGameError(Message("fault.new_game.game", {"name": game_id}))
    package = module_name(game_id)
    if keyword.iskeyword(package) or package in (*sys.stdlib_module_names, "tests") or _is_module(package):
        raise NewGameError(Message("fault.new_game.module", {"name": game_id, "module": package}))
    own = _class_name(game_id)
    if any(re.search(rf"\b{own}\b", source.read_text(encoding="utf-8")) for source in template.rglob("*.py")):
        raise NewGameError(Message("fault.new_game.own_name", {"name": game_id, "own": own}))


def _is_module(name: str) -> bool:
    spec = find_spec(name)
    return spec is not None and spec.origin is not None  # a namespace package (plain folder) has none


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
    for file in [path for path in project.rglob("*") if path.is_file()]:
        text = file.read_text(encoding="utf-8")
        file.write_text(old.sub(lambda match: names[match[0]], text), encoding="utf-8")
        file.rename(file.with_name(old.sub(lambda match: names[match[0]], file.name)))
