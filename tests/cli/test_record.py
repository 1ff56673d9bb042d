"""`brink record`: a game is entered, corrected and continued in the terminal; what is wrong is refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from brinkmanship.engine import journal
from brinkmanship.engine.open_record import NOT_SEEN
from brinkmanship.text import LANGUAGES
from support.cli_runner import Result, run


def answered(args: Sequence[str], answers: Sequence[str]) -> Result:
    """`brink record` with these arguments and answers; then the input ends."""
    left = iter(answers)

    def answer(_: str) -> str:
        said = next(left, None)
        if said is None:
            raise EOFError
        return said

    return run("record", *args, answer=answer)


def entered(file: Path, *answers: str, lang: str = "en") -> str:
    result = answered(["13-days", "-o", str(file), "--lang", lang], answers)
    assert (result.code, result.err) == (0, "")
    return result.out


def test_a_game_is_entered_continued_and_is_a_journal_at_any_time(tmp_path: Path) -> None:
    file = tmp_path / "evening.brink"
    entered(file, *["1"] * 8, "mathematical", "quit")
    first = journal.read(file)
    assert first.entries[-1].text == "draw mathematical_precision"
    said = entered(file, *["?"] * 9, "1", "reveal", "1", "u thant", "board", "steps", "undo", "xyzzy", "a", "0")
    assert "No choice is called “xyzzy”" in said
    assert "contain “a”" in said
    whole = journal.read(file)
    assert whole.entries[: len(first.entries)] == first.entries
    assert [entry.comment for entry in whole.entries].count(NOT_SEEN) == 8
    assert "U Thant" in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_speaks_every_language(tmp_path: Path, lang: str) -> None:
    said = entered(tmp_path / "evening.brink", "reveal", "?", "1", "quit", lang=lang)
    assert "evening.brink" in said.replace("\n", "")
    assert "record." not in said


def test_what_is_wrong_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "evening.brink"
    entered(file, "1", "quit")
    for args, told in (
        (["13-minutes", "-o", str(file)], "13-minutes"),
        (["13-days", "-o", str(file), "--option", "x=y"], "--option"),
        (["13-days", "-o", str(tmp_path / "none" / "x")], "no folder"),
        (["13-days", "-o", str(tmp_path)], str(tmp_path)),
        (["chess", "-o", str(tmp_path / "x")], "chess"),
    ):
        result = answered(args, [])
        assert result.code == 2, args
        assert told in result.err.replace("\n", " "), args
