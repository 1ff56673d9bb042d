"""Open hands for spectators: how much of a game they may see, and what the players agree on."""

from __future__ import annotations

import random
from typing import Any

import pytest
from starlette.testclient import TestClient

from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.engine.match import Match, dealer
from brinkmanship.games.registry import load_game
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, StaleError
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import DAYS, LIVE, Clock
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.open_hands import (
    DELAY_SECONDS,
    MINUTES,
    ROUND,
    Commentary,
    OpenView,
    commentator_token,
    delays_of,
    shown,
    times_after,
)
from brinkmanship.web.tables.open_hands_commands import check_may_watch
from brinkmanship.web.tables.record_kinds import ACTION, ASK_OPEN, OPEN
from support.finished_games import two

GAME = load_game("13-days")


def played(rounds: int, seed: int = 1) -> Match:
    """A game of 13 Days at the first decision of a round."""
    match, choose, deal = Match(GAME), random.Random(seed), dealer(seed)
    while True:
        match.advance(deal)
        assert not match.is_over
        if int(GAME.public_state(match.state)["round"]) == rounds:
            return match
        side = min(match.pending)
        match.push(choose.choice(match.legal(side)).action, side=side)


def reaching(rounds: int) -> Match:
    for seed in range(50):
        try:
            return played(rounds, seed)
        except AssertionError:
            continue
    raise AssertionError("some game lasts that long")


def round_after(match: Match, count: int) -> int:
    return int(GAME.public_state(match.state_after(count))["round"])


def test_a_round_is_shown_when_a_whole_one_has_been_played_after_it() -> None:
    match, view = reaching(3), OpenView(ROUND)
    for length in range(len(match.entries) + 1):
        cut = match.until(length)
        count = shown(view, cut, (), 0.0)
        now = round_after(match, length)
        assert count == 0 or round_after(match, count) == now - 1
        assert all(round_after(match, earlier) < now - 1 for earlier in range(count))


def test_without_an_agreement_nothing_is_shown() -> None:
    assert shown(OpenView(), reaching(2), (), 1e12) == 0


def test_ten_minutes_are_those_of_the_server_and_end_at_the_first_younger_entry() -> None:
    match = reaching(2)
    times = [100.0] * 20 + [200.0] * 5 + [150.0] * (len(match.entries) - 25)
    assert shown(OpenView(MINUTES), match, times, 100.0 + DELAY_SECONDS - 0.1) == 0
    assert shown(OpenView(MINUTES), match, times, 100.0 + DELAY_SECONDS) == 20
    assert shown(OpenView(MINUTES), match, times, 199.0 + DELAY_SECONDS) == 20
    assert shown(OpenView(MINUTES), match, times, 200.0 + DELAY_SECONDS) == len(match.entries)


def test_a_secret_choice_is_not_shown_before_the_other_side_has_chosen() -> None:
    match = Match(GAME)
    match.advance(dealer(1))
    before = len(match.entries)
    match.push(match.legal(1)[0].action, side=1)
    assert shown(OpenView(MINUTES), match, [0.0] * (before + 1), 1e9) == before


def test_both_choices_of_a_secret_pair_are_as_young_as_the_later_one() -> None:
    times = times_after([1.0, 1.0], 3, 5.0, completes=False)
    assert times == [1.0, 1.0, 5.0]
    assert times_after(times, 4, 9.0, completes=True) == [1.0, 1.0, 9.0, 9.0]
    assert times_after(times, 2, 9.0, completes=False) == [1.0, 1.0]


def test_a_match_cut_off_knows_nothing_of_what_followed() -> None:
    match = reaching(2)
    for count in range(len(match.entries)):
        cut = match.until(count)
        assert (cut.entries, cut._past) == (match.entries[:count], match._past[: count + 1])
        assert cut.actor == int(GAME.actor(GAME.rules, match.state_after(count)))
        assert cut.answered == (match.entries[count - 1].actor if match.is_first_answer(count) else None)


def test_ten_minutes_are_for_games_in_one_sitting_and_rounds_for_games_that_have_some() -> None:
    minutes = load_game("13-minutes")
    assert delays_of(GAME, Terms()) == (ROUND, MINUTES)
    assert delays_of(GAME, Terms(Clock(LIVE, 600, 5))) == (ROUND, MINUTES)
    assert delays_of(GAME, Terms(Clock(DAYS, 3 * 86_400.0))) == (ROUND,)
    assert delays_of(minutes, Terms()) == (MINUTES,)
    assert delays_of(minutes, Terms(Clock(DAYS, 3 * 86_400.0))) == ()


def test_the_link_of_a_commentator_changes_with_every_agreement() -> None:
    links = {commentator_token(secret, Commentary(number)) for secret in (b"a" * 32, b"b" * 32) for number in (3, 4)}
    assert len(links) == 4


# ---- The players


