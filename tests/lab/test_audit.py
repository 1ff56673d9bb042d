"""`brink lab audit`: an honest player passes, one that searches the memory for hidden cards is caught."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import partial
from itertools import islice

import pytest

from brinkmanship.cli.commands.lab import audit as commands
from brinkmanship.cli.commands.lab.audit import FAULTS
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.lab.diagnostics.audit import Audit, FaultPlace, PlayerFactory, choices, courses, examine
from brinkmanship.players import load_player
from support.cli_runner import run
from support.dishonest_players import Fickle, MemoryReader


def audited(game_id: str, factory: PlayerFactory, games: int, others: int = 1) -> Audit:
    game = load_game(game_id)
    rivals = (load_player("random", game), load_player("random", game))
    return Audit.of(list(examine(game, factory, islice(courses(game, rivals, 2, others), games), others, 4, 1)))


@pytest.mark.process
@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_player_that_searches_the_memory_is_caught(game_id: str) -> None:
    found = audited(game_id, MemoryReader, 8)
    kinds = Counter(place.fault for place in found.faults)
    assert set(kinds) == {"action", "numbers", "reason"}
    assert found.hidden >= kinds["numbers"] == kinds["reason"] > 0.9 * found.hidden >= 10


@pytest.mark.process
def test_an_honest_player_passes() -> None:
    found = audited("ukrainian-crisis", partial(load_player, "rules"), 8)
    assert found.is_passed
    assert found.hidden >= 10
    assert len(found.latencies) == 8


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_rules_gives_a_reason_nearly_everywhere(game_id: str) -> None:
    game = load_game(game_id)
    rivals = (load_player("random", game), load_player("random", game))
    rules = partial(load_player, "rules")
    chosen = [
        choice
        for each in islice(courses(game, rivals, 2, 0), 4)
        for choice in choices(game, rules, 4, 1, each.side, each.histories[0], each.decisions)
    ]
    assert len(chosen) >= 16
    assert sum(choice.reason is not None for choice in chosen) >= 0.75 * len(chosen)


@pytest.mark.process
def test_a_player_that_does_not_say_the_same_twice_is_caught() -> None:
    assert "twice" in {place.fault for place in audited("13-minutes", Fickle, 1, others=0).faults}


@pytest.mark.process
def test_an_audit_is_told_in_english() -> None:
    shown = run(
        "--lang", "de", "lab", "audit", "13-minutes", "--player", "greedy", "--positions", "5", "--histories", "1"
    )
    assert shown.code == 0, shown.err
    title, verdict, times = shown.out.splitlines()
    assert title.startswith("13 Minutes")
    knows = r"greedy knows nothing that its side does not know: \d+ positions, \d+ of them with other hidden cards"
    assert re.fullmatch(knows, verdict)
    assert times.startswith("A decision takes ")


def test_faults_of_a_player_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [FaultPlace(fault, 3, 12, 0) for fault in FAULTS]
    monkeypatch.setattr(commands, "_audited", lambda *_: Audit(5, 2, tuple(found), (0.001,)))
    shown = run("lab", "audit", "13-minutes", "--player", "greedy")
    assert shown.code == 1
    assert "greedy fails in some positions: 5 positions, 2 of them with other hidden cards" in shown.out
    assert all(f"  {text} (game 3, after 12 entries, US)" in shown.out for text in FAULTS.values())


@pytest.mark.process
def test_an_audit_tells_programs_everything() -> None:
    shown = run("lab", "audit", "13-days", "--player", "rules", "--positions", "7", "--histories", "1", "--json")
    told = json.loads(shown.out)
    assert told["positions"] >= 7
    assert 0 < told["hidden"] <= told["positions"]
    assert (told["passed"], told["faults"]) == (True, [])
    assert told["latency_ms"]["p50"] <= told["latency_ms"]["p95"] <= told["latency_ms"]["p100"]
