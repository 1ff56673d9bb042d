"""`brink game new`: what it makes plays and passes its check, and nothing is left behind where it makes none."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from brinkmanship.cli.commands.game.new import CLASS, ID, PACKAGE, TITLE, template_folder
from brinkmanship.text import LANGUAGES
from support.cli_runner import run
from support.installed_games import install

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src"


def python(folder: Path, *arguments: str) -> str:
    """What Python says with the made project installed, the rules taken as ordinary Python: that takes no compiling."""
    paths = os.pathsep.join(map(str, (folder, folder / "cold-front", SOURCES)))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.process
def test_what_is_made_plays_and_passes_its_check_and_its_test(tmp_path: Path) -> None:
    shown = run("game", "new", "cold-front", "--folder", str(tmp_path))
    assert (shown.code, shown.err) == (0, "")
    made = tmp_path / "cold-front"
    project = tomllib.loads((made / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = project["entry-points"]["brinkmanship.games"]
    assert (project["name"], points) == ("cold-front", {"cold-front": "cold_front.kit:KIT"})
    install(tmp_path, "cold-front", f"cold-front = {points['cold-front']}")
    assert "Cold Front" in python(tmp_path, "-m", "brinkmanship", "games")
    assert "everything passed" in python(tmp_path, "-m", "brinkmanship", "game", "check", "cold-front", "--games", "2")
    assert "10" in python(
        tmp_path, "-m", "brinkmanship", "lab", "simulate", "cold-front", "--games", "10", "--workers", "1"
    )
    assert "2 passed" in python(tmp_path, "-m", "pytest", "-p", "no:cacheprovider", str(made))


def test_nothing_is_called_as_in_the_template(tmp_path: Path) -> None:
    assert run("game", "new", "cold-front", "--folder", str(tmp_path)).code == 0
    files = [path for path in (tmp_path / "cold-front").rglob("*") if path.is_file()]
    names = {str(path.relative_to(tmp_path / "cold-front")) for path in files}
    assert {"pyproject.toml", "tests/test_game.py", "cold_front/rules/flow.py", "cold_front/cards.toml"} <= names
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert not any(old in text for old in (PACKAGE, ID, CLASS, TITLE)), path
    assert "class ColdFront(Game" in (tmp_path / "cold-front/cold_front/rules/game.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_comes_next_is_said_in_every_language(language: str, tmp_path: Path) -> None:
    shown = run("game", "new", "duel", "--folder", str(tmp_path), "--lang", language)
    assert "brink game check duel" in shown.out
    assert f"pip install -e '{tmp_path / 'duel'}[test]'" in shown.out
    assert "new_game." not in shown.out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Cold Front", "cannot be the name of a game"),
        ("cold--front", "cannot be the name of a game"),
        ("../cold", "cannot be the name of a game"),
        ("4-suits", "cannot be the name of a game"),
        ("x" * 41, "at most 40 characters"),
        ("class", "a module or a reserved word 'class'"),
        ("json", "a module or a reserved word 'json'"),
        ("numpy", "a module or a reserved word 'numpy'"),
        ("message", "its rules already use the name Message"),
        ("13-days", "cannot be the name of a game"),
        ("there", "already exists"),
    ],
)
def test_a_name_that_is_no_good_leaves_nothing_behind(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    shown = run("game", "new", name, "--folder", str(tmp_path))
    assert shown.code == 2
    assert said in shown.err
    assert [path.name for path in tmp_path.rglob("*")] == ["there"]


def test_without_its_folder_nothing_is_made(tmp_path: Path) -> None:
    shown = run("game", "new", "duel", "--folder", str(tmp_path / "nowhere"))
    assert (shown.code, shown.out) == (2, "")
    assert "there is no folder" in shown.err


def test_what_cannot_be_written_is_not_half_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    shown = run("game", "new", "duel", "--folder", str(tmp_path))
    assert shown.code == 2
    assert "No space left on device" in shown.err
    assert list(tmp_path.iterdir()) == []


def test_the_template_is_the_one_of_the_examples_and_travels_with_the_package() -> None:
    assert template_folder() == ROOT / "examples" / PACKAGE
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    carried = {f"examples/{PACKAGE}": f"brinkmanship/{PACKAGE}"}
    assert built["targets"]["wheel"]["force-include"] == carried
    assert f"COPY examples/{PACKAGE} examples/{PACKAGE}" in (ROOT / "Containerfile").read_text(encoding="utf-8")
