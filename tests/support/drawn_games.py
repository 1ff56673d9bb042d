"""Positions of random games to be drawn, and what is asked of every picture of them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import combinations
from typing import Any, NamedTuple

import pytest

from brinkmanship.drawing import lettering
from brinkmanship.engine.chance import generators
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.playout import record
from brinkmanship.text import LANGUAGES
from support.drawn_texts import SVG, placed

LAYOUTS = ("wide", "narrow")
VIEWERS = (0, 1, OBSERVER)

in_every_language = pytest.mark.parametrize("language", LANGUAGES)
in_both_layouts = pytest.mark.parametrize("layout", LAYOUTS)
for_every_viewer = pytest.mark.parametrize("side", VIEWERS)


class Moment(NamedTuple):
    """A position of a game, and the plays before it."""

    state: Any
    plays: tuple[Any, ...]


def moments_of(game: Game, seed: int, play_of: Callable[[Any, Any, int], Any]) -> tuple[Moment, ...]:
    """Every position of a random game."""
    state = game.new_state()
    plays: list[Any] = []
    found = [Moment(game.copy(state), ())]
    for _, action in record(game, 0, seed):
        if play := play_of(game, state, action):
            plays.append(play)
        game.apply(game.rules, state, action)
        found.append(Moment(game.copy(state), tuple(plays)))
    return tuple(found)


def spread(moments: list[Moment], count: int) -> list[Moment]:
    """So many positions, from the first to the last."""
    return [*moments[:: len(moments) // (count - 1)][: count - 1], moments[-1]]


def check_redealt(game: Game, picture: Callable[..., str], moments: list[Moment], side: int, **more: Any) -> None:
    """What a side cannot know makes no difference to `picture(view, side, plays=...)`, to the byte."""
    dice = generators(1, 0, 1)[0]
    for moment in moments:
        view = game.view_of(moment.state, side)
        other = game.new_state()
        game.redeal(game.rules, view, side, dice, other)
        again = picture(game.view_of(other, side), side, plays=moment.plays, **more)
        assert again == picture(view, side, plays=moment.plays, **more)


def check_clickable(root: ET.Element, hooks: set[str], attributes: tuple[str, ...]) -> None:
    """These can be clicked and are reached by keyboard, and nothing else but the discards, which open as a drawer."""
    lit = [element for element in root.iter() if "can" in element.get("class", "").split()]
    assert {next(filter(None, map(element.get, attributes)), None) for element in lit} == hooks
    assert all(element.get("role") == "button" and element.get("tabindex") == "0" for element in lit)
    others = [element for element in root.iter() if element.get("tabindex") and element not in lit]
    assert [element for element in others if element.get("data-pile") != "discard"] == []


def check_squeezed(root: ET.Element, most: float) -> None:
    """What does not fit is squeezed to this part of its width at most."""
    for text in root.iter(f"{SVG}text"):
        size, css = float(text.get("font-size", "0")), text.get("class", "")
        wide = lettering.width(text.text or "", size, css)
        assert float(text.get("textLength") or wide) >= most * wide, text.text


def check_texts(root: ET.Element, what: str = "") -> None:
    """No text leaves its box or covers another."""
    texts = list(placed(root))
    assert [text for text in texts if not text.inside] == [], what
    assert [(a, b) for a, b in combinations(texts, 2) if a.covers(b)] == [], what
