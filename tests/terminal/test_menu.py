"""A menu understands the labels that it shows."""

from __future__ import annotations

import random

import pytest

from brinkmanship.engine.match import Match, dealer
from brinkmanship.games.registry import load_game
from brinkmanship.terminal.menu import Menu
from brinkmanship.terminal.tables import table_for
from brinkmanship.terminal.words import terminal_words


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("game_id", ["13-days", "13-minutes", "ukrainian-crisis"])
def test_a_label_typed_as_it_is_shown_means_its_line(game_id: str, language: str) -> None:
    game, dice = load_game(game_id), random.Random(3)
    match, words, deal = Match(game), terminal_words(game, language), dealer(3)
    asked = 0
    while asked < 60 and not match.is_over:
        match.advance(deal)
        for side in sorted(match.pending):
            actions = [decision.action for decision in match.legal(side)]
            menu = Menu(game, words, table_for(game, words), match.view(side), side, actions, 80)
            for item in menu.items:
                answer = menu.answer(item.label.plain.upper())
                meant = answer.actions if isinstance(answer, Menu) else (answer,)
                assert set(meant) & set(item.actions), item.label.plain
            match.push(dice.choice(actions), side=side)
            asked += 1
    assert asked >= 20
