"""What payments for a diplomatic attempt can hope for: exact chances, in words, and what is more than can help."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

import pytest

from brinkmanship.engine.match import Decision
from brinkmanship.games.ukrainian_crisis.rules.groups import group_value
from brinkmanship.games.ukrainian_crisis.rules.odds import chance_of_at_most
from brinkmanship.terminal.menu import Menu
from brinkmanship.terminal.tables import table_for
from brinkmanship.terminal.words import terminal_words
from brinkmanship.text import LANGUAGES, words_for
from brinkmanship.web.pages.table.card_text import card_view_for
from brinkmanship.web.presentation.choice_groups import OfferedAction, choices_of
from brinkmanship.web.presentation.page_words import page_words
from support.ukrainian_crisis.builders import Position


def attempt(*answers: str, **setup: object) -> Position:
    """Ukraine tries to move a marker with 3 RP, and has answered so far."""
    position = Position(**setup).open_turn(ua="small small small", ru="small small small")  # type: ignore[arg-type]
    return position.play("area diplomatic", "area military", "roll 5", "roll 1", "first ua", *answers)


def offered(position: Position, language: str = "en") -> list[OfferedAction]:
    game, side = position.game, position.actor
    view = game.view_of(position.state, side)
    decisions = [Decision(number, game.action_text(number)) for number in game.legal_actions(view, side)]
    groups = choices_of(game, view, side, decisions, words_for(game, language), page_words(language))
    return [choice for group in groups for choice in group.choices]


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_chances_are_those_of_all_throws(dice: int) -> None:
    sums = [sum(pips) for pips in product(range(1, 7), repeat=dice)]
    for most in range(7 * dice):
        assert chance_of_at_most(dice, most) == Fraction(sum(total <= most for total in sums), len(sums))


def test_prestige_shows_its_chance_and_what_cannot_help_is_put_aside() -> None:
    """The United Kingdom has Rank 2: nothing beyond 12 points in all can help (5.2)."""
    position = attempt("up GB", "rp 3")
    choices = offered(position)
    texts = [choice.text for choice in choices if not choice.is_beyond]
    assert texts[:3] == ["1 Prestige: 17% success", "2 Prestige: 28% success", "3 Prestige: 42% success"]
    assert texts[-2:] == ["8 Prestige: 97% success", "9 Prestige: certain"]
    assert [choice.short for choice in choices][7:9] == ["8 Prestige\xa0· 97% success", "9 Prestige\xa0· certain"]
    beyond = [choice for choice in choices if choice.is_beyond]
    assert [choice.text for choice in beyond] == [f"{n} Prestige: certain" for n in range(10, 17)]
    assert not any(choice.key for choice in beyond)
    assert {f"prestige {n}" for n in range(1, 17)} == position.legal()


def test_resource_points_tell_the_prestige_that_must_be_added() -> None:
    choices = offered(attempt("up GB"))
    assert [choice.text for choice in choices] == [
        "2 RP and 2 Prestige: 17% success",
        "3 RP and 1 Prestige: 17% success",
    ]
    assert choices[0].short == "2 RP + 2 Prestige\xa0· 17% success"


def test_downward_a_payment_below_the_least_throw_cannot_succeed() -> None:
    position = attempt("down US", boxes={"US": "support"})
    assert offered(position)[0].text == "1 RP: cannot succeed"


def test_the_least_payment_is_always_offered() -> None:
    """Where Resource Points alone make it certain, only 0 Prestige is not put aside."""
    position = Position().open_area("diplomatic", ru="maximum maximum maximum")
    position.play("roll 1", "roll 5 6", "first ru", "down PL")
    assert [choice.text for choice in offered(position) if not choice.is_beyond][-1] == "6 RP: certain"
    position.play("rp 8")
    choices = offered(position)
    assert [choice.text for choice in choices if not choice.is_beyond] == ["0 Prestige: certain"]
    assert len(choices) == 33


def test_without_dice_a_payment_is_enough_or_it_is_not() -> None:
    """10.2: 2 x (Rank + box); for the United Kingdom in Support 8, and 9 never helps."""
    position = Position({"ordinary_cards": True, "no_randomness": True}).open_turn(ua="4 5 6", ru="4 5 6")
    position.play("area diplomatic", "area military", "first ua", "up GB", "rp 5")
    choices = offered(position)
    assert [choice.text for choice in choices if not choice.is_beyond][-2:] == [
        "2 Prestige: cannot succeed",
        "3 Prestige: certain",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terminal_offers_what_can_help_and_takes_the_rest(language: str) -> None:
    position = attempt("up GB", "rp 3")
    game, side = position.game, position.actor
    words = terminal_words(game, language)
    view = game.view_of(position.state, side)
    menu = Menu(game, words, table_for(game, words), view, side, game.legal_actions(view, side), 80)
    lines = [line.plain for line in menu.lines()]
    assert len(lines) == 10
    assert {"9", "16"} <= set(re.findall(r"\d+", lines[-1]))
    assert all(len(line) <= 80 for line in lines)
    assert menu.answer("16") == game.parse_action("prestige 16", side)


@pytest.mark.parametrize(("attackers", "defenders"), [(1, 1), (2, 1), (1, 3)])
def test_an_attack_says_how_likely_each_side_hits(attackers: int, defenders: int) -> None:
    position = Position(units={"DON": "ru_ground " * attackers + "ua_ground " * defenders}).open_half("ru", 0)
    position.play("zone DON", *["unit ru_ground DON"] * attackers, *["unit ua_ground DON"] * defenders)
    if "done" in position.legal():
        position.play("done")
    game, view = position.game, position.game.view_of(position.state, position.actor)
    dice = [int(group_value(game.rules, view, side, 1)) for side in (position.actor, 1 - position.actor)]
    chances = [round(100 * (1 - Fraction(2, 3) ** number)) for number in dice]
    fights = [choice.text for choice in offered(position) if choice.kind == "fight"]
    assert fights
    for text in fights:
        assert f"at least one hit: you {chances[0]}%, the opponent {chances[1]}%" in text


@pytest.mark.parametrize(
    ("event", "units", "is_idle"),
    [
        ("flight_370", "", True),
        ("runaway_guns", "ua_militia", True),
        ("runaway_guns", "ua_militia ru_militia", False),
        ("isis_crisis", "", False),
        ("a_terrible_resolve", "", False),
    ],
)
def test_an_event_that_changes_nothing_now_says_so(event: str, units: str, is_idle: bool) -> None:
    position = Position(units={"DON": units} if units else {}).draw(ru=event)
    plays = [choice for choice in offered(position) if choice.kind == "play"]
    assert [choice.idle for choice in plays] == [is_idle]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_resource_card_says_what_it_gives(language: str) -> None:
    game = Position().game
    faces = [card_view_for(game, "card", name, words_for(game, language)) for name in ("small", "medium", "maximum")]
    assert "1–4" in faces[0].text
    assert "2–5" in faces[1].text
    assert faces[2].text


def test_the_question_which_resource_cards_are_placed_says_what_each_gives() -> None:
    position = Position().draw().play("ru: place small small small")
    game, words = position.game, words_for(position.game, "en")
    view = game.view_of(position.state, 0)
    decisions = [Decision(number, game.action_text(number)) for number in game.legal_actions(view, 0)]
    questions = choices_of(game, view, 0, decisions, words, page_words("en"))[0].questions
    assert [list(question.texts) for question in questions] == [["Small", "Medium", "Maximum"]] * 3
    assert questions[0].texts["Small"].startswith("One die gives 1–4 Resource Points.")
