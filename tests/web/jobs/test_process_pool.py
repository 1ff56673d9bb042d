"""The processes in which computer players think: what they are given, and what becomes of those that fail."""

from __future__ import annotations

import zlib
from copy import copy
from importlib import resources

import pytest

from brinkmanship.analysis.report import Analysis
from brinkmanship.engine import journal
from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import load_game
from brinkmanship.players import Candidate, Choice
from brinkmanship.players.random import RandomPlayer
from brinkmanship.web.jobs import analysis_job, player_job, process_pool
from brinkmanship.web.jobs.player_job import OtherProgramError, Players, decode_choice, encode_choice, encode_request
from brinkmanship.web.jobs.process_pool import ANALYSIS, JobFailedError, ProcessPool
from support.patience import HANGS_SECONDS


def begun() -> Match:
    match = Match(load_game("13-minutes"))
    match.advance(dealer(1))
    return match


@pytest.mark.process
def test_a_process_that_fails_is_replaced_and_a_player_that_fails_is_told() -> None:
    pool = ProcessPool(processes=1)
    match = begun()
    legal = {decision.action for decision in match.legal(0)}

    def ask(name: str) -> int:
        return pool.ask(name, lambda: Observation.of(match, 0)).result(HANGS_SECONDS).action

    assert ask("greedy") in legal
    process = pool._idle[0]._process
    with pytest.raises(JobFailedError, match="no player 'deep'"):
        ask("deep")
    with pytest.raises(JobFailedError, match="no hint: "):
        pool.submit("hint", b"no question").result(HANGS_SECONDS)
    assert ask("random") in legal
    assert pool._idle[0]._process is process
    process.kill()
    process.join()
    assert ask("greedy") in legal
    assert pool._idle[0]._process is not process
    told: list[bytes] = []
    question = analysis_job.encode(journal.of_match(match, result="ussr by resignation"), match.game, 8)
    report = pool.submit(ANALYSIS, question, told.append).result(HANGS_SECONDS)
    assert Analysis.from_json(zlib.decompress(report)).result == "ussr by resignation"
    assert told
    pool.close()


FAULTS = [ValueError("no idea"), StopIteration(), SystemExit(3), MemoryError()]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
def test_whatever_a_player_raises_is_an_answer(fault: BaseException) -> None:
    class Moody(RandomPlayer):
        def choose(self, seen: Observation) -> Choice:  # noqa: ARG002 - the shape of a player
            raise fault

    player = Moody(begun().game)
    works: dict[str, process_pool.Work] = {
        "choice": lambda *_: encode_choice(player.choose(Observation.of(begun(), 0)))
    }
    answer = process_pool._answer(works, "choice", b"", lambda _: None)
    assert answer == (b"", f"no choice: {type(fault).__name__}: {fault}")


@pytest.mark.process
def test_a_process_that_hangs_is_ended() -> None:
    pool = ProcessPool(processes=1, patience=0.01)
    match = begun()
    with pytest.raises(JobFailedError, match=r"no choice for 0\.01 seconds"):
        pool.ask("greedy", lambda: Observation.of(match, 0)).result(HANGS_SECONDS)
    assert not pool._idle
    pool.close()


def test_what_is_sent_to_a_process_holds_nothing_that_its_side_may_not_know() -> None:
    match = begun()
    sent = {zlib.decompress(encode_request("greedy", Observation.of(match, side))) for side in range(2)}
    for count in range(1, len(match.entries) + 1):  # from the first card on somebody knows less than all
        state = match.bytes_after(count)
        assert not any(state in each for each in sent)
    assert len(sent) == 2


def test_a_choice_comes_back_with_its_reasons() -> None:
    zone = Ref("battleground", "atlantic")
    reason = Message("because", {"n": 2, "where": zone, "what": (Message("first", {"place": zone}), zone), "who": "he"})
    choice = Choice(7, (Candidate(7, 0.5), Candidate(3, float("-inf"), 2)), reason)
    assert decode_choice(encode_choice(choice)) == choice
    assert decode_choice(encode_choice(Choice(7))) == Choice(7)


@pytest.mark.parametrize("game", ["13-days", "13-minutes", "ukrainian-crisis"])
def test_a_player_is_given_all_that_its_side_has_seen(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = resources.files("brinkmanship.games") / game.replace("-", "_").replace("13", "thirteen")
    content = next(path for path in own.iterdir() if path.name in ("cards.toml", "scenario.toml")).read_bytes()
    match = Match(load_game(game, DataFile("mine", content + b"\n")))
    match.advance(dealer(1))
    side = min(match.pending)
    seen = Observation.of(match, side)
    given: list[Observation] = []

    class Listener(RandomPlayer):
        def choose(self, seen: Observation) -> Choice:
            given.append(seen)
            return super().choose(seen)

    monkeypatch.setattr(player_job, "load_player", lambda _, ruleset: Listener(ruleset))
    question = encode_request("listener", seen)
    players = Players()
    legal = {decision.action for decision in match.legal(side)}
    assert {decode_choice(players.answer(question)).action for _ in range(2)} <= legal
    first, second = given
    assert first.game is second.game
    assert (first.side, first.views) == (seen.side, seen.views)
    assert [each[:2] for each in first.actions] == [each[:2] for each in seen.actions]  # the lines stay behind
    assert first.game.data_sha256 == match.game.data_sha256


def test_a_question_of_other_rules_is_refused() -> None:
    game = load_game("13-minutes")
    match = Match(game)
    match.advance(dealer(1))
    seen = Observation.of(match, 0)
    short = Observation(game, 0, seen.actions, tuple(view[:-1] for view in seen.views))
    with pytest.raises(OtherProgramError, match="another version"):
        Players().answer(encode_request("random", short))
    other = copy(game)
    newer = type("Newer", (type(game),), {"version": game.version + 1})
    other.__class__ = newer
    with pytest.raises(OtherProgramError, match="other rules"):
        Players().answer(encode_request("random", Observation(other, 0, seen.actions, seen.views)))
