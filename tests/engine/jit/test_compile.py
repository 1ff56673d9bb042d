"""What is kept of compiled code: that it is complete is known before it is used; it is never that of other sources."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import brinkmanship
from brinkmanship.engine.jit import cache, source_fingerprint
from brinkmanship.engine.jit.compile import INTERPRETED
from brinkmanship.games.registry import BUILT_IN, built_in

SOURCES = Path(brinkmanship.__file__).parent
COMPILING = {"compiled", "internal", "shared", "template", "hook", "implements"}
CHESS = {
    "chess/__init__.py": '"""Chess, outside of our package."""\n',
    "chess/game.py": "from chess.flow import moves\nfrom chess.words import WORDS\n",
    "chess/words.py": 'WORDS = "pawn"\n',
    "chess/numbers.py": "from enum import IntEnum\n\nfrom wood import WEIGHT\n\n\n"
    "class Piece(IntEnum):\n    PAWN = 1\n",
    "chess/rules.py": "from numba import types\n\nfrom brinkmanship.engine.jit.compile import internal\n"
    "from .numbers import Piece\n\n\n@internal(types.int64, types.int64)\ndef doubled(count):\n"
    "    return 2 * count + Piece.PAWN\n",
    "chess/flow.py": "from numba import types\n\nfrom brinkmanship.engine.jit.compile import compiled\n"
    "from chess.rules import doubled\n\n\n@compiled(types.int64, types.int64)\ndef moves(count):\n"
    "    return doubled(count)\n",
    "wood.py": "WEIGHT = 5\n",
}


@pytest.fixture
def chess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a game outside of our package, and an empty folder for what is compiled of it."""
    for name, text in CHESS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "compiled"))
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def forget() -> None:
    """As if a new process began."""
    cache.cache_folder.cache_clear()
    source_fingerprint._library.cache_clear()
    source_fingerprint._file_of.cache_clear()


def change(source: Path, old: str, new: str) -> None:
    text = source.read_text("utf-8")
    assert old in text
    source.write_text(text.replace(old, new), "utf-8")
    os.utime(source, (1, 1))  # another time, however coarse the clock of the disk
    forget()


@pytest.mark.usefixtures("chess")
def test_a_game_is_compiled_when_that_has_come_to_its_end() -> None:
    folder = cache.cache_folder("chess.game")
    folder.mkdir(parents=True)
    (folder / "some.nbi").touch()  # interrupted here
    assert not cache.is_compiled("chess.game")
    cache.note_compiled("chess.game")
    forget()
    assert cache.is_compiled("chess.game")
    assert "chess" not in sys.modules


@pytest.mark.parametrize(
    ("name", "old", "new", "is_compiled"),
    [
        pytest.param("chess/rules.py", "2 * count", "3 * count", False, id="a function that is called"),
        pytest.param("chess/flow.py", "", "", False, id="the same text, written later: Numba compiles it again"),
        pytest.param("chess/numbers.py", "PAWN = 1", "PAWN = 2", False, id="a value that is frozen"),
        pytest.param("wood.py", "5", "6", False, id="a value in a library"),
        pytest.param(
            "chess/numbers.py", "\n\n\nclass", "\n\n# Wooden.\nclass", True, id="a comment where nothing is compiled"
        ),
        pytest.param("chess/numbers.py", "    PAWN", '    """Wooden."""\n    PAWN', True, id="a docstring"),
        pytest.param("chess/words.py", "pawn", "rook", True, id="a module that nothing compiled imports"),
        pytest.param("chess/game.py", "WORDS", "WORDS  # and more", True, id="a module that calls compiled code"),
    ],
)
def test_what_was_compiled_of_another_source_does_not_count(
    chess: Path, name: str, old: str, new: str, is_compiled: bool
) -> None:
    cache.note_compiled("chess.game")
    change(chess / name, old, new)
    assert cache.is_compiled("chess.game") == is_compiled


def test_a_change_touches_only_what_is_compiled_of_it(chess: Path) -> None:
    before = [cache.cache_folder(name) for name in ("chess.rules", "chess.flow")]
    change(chess / "chess/flow.py", "", "")
    assert [
        cache.cache_folder(name) == folder for name, folder in zip(("chess.rules", "chess.flow"), before, strict=True)
    ] == [True, False]