def test_both_have_to_agree_and_either_may_withdraw(client: TestClient) -> None:
    app: Any = client.app
    open_hands, call = app.state.services.open_hands, app_call(client)
    table, _ = two(client)
    us, ussr = (seat.person_id for seat in table.seats)
    call(open_hands.propose, table.id, us, 0, MINUTES)
    assert table.state.open_view == OpenView(asked=(0, MINUTES))
    with pytest.raises(IllegalError):
        call(open_hands.answer, table.id, us, 0, MINUTES, True)
    with pytest.raises(ForbiddenError):
        call(open_hands.answer, table.id, us, 1, MINUTES, True)
    call(open_hands.answer, table.id, ussr, 1, MINUTES, False)
    assert table.state.open_view == OpenView()
    call(open_hands.propose, table.id, us, 0, MINUTES)
    call(open_hands.answer, table.id, ussr, 1, MINUTES, True)
    assert table.state.open_view == OpenView(MINUTES)
    call(open_hands.propose, table.id, ussr, 1, ROUND)
    call(open_hands.answer, table.id, us, 0, ROUND, False)
    assert table.state.open_view == OpenView(MINUTES)
    call(open_hands.withdraw, table.id, ussr, 1)
    assert table.state.open_view.delay is None
    with pytest.raises(IllegalError):
        call(open_hands.withdraw, table.id, ussr, 1)


def test_an_answer_is_to_the_delay_that_was_proposed_then(client: TestClient) -> None:
    app: Any = client.app
    open_hands, call = app.state.services.open_hands, app_call(client)
    table, _ = two(client)
    us, ussr = (seat.person_id for seat in table.seats)
    call(open_hands.propose, table.id, us, 0, ROUND)
    call(open_hands.propose, table.id, us, 0, MINUTES)
    for accept in (True, False):
        with pytest.raises(StaleError):
            call(open_hands.answer, table.id, ussr, 1, ROUND, accept)
    assert table.state.open_view == OpenView(asked=(0, MINUTES))


def app_call(client: TestClient) -> Any:
    assert client.portal is not None
    return client.portal.call


def test_after_a_withdrawal_spectators_see_what_they_have_seen_and_no_more(client: TestClient) -> None:
    table, _ = two(client)
    table.apply_record(TableRecord(ASK_OPEN, 0, MINUTES, 1000.0))
    table.apply_record(TableRecord(OPEN, 1, MINUTES, 1000.0))
    table.state.entry_times = [1000.0] * table.length
    dealt = table.length
    for side in (0, 1):
        table.apply_record(TableRecord(ACTION, side, table.match.legal(side)[0].action, 2000.0))
    assert table.shown_openly(2000.0) == dealt
    table.apply_record(TableRecord("watch_no", 1, 0, 2000.0))
    assert table.shown_openly(1e9) == dealt
    assert table.seen_openly(FULL_INFORMATION, 1e9).length == dealt


def test_a_reloaded_table_has_the_same_agreement_and_times(client: TestClient) -> None:
    app: Any = client.app
    services, call = app.state.services, app_call(client)
    table, _ = two(client)
    us, ussr = (seat.person_id for seat in table.seats)
    call(services.open_hands.propose, table.id, us, 0, MINUTES)
    call(services.open_hands.answer, table.id, ussr, 1, MINUTES, True)
    call(services.open_hands.propose_commentator, table.id, us, 0)
    call(services.open_hands.propose_commentator, table.id, ussr, 1)
    for side, person in ((0, us), (1, ussr)):
        call(services.actions.act, table.id, person, side, table.version(side), table.match.legal(side)[0].action)
    read: LiveTable = services.tables.loader.read(table.id)
    assert (
        (read.state.open_view, read.state.commentary)
        == (table.state.open_view, table.state.commentary)
        == (OpenView(MINUTES), Commentary(4))
    )
    assert read.state.entry_times == table.state.entry_times
    assert len(read.state.entry_times) == read.length


def test_rated_and_common_deals_are_never_shown(client: TestClient) -> None:
    app: Any = client.app
    table, _ = two(client)
    call, person = app_call(client), table.seats[0].person_id
    for terms, kept_round in ((Terms(rated=True), None), (Terms(), "r1")):
        table.terms, table.round = terms, kept_round
        with pytest.raises(IllegalError) as refused:
            call(app.state.services.open_hands.propose, table.id, person, 0, ROUND)
        assert refused.value.specific_key == "watch.refused.rated"


def test_players_do_not_watch_their_own_game(client: TestClient) -> None:
    table, _ = two(client)
    table.state.open_view = OpenView(ROUND)
    for seat in table.seats:
        with pytest.raises(ForbiddenError):
            check_may_watch(table, seat.person_id)
    check_may_watch(table, None)
    table.state.open_view = OpenView()
    with pytest.raises(IllegalError):
        check_may_watch(table, None)
