"""13 Minutes: the colour of a card, three of which lose the game, is on it wherever it is chosen or held."""

from __future__ import annotations

import re
from typing import Any

import pytest

from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.text import LANGUAGES, words_for
from brinkmanship.web.presentation.action_previews import previews_of
from support.browsing import Person, picture, set_up, way_to
from support.serving import Server

GAME = "13-minutes"
SIZES = {"wide": (1440, 900), "low": (1280, 720), "phone": (390, 844)}
COLOURS = {"military": "M", "political": "P", "world_opinion": "W"}


def third_of_a_colour(match: Match) -> set[int]:
    """Return the plays after which the own sphere has three cards of one colour, counted on the open table."""
    game, found = match.game, set()
    if len(match.pending) != 1:
        return found
    side = match.actor
    sphere, printed = game.sides[side], {card.id: card.colour for card in game.data.card}
    there = [
        printed[id]
        for id, place in game.public_state(match.state)["battlegrounds"].items()
        if place["area"] == sphere and id in printed
    ]
    for decision in match.legal():
        parts = game.action_parts(decision.action)
        if parts.kind == "play" and parts.area == sphere and there.count(printed[parts.card]) >= 2:
            found.add(decision.action)
    return found


def a_third_may_be_played(match: Match) -> bool:
    return bool(third_of_a_colour(match))


@pytest.fixture
def at_the_third(chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch) -> Any:
    contexts = []

    def at(language: str, size: str) -> tuple[Any, Any]:
        width, height = SIZES[size]
        context = chromium.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        contexts.append(context)
        context.add_cookies([{"name": "language", "value": language, "url": server.url}])
        anna = Person(context, server, "Anna")
        table = set_up(monkeypatch, anna, anna, way_to(a_third_may_be_played, game_id=GAME))
        (side,) = table.match.pending
        return anna.look(f"/t/{table.id}?seat={side}"), table

    yield at
    for context in contexts:
        context.close()


@pytest.mark.parametrize("size", SIZES)
def test_a_card_shows_its_colour_by_shape_letter_word_and_stripe(size: str, at_the_third: Any) -> None:
    page, table = at_the_third("en", size)
    game = table.game
    printed = {card.id: card.colour for card in game.data.card}
    words = words_for(game, "en")
    (side,) = table.match.pending
    hand = game.known_state(table.view(side), side)["cards"]["hand"]
    for card in hand:
        face = page.locator(f".cards [data-card='{card}'].face").first
        colour = face.locator(".colour")
        name = words.name("colour", printed[card])
        assert colour.inner_text().split() == [COLOURS[printed[card]], *name.split()]
        assert colour.locator("svg path").count() == 1
        tint = colour.evaluate("one => getComputedStyle(one).color")
        assert face.evaluate("one => getComputedStyle(one).borderLeftColor") == tint
        assert face.evaluate("one => parseFloat(getComputedStyle(one).borderLeftWidth)") >= 4
        for button in face.locator("button[name=action]").all():
            assert name in button.get_attribute("aria-label")
    picture(page, f"colours-{size}", whole=False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_button_says_that_the_third_of_a_colour_means_war(language: str, at_the_third: Any) -> None:
    page, table = at_the_third(language, "low")
    game, (side,) = table.game, table.match.pending
    view, words = table.view(side), words_for(table.game, language)
    losing = third_of_a_colour(table.match)
    for one in previews_of(game, view, table.decisions(side)):
        button = page.locator(f"#choices button[name=action][value='{one.action}']")
        warning = game.narrator.warning(view, one.after, side)
        assert (warning is not None) == (one.action in losing)
        told = (button.inner_text(), button.get_attribute("aria-label"))
        if warning is not None:
            sentence, mark = words.sentence(warning), words.sentence(Message(f"{warning.key}.mark", warning.args))
            assert (mark in told[0], sentence in told[1]) == (True, True)
            assert button.get_attribute("data-warning") == sentence
            assert re.search(r"3\D+3", mark)
        else:
            assert not any("⚠" in text for text in told)
    picture(page, f"colours-{language}", whole=False)
