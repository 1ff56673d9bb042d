"""What computer players of 13 Days know by learning and by habit: the value, the fast policy, and `rules`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from brinkmanship.engine import journal
from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.games.cuban.frame import USSR
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.players import habits, learned, tells
from brinkmanship.games.thirteen_days.players.belief import chance_of, likely_world
from brinkmanship.games.thirteen_days.players.fast import FastPlayer
from brinkmanship.games.thirteen_days.players.features import N_FEATURES
from brinkmanship.games.thirteen_days.players.rules import BECAUSE, RulesPlayer
from brinkmanship.games.thirteen_days.players.search import DaysSearch
from brinkmanship.games.thirteen_days.players.value import N_MOMENTS, cut, moment, value
from brinkmanship.games.thirteen_days.rules.action_numbers import keep_action
from brinkmanship.games.thirteen_days.rules.state import HIDDEN, CardIs, Node
from brinkmanship.games.thirteen_days.rules.tables import AgendaKind
from brinkmanship.games.thirteen_days.training.value import names_digest
from brinkmanship.players import Player, load_player
from brinkmanship.players.budget import Budget
from brinkmanship.players.hints import hints
from brinkmanship.players.search import PRICE_OF_DANGER
from brinkmanship.text import LANGUAGES
from brinkmanship.text.words import Words
from brinkmanship.training.positions import Positions, play_positions
from brinkmanship.training.regression import log_loss
from support.computer_games import check_blind, decisions, interpreted_choices, reached
from support.thirteen_days.danger import needless_risks

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("13-days")


@pytest.fixture(scope="module")
def fast(game: Game) -> Player:
    return FastPlayer(game, 1)


@pytest.fixture(scope="module")
def rules(game: Game) -> Player:
    return load_player("rules", game, 1)


@pytest.fixture(scope="module")
def positions(game: Game, fast: Player) -> Positions:
    assert fast.policy is not None
    return play_positions(game, moment, N_MOMENTS, 0, 120, 9_000_000_001, fast.policy)


# ---- the fast policy


def test_the_fast_policy_takes_a_legal_action_and_the_same_one_again(game: Game, fast: Player) -> None:
    count = 0
    for view, side, choice in reached(game, fast, 12, 3):
        count += 1
        assert choice.action in game.legal_actions(view, side)
        assert fast.choose(Observation.at(game, view, side)) == choice
    assert count > 300


def test_the_fast_policy_is_blind_to_what_its_side_cannot_know(game: Game, fast: Player) -> None:
    assert check_blind(game, fast, reached(game, fast, 4, 4), redeals=3) >= 100


# ---- rules


def test_rules_never_risks_war_where_it_could_be_safe(game: Game, rules: Player) -> None:
    count = 0
    for number in range(6):
        for view, side, choice in decisions(game, (rules, rules), generator(11, number)):
            count += 1
            assert not needless_risks(game, view, side, choice.action), game.action_text(choice.action)
    assert count > 300


def test_rules_plays_as_its_policy_does_and_says_why_in_every_language(game: Game, rules: Player) -> None:
    assert rules.policy is not None
    reasons = {}
    for view, side, choice in reached(game, rules, 6, 3):
        assert rules.policy(game.rules, view, side, generator(0)) == choice.action
        assert choice.reason is not None
        reasons[choice.reason.key] = choice.reason
        # What is left of the last two cards goes to the aftermath stack: nothing is saved for later.
        assert view.hand[side] > 2 or choice.reason.key != "why.13-days.hand"
    assert len(reasons) > 5
    for language in LANGUAGES:
        words = Words(language, ("players",))
        assert len({words.sentence(reason) for reason in reasons.values()}) == len(reasons)


def test_the_reason_for_an_agenda_says_what_it_would_bring_now(game: Game, rules: Player) -> None:
    keys = set()
    for view, side, choice in reached(game, rules, 8, 3):
        if view.node != Node.AGENDA:
            continue
        seen = Observation.at(game, view, side)
        for action in game.legal_actions(view, side):
            fact = rules.why(seen, choice._replace(action=action))
            assert fact is not None
            keys.add(fact.key)
            agenda = game.rules.agendas[action - keep_action(side, 0)]
            if agenda.kind == AgendaKind.PLACE:
                lead = int(view.influence[side, agenda.place]) - int(view.influence[1 - side, agenda.place])
                assert fact.key.rpartition(".")[2] == ("ahead" if lead > 0 else "behind" if lead < 0 else "even")
                assert lead == 0 or fact.args["n"] >= abs(lead)  # type: ignore[operator]
        assert choice.reason is not None
        if choice.reason.key == "why.13-days.agenda.best":
            assert choice.reason.args["fact"] == rules.why(seen, choice)
    assert keys == {f"why.13-days.agenda.{how}" for how in ("ahead", "behind", "even")}


def test_rules_cannot_tell_apart_what_its_side_cannot(game: Game, rules: Player) -> None:
    assert check_blind(game, rules, reached(game, rules, 3, 4), redeals=2) >= 80


def test_interpreted_rules_chooses_what_compiled_rules_does(game: Game, rules: Player) -> None:
    some = [entry for number, entry in enumerate(reached(game, rules, 2, 5)) if number % 12 == 0]
    expected = [[choice.action, choice.candidates[0].value] for _, _, choice in some]
    assert interpreted_choices(game, "rules", some) == expected


# ---- what the other side likely keeps


def test_a_likely_world_is_one_that_the_side_cannot_tell_apart(game: Game, positions: Positions) -> None:
    world = game.new_states(1)[0]
    for number, state in enumerate(positions.states[::5]):
        for side in range(2):
            view = game.view_of(state, side)
            likely_world(game.rules, view, side, generator(number, side), world)
            assert game.view_of(world, side).tobytes() == view.tobytes()


def test_which_agenda_is_kept_is_known_better_than_from_the_flags(game: Game, positions: Positions) -> None:
    surprise, by_flags = [], []
    for state in positions.states[::5]:
        if state.chosen[1] >= 0:
            view = game.view_of(state, 0)
            chances = [chance_of(game.rules, view, 1, agenda) for agenda in range(game.rules.limits.agendas)]
            assert sum(chances) == pytest.approx(1.0)
            assert [chance > 0.0 for chance in chances] == [
                copies > 0 for copies in view.agenda_dealt[1][: len(chances)]
            ]
            surprise.append(-np.log(chances[int(state.chosen[1])]))
            by_flags.append(-np.log(view.agenda_dealt[1, state.chosen[1]] / view.dealt[1]))
    assert np.mean(surprise) < 0.6 * np.mean(by_flags)


def test_agendas_are_drawn_as_often_as_they_are_likely_and_own_cards_lie_in_the_aftermath(
    game: Game, positions: Positions
) -> None:
    later = (state for state in positions.states if state.round_number == 3 and state.chosen[1] >= 0)
    view = game.view_of(next(later), 0)
    assert view.chosen[1] == HIDDEN
    unseen = [card for card in range(game.rules.limits.cards) if view.card[card] == CardIs.UNKNOWN]
    worlds = game.new_states(2)
    dice, count = generator(3), 2000
    kept, own = np.zeros(game.rules.limits.agendas), np.zeros(2)
    for _ in range(count):
        for number, deal in enumerate((likely_world, game.redeal)):
            deal(game.rules, view, 0, dice, worlds[number])
            lie = [card for card in unseen if worlds[number].card[card] == CardIs.IN_AFTERMATH + 1]
            assert len(lie) == view.aftermath[1]
            own[number] += sum(game.rules.cards[card].side == 1 for card in lie)
        kept[worlds[0].chosen[1]] += 1
    for agenda, times in enumerate(kept):
        expected = count * chance_of(game.rules, view, 1, agenda)
        assert abs(times - expected) <= 6 * expected**0.5
    assert own[0] > 1.2 * own[1]


# ---- the learned value


def test_the_values_of_both_sides_are_chances_that_add_up_to_one(game: Game, positions: Positions) -> None:
    for state in positions.states[::7]:
        us, ussr = (value(game.rules, state, side) for side in range(2))
        assert 0.0 < us < 1.0
        assert us + ussr == pytest.approx(1.0)


def test_a_view_is_worth_about_the_mean_of_all_it_may_be(game: Game, positions: Positions) -> None:
    world = game.new_states(1)[0]
    for number, state in enumerate(positions.states[::211]):
        view = game.view_of(state, 0)
        worlds = []
        for redeal in range(200):
            game.redeal(game.rules, view, 0, generator(number, redeal), world)
            worlds.append(value(game.rules, world, 0))
        assert value(game.rules, view, 0) == pytest.approx(np.mean(worlds), abs=0.05)


def test_a_game_that_is_over_has_the_value_of_its_result(game: Game) -> None:
    state = game.new_state()
    state.node, state.winner = 27, 1
    assert (value(game.rules, state, 0), value(game.rules, state, 1)) == (0.0, 1.0)
    state.winner = -1
    assert value(game.rules, state, 0) == 0.5


def test_a_playout_is_cut_after_its_round_before_the_next_escalation(game: Game, positions: Positions) -> None:
    ends = positions.states[positions.moments == 9]
    assert len(ends) > 50
    for end in ends[:20]:
        root = game.copy(end)
        root.round_number = 1
        assert cut(game.rules, root, end)
        assert not cut(game.rules, end, end)


# ---- what the weights say of themselves


def test_the_weights_belong_to_this_game_and_these_features(game: Game) -> None:
    assert learned.MANIFEST["data"] == game.data_sha256
    assert habits.MANIFEST["data"] == game.data_sha256
    assert tells.MANIFEST["data"] == game.data_sha256
    assert learned.MANIFEST["features"] == names_digest()
    assert learned.WEIGHTS.shape == (N_MOMENTS, N_FEATURES)


def test_the_value_tells_who_wins_games_it_was_not_fitted_to(game: Game, positions: Positions) -> None:
    for number, better_by in ((9, 0.0), (19, 0.03), (28, 0.2)):
        rows = (positions.moments == number) & (positions.winners >= 0)
        chances = np.array([value(game.rules, state, 0) for state in positions.states[rows]])
        won = positions.winners[rows] == 0
        assert log_loss(chances, won) < np.log(2) - better_by


# ---- the search


def test_a_war_that_is_close_early_in_a_round_does_not_leave_the_safest_answer_alone(game: Game) -> None:
    """Every marker of the USSR is high, three plays are left: playouts say that the safest answer, Berlin, loses.

    In games of level 6 from there it does not (docs/lab/2026-11-30-playout-bias.md); here it is only looked at more.
    """
    match = journal.play(journal.read(DATA / "13-days-close-to-war.brink"), game)
    seen = Observation.of(match, USSR)
    safest = RulesPlayer(game, 1).choose(seen)
    assert game.action_text(safest.action) == "remove 2 berlin"
    assert len({one.danger for one in safest.candidates}) > 1
    for seed in range(5):
        choice = DaysSearch(game, seed, Budget(nodes=240)).choose(seen)
        assert choice.action != safest.action
        values = {one.action: one.value for one in choice.candidates}
        assert values[choice.action] > values[safest.action] + PRICE_OF_DANGER
    found = hints(seen, Budget(nodes=600), seed=1)
    assert found.hints[0].action != safest.action
    assert safest.action in [hint.action for hint in found.hints]


def test_late_in_a_round_only_the_safest_answers_are_tried(game: Game) -> None:
    match = journal.play(journal.read(DATA / "13-days-close-to-war.brink"), game)
    view = match.view(USSR)
    judged = RulesPlayer(game, 1).choose(Observation.of(match, USSR)).candidates
    search = DaysSearch(game, 1, Budget(nodes=240))
    assert len({one.danger for one in search.tried(view, judged)}) > 1
    view.turn = 2
    assert {one.danger for one in search.tried(view, judged)} == {judged[0].danger}


def test_of_a_choice_for_which_nothing_speaks_it_is_said_what_speaks_against_it(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = RulesPlayer(game, 1)
    view, side, choice = next(
        (view, side, choice)
        for view, side, choice in reached(game, player, 1, 2)
        if view.node == Node.PLAY
        and len(choice.candidates) > 1
        and choice.candidates[0].value == max(one.value for one in choice.candidates)
    )
    worse = [-1.0 if name == "board" else 0.0 for name in BECAUSE]
    monkeypatch.setattr(
        player, "_parts", lambda _view, _side, action: worse if action == choice.action else [0.0] * len(BECAUSE)
    )
    against = Message("why.against", {"against": Message("part.13-days.board")})
    seen = Observation.at(game, view, side)
    assert player.why(seen, choice) == against
    assert player.choose(seen).reason == Message("why.level.against", {"fact": against})
