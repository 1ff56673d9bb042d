"""Keys by meaning: one for each place and track, the same all game; of answers that stand together each its own."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from brinkmanship.engine import commit_reveal
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.registry import load_game
from brinkmanship.text import words_for
from brinkmanship.text.words import LANGUAGES
from brinkmanship.web.presentation.choice_groups import STEPS, Group, choices_of
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.presentation.shortcuts import HandSlots, keys_of

GAMES = [("13-days", 2), ("13-minutes", 4), ("ukrainian-crisis", 1)]


def positions(game: Game, games: int) -> Iterator[tuple[Match, int]]:
    """Every question of some random games, and who is asked."""
    for seed in range(games):
        choose = random.Random(seed)
        secret = choose.randbytes(commit_reveal.SECRET_BYTES)
        match = Match(game)
        commit_reveal.advance(match, secret)
        while not match.is_over:
            side = choose.choice(sorted(match.pending))
            yield match, side
            match.push(choose.choice(match.legal(side)).action, side=side)
            commit_reveal.advance(match, secret)


def keys_at_first(groups: list[Group]) -> list[str]:
    """What may be typed while nothing is open: things, and answers that concern none."""
    return [
        key
        for group in groups
        if group.kind != STEPS
        for key in ([group.key] if group.key else [choice.key for choice in group.choices if not choice.is_beyond])
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game_id", "games"), GAMES)
def test_every_answer_has_a_key_of_its_own(game_id: str, games: int, language: str) -> None:
    game = load_game(game_id)
    words, page = words_for(game, language), page_words(language)
    known = dict(keys_of(game, words))
    for match, side in positions(game, games):
        groups = choices_of(game, match.view(side), side, match.legal(side), words, page)
        typed = keys_at_first(groups)
        assert "" not in typed
        assert len(set(typed)) == len(typed), typed
        for group in groups:
            if group.kind == STEPS:
                continue
            assert group.key == known.get((group.kind, group.id), group.key)
            choices = [choice for choice in group.choices if not choice.is_beyond]  # those are put aside, without keys
            inside = [choice.key for choice in choices]
            numbers = [choice.number for choice in choices]
            assert len(choices) == 1 or len(set(inside)) == len(inside) or len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", [game_id for game_id, _ in GAMES])
def test_the_keys_of_things_are_letters_of_their_names_and_none_begins_another(game_id: str, language: str) -> None:
    game = load_game(game_id)
    keys = list(keys_of(game, words_for(game, language)).values())
    assert keys
    assert len(set(keys)) == len(keys)
    assert len({len(key) for key in keys}) == 1
    assert not any(key[0] in "uг" for key in keys)  # with which one takes back
    assert all(("а" <= letter <= "я") is (language == "ru") for key in keys for letter in key)


def test_cuba_and_berlin_have_the_letters_one_thinks_of() -> None:
    game = load_game("13-days")
    keys = {language: keys_of(game, words_for(game, language))["place", "berlin"] for language in LANGUAGES}
    assert keys == {"en": "b", "ru": "б", "de": "b", "pl": "b"}


def test_a_card_keeps_its_place_in_the_hand_while_it_is_held() -> None:
    slots = HandSlots()
    slots.hold(1, ["berlin", "excomm", "u_thant"])
    slots.hold(4, ["berlin", "u_thant"])
    assert slots.now == {"berlin": 1, "u_thant": 3}
    slots.hold(5, ["berlin", "blockade", "u_thant", "vigilance"])
    assert slots.now == {"berlin": 1, "blockade": 2, "u_thant": 3, "vigilance": 4}
    slots.cut(3)
    assert slots.now == {"berlin": 1, "excomm": 2, "u_thant": 3}


def test_the_cards_of_a_hand_stand_in_the_order_of_their_places() -> None:
    game = load_game("13-days")
    for match, side in positions(game, 1):
        view = Perspective(match, side).view()
        lying = game.known_state(view, side)["cards"]
        slots = HandSlots()
        slots.hold(1, lying.get("hand", [])[::-1])
        groups = choices_of(game, view, side, match.legal(side), words_for(game, "en"), page_words("en"), slots.now)
        cards = [group.id for group in groups if group.kind == "card"]
        assert cards == sorted(cards, key=lambda card: slots.now.get(card, 0))
