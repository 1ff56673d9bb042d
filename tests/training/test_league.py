"""Training of networks: a planted habit is found, an interrupted run goes on, weights fit one game only."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "examples"))

from kuhn_poker.rules.actions import Action  # noqa: E402
from kuhn_poker.rules.game import KuhnPoker  # noqa: E402
from template_game.rules.game import SealedBids  # noqa: E402

from brinkmanship.engine.chance import Random, below, generator  # noqa: E402
from brinkmanship.engine.game import CHANCE, OVER  # noqa: E402
from brinkmanship.engine.observation import Observation  # noqa: E402
from brinkmanship.engine.playout import compiled_policy  # noqa: E402
from brinkmanship.engine.record import State  # noqa: E402
from brinkmanship.lab.diagnostics.best_response import BestResponse, Strategy  # noqa: E402
from brinkmanship.players.lab_players import load_lab_player  # noqa: E402
from brinkmanship.players.learned.player import WEIGHTS, LearnedError, LearnedPlayer, load_brain, shares_of  # noqa: E402
from brinkmanship.players.player import Choice, Player  # noqa: E402
from brinkmanship.training import experience  # noqa: E402
from brinkmanship.training.league import CHECKPOINT, LOG, PROGRESS, Opponents, Run, Settings  # noqa: E402

CHECK, BET, CALL, FOLD = (int(action) for action in (Action.CHECK, Action.BET, Action.CALL, Action.FOLD))
SMALL = Settings(
    decisions=4_000, seed=5, batch=512, minibatches=4, rates=(3e-3, 1e-3), imitated=512, layers=(16, 16, 8), snapshots=4
)


NO_ONE = Opponents()


@pytest.fixture(scope="module")
def poker() -> KuhnPoker:
    return KuhnPoker.load()


def timid(rules: Any, view: Any, side: int, random: Random) -> int:  # noqa: ARG001 - the shape of a policy
    """Bet a king and a third of the jacks, as in a balance, but never call: the habit."""
    if view.paid[0] != view.paid[1]:
        return FOLD
    card = view.card[side]
    return BET if card == 2 or (card == 0 and below(random, 3) == 0) else CHECK


def timid_shares(view: State, side: int) -> Mapping[int, float]:
    """The same as probabilities."""
    if view.paid[0] != view.paid[1]:
        return {FOLD: 1.0, CALL: 0.0}
    bet = (1 / 3, 0.0, 1.0)[int(view.card[side])]
    return {BET: bet, CHECK: 1 - bet}


def utility(game: KuhnPoker, state: State, strategies: tuple[Strategy, Strategy]) -> float:
    """What the first side gets on average."""
    actor = int(game.actor(game.rules, state))
    if actor == OVER:
        return float(game.outcome(state)[1][0])
    if actor == CHANCE:
        weights = game.distribution(state)
        shares = {action: weight / sum(weights.values()) for action, weight in weights.items()}
    else:
        shares = dict(strategies[actor](game.view_of(state, actor), actor))
    found = 0.0
    for action, share in shares.items():
        after = game.copy(state)
        game.apply(game.rules, after, action)
        found += share * utility(game, after, strategies)
    return found


def regular(rules: Any, view: Any, side: int, random: Random) -> int:  # noqa: ARG001 - the shape of a policy
    """Bet a king, call with all but a jack."""
    card = view.card[side]
    if view.paid[0] != view.paid[1]:
        return CALL if card > 0 else FOLD
    return BET if card == 2 else CHECK


class Regular(Player):
    """The same as a player that has to be asked."""

    name = "regular"

    def choose(self, seen: Observation) -> Choice:
        return Choice(regular(self.game.rules, seen.view(), seen.side, self.random))


def trained(
    game: KuhnPoker, folder: Path, settings: Settings, opponents: Opponents = NO_ONE, workers: int | None = None
) -> Run:
    run = Run(game, folder, settings, opponents, workers)
    list(run.train())
    return run


def test_a_planted_habit_is_found_by_a_learned_best_response(poker: KuhnPoker, tmp_path: Path) -> None:
    victim = compiled_policy(KuhnPoker, timid)
    settings = replace(SMALL, decisions=40_000, against="timid", entropy=(0.05, 0.002), average=0.98)
    trained(poker, tmp_path, settings, Opponents(partner=victim))
    brain = load_brain(tmp_path, poker)
    exact = BestResponse(poker, timid_shares)

    def learned(view: State, side: int) -> Mapping[int, float]:
        return shares_of(poker, brain, view, side)[0]

    for side in range(2):
        both: tuple[Strategy, Strategy] = (learned, timid_shares) if side == 0 else (timid_shares, learned)
        sign = 1 if side == 0 else -1
        itself = sign * utility(poker, poker.new_state(), (timid_shares, timid_shares))
        gain = sign * utility(poker, poker.new_state(), both) - itself
        assert gain > 0.8 * (exact.value(side) - itself) > 0


def test_an_interrupted_run_ends_with_the_same_weights(poker: KuhnPoker, tmp_path: Path) -> None:
    policy = compiled_policy(KuhnPoker, timid)
    settings = replace(SMALL, teacher="timid", partner="timid")
    whole = trained(poker, tmp_path / "whole", settings, Opponents(policy, policy))
    first = Run(poker, tmp_path / "parts", settings, Opponents(policy, policy))
    iterations = first.train()
    for _ in range(4):
        next(iterations)
    with pytest.raises(KeyboardInterrupt):
        iterations.throw(KeyboardInterrupt)
    again = Run(poker, tmp_path / "parts", settings, Opponents(policy, policy))
    assert 0 < again.state.decisions < settings.decisions
    list(again.train())
    for one, other in zip(whole.state, again.state, strict=True):
        assert np.array_equal(one, other)
    logs = [(tmp_path / name / LOG).read_text("utf-8").splitlines() for name in ("whole", "parts")]
    without_time = [[{**json.loads(line), "seconds": 0} for line in log] for log in logs]
    assert without_time[0] == without_time[1]
    assert [line["phase"] for line in without_time[0]][:2] == ["imitation", "league"]


def test_any_number_of_threads_gives_the_same_checkpoint(poker: KuhnPoker, tmp_path: Path) -> None:
    policy = compiled_policy(KuhnPoker, timid)
    settings = replace(SMALL, teacher="timid", partner="timid", batch=2_048, minibatches=2)  # several parts in each
    for workers in (1, 3):
        trained(poker, tmp_path / str(workers), settings, Opponents(policy, policy), workers)
    one, three = ((tmp_path / name / CHECKPOINT).read_bytes() for name in ("1", "3"))
    assert one == three


def test_a_game_with_too_many_decisions_is_reported(
    poker: KuhnPoker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experience, "ROWS_A_PART", 1)
    with pytest.raises(LearnedError, match="too many decisions"):
        trained(poker, tmp_path, SMALL)


def test_each_checkpoint_comes_with_charts_of_the_log(poker: KuhnPoker, tmp_path: Path) -> None:
    iterations = Run(poker, tmp_path, SMALL, NO_ONE).train(every=2)
    for number in (1, 2, 3):
        next(iterations)
        if number > 1:
            assert "Iterations: 2." in (tmp_path / PROGRESS).read_text("utf-8")
    iterations.close()
    assert "Iterations: 3." in (tmp_path / PROGRESS).read_text("utf-8")


def test_a_teacher_without_a_compiled_policy_is_imitated_as_well(poker: KuhnPoker, tmp_path: Path) -> None:
    """A player that is asked and the same one compiled play the same games, so the networks are the same."""
    settings = replace(SMALL, decisions=0, teacher="regular", imitated=1_000)
    policy = compiled_policy(KuhnPoker, regular)
    compiled = trained(poker, tmp_path / "compiled", settings, Opponents(policy, policy))
    asked = trained(poker, tmp_path / "asked", settings, Opponents(partner=policy, asked=Regular(poker)))
    assert compiled.state.games == asked.state.games > 0
    assert compiled.done == compiled.goal == 1_000
    assert compiled.state.decisions == 0
    brain = load_brain(tmp_path / "asked", poker)
    with np.load(tmp_path / "compiled" / WEIGHTS) as file:
        assert np.array_equal(brain.weights, file["weights"].astype(np.float32))


def test_a_run_with_other_settings_is_not_continued(poker: KuhnPoker, tmp_path: Path) -> None:
    trained(poker, tmp_path, replace(SMALL, decisions=600))
    with pytest.raises(LearnedError, match="another seed: 5, not 6"):
        Run(poker, tmp_path, replace(SMALL, decisions=600, seed=6), Opponents())


def test_a_run_starts_from_the_player_of_another_one(poker: KuhnPoker, tmp_path: Path) -> None:
    trained(poker, tmp_path / "first", replace(SMALL, decisions=600))
    first = load_brain(tmp_path / "first", poker)
    settings = replace(SMALL, decisions=600, start=str(tmp_path / "first"), layers=(32, 32, 32))
    run = Run(poker, tmp_path / "second", settings, NO_ONE)
    assert run.brain.plan == first.plan
    assert np.array_equal(run.state.weights, first.weights)


def test_the_player_of_a_folder_plays_its_network(poker: KuhnPoker, tmp_path: Path) -> None:
    run = trained(poker, tmp_path, replace(SMALL, decisions=600))
    brain = load_brain(tmp_path, poker)
    assert brain.weights == pytest.approx(run.state.average, abs=2e-3)
    player = load_lab_player(f"learned:{tmp_path}", poker, 1)
    assert isinstance(player, LearnedPlayer)
    assert player.policy is not None
    state = poker.new_state()
    for action in (2, 3):  # a king against a jack
        poker.apply(poker.rules, state, action)
    view = poker.view_of(state, 0)
    shares, _ = shares_of(poker, brain, view, 0)
    random = generator(3)
    taken = [player.policy(poker.rules, view, 0, random) for _ in range(4_000)]
    assert np.mean(np.array(taken) == BET) == pytest.approx(shares[BET], abs=0.03)


def test_weights_of_another_game_are_refused(poker: KuhnPoker, tmp_path: Path) -> None:
    trained(poker, tmp_path, replace(SMALL, decisions=600))
    with pytest.raises(LearnedError, match="another game: 'kuhn-poker', not 'sealed-bids'"):
        LearnedPlayer(SealedBids.load(), tmp_path)
    with pytest.raises(LearnedError, match="has no trained player"):
        LearnedPlayer(poker, tmp_path / "elsewhere")


def test_the_player_knows_no_hidden_card(poker: KuhnPoker, tmp_path: Path) -> None:
    run = trained(poker, tmp_path, replace(SMALL, decisions=600))
    seen = []
    for hidden in (0, 2):  # the other side has the jack, or the king
        state = poker.new_state()
        for action in (1, 3 + hidden):
            poker.apply(poker.rules, state, action)
        seen.append(shares_of(poker, run.brain, poker.view_of(state, 0), 0))
    assert seen[0] == seen[1]
