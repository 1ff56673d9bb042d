"""The leaderboard: fixed opponents, fixed deals, one row."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from brinkmanship.cli import app
from brinkmanship.cli.commands.lab import leaderboard
from brinkmanship.cli.commands.lab.leaderboard import SEED, opponents_in
from brinkmanship.games.registry import load_game


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