def test_a_new_folder_takes_the_place_of_old_ones_of_modules_that_no_longer_exist(chess: Path) -> None:
    old = ("brinkmanship.engine.chance-1", "brinkmanship.engine.moved-1", "chess.moved-1")
    recent = ("brinkmanship.engine.other-1",)
    for name in (*old, *recent):
        (chess / "compiled" / name).mkdir(parents=True)
    for name in old:
        os.utime(chess / "compiled" / name, (1, 1))
    cache.cache_folder("chess.rules")
    assert not (chess / "compiled" / "brinkmanship.engine.moved-1").exists()
    assert all((chess / "compiled" / name).exists() for name in (old[0], old[2], *recent))


@pytest.mark.process
@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_an_edited_game_outside_the_package_runs_as_edited(chess: Path) -> None:
    def moves() -> str:
        path = os.pathsep.join((str(chess), os.environ.get("PYTHONPATH", "")))
        program = "from chess.flow import moves; print(moves(10))"
        return subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    assert moves() == "21"
    change(chess / "chess/rules.py", "2 * count", "3 * count")
    assert moves() == "31"
    change(chess / "chess/numbers.py", "PAWN = 1", "PAWN = 2")
    assert moves() == "32"


@pytest.mark.usefixtures("chess")
@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_game_of_the_package_is_made_of_its_rules_and_nothing_around_them(game_id: str, tmp_path: Path) -> None:
    module = built_in()[game_id].name_of("rules.game")
    folder = module.rpartition(".")[0]
    parts = {
        name.removeprefix(f"{folder}.")
        for name in source_fingerprint.dependencies_of([module], tmp_path / "sources.json")
    }
    assert {"flow", "state", "knowledge", "data", "brinkmanship.engine.chance"} <= parts
    assert parts.isdisjoint({"game", "ruleset", "narrator", "narration", "speech", "phrases", "loading"})
    assert parts.isdisjoint({"brinkmanship.engine.match", "brinkmanship.engine.journal"})
    assert not any(part.startswith(("brinkmanship.web", "brinkmanship.text")) for part in parts)


def test_no_python_calls_what_only_compiled_functions_may() -> None:
    """There is no way in from Python to a function that is `internal`: the process would end at once."""
    trees = {
        ".".join(path.relative_to(SOURCES.parent).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
        for path in SOURCES.rglob("*.py")
    }
    closed = {
        f"{module}.{function.name}"
        for module, tree in trees.items()
        for function in tree.body
        if isinstance(function, ast.FunctionDef) and {"internal", "template"} & decorators(function)
    }
    assert len(closed) > 300
    last_parts = {name.rpartition(".")[2] for name in closed}
    found = []
    for module, tree in trees.items():
        names = {name.rpartition(".")[2]: name for name in closed if name.rpartition(".")[0] == module}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
        handed_on = {  # to be compiled by whoever takes it
            argument.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            for argument in node.args
            if isinstance(argument, ast.Name)
        }
        for function in ast.walk(tree):
            if (
                not isinstance(function, ast.FunctionDef)
                or function.name in handed_on
                or COMPILING & decorators(function)
            ):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                    name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                    if names.get(name, name).rpartition(".")[2] not in last_parts:
                        continue
                    called = ast.unparse(node.func)
                    head, _, rest = called.partition(".")
                    if f"{names.get(head, head)}{'.' if rest else ''}{rest}" in closed:
                        found.append(f"{module}.{function.name} calls {called}")
    assert found == []


def decorators(function: ast.FunctionDef) -> set[str]:
    """The names of what decorates a function."""
    return {ast.unparse(each.func if isinstance(each, ast.Call) else each) for each in function.decorator_list}


@pytest.mark.usefixtures("chess")
def test_where_nothing_can_be_kept_nothing_is_noted(tmp_path: Path) -> None:
    (tmp_path / "compiled").touch()  # no folder can be made here
    cache.note_compiled("chess.game")
    assert not cache.is_compiled("chess.game")
