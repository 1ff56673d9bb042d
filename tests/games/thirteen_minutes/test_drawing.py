"""Pictures of 13 Minutes: everything is there once, nothing hidden is, no text leaves its box in any language."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from brinkmanship.drawing.board_request import BoardRequest
from brinkmanship.engine.game import OBSERVER, OVER
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_minutes.drawing.board import board, ghost_layer
from brinkmanship.games.thirteen_minutes.drawing.cards import card
from brinkmanship.games.thirteen_minutes.drawing.clock import Play, play_of
from brinkmanship.games.thirteen_minutes.drawing.course import course
from brinkmanship.games.thirteen_minutes.drawing.illustrations import example_state, illustration
from brinkmanship.games.thirteen_minutes.drawing.layout import LEAST
from brinkmanship.games.thirteen_minutes.rules.data import COLOURS
from brinkmanship.games.thirteen_minutes.rules.state import CUBA, N_PLACES, REASONS, Area, Node
from brinkmanship.games.thirteen_minutes.words.rulebook import PICTURES
from brinkmanship.text import LANGUAGES, Words, words_for
from support.drawn_games import (
    LAYOUTS,
    VIEWERS,
    Moment,
    check_clickable,
    check_redealt,
    check_squeezed,
    check_texts,
    for_every_viewer,
    in_both_layouts,
    in_every_language,
    moments_of,
    spread,
)
from support.drawn_texts import SVG, placed

SIDES = ("us", "ussr")


@cache
def game() -> Any:
    return load_game("13-minutes")


@cache
def words(language: str) -> Words:
    return words_for(game(), language)


@cache
def moments(seed: int) -> tuple[Moment, ...]:
    """Every position of a random game."""
    return moments_of(game(), seed, play_of)


def some_moments(count: int = 8) -> list[Moment]:
    """Positions from the first to the last of two games."""
    return spread([*moments(3), *moments(8)], count)


def crowded(area: int) -> Any:
    """The end of a game in which all eleven battlegrounds lie in one area, some full of cubes."""
    state = example_state(game())
    for place in range(N_PLACES):
        if state.area[place] != Area.OFF_TABLE:
            state.area[place] = area
    state.influence[:, CUBA] = (12, 11)
    state.influence[:, next(place for place in range(N_PLACES) if state.area[place] != Area.OFF_TABLE)] = (13, 13)
    return game().view_of(state, 0)


def picture(view: Any, side: int, language: str = "en", **more: Any) -> str:
    return board(game(), view, side, words(language), BoardRequest(**more))


def drawn(view: Any, side: int, language: str = "en", **more: Any) -> ET.Element:
    return ET.fromstring(picture(view, side, language, **more))


def by(root: ET.Element, attribute: str) -> dict[str, ET.Element]:
    return {element.get(attribute, ""): element for element in root.iter() if element.get(attribute)}


# ---- the table


@in_both_layouts
@for_every_viewer
def test_every_battleground_and_every_cube_is_drawn_exactly_once(layout: str, side: int) -> None:
    for moment in some_moments():
        view = game().view_of(moment.state, side)
        root = drawn(view, side, layout=layout, plays=moment.plays)
        found = [element.get("id", "") for element in root.iter() if element.get("id")]
        assert len(found) == len(set(found))
        lying = [id for place, id in enumerate(game().data.places) if view.area[place] != Area.OFF_TABLE]
        assert [id for id in found if id.startswith("place-")] == [f"place-{id}" for id in lying]
        for owner, name in enumerate(SIDES):
            for place, id in enumerate(game().data.places):
                count = int(view.influence[owner, place])
                expected = [f"cube-{name}-{id}-{number}" for number in range(1, count + 1)]
                assert [one for one in found if one.startswith(f"cube-{name}-{id}-")] == expected
            supply = [id for id in found if id.startswith(f"cube-{name}-supply-")]
            assert len(supply) == int(view.supply[owner])


@in_both_layouts
def test_a_battleground_lies_in_the_area_where_it_is(layout: str) -> None:
    view = game().view_of(example_state(game()), OBSERVER)
    root = drawn(view, OBSERVER, layout=layout)
    areas = [by(root, "data-area")[area.id].find(f"{SVG}rect") for area in game().data.area]
    for id, element in by(root, "data-place").items():
        panel = element.find(f"{SVG}rect")
        ground = areas[int(view.area[game().data.places.index(id)])]
        assert panel is not None
        assert ground is not None
        left, right = float(panel.get("x", "")), float(panel.get("x", "")) + float(panel.get("width", ""))
        assert float(ground.get("x", "")) <= left
        assert right <= float(ground.get("x", "")) + float(ground.get("width", ""))


def test_cuba_lies_face_down_until_it_is_turned_up() -> None:
    face_down, turned_up = example_state(game()), example_state(game())
    turned_up.cuba_card = 0
    colour = game().data.card[0].colour
    said = [
        by(drawn(game().view_of(state, 0), 0), "data-place")["cuba"].get("aria-label", "")
        for state in (face_down, turned_up)
    ]
    assert said[0] == "Cuba, face down, neutral area: US 3, USSR 2, US controls it"
    assert said[1].startswith(f"Cuba, {words('en').name('colour', colour)}, ")


@in_every_language
def test_each_colour_has_a_letter_of_its_own(language: str) -> None:
    view = game().view_of(example_state(game()), 0)
    root, letters = drawn(view, 0, language), {}
    for place, found in enumerate(game().data.card):
        if view.area[place] != Area.OFF_TABLE:
            texts = by(root, "data-place")[found.id].iter(f"{SVG}text")
            letters.setdefault(found.colour, set()).update(
                text.text for text in texts if found.colour in text.get("class", "").split()
            )
    assert set(letters) == set(COLOURS)
    assert all(len(found) == 1 for found in letters.values())
    assert len(set.union(*letters.values())) == len(COLOURS)


def test_the_tally_of_a_sphere_says_how_near_the_war_is() -> None:
    root = drawn(game().view_of(example_state(game()), 0), 0)
    said = {area: element.get("aria-label", "") for area, element in by(root, "data-area").items()}
    assert "world opinion 2 of 3" in said["ussr"]
    assert "of 3" not in said["neutral"]
    over = crowded(0)
    assert "world opinion 4: nuclear war" in by(drawn(over, 0), "data-area")["us"].get("aria-label", "")


def test_cuba_counts_by_its_colour_once_it_is_turned_up() -> None:
    state = example_state(game())
    state.area[CUBA] = 0
    before = drawn(game().view_of(state, 0), 0)
    state.cuba_card = next(n for n, found in enumerate(game().data.card) if found.id == "scramble")
    after = drawn(game().view_of(state, 0), 0)
    assert "military 1 of 3" in by(before, "data-area")["us"].get("aria-label", "")
    assert "military 2 of 3" in by(after, "data-area")["us"].get("aria-label", "")


def test_what_can_be_clicked_is_reached_by_keyboard_and_the_rest_is_not() -> None:
    root = drawn(game().view_of(example_state(game()), 0), 0, highlights=["cuba", "area:us"])
    check_clickable(root, {"cuba", "us"}, ("data-place", "data-area"))


@in_both_layouts
@for_every_viewer
def test_a_redeal_of_the_view_gives_the_same_picture_to_the_byte(layout: str, side: int) -> None:
    check_redealt(game(), picture, [*moments(3)[::5], *moments(8)[::5]], side, layout=layout)


@in_both_layouts
def test_a_sealed_bid_changes_nothing_for_the_others(layout: str) -> None:
    state = next(moment.state for moment in moments(3) if moment.state.node == Node.BID)
    bid = game().copy(state)
    game().apply(game().rules, bid, game().parse_action("bid 5", 0))
    for viewer in (1, OBSERVER):
        one, two = (picture(game().view_of(s, viewer), viewer, layout=layout) for s in (state, bid))
        assert one == two
    assert "your bid: 5" in picture(game().view_of(bid, 0), 0, layout=layout)


@in_both_layouts
@in_every_language
def test_no_text_leaves_its_box_or_covers_another(layout: str, language: str) -> None:
    views = [(game().view_of(moment.state, side), side, moment.plays) for moment in some_moments() for side in (0, 2)]
    for view, side, plays in [*views, *((crowded(area), 0, moments(3)[-1].plays) for area in range(3))]:
        check_texts(drawn(view, side, language, layout=layout, plays=plays))


@in_every_language
def test_no_text_is_squeezed_out_of_shape(language: str) -> None:
    for moment in some_moments():
        check_squeezed(drawn(game().view_of(moment.state, 0), 0, language, plays=moment.plays), 0.7)


@in_both_layouts
@pytest.mark.parametrize("area", range(3))
def test_all_eleven_in_one_area_lie_beside_each_other(layout: str, area: int) -> None:
    places = by(drawn(crowded(area), 0, layout=layout), "data-place")
    boxes = []
    for element in places.values():
        panel = element.find(f"{SVG}rect")
        assert panel is not None
        boxes.append(tuple(float(panel.get(name, "")) for name in ("x", "y", "width", "height")))
    assert len(boxes) == 11
    for (x1, y1, w1, h1), (x2, y2, w2, h2) in combinations(boxes, 2):
        assert x1 + w1 <= x2 or x2 + w2 <= x1 or y1 + h1 <= y2 or y2 + h2 <= y1


@in_both_layouts
def test_cubes_lie_on_their_card_and_not_on_each_other(layout: str) -> None:
    places = by(drawn(crowded(1), 0, layout=layout), "data-place")
    for element in places.values():
        panel = element.find(f"{SVG}rect")
        assert panel is not None
        left, right = float(panel.get("x", "")), float(panel.get("x", "")) + float(panel.get("width", ""))
        starts = [path.get("d", "") for path in element.iter(f"{SVG}path") if path.get("id", "").startswith("cube-")]
        assert len(starts) == len(set(starts))
        assert all(left - 1 <= float(d[1:].split()[0]) <= right + 1 for d in starts)


@in_both_layouts
def test_text_is_large_enough_to_read(layout: str) -> None:
    least = LEAST if layout == "wide" else 10
    for language in LANGUAGES:
        views = [(crowded(0), moments(3)[-1].plays), *((moment.state, moment.plays) for moment in moments(3)[::20])]
        for state, plays in [*views, (moments(3)[-1].state, moments(3)[-1].plays)]:
            texts = drawn(state, 0, language, layout=layout, plays=plays).iter(f"{SVG}text")
            assert [text.text for text in texts if float(text.get("font-size", "0")) < least] == []


@in_both_layouts
@in_every_language
def test_a_board_stays_small(layout: str, language: str) -> None:
    plays = moments(3)[-1].plays
    drawn = picture(crowded(0), 0, language, layout=layout, plays=plays, highlights=game().data.places)
    assert len(drawn.encode()) < 60_000
    assert " style=" not in drawn
    assert "<script" not in drawn


@pytest.mark.parametrize("reason", range(1, len(REASONS)))
@in_every_language
def test_the_end_of_a_game_is_said(language: str, reason: int) -> None:
    view = crowded(1)
    view.node, view.mover, view.reason = Node.OVER, OVER, reason
    view.winner = -1 if REASONS[reason] in ("draw", "double_nuclear") else 1
    for layout in LAYOUTS:
        check_texts(drawn(view, 0, language, layout=layout))


# ---- ghosts


def test_ghosts_are_the_difference_of_two_views() -> None:
    before = game().view_of(example_state(game()), 0)
    after = game().copy(before)
    quarantine, cuba = game().data.places.index("quarantine"), CUBA
    after.influence[0, quarantine] += 2
    after.influence[1, cuba] -= 1
    after.area[cuba] = 0
    layer = ET.fromstring(ghost_layer(game(), before, after, 0, words("en")))
    classes = [element.get("class") for element in layer.iter() if element.get("class")]
    assert classes.count("c us g") == 2
    assert classes.count("gone") == 2  # one cube struck through, one tip of an arrow
    assert classes.count("panel ghost-card") == 1
    assert [element for element in layer.iter() if element.get("id")] == []
    assert ghost_layer(game(), before, before, 0, words("en")) == ""
    assert ghost_layer(game(), before, after, 0, words("en")) in picture(before, 0, ghosts=after)


def test_a_card_that_would_be_played_is_seen_where_it_would_lie() -> None:
    state = next(moment.state for moment in moments(3) if moment.state.node == Node.PLAY)
    side = int(state.mover)
    view = game().view_of(state, side)
    after = game().copy(view)
    game().apply(game().rules, after, game().legal_actions(view, side)[0])
    assert "panel ghost-card" in ghost_layer(game(), view, after, side, words("en"))


# ---- the clock


def test_every_play_leaves_its_mark_on_the_clock() -> None:
    moment = next(m for m in moments(3) if m.state.turn == 5 and not m.state.depth)
    root = drawn(game().view_of(moment.state, 0), 0, plays=moment.plays)
    marks = [element for element in root.iter() if element.get("data-play")]
    assert [int(mark.get("data-play", "")) for mark in marks] == list(range(5))
    assert [mark.get("aria-label", "").split(":")[0] for mark in marks] == ["1", "2", "3", "4", "5"]


def test_a_mark_can_be_a_link() -> None:
    play = Play(0, "scramble", 1, href="/games/1/3?a=1&b=2")
    root = drawn(game().view_of(example_state(game()), 0), 0, plays=[play])
    assert [a.get("href") for a in root.iter(f"{SVG}a")] == ["/games/1/3?a=1&b=2"]


# ---- cards, graphs, pictures of the rules


@in_every_language
def test_every_card_fits_its_paper_and_shows_its_colour(language: str) -> None:
    for found in game().data.card:
        root = ET.fromstring(card(game(), found.id, words(language)))
        check_texts(root, found.id)
        assert len(root.findall(f".//*[@class='sq {found.side}']")) == found.cubes
        assert root.find(f"{SVG}path[@class='{found.colour}']") is not None


@in_every_language
def test_the_course_of_a_game_is_drawn_from_anybodys_views(language: str) -> None:
    pictures = set()
    for side in VIEWERS:
        pictures.add(course(game(), [game().view_of(m.state, side) for m in moments(8)], words(language)))
    assert len(pictures) == 1
    texts = list(placed(ET.fromstring(pictures.pop())))
    assert [text for text in texts if not text.inside] == []
    assert ET.fromstring(course(game(), [], words(language))).get("class") == "brink course"


@in_both_layouts
@in_every_language
@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_of_the_rules_is_drawn_without_ids_of_its_own(name: str, language: str, layout: str) -> None:
    root = ET.fromstring(illustration(game(), name, words(language), layout))
    texts = list(placed(root))
    assert texts
    assert [text for text in texts if not text.inside] == []
    assert [(a, b) for a, b in combinations(texts, 2) if a.covers(b)] == []
    assert {e.get("id") for e in root.iter() if e.get("id")} <= {f"{name}-hatch", f"{name}-dots"}
