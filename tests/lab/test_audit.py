"""`brink lab audit`: an honest player passes, one that peeks is caught."""

from __future__ import annotations

import json
import sys
from itertools import islice
from zlib import crc32

import pytest

from brinkmanship.cli.commands.lab import audit as commands
from brinkmanship.cli.commands.lab.audit import FAULTS
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.lab.diagnostics.audit import Audit, FaultPlace, examine, questions
from brinkmanship.players import Candidate, Choice, Player, load_player
from support.cli_runner import run


class Peeking(Player):
    """Looks over the shoulder of whoever asks it, at the state of the game, and lets one thing depend on it."""

    name = "peeking"
    lets: str

    def choose(self, seen: Observation) -> Choice:
        frame = sys._getframe(1)
        while "world" not in frame.f_locals and frame.f_back is not None:
            frame = frame.f_back
        hidden = crc32(frame.f_locals["world"].tobytes()) % 2
        legal = self.game.legal_actions(seen.view(), seen.side)
        action = legal[hidden if self.lets == "action" else 0]
        said = Message("hidden", {"n": hidden}) if self.lets == "reason" else None
        return Choice(action, (Candidate(action, float(hidden) if self.lets == "numbers" else 0.0),), said)


class Fickle(Player):
    """Never says the same twice."""

    name = "fickle"
    asked = 0

    def choose(self, seen: Observation) -> Choice:
        Fickle.asked += 1
        return Choice(self.game.legal_actions(seen.view(), seen.side)[0], (Candidate(0, float(Fickle.asked)),))


def faults(game: Game, player: Player, positions: int) -> list[FaultPlace]:
    rivals = (load_player("random", game), load_player("random", game))
    some = islice(questions(game, rivals, 2), positions)
    return [place for number, each in enumerate(some) for place in examine(game, player, each, 3, 4, number)]


@pytest.mark.parametrize("lets", ["action", "numbers", "reason"])
@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_player_that_peeks_is_caught(game_id: str, lets: str) -> None:
    game = load_game(game_id)
    player = Peeking(game, 1)
    player.lets = lets
    found = faults(game, player, 12)
    assert len(found) >= 3
    assert lets in {place.fault for place in found}


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_an_honest_player_passes(game_id: str) -> None:
    game = load_game(game_id)
    assert faults(game, load_player("random", game, 1), 12) == []
    assert faults(game, load_player("greedy", game, 1), 6) == []


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_rules_says_the_same_whatever_its_side_cannot_know(game_id: str) -> None:
    game = load_game(game_id)
    player = load_player("rules", game, 1)
    assert faults(game, player, 12) == []
    some = islice(questions(game, (load_player("random", game), load_player("random", game)), 2), 12)
    assert sum(player.choose(each.seen).reason is not None for each in some) >= 9


def test_a_player_that_does_not_say_the_same_twice_is_caught() -> None:
    game = load_game("13-minutes")
    assert "twice" in {place.fault for place in faults(game, Fickle(game, 1), 3)}


def test_an_audit_is_told_in_english() -> None:
    shown = run("--lang", "de", "lab", "audit", "13-minutes", "--player", "greedy", "--positions", "5")
    assert shown.code == 0, shown.err
    title, verdict, times = shown.out.splitlines()
    assert title.startswith("13 Minutes")
    assert verdict == "greedy knows nothing that its side does not know: 5 positions, 2 possible deals each"
    assert times.startswith("A decision takes ")


def test_faults_of_a_player_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [FaultPlace(fault, 3, 12, 0) for fault in FAULTS]
    monkeypatch.setattr(commands, "_audited", lambda *_: Audit(5, 2, tuple(found), (0.001,)))
    shown = run("lab", "audit", "13-minutes", "--player", "greedy")
    assert shown.code == 1
    assert "greedy fails in some positions: 5 positions, 2 possible deals each" in shown.out
    assert all(f"  {text} (game 3, after 12 entries, US)" in shown.out for text in FAULTS.values())


def test_an_audit_tells_programs_everything() -> None:
    shown = run("lab", "audit", "13-minutes", "--player", "random", "--positions", "7", "--worlds", "3", "--json")
    told = json.loads(shown.out)
    assert (told["positions"], told["worlds"], told["passed"], told["faults"]) == (7, 3, True, [])
    assert told["latency_ms"]["p50"] <= told["latency_ms"]["p95"] <= told["latency_ms"]["p100"]
