"""Pictures: well-formed, complete, the same for the same view, and no text leaves its box in any language."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations, product
from math import dist
from pathlib import Path
from typing import Any

import pytest

import brinkmanship
from brinkmanship.drawing import lettering, style
from brinkmanship.drawing.board_request import BoardRequest
from brinkmanship.drawing.card_frame import SMALLEST, back
from brinkmanship.drawing.emblem import emblem
from brinkmanship.drawing.svg import el
from brinkmanship.engine.game import OVER
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.games.thirteen_days.drawing.atlas import coast_file
from brinkmanship.games.thirteen_days.drawing.board import board, ghost_layer
from brinkmanship.games.thirteen_days.drawing.calendar import Play, play_of
from brinkmanship.games.thirteen_days.drawing.cards import agenda, card
from brinkmanship.games.thirteen_days.drawing.course import course
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, TRACKS
from brinkmanship.games.thirteen_days.rules.state import Node
from brinkmanship.games.thirteen_days.words.names import words as game_words
from brinkmanship.text import Words, cards_of
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
DOMAINS = ("draw.", "13-days.", "common.")


@cache
def game() -> Any:
    return load_game("13-days")


@cache
def words(language: str) -> Words:
    return game_words(game().data, language)


@cache
def moments(seed: int) -> tuple[Moment, ...]:
    """Every position of a random game."""
    return moments_of(game(), seed, play_of)


def some_moments(count: int = 6) -> list[Moment]:
    """Positions from the first to the last of two games."""
    return spread([*moments(3), *moments(8)], count)


def crowded() -> Any:
    """A view of the US with all that can be in force at once, full battlegrounds and two flags on a track."""
    view = game().view_of(moments(3)[len(moments(3)) // 2].state, 0)
    view.influence[0] = [5, 3, 1, 2, 0, 0, 0, 1, 3]
    view.influence[1] = [5, 1, 0, 1, 2, 1, 5, 0, 2]
    view.defcon[0], view.defcon[1] = [6, 6, 3], [7, 8, 6]
    view.prestige, view.letter = -5, 1
    view.modifier[:] = [1, -1]
    view.ban[:] = [1, 1]
    view.agenda_dealt[:] = 0
    for index, found in enumerate(game().data.agenda):
        view.agenda_dealt[index % 2, index] = found.copies
    return view


def picture(view: Any, side: int, language: str = "en", **more: Any) -> str:
    return board(game(), view, side, words(language), BoardRequest(**more))


def drawn(view: Any, side: int, language: str = "en", **more: Any) -> ET.Element:
    return ET.fromstring(picture(view, side, language, **more))


def ids(root: ET.Element) -> list[str]:
    return [element.get("id", "") for element in root.iter() if element.get("id")]


# ---- the board


@in_both_layouts
def test_a_flag_lies_inside_the_box_of_its_place(layout: str) -> None:
    root, seen = drawn(crowded(), 0, layout=layout), 0
    for place in (one for one in root.iter(f"{SVG}g") if one.get("id", "").startswith("place-")):
        panel = next(place.iter(f"{SVG}rect"))
        top, bottom = float(panel.get("y", "")), float(panel.get("y", "")) + float(panel.get("height", ""))
        for flag in (one for one in place.iter(f"{SVG}g") if "flag" in one.get("class", "").split()):
            seen += 1
            pole = next(one.get("d", "") for one in flag if one.get("class") == "pole")
            ys = [float(number) for number in re.findall(r"[ML]\S+ ([\d.]+)", pole)]
            assert top <= min(ys) <= max(ys) <= bottom
    assert seen


@in_both_layouts
@for_every_viewer
def test_every_cube_and_marker_is_drawn_exactly_once(layout: str, side: int) -> None:
    for moment in some_moments():
        view = game().view_of(moment.state, side)
        found = ids(drawn(view, side, layout=layout, plays=moment.plays))
        assert len(found) == len(set(found))
        for owner, name in enumerate(SIDES):
            on_board = 0
            for index, place in enumerate(BATTLEGROUNDS):
                count = int(view.influence[owner, index])
                expected = [f"cube-{name}-{place}-{number}" for number in range(1, count + 1)]
                assert [id for id in found if id.startswith(f"cube-{name}-{place}-")] == expected
                on_board += count
            supply = [id for id in found if id.startswith(f"cube-{name}-supply-")]
            assert len(supply) == game().data.limits.cubes_per_side - on_board
            assert {f"marker-{name}-{track}" for track in TRACKS} <= set(found)
        assert "marker-letter" in found


@in_both_layouts
def test_all_places_and_tracks_are_there_and_say_what_is_on_them(layout: str) -> None:
    root = drawn(crowded(), 0, layout=layout)
    places = {element.get("data-place"): element for element in root.iter() if element.get("data-place")}
    tracks = {element.get("data-track"): element for element in root.iter() if element.get("data-track")}
    assert set(places) == set(BATTLEGROUNDS)
    assert set(tracks) == set(TRACKS)
    assert places["atlantic"].get("aria-label") == "Atlantic, military: US 3, USSR 1, US leads by 2"
    assert tracks["military"].get("aria-label") == "DEFCON, military: US 6 (DEFCON 2), USSR 7 (DEFCON 1)"


def test_what_can_be_clicked_is_reached_by_keyboard_and_the_rest_is_not() -> None:
    root = drawn(crowded(), 0, highlights=["berlin", "political"])
    check_clickable(root, {"berlin", "political"}, ("data-place", "data-track"))


@in_both_layouts
@for_every_viewer
def test_a_redeal_of_the_view_gives_the_same_picture_to_the_byte(layout: str, side: int) -> None:
    check_redealt(game(), picture, [*moments(3)[::7], *moments(8)[::7]], side, layout=layout)


@in_both_layouts
@in_every_language
def test_no_text_leaves_its_box_or_covers_another(layout: str, language: str) -> None:
    views = [(game().view_of(moment.state, side), side, moment.plays) for moment in some_moments() for side in (0, 2)]
    for view, side, plays in [*views, (crowded(), 0, moments(3)[-1].plays)]:
        check_texts(drawn(view, side, language, layout=layout, plays=plays))


@in_every_language
def test_no_text_is_squeezed_out_of_shape(language: str) -> None:
    for moment in some_moments():
        check_squeezed(drawn(game().view_of(moment.state, 0), 0, language, plays=moment.plays), 0.7)
    for steps in product((5, 6), (4, 6), (1, 5, 6)):  # DEFCON 2, or one step from DEFCON 1
        view = game().view_of(some_moments()[0].state, 0)
        view.defcon[:] = steps
        check_squeezed(drawn(view, 0, language), 0.7)


@in_both_layouts
def test_text_is_large_enough_to_read(layout: str) -> None:
    texts = drawn(crowded(), 0, "de", layout=layout, plays=moments(3)[-1].plays).iter(f"{SVG}text")
    small = [text.text for text in texts if float(text.get("font-size", "0")) < 11]
    assert [text for text in small if not re.fullmatch(r"\d", text or "")] == []  # the digit on a mark of a play


@in_both_layouts
@in_every_language
def test_a_board_stays_small(layout: str, language: str) -> None:
    full = picture(crowded(), 0, language, layout=layout, plays=moments(3)[-1].plays, highlights=BATTLEGROUNDS)
    assert len(full.encode()) < 60_000
    light = picture(crowded(), 0, language, layout=layout, coast="/static/coast.svg")
    assert len(light) < len(full) - 9_000
    assert 'id="coast"' in coast_file()


def test_no_picture_needs_a_style_attribute_or_a_script() -> None:
    for picture in (board(game(), crowded(), 0, words("en")), card(game(), "scramble", words("en")), emblem("13-days")):
        assert " style=" not in picture
        assert "<script" not in picture
        assert " on" not in re.sub(r'(aria-label|data-tell)="[^"]*"|<title>[^<]*</title>|<text[^>]*>[^<]*', "", picture)


@in_every_language
def test_what_lies_on_the_board_tells_what_it_is(language: str) -> None:
    root = drawn(crowded(), 0, language)
    told = {one.get("data-place") or one.get("data-track"): one.get("data-tell") for one in root.iter()}
    for place in BATTLEGROUNDS:
        assert (told[place] or "").startswith(words(language).name("battleground", place))
    assert all("DEFCON" in (told[track] or "") for track in TRACKS)
    assert all(one.get("data-tell") for one in root.iter() if one.get("data-desk") or one.get("data-pile"))


@pytest.mark.parametrize("reason", range(1, 5))
@in_every_language
def test_the_end_of_a_game_is_said(language: str, reason: int) -> None:
    view = crowded()
    view.node, view.mover, view.reason, view.winner = Node.OVER, OVER, reason, 0 if reason < 4 else -1
    for layout in LAYOUTS:
        texts = list(placed(drawn(view, 0, language, layout=layout)))
        assert [text for text in texts if not text.inside] == []


# ---- ghosts


def test_ghosts_are_the_difference_of_two_views() -> None:
    before = crowded()
    after = game().copy(before)
    after.influence[0, BATTLEGROUNDS.index("berlin")] += 2
    after.influence[1, BATTLEGROUNDS.index("italy")] -= 1
    after.defcon[0, 0] += 1
    after.prestige += 1
    layer = ET.fromstring(ghost_layer(game(), before, after, 0, words("en")))
    classes = [element.get("class") for element in layer.iter() if element.get("class")]
    assert classes.count("c us g") == 3  # two cubes and a marker
    assert classes.count("c ussr g") == 1  # the knot of Prestige
    assert classes.count("gone") == 2  # one cube struck through, one tip of an arrow
    assert ghost_layer(game(), before, before, 0, words("en")) == ""
    assert ghost_layer(game(), before, after, 0, words("en")) in picture(before, 0, ghosts=after)


# ---- the calendar


def test_every_play_leaves_its_mark_on_its_half_day() -> None:
    long_enough = (m for seed in range(20) for m in moments(seed))
    moment = next(m for m in long_enough if m.state.round_number == 2 and m.state.turn == 3)
    root = drawn(game().view_of(moment.state, 0), 0, plays=moment.plays)
    marks = [element for element in root.iter() if element.get("data-play")]
    assert [int(mark.get("data-play", "")) for mark in marks] == list(range(11))
    assert (marks[0].get("aria-label") or "").startswith("Tuesday 16 October: ")


def test_a_mark_can_be_a_link() -> None:
    play = Play(1, 0, "scramble", "event", href="/games/1/3?a=1&b=2")
    root = drawn(crowded(), 0, plays=[play])
    assert [a.get("href") for a in root.iter(f"{SVG}a")] == ["/games/1/3?a=1&b=2"]


# ---- cards, graphs, emblems


@in_every_language
def test_every_card_and_agenda_fits_its_paper(language: str) -> None:
    told = {text.id: text.history for text in cards_of(game(), words(language))}
    for found in game().data.card:
        root = ET.fromstring(card(game(), found, words(language), history=told[found.id]))
        assert all(float(text.get("font-size", "0")) >= SMALLEST for text in root.iter(f"{SVG}text")), found.id
        check_texts(root, found.id)
        assert len(root.findall(f".//*[@class='sq {found.side}']")) == found.cubes
    for found in game().data.agenda:
        assert [t for t in placed(ET.fromstring(agenda(game(), found.id, words(language)))) if not t.inside] == []


@in_every_language
def test_the_course_of_a_game_is_drawn_from_anybodys_views(language: str) -> None:
    pictures = set()
    for side in VIEWERS:
        pictures.add(course(game(), [game().view_of(m.state, side) for m in moments(8)], words(language)))
    assert len(pictures) == 1
    texts = list(placed(ET.fromstring(pictures.pop())))
    assert [text for text in texts if not text.inside] == []
    assert ET.fromstring(course(game(), [], words(language))).get("class") == "brink course"


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_game_has_an_emblem(game_id: str) -> None:
    assert ET.fromstring(emblem(game_id)).get("viewBox") == "0 0 240 150"


def test_backs_tell_nothing_but_the_side() -> None:
    assert {back(side, words("en")) for side in ("us", "ussr", "un") for _ in range(2)} == {
        back(side, words("en")) for side in ("us", "ussr", "un")
    }


# ---- letters, elements, colours


def test_text_and_attributes_are_escaped() -> None:
    assert str(el("text", "<b> & co", title='"quoted" <')) == (
        '<text title="&quot;quoted&quot; &lt;">&lt;b&gt; &amp; co</text>'
    )
    assert str(el("g", el("path", d="M0 0"), None, [el("a"), "<"])) == '<g><path d="M0 0"/><a/>&lt;</g>'


def test_long_text_shrinks_and_then_is_squeezed() -> None:
    long = "Strategisches Gleichgewicht"
    wide = lettering.width(long, 14)
    assert 'font-size="14"' in lettering.text(0, 0, long, 14, room=wide)
    assert 'font-size="13"' in lettering.text(0, 0, long, 14, room=wide * 0.95)
    assert f'textLength="{wide * 0.5:.2f}"'.rstrip('0"') in lettering.text(0, 0, long, 14, room=wide * 0.5)


def test_the_width_table_knows_every_letter_of_the_catalogues() -> None:
    catalogues = Path(brinkmanship.__file__).parent.rglob("*.po")
    letters = {c for file in catalogues if file.name.startswith(DOMAINS) for c in file.read_text("utf-8")}
    letters |= {c for found in game().data.card for name in found.names.values() for c in name}
    known = set(lettering._letters("condensed-400"))
    assert {c for c in letters if c.isprintable()} - known == set()


@pytest.mark.parametrize("room", [0, 1])
def test_text_colours_reach_aa_on_every_ground(room: int) -> None:
    grounds = ("paper", "panel", "sunk", "opinion-tint", "us-tint", "ussr-tint", "sea")
    for role in ("ink", "muted", "us", "ussr", "military", "political", "opinion"):
        for ground in grounds:
            assert contrast(style.PALETTE[role][room], style.PALETTE[ground][room]) >= 4.5, (role, ground)
    for role in ("card-ink", "card-muted", "card-us", "card-ussr", "card-un"):
        assert contrast(style.PALETTE[role][room], style.PALETTE["card"][room]) >= 4.5, role
    for side in SIDES:
        assert contrast("#ffffff", style.PALETTE[f"{side}-fill"][room]) >= 4.5, side


@pytest.mark.parametrize("room", [0, 1])
def test_what_can_be_chosen_stands_out_from_every_ground_and_stays_legible(room: int) -> None:
    colours = {role: tones[room] for role, tones in style.PALETTE.items()}
    for ground in ("paper", "panel", "sunk", "sea", "land", "accent-tint", "us-tint", "ussr-tint"):
        assert contrast(colours["accent"], colours[ground]) >= 3, ground
    for zone in ("red", "yellow", "orange"):
        assert contrast(colours["accent"], colours[f"ethnic-{zone}"]) >= 3, zone
    assert contrast(colours["card-accent"], colours["card"]) >= 3
    for role in ("ink", "muted", "us", "ussr", "military", "political", "opinion"):
        assert contrast(colours[role], colours["accent-tint"]) >= 4.5, role
    assert contrast("#22262b", colours["gold"]) >= 4.5


@pytest.mark.parametrize("room", [0, 1])
def test_the_ethnic_colours_of_zones_are_told_apart_in_both_rooms(room: int) -> None:
    grounds = [style.PALETTE[f"ethnic-{colour}"][room] for colour in ("red", "yellow", "orange")]
    for one, other in combinations(grounds, 2):
        assert dist([*bytes.fromhex(one[1:])], [*bytes.fromhex(other[1:])]) > 25, (one, other)
    for ground in grounds:
        assert contrast(style.PALETTE["ink"][room], ground) >= 4.5, ground


def test_a_picture_alone_brings_its_colours_and_a_page_both_rooms() -> None:
    alone = picture(crowded(), 0, standalone="dark")
    assert style.PALETTE["paper"][1] in alone
    assert "data-theme=dark" in style.stylesheet()
    used = set(re.findall(r"var\(--([a-z0-9-]+)\)", style.stylesheet()))
    assert used <= {*style.PALETTE, *style.FONTS}


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
