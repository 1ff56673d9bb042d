"""The campaign (section 5.6): G44, G45, Q45, Q46, Q49, and whose points they are."""

from __future__ import annotations

from brinkmanship.games.thirteen_minutes.rules.campaign import Campaign
from brinkmanship.games.thirteen_minutes.rules.state import Reason, State
from support.thirteen_minutes.builders import new_game, the_game


def ended(us: int, ussr: int, reason: int = Reason.PRESTIGE, winner: int = 0) -> State:
    """The end of a game with this Prestige."""
    state = new_game().state
    state.score[:, 0] = us, ussr
    state.reason, state.winner = reason, winner
    return state


def campaign(score: tuple[int, int] = (0, 0), **options: str | bool | int) -> Campaign:
    return Campaign({**the_game().options, **options}, score=score)


def test_g44_with_equal_totals_above_the_target_another_game_is_played() -> None:
    series = campaign(campaign_sides="keep").after(ended(7, 5)).after(ended(6, 8))
    assert series.standing.score == (13, 13)
    assert not series.standing.is_over


def test_q45_the_higher_total_wins_when_both_are_there() -> None:
    assert campaign((12, 12)).after(ended(3, 2)).standing.winners == (0,)


def test_q45_by_option_both_win() -> None:
    assert campaign((12, 12), campaign_both_13="shared").after(ended(3, 2)).standing.winners == (0, 1)


def test_g45_a_war_ends_the_campaign_for_the_one_who_triggers_it() -> None:
    standing = campaign((12, 0)).after(ended(5, 0, Reason.NUCLEAR_WAR, winner=1)).standing
    assert (standing.winners, standing.reason, standing.is_over) == ((1,), "nuclear", True)


def test_q46_a_war_by_both_ends_it_without_a_winner_or_adds_nothing() -> None:
    state = ended(5, 5, Reason.DOUBLE_WAR, winner=-1)
    over = campaign((3, 4)).after(state).standing
    assert (over.is_over, over.winners) == (True, ())
    void = campaign((3, 4), campaign_double_war="void_game").after(state).standing
    assert (void.is_over, void.score, void.games) == (False, (3, 4), 1)


def test_points_belong_to_players_and_sides_alternate() -> None:
    series = campaign()
    assert series.sides == (0, 1)
    series = series.after(ended(4, 2))
    assert (series.sides, series.standing.score) == ((1, 0), (4, 2))
    assert series.after(ended(1, 5)).standing.score == (9, 3)


def test_sides_may_stay_or_be_agreed_on() -> None:
    assert campaign(campaign_sides="keep").after(ended(1, 0)).sides == (0, 1)
    agreed = campaign(campaign_sides="agree").after(ended(1, 0))
    assert agreed.sides is None
    assert agreed.choose_sides((1, 0)).after(ended(1, 5)).standing.score == (6, 1)


def test_the_first_to_reach_the_target_wins() -> None:
    assert campaign((9, 3)).after(ended(4, 5)).standing.winners == (0,)
    assert campaign((9, 3), campaign_target=20).after(ended(4, 5)).standing.winners == ()


def test_q49_a_game_given_up_adds_nothing_unless_everything_is() -> None:
    assert campaign((9, 3)).after_concession(0, everything=False).standing.score == (9, 3)
    assert campaign((9, 3)).after_concession(0, everything=True).standing.winners == (1,)
