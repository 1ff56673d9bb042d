"""What the sources of the package may know of one another; `lint-imports` checks the order of the packages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path

import pytest

import brinkmanship
from brinkmanship.games.registry import BUILT_IN

SOURCES = Path(brinkmanship.__file__).parent
FOLDERS = {package.rpartition(".")[2] for package in BUILT_IN.values()}

NAME_A_GAME = {
    "games/registry.py": "lists the games of this package; they need no entry points",
    "cli/commands/bench.py": "the game that `brink bench` measures without --game",
    "cli/commands/puzzle.py": "the game whose puzzle `brink puzzle` gives without a game",
    "store/migrations/versions/0021_balanced_scenario.py": "changes the stored tables of one game, once",
}
"""Files outside the games' folders that name a game all the same, and why they may."""


def _imported(node: ast.AST, package: str) -> Iterator[str]:
    """Yield the full names of what a statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = resolve_name("." * node.level + (node.module or ""), package) if node.level else node.module or ""
        yield from (f"{module}.{alias.name}" for alias in node.names)


def _games_named(source: str, within: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a source that import a game or name one, each with the name.

    Imports in functions and under TYPE_CHECKING count, and texts that are the id of a game or the name of a module.
    """
    modules = tuple(f"{package}." for package in BUILT_IN.values())
    for node in ast.walk(ast.parse(source)):
        found = list(_imported(node, within))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(node.value)
        for name in found:
            if name in BUILT_IN or f"{name}.".startswith(modules):
                yield getattr(node, "lineno", 0), name


def _generic_files() -> Iterator[Path]:
    for path in sorted(SOURCES.rglob("*.py")):
        of = path.relative_to(SOURCES).parts
        if not (of[0] == "games" and of[1] in FOLDERS):
            yield path


def test_no_generic_code_names_a_game() -> None:
    named: dict[str, list[tuple[int, str]]] = {}
    for path in _generic_files():
        package = ".".join(("brinkmanship", *path.relative_to(SOURCES).parts[:-1]))
        if found := list(_games_named(path.read_text("utf-8"), package)):
            named[path.relative_to(SOURCES).as_posix()] = found
    assert {file: found for file, found in named.items() if file not in NAME_A_GAME} == {}
    assert set(NAME_A_GAME) - set(named) == set(), "these exceptions are no longer needed"


@pytest.mark.parametrize(
    "source",
    [
        "import brinkmanship.games.thirteen_days.rules.game",
        "from brinkmanship.games import thirteen_days",
        "from ..games.thirteen_minutes.rules import flow",
        "def load():\n    from brinkmanship.games.ukrainian_crisis.kit import KIT",
        "if TYPE_CHECKING:\n    from brinkmanship.games.thirteen_days.kit import KIT",
        "SIZES = {'13-days': 1}",
        "import_module('brinkmanship.games.thirteen_days.balance')",
        "is_mirrored = game.id == '13-minutes'",
        "text = f'{kind}-{\"ukrainian-crisis\"}'",
    ],
)
def test_every_way_to_name_a_game_is_seen(source: str) -> None:
    assert list(_games_named(source, "brinkmanship.lab"))


@pytest.mark.parametrize(
    "source",
    [
        "from brinkmanship.games.registry import Kit",
        "from brinkmanship.games.cuban.frame import Mode",
        '"""Return a game, such as "13-days"."""',
        "from .profile import BalanceProfile",
    ],
)
def test_nothing_else_is_taken_for_a_game(source: str) -> None:
    assert list(_games_named(source, "brinkmanship.lab")) == []
