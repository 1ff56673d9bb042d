"""`brink play --campaign`: games in a row, the score between them, saved and gone on with."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from brinkmanship.engine import journal
from brinkmanship.terminal.menu import Menu
from brinkmanship.terminal.tables import table_for
from brinkmanship.terminal.words import terminal_words
from brinkmanship.text import LANGUAGES
from support.cli_runner import menu_keys, run
from support.thirteen_minutes.builders import bidding, table

GAME = ("play", "13-minutes", "--campaign", "--against", "random")


def player(seed: int, *answers: str) -> Callable[[str], str]:
    """Plays by chance; questions of the campaign are answered with these, then the input is closed."""
    dice, rest = random.Random(seed), list(answers)

    def answer(page: str) -> str:
        if page.endswith("> "):
            return dice.choice(menu_keys(page))
        if "next game?" in page or "first game?" in page or "whole campaign" in page:
            if not rest:
                raise EOFError
            return rest.pop(0)
        return "no" if page.endswith("(yes/no) ") else ""

    return answer


def resigner(*answers: str) -> Callable[[str], str]:
    """Resigns every game and answers all questions with these."""
    rest = list(answers)

    def answer(page: str) -> str:
        if page.endswith("> "):
            return "resign"
        if not rest:
            raise EOFError
        return rest.pop(0)

    return answer


def test_a_campaign_is_played_game_after_game_and_saved(tmp_path: Path) -> None:
    saved = tmp_path / "evening.brink"
    result = run(*GAME, "--seed", "5", "--save", str(saved), answer=player(3, "yes"))
    assert (result.code, result.err) == (0, "")
    assert "Campaign, after game 1" in result.out
    first = journal.read(tmp_path / "evening-1.brink")
    assert first.headers["players"] == "us ussr"
    second = tmp_path / "evening-2.brink"
    if second.exists():  # no war has ended the campaign at once
        assert journal.read(second).headers["players"] == "ussr us"


def test_a_saved_campaign_goes_on_where_it_was(tmp_path: Path) -> None:
    saved = str(tmp_path / "evening.brink")
    run(*GAME, "--save", saved, answer=resigner("yes", "no", "no"))
    result = run(*GAME[:3], "--load", saved, "--save", saved, answer=resigner("yes", "yes", "no", "no"))
    assert (result.code, result.err) == (0, "")
    assert "Campaign, after game 2: you 0, opponent 0, target 13" in result.out.replace("Campaign, after game 1", "")
    assert journal.read(tmp_path / "evening-2.brink").headers["players"] == "ussr us"
    assert "Campaign, game 2: you (USSR) 0, opponent (US) 0, target 13" in result.out


def test_whoever_resigns_says_whether_the_campaign_is_meant(tmp_path: Path) -> None:
    saved = str(tmp_path / "evening.brink")
    result = run(*GAME, "--save", saved, answer=resigner("yes", "yes"))
    assert "Winner of the campaign: the opponent (you resigned)" in result.out
    again = run(*GAME[:3], "--load", saved)
    assert (again.code, again.err) == (0, "")


def test_agreed_sides_are_asked_for(tmp_path: Path) -> None:
    saved = str(tmp_path / "evening.brink")
    options = ("--option", "campaign_sides=agree", "--save", saved)
    run(*GAME, *options, answer=resigner("yes", "no", "yes", "yes", "yes", "no", "no"))
    assert journal.read(tmp_path / "evening-2.brink").headers["players"] == "ussr us"


def test_many_battlegrounds_that_may_be_moved_are_offered_one_by_one() -> None:
    places = [f"{card}@U 1:0" for card in ("scramble", "excomm", "quarantine", "fidel_castro", "wave_and_smile")]
    places += [f"{card}@S 0:1" for card in ("u2_downed", "public_protests", "mrbms_irbms", "strategic_balance")]
    t = table(*places).play("play u_thant neutral", "event")
    words = terminal_words(t.game, "en")
    actions = t.game.legal_actions(t.state, 0)
    menu = Menu(t.game, words, table_for(t.game, words), t.state, 0, actions, 80)
    assert len(menu.items) == len(actions) == 10


def test_what_is_typed_for_a_bid_is_the_number_of_cubes() -> None:
    t = bidding()
    words = terminal_words(t.game, "en")
    menu = Menu(t.game, words, table_for(t.game, words), t.state, 0, t.game.legal_actions(t.state, 0), 80)
    for cubes in (0, 4, 13):
        action = menu.answer(str(cubes))
        assert isinstance(action, int)
        assert t.game.action_text(action) == f"bid {cubes}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_score_is_said_in_every_language(language: str) -> None:
    result = run(*GAME, "--lang", language, answer=resigner("yes", "no", "no"))
    assert (result.code, result.err) == (0, "")
    assert "13" in result.out.splitlines()[-2]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("play", "13-days", "--campaign"), "has no campaign"),
        ((*GAME, "--load", "/nowhere/evening.brink"), "there is no campaign"),
    ],
)
def test_what_is_refused(args: tuple[str, ...], said: str) -> None:
    result = run(*args)
    assert result.code != 0
    assert said in result.err


def test_an_old_campaign_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "evening-1.brink").write_text("mine", encoding="utf-8")
    result = run(*GAME, "--save", str(tmp_path / "evening.brink"))
    assert result.code != 0
    assert (tmp_path / "evening-1.brink").read_text(encoding="utf-8") == "mine"
