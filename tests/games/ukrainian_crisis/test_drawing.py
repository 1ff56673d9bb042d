"""Pictures of Ukrainian Crisis: every position is drawn in four languages, everything once, nothing hidden."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import cache
from typing import Any

import pytest

from brinkmanship.drawing.board_request import BoardRequest
from brinkmanship.engine.game import OBSERVER
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.games.ukrainian_crisis.drawing.atlas import SEATS, outline
from brinkmanship.games.ukrainian_crisis.drawing.board import board, ghost_layer
from brinkmanship.games.ukrainian_crisis.drawing.cards import card
from brinkmanship.games.ukrainian_crisis.drawing.course import course
from brinkmanship.games.ukrainian_crisis.drawing.dice_record import play_of
from brinkmanship.games.ukrainian_crisis.drawing.illustrations import illustration
from brinkmanship.games.ukrainian_crisis.drawing.labels import labels_for
from brinkmanship.games.ukrainian_crisis.drawing.layout import LEAST
from brinkmanship.games.ukrainian_crisis.drawing.overview import overview
from brinkmanship.games.ukrainian_crisis.drawing.position import read
from brinkmanship.games.ukrainian_crisis.rules.data import EVENTS
from brinkmanship.games.ukrainian_crisis.rules.state import PLACE, Mark, Place
from brinkmanship.text import Words, words_for
from support.drawn_games import (
    LAYOUTS,
    VIEWERS,
    Moment,
    check_redealt,
    check_squeezed,
    for_every_viewer,
    in_both_layouts,
    in_every_language,
    moments_of,
)
from support.drawn_texts import SVG, placed
from support.ukrainian_crisis.builders import Position


@cache
def game(ordinary: bool = False) -> Any:
    return load_game("ukrainian-crisis", options={"ordinary_cards": True} if ordinary else None)


@cache
def words(language: str, ordinary: bool = False) -> Words:
    return words_for(game(ordinary), language)


@cache
def moments(seed: int, ordinary: bool = False) -> tuple[Moment, ...]:
    """Every position of a random game."""
    return moments_of(game(ordinary), seed, play_of)


def crowded() -> Any:
    """Every kind of unit of both sides, full and neutralised, stands in Donetsk."""
    state = game().new_state()
    donetsk = next(n for n, zone in enumerate(game().data.zone) if zone.id == "DON")
    for unit, entry in enumerate(state.unit.tolist()):
        if entry != Place.NOWHERE:
            state.unit[unit] = donetsk * PLACE + (Mark.NEUTRALISED if unit % 2 else 0)
    return state


def picture(view: Any, side: int, language: str = "en", ordinary: bool = False, **more: Any) -> str:
    return board(game(ordinary), view, side, words(language, ordinary), BoardRequest(**more))


def drawn(view: Any, side: int, language: str = "en", **more: Any) -> ET.Element:
    return ET.fromstring(picture(view, side, language, **more))


def things(root: ET.Element, attribute: str) -> dict[str, ET.Element]:
    """The last element for each value of an attribute: what stands above the ground."""
    return {element.get(attribute, ""): element for element in root.iter() if element.get(attribute)}


def counted(element: ET.Element) -> int:
    """How many units the counters in an element stand for."""
    counters = [one for one in element.iter() if one.get("class") == "counter"]
    numbers = [one.find(f"{SVG}text") for one in counters]
    return sum(int(re.sub(r"\D", "", number.text or "")) for number in numbers if number is not None)


@in_every_language
def test_every_position_of_a_game_is_drawn(language: str) -> None:
    for number, moment in enumerate(moments(3)):
        side, layout = VIEWERS[number % 3], LAYOUTS[number % 2]
        view = game().view_of(moment.state, side)
        root = drawn(view, side, language, layout=layout, plays=moment.plays)
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(ids) == len(set(ids))


@in_both_layouts
def test_the_counters_of_every_place_add_up_to_its_units(layout: str) -> None:
    for moment in (*moments(3)[::9], Moment(crowded(), ())):
        view = game().view_of(moment.state, OBSERVER)
        root = drawn(view, OBSERVER, layout=layout)
        entries = [entry // PLACE for entry in view.unit.tolist() if entry != Place.NOWHERE]
        places = things(root, "data-place")
        for number, zone in enumerate(game().data.zone):
            assert counted(places[zone.id]) == entries.count(number)
        assert counted(root) == len(entries)


@in_every_language
@in_both_layouts
def test_no_text_leaves_its_box(language: str, layout: str) -> None:
    for moment in (*moments(3)[::25], moments(3)[-1], Moment(crowded(), ())):
        root = drawn(game().view_of(moment.state, 0), 0, language, layout=layout, plays=moment.plays)
        outside = [text.text for text in placed(root) if not text.inside]
        assert outside == []


@in_every_language
def test_every_text_of_the_wide_table_is_large_enough_to_read(language: str) -> None:
    for moment in (*moments(3)[::25], moments(3)[-1], Moment(crowded(), ())):
        root = drawn(game().view_of(moment.state, 0), 0, language, plays=moment.plays)
        texts = [text for text in root.iter(f"{SVG}text") if float(text.get("font-size", "0")) < LEAST]
        assert [text.text for text in texts] == []
        check_squeezed(root, 0.7)


@for_every_viewer
def test_a_redeal_of_the_view_gives_the_same_picture_to_the_byte(side: int) -> None:
    check_redealt(game(), picture, [*moments(8)[::7]], side)


def test_cards_that_lie_face_down_are_read_by_their_owner_only() -> None:
    laid = next(m for m in moments(3) if m.state.matrix[:, 0].min() > 0 and m.state.face_up[0] == 0)
    own, others = (things(drawn(game().view_of(laid.state, side), side), "data-track")["military"] for side in (0, 1))
    name = words("en").name("card", game().ranks[int(laid.state.matrix[0, 0]) - 1])
    assert f"Ukraine {name} (face down)" in (own.get("aria-label") or "")
    assert "Ukraine face down" in (others.get("aria-label") or "")


def test_ordinary_cards_are_drawn_by_their_numbers() -> None:
    for moment in moments(4, ordinary=True)[::12]:
        drawn(game(True).view_of(moment.state, 1), 1, "de", ordinary=True, plays=moment.plays, layout="narrow")
    assert ET.fromstring(card(game(True), "7", words("en", True))).get("data-card") == "7"


def test_what_can_be_chosen_is_lit_and_in_the_tab_order() -> None:
    root = drawn(game().view_of(moments(3)[0].state, 0), 0, highlights={"DON", "GB", "military", "reserve"})
    for attribute, id in (("data-place", "DON"), ("data-track", "GB"), ("data-track", "military")):
        thing = things(root, attribute)[id]
        assert "can" in thing.get("class", "").split()
        assert thing.get("tabindex") == "0"
    lit = [e for e in root.iter() if e.get("data-place") == "reserve" and "can" in (e.get("class") or "").split()]
    assert len(lit) == 1  # the viewer's own


def test_a_roll_is_recorded_with_the_row_that_was_read() -> None:
    moment = next(m for m in moments(3) if m.plays and m.plays[-1].kind == "roll" and len(m.plays[-1].pips) == 1)
    play = moment.plays[-1]
    rows = (game().data.resources.small, game().data.resources.medium)
    assert play.result == rows[play.rank - 1][play.pips[0] - 1]
    root = drawn(game().view_of(moment.state, 0), 0, plays=moment.plays)
    assert len([e for e in root.iter() if e.get("class") == "row-cell read"]) == 1


def test_every_zone_has_an_outline_and_a_seat() -> None:
    for zone in game().data.zone:
        assert outline(zone.id)
        assert zone.id in SEATS


def test_control_follows_the_rules() -> None:
    view = game().view_of(crowded(), OBSERVER)
    donetsk = next(n for n, zone in enumerate(game().data.zone) if zone.id == "DON")
    assert read(game(), view, OBSERVER).controller(donetsk) is None
    assert read(game(), view, OBSERVER).controller(0) is None


@in_every_language
def test_cards_course_ghosts_and_pictures_of_the_rules_are_drawn(language: str) -> None:
    for event in EVENTS:
        assert ET.fromstring(card(game(), event.id, words(language))).get("data-card") == event.id
    for rank in game().ranks:
        ET.fromstring(card(game(), rank, words(language)))
    views = [game().view_of(moment.state, OBSERVER) for moment in moments(3)]
    ET.fromstring(course(game(), views, words(language)))
    ET.fromstring(f"<g>{ghost_layer(game(), views[5], views[-1], 0, words(language))}</g>")
    for name in ("map", "matrix", "relations", "combat"):
        for layout in LAYOUTS:
            assert ET.fromstring(illustration(game(), name, words(language), layout)).get("aria-label")


def test_each_counter_has_a_stroke_for_each_point_of_its_combat_value() -> None:
    state = game().new_state()
    for unit, entry in enumerate(state.unit.tolist()):
        if unit % 2 and entry != Place.NOWHERE:
            state.unit[unit] = entry + Mark.NEUTRALISED
    root = drawn(state, OBSERVER)
    values = {unit.id: (unit.cv or 0, unit.cv_neutralised or 0) for unit in game().data.unit}
    shown = [one for one in root.iter() if one.get("class") == "counter" and one.get("data-unit")]
    assert len(shown) > len(values)
    for one in shown:
        unit, _, neutralised = (one.get("data-unit") or "").partition(" ")
        signs = [path.get("d") or "" for path in one.iter(f"{SVG}path") if "sign" in (path.get("class") or "")]
        assert sum(sign.count(" 12.6h") for sign in signs) == values[unit][bool(neutralised)]


@in_every_language
@in_both_layouts
def test_the_key_names_every_type_of_unit_with_the_combat_values_of_both_sides(language: str, layout: str) -> None:
    root = drawn(game().view_of(game().new_state(), 0), 0, language, layout=layout)
    key = next(one for one in root.iter() if one.get("class") == "unit-key")
    written = [text.text for text in key.iter(f"{SVG}text")]
    by_type: dict[str, list[str]] = {}
    for unit in sorted(game().data.unit, key=lambda unit: unit.side, reverse=True):  # Ukraine first
        by_type.setdefault(unit.type, []).append("–" if unit.cv is None else str(unit.cv))
    for type_, values in by_type.items():
        at = written.index(words(language).sentence(Message(f"kind.{type_}")))
        assert written[at + 1 : at + 1 + len(values)] == values


def test_a_zone_tells_the_combat_value_of_each_side_in_it() -> None:
    position = read(game(), game().view_of(crowded(), OBSERVER), OBSERVER)
    donetsk = game().data.zone_index("DON")
    told = things(drawn(crowded(), OBSERVER), "data-place")["DON"].get("data-tell") or ""
    for side, name in enumerate(("Ukraine", "Russia")):
        assert f"{name}: Combat Value {position.strength(donetsk, side)}" in told
        for stack in position.at(donetsk, side):
            each = f": Combat Value {stack.cv}{' each' if stack.size > 1 else ''}" if stack.cv else ""
            assert f"{labels_for(words('en'), game()).stack(stack)}{each}" in told
    assert position.strength(donetsk, 0) == sum(
        (unit.cv or 0) * unit.count for unit in game().data.unit if unit.side == "UA"
    )


def test_the_desks_say_what_their_victory_points_come_from() -> None:
    state = game().new_state()
    state.prestige[:] = (25, 36)
    state.union = 1 << game().data.zone_index("CRI")
    worth = game().data.zone[game().data.zone_index("CRI")].vp
    desks = things(drawn(state, OBSERVER), "data-desk")
    assert "VP 25: Prestige 25 + zones 0" in (desks["ua"].get("aria-label") or "")
    assert f"VP {36 + worth}: Prestige 36 + zones {worth}" in (desks["ru"].get("aria-label") or "")
    state.combat_turns = 1
    desks = things(drawn(state, OBSERVER), "data-desk")
    assert "VP 13: ½ Prestige 13 + zones 0" in (desks["ua"].get("aria-label") or "")


def test_the_preview_of_a_row_finds_the_row_of_its_own_side() -> None:
    found = overview(game(), game().view_of(crowded(), 1), 1, words("en"))
    rows = [(tab.id, row.id, row.whose) for tab in found.tabs for part in tab.parts for row in part.rows]
    assert len(set(rows)) == len(rows)
    assert {whose for _, id, whose in rows if id == "reserve"} == {"us", "ussr"}


@pytest.mark.parametrize(
    ("card", "texts", "box"),
    [
        ("spontaneous_mobilization_spades", ["play spontaneous_mobilization_spades"], "mobilisation:us"),
        ("moldova", ["roll 6"], "reserve:ussr"),
        ("unit_not_ready", ["play unit_not_ready", "roll 3"], "mobilisation:ussr"),
    ],
)
def test_an_event_lights_the_boxes_of_the_side_whose_units_it_moves(card: str, texts: list[str], box: str) -> None:
    units = {"mobilisation": "ua_militia ru_special", "reserve": "ru_ground"}
    p = Position(units=units).draw(ua=card).play(*texts)
    place = box.partition(":")[0]
    view = p.game.view_of(p.state, p.actor)
    found = overview(p.game, view, p.actor, words("en"), BoardRequest(highlights=[place]))
    assert [row.mark for part in found.tabs[0].parts for row in part.rows if row.can] == [box]
