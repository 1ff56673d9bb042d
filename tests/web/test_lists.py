"""Lists and shared links: why a game ended, the ruling behind an option, the public picture of a position."""

from __future__ import annotations

import html
import random
import re

import pytest
from fastapi.testclient import TestClient

from brinkmanship.games import GAMES, load_game
from brinkmanship.text import LANGUAGES
from brinkmanship.web.pages.play import result_text
from brinkmanship.web.pages.render import game_words, page_words
from brinkmanship.web.table import RUNNING

from .visitors import Visitor, invited, live


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_every_way_a_game_can_end_is_said(game_id: str, language: str) -> None:
    game = load_game(game_id)
    words, own = game_words(game, language), page_words(language)
    reasons = [*game.reasons[1:], "resignation", "agreement", "time"]
    said = {reason: result_text(game, f"{game.sides[0]} by {reason}", words, own) for reason in reasons}
    assert all(re.search(r"\(.+\)$", text) for text in said.values()), said
    assert len(set(said.values())) == len(reasons)


def test_lists_of_finished_games_say_why_they_ended(anna: Visitor, boris: Visitor, client: TestClient) -> None:
    friends = invited(anna, boris)
    anna.post(f"{friends}/resign", side=0, sure="true", csrf=anna.csrf)
    opened = anna.begin("open", 0)
    boris.post(opened.replace("/t/", "/join/"), csrf=boris.csrf)
    choose = random.Random(3).choice
    table = live(client, opened)
    tokens = (anna.csrf, boris.csrf)
    while table.status == RUNNING:
        side = choose(table.asked)
        action = choose(table.match.legal(side)).action
        sent = {"side": side, "version": table.version(side), "action": action, "csrf": tokens[side]}
        assert (anna, boris)[side].post(f"{opened}/act", **sent).status_code == 303
    expected = html.escape(result_text(table.game, table.result, game_words(table.game, "en"), page_words("en")))
    assert "(" in expected
    home = anna.get("/")
    assert "USSR won (the other side resigned)" in home
    assert expected in home
    stranger = Visitor(client).get("/library")
    assert expected in stranger
    assert f'href="{opened}/finished"' in stranger
    assert friends not in stranger  # what friends played by invitation is listed to nobody else


@pytest.mark.parametrize("game_id", GAMES)
def test_every_option_leads_to_its_ruling(anna: Visitor, game_id: str) -> None:
    links = re.findall(rf'href="/rulings/{game_id}#([A-Z]\d+)"', anna.get("/"))
    rulings = anna.get(f"/rulings/{game_id}")
    assert len(links) == len(load_game(game_id).option_values())
    for number in links:
        assert f'id="{number}"' in rulings


def test_a_shared_table_shows_the_public_position_only(anna: Visitor, boris: Visitor, client: TestClient) -> None:
    table = invited(anna, boris)
    anna.post(f"{table}/act", side=0, version=0, action=live(client, table).match.legal(0)[0].action, csrf=anna.csrf)
    shared = [re.findall(r'<meta property="og:.*', reader.get(table)) for reader in (anna, boris, Visitor(client))]
    assert shared[0] == shared[1] == shared[2]
    picture = re.findall(r'property="og:image" content="[^"]*?(/t/[^"]+)"', "\n".join(shared[0]))[0]
    assert anna.get(picture) == Visitor(client).get(picture)
    running = re.findall(r'property="og:image" content="[^"]*?(/t/[^"]+)"', anna.get(f"{table}/replay"))[0]
    assert anna.get(running) == Visitor(client).get(running)
