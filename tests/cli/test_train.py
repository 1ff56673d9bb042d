"""``brink lab train``: a run ends with a player and its check; Ctrl-C ends it with 130; a wrong player is named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from brinkmanship.training.league import Run
from support.cli_runner import run as brink

TINY = ("lab", "train", "13-minutes", "--decisions", "100", "--teacher", "none", "--partner", "none", "--pairs", "2")


def test_a_run_ends_with_a_player_that_matches_can_use(tmp_path: Path) -> None:
    found = brink(*TINY, "--out", str(tmp_path), "--versus", "random", "--json")
    assert found.code == 0, found.err
    said = json.loads(found.out)
    check = said["checks"][0]
    assert (check["against"], check["pairs"]) == ("random", 2)
    match = ("lab", "match", "13-minutes", "--a", f"learned:{tmp_path}", "--b", "random", "--pairs", "2", "--json")
    assert json.loads(brink(*match).out)["pairs"] == 2
    charts = tmp_path / "progress.html"
    assert said["charts"] == str(charts)
    assert "Training of 13 Minutes" in charts.read_text("utf-8")
    again = brink(*TINY, "--out", str(tmp_path), "--versus", "random")
    assert f"Charts: {charts}\n" in again.out
    assert brink(*TINY, "--out", str(tmp_path), "--seed", "2").err.count("another seed: 1, not 2") == 1


def test_an_interrupted_run_says_how_it_continues(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(run: Run) -> Iterator[dict[str, Any]]:
        run.state = run.state._replace(decisions=40)
        yield {}
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "train", interrupted)
    found = brink(*TINY, "--out", str(tmp_path))
    assert (found.code, found.err) == (130, "Stopped after 40 of 100 decisions; the same command continues.\n")


def test_a_search_can_be_imitated_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runs = []

    def interrupted(run: Run) -> Iterator[dict[str, Any]]:
        runs.append(run)
        raise KeyboardInterrupt
        yield {}

    monkeypatch.setattr(Run, "train", interrupted)
    options = ("--decisions", "0", "--teacher", "search:6n", "--imitated", "500")
    found = brink("lab", "train", "13-minutes", *options, "--out", str(tmp_path))
    assert (found.code, found.err) == (130, "Stopped after 0 of 500 decisions; the same command continues.\n")
    assert (runs[0].settings.teacher, runs[0].settings.decisions, runs[0].is_over) == ("search:6n", 0, False)


def test_a_second_run_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    with FileLock(tmp_path / "training.lock"):
        found = brink(*TINY, "--out", str(tmp_path))
    assert found.code == 2
    assert f"another `brink lab train` is running in {tmp_path}" in " ".join(found.err.split())


def test_a_player_to_beat_needs_a_compiled_policy(tmp_path: Path) -> None:
    found = brink(*TINY, "--out", str(tmp_path), "--against", "search:10n")
    assert found.code == 2
    assert "search:10n has no compiled policy" in found.err


def test_a_level_can_be_the_player_to_beat(tmp_path: Path) -> None:
    found = brink(*TINY, "--out", str(tmp_path), "--against", "level:1", "--json")
    assert found.code == 0, found.err
    said = json.loads(found.out)
    assert [check["against"] for check in said["checks"]] == ["level:1"]
    assert [check["against"] for check in said["player_against_itself"]] == ["level:1"]
