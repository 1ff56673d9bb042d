"""Choices explained to people: the facts of a choice, and what of the table is shown at once."""

from __future__ import annotations

import pytest

from brinkmanship.analysis.explained import MAX_SHOWN, ExplainedOptions, explained_options, facts_of, reason_said
from brinkmanship.analysis.report import ComparedOption
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import load_game
from brinkmanship.text import LANGUAGES, words_for
from support.positions import SEARCHED, spread


@pytest.mark.parametrize("game_id", SEARCHED)
def test_facts_are_told_in_every_language_for_many_choices(game_id: str) -> None:
    game = load_game(game_id)
    told = asked = 0
    for seen in spread(game, 4, 16):
        for action in game.legal_actions(seen.view(), seen.side)[:6]:
            facts = [facts_of(game, seen.view(), seen.side, action, words_for(game, each)) for each in LANGUAGES]
            assert len({len(each) for each in facts}) == 1
            asked, told = asked + 1, told + bool(facts[0])
    assert told > asked / 10


def test_a_reason_names_the_place_with_its_lead_before_and_after() -> None:
    game = load_game("13-days")
    words = words_for(game, "en")
    vague = Message("why.for", {"for": Message("part.13-days.board")})
    placed = 0
    for seen, action in _placings(game.id):
        place = words.name("battleground", game.action_parts(action).place or "")
        said = reason_said(game, seen.view(), seen.side, action, words, vague)
        assert f"{place}: " in said
        assert "→" in said
        placed += 1
    assert placed > 1


def test_only_the_best_choices_and_the_own_one_are_shown_at_once() -> None:
    game = load_game("13-days")
    words = words_for(game, "en")
    seen, _ = max(_placings(game.id), key=lambda one: len(game.legal_actions(one[0].view(), one[0].side)))
    actions = [game.action_text(action) for action in game.legal_actions(seen.view(), seen.side)]
    options = [ComparedOption(action, 0.9 - number / 50, 0.01) for number, action in enumerate(actions)]
    table: ExplainedOptions = explained_options(game, seen.view(), seen.side, options, actions[0], actions[-1], words)
    assert [one.is_best for one in table.shown] == [True, *[False] * MAX_SHOWN]
    assert [one.is_taken for one in table.shown] == [*[False] * MAX_SHOWN, True]
    assert len(table.shown) + len(table.folded) == len(actions)
    assert str(len(table.folded)) in table.labels["folded"]


def _placings(game_id: str) -> list[tuple[Observation, int]]:
    """Return decisions about a Command with one action each that places cubes."""
    game = load_game(game_id)
    found = []
    for seen in spread(game, 6, 8):
        legal = game.legal_actions(seen.view(), seen.side)
        place = next((action for action in legal if game.action_parts(action).kind == "place"), None)
        if place is not None:
            found.append((seen, place))
    return found
