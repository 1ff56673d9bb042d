"""Games as Parquet: every game and decision of journals is a row."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from brinkmanship.cli import app
from brinkmanship.engine import journal
from brinkmanship.engine.errors import JournalError
from brinkmanship.engine.match import Match
from brinkmanship.games.registry import load_game
from brinkmanship.players import load_player
from brinkmanship.players.self_play import record

pq = pytest.importorskip("pyarrow.parquet")

from brinkmanship.research.parquet import decisions_file, write  # noqa: E402


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two random games."""
    game = load_game("13-minutes")
    players = load_player("random", game), load_player("random", game)
    for number in range(2):
        match = Match(game)
        for actor, action in record(game, number, 7, players):
            match.push(action, side=actor if actor < 2 else None)
        journal.of_match(match, {"us": "random", "number": str(number)}).write(tmp_path / f"{number}.brink")
    return tmp_path


def test_a_game_is_a_row_and_so_is_each_decision(folder: Path) -> None:
    game = load_game("13-minutes")
    records = [journal.read(file) for file in sorted(folder.glob("*.brink"))]
    output = folder / "games.parquet"
    counts = write([(one, game) for one in records], output)
    games = pq.read_table(output).to_pylist()
    decisions = pq.read_table(decisions_file(output)).to_pylist()
    assert (len(games), len(decisions)) == counts
    for row, one in zip(games, records, strict=True):
        assert (row["result"], dict(row["headers"])["us"]) == (one.result, "random")
        assert row["result"].startswith(row["winner"] or "nobody")
        own = [each for each in decisions if each["game_number"] == row["game_number"]]
        assert len(own) == row["decisions"]
        for each in own:
            assert each["action_number"] in each["legal"]
            assert one.entries[each["ply"]].text == each["action"]


def test_a_broken_journal_leaves_the_files_as_they_were(folder: Path) -> None:
    game, output = load_game("13-minutes"), folder / "games.parquet"
    good = journal.read(folder / "0.brink")
    write([(good, game)], output)
    before = output.read_bytes()
    broken = journal.read(folder / "1.brink")
    broken.entries[-1] = replace(broken.entries[-1], text="nonsense")
    with pytest.raises(JournalError):
        write([(good, game), (broken, game)], output)
    assert output.read_bytes() == before
    assert not list(folder.glob("*.part"))


def test_the_command_takes_folders(folder: Path) -> None:
    from brinkmanship.cli.commands.lab import export  # noqa: F401 - registers the command

    output = folder / "out.parquet"
    result = CliRunner().invoke(app, ["lab", "export", str(folder), "-o", str(output), "--json"])
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    assert said["games"] == 2
    assert Path(said["files"]["decisions"]).is_file()
