"""The leaderboard: fixed opponents, fixed deals, one row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from brinkmanship.cli import app
from brinkmanship.cli.commands.lab import leaderboard
from brinkmanship.cli.commands.lab.leaderboard import SEED, opponents_in
from brinkmanship.games.registry import load_game
from brinkmanship.lab.matches.match import Pairs, play_pairs


def test_the_opponents_are_random_and_some_levels() -> None:
    assert opponents_in(load_game("13-minutes")) == ["random", "level:1", "level:3", "level:5"]


def test_a_row_has_a_score_for_each_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboard, "LEVELS", (1,))
    arguments = ["lab", "leaderboard", "13-minutes", "--player", "random", "--pairs", "2"]
    row = CliRunner().invoke(app, arguments)
    assert row.exit_code == 0, row.output
    head, _, scores = row.stdout.splitlines()
    assert head.split(" | ")[1:3] == ["random", "level:1"]
    assert scores.startswith("| `random` | ")
    assert scores.count("%") == 6
    said = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert (said["seed"], set(said["scores"])) == (SEED, {"random", "level:1"})


def test_an_interrupted_one_says_what_was_played_and_continues_from_its_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(leaderboard, "LEVELS", (1,))
    arguments = ["lab", "leaderboard", "13-minutes", "--player", "random", "--pairs", "2", "--save", str(tmp_path)]

    def interrupted_after_one(*arguments: Any) -> Iterator[Pairs]:
        yield from islice(play_pairs(*arguments), 1)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("brinkmanship.cli.commands.lab.match.play_pairs", interrupted_after_one)
        stopped = CliRunner().invoke(app, [*arguments, "--json"])
    said = json.loads(stopped.stdout)
    assert (stopped.exit_code, said["complete"], set(said["scores"])) == (130, False, {"random"})
    assert said["scores"]["random"]["pairs"] == 1
    begun = (tmp_path / "random-random.jsonl").read_text("utf-8")

    ended = CliRunner().invoke(app, [*arguments, "--json"])
    said = json.loads(ended.stdout)
    assert (ended.exit_code, said["complete"]) == (0, True)
    assert {result["pairs"] for result in said["scores"].values()} == {2}
    assert (tmp_path / "random-random.jsonl").read_text("utf-8").startswith(begun)
