"""Print and play: sheets of packaged and changed rulesets, for cutting out."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from brinkmanship.drawing import drawing_of
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.text import LANGUAGES, words_for
from brinkmanship.web.pages.library.print_sheets import ACROSS, DOWN, SHEETS, Sheet, file, sheet
from support.visitors import Visitor


def leaves(page: str) -> list[list[str]]:
    """The cells of each page of cards."""
    return [re.findall(r'<div class="cell">(.*?)</div>', leaf) for leaf in page.split('<section class="leaf')[1:]]


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_card_is_printed_as_often_as_it_is_in_the_game_with_its_back_behind_it(game_id: str) -> None:
    game = load_game(game_id)
    deck = drawing_of(game).deck(game, words_for(game, "en"))
    expected = [(card.front, card.back) for card in deck for _ in range(card.copies)]
    pages = leaves(sheet(game, "cards", "en"))
    printed = []
    for fronts, backs in zip(pages[::2], pages[1::2], strict=True):
        for at, front in enumerate(fronts):
            row, column = divmod(at, ACROSS)
            printed.append((front, backs[row * ACROSS + ACROSS - 1 - column]))
        assert len(fronts) <= ACROSS * DOWN
    assert printed == expected


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_sheet_is_one_file_in_every_language(game_id: str, language: str) -> None:
    for name in SHEETS:
        page = file(load_game(game_id), name, language, "letter", 4)
        assert f'<html lang="{language}"' in page
        assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
        assert "<script" not in page
        assert "to-act" not in page


def test_the_board_fills_four_pages_without_a_gap() -> None:
    page = sheet(load_game("13-days"), "board", "en", pages=4)
    boxes = [tuple(map(float, box.split())) for box in re.findall(r'<section class="wide".*?viewBox="([^"]+)"', page)]
    assert len(boxes) == 4
    (_, _, width, height) = boxes[0]
    assert boxes == [(x, y, width, height) for y in (0, height) for x in (0, width)]


def test_counters_are_as_many_as_the_rules_say() -> None:
    for game_id in BUILT_IN:
        game = load_game(game_id)
        counters = drawing_of(game).counters(game, words_for(game, "pl"))
        assert sheet(game, "counters", "pl").count('class="token"') == sum(one.copies for one in counters) > 20
    days = load_game("13-days")
    cubes = [one for one in drawing_of(days).counters(days, words_for(days, "en")) if one.copies == 17]
    assert [one.name for one in cubes] == ["US", "USSR"]


def test_pages_show_every_sheet_of_a_game_and_refuse_others(anna: Visitor) -> None:
    index = anna.get("/print/13-days")
    for path in re.findall(r'href="(/print/13-days/[^"]+)"', index):
        assert '<body class="print' in anna.get(path.replace("&amp;", "&"))
    assert "/print/13-days" in anna.get("/library")
    for path in ("chess", "13-days/poster", "13-days/cards?paper=a3", "13-days/board?pages=3"):
        assert anna.ask("GET", f"/print/{path}").status_code in (400, 404), path


def test_a_changed_ruleset_is_printed_with_its_changes(anna: Visitor, client: TestClient) -> None:
    own = load_game("13-days").data
    card = own.card[0]
    packaged = anna.ask("GET", "/workshop/13-days").headers["location"]
    assert f"{packaged}/print" in anna.get(packaged)
    source = client.get(f"{packaged}/file").text
    changed = source.replace(f'en = "{card.names["en"]}"', 'en = "A Card of Mine"', 1)
    assert changed != source
    kept = anna.send("/workshop/13-days", {"data": ("my.toml", changed.encode())})
    assert kept.status_code == 303
    address = kept.headers["location"].partition("?")[0]
    assert f"{address}/print/cards" in anna.get(f"{address}/print")
    assert "A Card of Mine" in anna.get(f"{address}/print/cards")
    assert anna.ask("GET", f"/workshop/13-days/{'0' * 64}/print").status_code == 404


@pytest.mark.parametrize("name", SHEETS)
def test_the_screen_says_how_to_print_and_where_one_came_from(anna: Visitor, name: Sheet) -> None:
    page = anna.get(f"/print/ukrainian-crisis/{name}")
    assert "Print at 100%" in page
    assert 'href="/print/ukrainian-crisis"' in page
