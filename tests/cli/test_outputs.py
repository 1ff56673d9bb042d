"""Commands that write a file look whether they can before they begin to work, and leave what is there as it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from brinkmanship.text import LANGUAGES
from support.cli_runner import run

# Each would complain of something else, or work for long, if it began.
BEFORE_WORK = (
    ("analyse", "missing.brink", "-o", "{}.html"),
    ("analyse", "missing.brink", "-o", "{}.json"),
    ("analyse", "missing.json", "missing.json", "--side", "us", "-o", "{}.json"),
    ("lab", "balance", "13-minutes", "--player", "nobody", "-o", "{}.html"),
    ("lab", "calibrate", "no-game", "-o", "{}.html"),
    ("lab", "puzzles", "make", "no-game", "-o", "{}.jsonl"),
    ("lab", "puzzles", "check", "missing.jsonl", "-o", "{}.jsonl"),
    ("lab", "puzzles", "choose", "missing.jsonl", "-o", "{}.jsonl"),
    ("lab", "match", "no-game", "--a", "random", "--b", "random", "--pairs", "1", "--save", "{}.jsonl"),
    ("lab", "sprt", "no-game", "--a", "random", "--b", "random", "--save", "{}.jsonl"),
    ("lab", "ladder", "no-game", "--player", "random", "--player", "greedy", "--pairs", "1", "--plot", "{}.svg"),
)


def asked(command: Sequence[str], place: Path) -> list[str]:
    return [part.format(place) for part in command]


@pytest.fixture(autouse=True)
def idle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No file of the checkout is read."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", BEFORE_WORK, ids=" ".join)
def test_a_file_in_no_folder_is_refused_before_any_work(command: Sequence[str], tmp_path: Path) -> None:
    refused = run(*asked(command, tmp_path / "nowhere" / "page"))
    assert refused.code == 2
    assert f"there is no folder {tmp_path / 'nowhere'}" in refused.err


@pytest.mark.parametrize("command", BEFORE_WORK, ids=" ".join)
def test_a_folder_is_refused_as_a_file_before_any_work(command: Sequence[str], tmp_path: Path) -> None:
    file = asked(command, tmp_path / "page")[-1]
    Path(file).mkdir()
    refused = run(*asked(command, tmp_path / "page"))
    assert refused.code == 2
    assert f"{file}: cannot be written" in refused.err


@pytest.mark.parametrize("is_there", [True, False], ids=["there", "new"])
def test_what_is_there_stays_where_the_work_fails(is_there: bool, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    if is_there:
        file.write_text("of yesterday")
    assert "missing.brink" in run("analyse", "missing.brink", "-o", str(file)).err
    assert [path.read_text() for path in tmp_path.iterdir()] == ["of yesterday"] * is_there


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "command",
    [
        ("lab", "simulate", "13-minutes", "--games", "1", "--save-journals"),
        ("lab", "ladder", "13-minutes", "--player", "random", "--player", "nobody", "--pairs", "1", "--save"),
        ("lab", "exploit", "13-minutes", "--player", "random", "--base", "random", "--save"),
    ],
    ids=lambda command: str(command[1]),
)
def test_a_folder_that_cannot_be_made_is_named_with_its_option(
    command: Sequence[str], language: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    spoken = () if command[1] == "ladder" else ("--lang", language)
    refused = run(*command, str(tmp_path / "file" / "games"), *spoken)
    assert refused.code == 2
    assert f"{command[-1]}: " in refused.err
    assert str(tmp_path / "file" / "games") in refused.err
