"""Warnings: nobody loses at the next check by their own choice without one, and none that is certain is wrong."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.message import Message
from brinkmanship.engine.record import State
from brinkmanship.games.registry import load_game
from brinkmanship.text import LANGUAGES, words_for
from support.thirteen_days.builders import base
from support.thirteen_minutes.builders import table
from support.ukrainian_crisis.builders import Position

GAMES = {"13-days": 60, "13-minutes": 150, "ukrainian-crisis": 4}
"""The number of random games."""
WAR = ("nuclear_war", "mutual_nuclear_war", "nuclear", "double_nuclear")
"""The reasons why a game ends by war."""


class Choice(NamedTuple):
    """A decision of a random game, with the warning before it."""

    side: int
    warning: Message | None
    at: int
    """The number of entries before it."""


def played(game: Game, seed: int) -> tuple[Match, list[Choice]]:
    match, deal, dice = Match(game), dealer(seed), dealer(seed + 1)
    match.advance(deal)
    taken = []
    while not match.is_over:
        side = min(match.pending)
        legal = match.legal(side)
        action = legal[dice(len(legal))].action
        view = game.view_of(match.state, side)
        warning = game.narrator.warning(view, game.after(view, action, side), side)
        taken.append(Choice(side, warning, len(match.entries)))
        match.push(action, side=side)
        match.advance(deal)
    return match, taken


def has_itself_to_blame(match: Match, last: Choice) -> bool:
    """Whether the side of the last decision lost by it, and nothing else happened before the check."""
    reason, utility = match.game.outcome(match.state)
    if utility[last.side] >= 0:
        return False
    if match.game.id != "ukrainian-crisis":
        return reason in WAR
    state: Any = match.state
    return (
        0 in state.prestige
        and state.turn < match.game.rules.turns
        and all(entry.by_rules for entry in match.entries[last.at + 1 :])
    )


@pytest.mark.parametrize("game_id", GAMES)
def test_nobody_loses_by_their_own_last_choice_without_a_warning(game_id: str) -> None:
    blamed = 0
    for seed in range(GAMES[game_id]):
        match, taken = played(load_game(game_id), seed)
        if has_itself_to_blame(match, taken[-1]):
            blamed += 1
            assert taken[-1].warning is not None, seed
    assert blamed


@pytest.mark.parametrize("game_id", GAMES)
def test_a_warning_that_is_certain_comes_true(game_id: str) -> None:
    certain = 0
    for seed in range(GAMES[game_id]):
        match, taken = played(load_game(game_id), seed)
        _, utility = match.game.outcome(match.state)
        for choice in taken:
            if choice.warning and choice.warning.key == "warning.loses":
                certain += 1
                assert utility[choice.side] < 0, seed
    assert certain


def warned(game: Game, state: State, side: int, text: str) -> str:
    """The warning before an action, in English; "" if there is none."""
    view = game.view_of(state, side)
    warning = game.narrator.warning(view, game.after(view, text, side), side)
    return words_for(game, "en").sentence(warning) if warning else ""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_every_warning_has_words_and_a_mark(game_id: str, language: str) -> None:
    game = load_game(game_id)
    words = words_for(game, language)
    for seed in range(GAMES[game_id] // 3 + 1):
        for choice in played(game, seed)[1]:
            if choice.warning:
                assert words.sentence(choice.warning)
                assert words.sentence(Message(f"{choice.warning.key}.mark", choice.warning.args))


def at_the_last_card(us: str, agenda: str, **changes: Any) -> Any:
    """13 Days: the US plays the last card of the round, a Command of 3 cubes."""
    position = base("ussr", us=us, **changes)
    position.state.chosen[0] = [one.id for one in position.game.data.agenda].index(agenda)
    for _ in range(7):
        position.idle_one_turn()
    return position.play("command public_protests")


def test_the_own_agenda_lifts_the_own_marker_at_the_end_of_the_round() -> None:
    position = at_the_last_card("4/1/1", "military_track")

    def say(text: str) -> str:
        return warned(position.game, position.state, 0, text)

    assert say("place 3 berlin") == (
        "Your agenda will move your military marker to DEFCON 1: you would lose at the end of the round"
    )
    assert say("place 2 berlin") == ""


def test_while_others_may_still_move_the_marker_a_warning_says_so() -> None:
    position = base("us", us="6/1/1").play("command speech_to_the_nation")
    game, state = position.game, position.state
    assert warned(game, state, 0, "place 2 berlin") == (
        "Your military marker is in the DEFCON 1 area: unless that changes, you lose at the end of the round"
    )
    assert warned(game, state, 0, "place 1 berlin") == ""


def test_with_television_ahead_a_loss_is_not_certain() -> None:
    position = at_the_last_card("6/1/1", "turkey", television="2-0")
    assert "unless that changes" in warned(position.game, position.state, 0, "place 2 berlin")
    assert "you would lose" in warned(position.game, position.state, 0, "place 3 berlin")


def test_three_markers_in_defcon_2_lose_too() -> None:
    position = at_the_last_card("3/4/4", "turkey")
    assert warned(position.game, position.state, 0, "place 2 berlin") == (
        "All three of your markers are in the DEFCON 2 area: you would lose at the end of the round"
    )


def test_the_opponents_flags_tell_which_agenda_may_start_the_war() -> None:
    position = at_the_last_card("1/4/1", "turkey")
    assert warned(position.game, position.state, 0, "place 3 italy") == (
        "If the USSR agenda is the political track, it will move your marker there to DEFCON 1: "
        "you would lose at the end of the round"
    )


def minutes(*places: str, card: str = "scramble us") -> Any:
    """13 Minutes: the US has played the last card of the game and is to carry out its Command."""
    return table(*places, mover="us", turn=9).play(f"play {card}", "command")


TWO_MILITARY = ("quarantine@U 1:1", "nuclear_submarines@U 1:1")


def test_a_third_card_of_a_colour_in_the_own_sphere_loses_after_the_last_turn() -> None:
    last = minutes(*TWO_MILITARY)
    assert warned(last.game, last.state, 0, "done") == (
        "Military: 3 of 3 cards in your sphere. That is war, and you would lose"
    )
    political = ("fidel_castro@S 0:0", "moscow_is_our_brain@S 0:0", "excomm@S 0:0")
    both = minutes(*TWO_MILITARY, *political)
    assert warned(both.game, both.state, 0, "done").endswith("That is war on both sides, and nobody wins")


def test_before_the_last_turn_a_card_may_yet_leave_the_sphere() -> None:
    early = table(*TWO_MILITARY, mover="us", turn=4)
    early.hand_over("us", "scramble")
    assert warned(early.game, early.state, 0, "play scramble us") == (
        "Military: 3 of 3 cards in your sphere. Unless one leaves it, there is war at the end and you lose"
    )
    assert warned(early.game, early.state, 0, "play scramble neutral") == ""


def test_cuba_in_the_own_sphere_may_be_the_third_card() -> None:
    last = minutes("cuba@U 0:0", *TWO_MILITARY, card="u_thant neutral")
    assert warned(last.game, last.state, 0, "done") == (
        "Military: Cuba and the last cards may make it 3 cards in your sphere. That would be war, and you would lose"
    )


def test_spending_the_last_prestige_ends_a_game_that_one_is_losing() -> None:
    crisis = Position(prestige=(1, 9), units={"mobilisation": "ua_ground ua_militia"}).open_area("military")
    crisis.play("roll 3", "roll 1", "first ua", "unit ua_ground mobilisation")
    zone = next(iter(sorted(crisis.legal() - {"done"})))
    assert warned(crisis.game, crisis.state, 0, zone) == (
        "Ukraine: Prestige 0. If it stays at 0, the game ends with this Turn; as things stand you would lose (VP 0–9)"
    )


def test_the_chance_that_dice_take_the_last_prestige_is_exact() -> None:
    crisis = Position(prestige=(1, 9)).open_area("information").play("first ua")
    assert warned(crisis.game, crisis.state, 0, "reduce").startswith(
        "The chance that the dice take your Prestige to 0 is 100%"
    )
    crisis = Position(prestige=(3, 9)).open_area("information").play("first ua")
    # Both rolls of a Small card have to give 3 or more: 4, 5 or 6 each, 9 of 36.
    assert warned(crisis.game, crisis.state, 0, "reduce").startswith(
        "The chance that the dice take your Prestige to 0 is 25%"
    )
