"""What is kept of compiled code: whether it is complete is known before it is used."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from brinkmanship.engine import compile as compiling


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of one game, and an empty folder for what is compiled of it."""
    source = tmp_path / "package" / "games" / "chess" / "flow.py"
    source.parent.mkdir(parents=True)
    source.write_text("MOVES = 1\n", "utf-8")
    monkeypatch.setattr(compiling, "PACKAGE", tmp_path / "package")
    monkeypatch.setattr(compiling, "INTERPRETED", False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "compiled"))
    compiling.cache_folder.cache_clear()
    yield source
    compiling.cache_folder.cache_clear()


@pytest.mark.usefixtures("package")
def test_a_game_is_compiled_when_that_has_come_to_its_end() -> None:
    folder = compiling.cache_folder("games/chess")
    folder.mkdir(parents=True)
    (folder / "some.nbi").touch()  # interrupted here
    assert not compiling.is_compiled("games/chess", "chess")
    compiling.note_compiled("games/chess", "chess")
    assert compiling.is_compiled("games/chess", "chess")


@pytest.mark.parametrize("later", [False, True], ids=["another text", "the same text, written later"])
def test_what_was_compiled_of_another_source_does_not_count(package: Path, later: bool) -> None:
    compiling.cache_folder("games/chess").mkdir(parents=True)
    compiling.note_compiled("games/chess", "chess")
    if later:
        os.utime(package, (1, 1))
    else:
        package.write_text("MOVES = 2\n", "utf-8")
    compiling.cache_folder.cache_clear()
    assert not compiling.is_compiled("games/chess", "chess")


@pytest.mark.usefixtures("package")
def test_where_nothing_can_be_kept_nothing_is_noted(tmp_path: Path) -> None:
    (tmp_path / "compiled").touch()  # no folder can be made here
    compiling.note_compiled("games/chess", "chess")
    assert not compiling.is_compiled("games/chess", "chess")
