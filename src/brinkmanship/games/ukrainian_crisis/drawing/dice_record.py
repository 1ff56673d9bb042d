"""The record of dice, with the row of the table that was read; and of Combat Turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from brinkmanship.drawing.box import Box
from brinkmanship.drawing.dice import SPOTS
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, rect
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels
from brinkmanship.games.ukrainian_crisis.drawing.layout import LEAST, Layout
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, higher_die, lower_die
from brinkmanship.games.ukrainian_crisis.rules.data import EVENTS
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.narration.combat import dice_at_once
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State

Kind = Literal["roll", "die", "sum", "hits", "event", "type"]


class Play(NamedTuple):
    """An entry of the record: dice, an Event Card, or the type of a Turn. `href` is its link."""

    kind: Kind
    turn: int
    side: int
    """The side of the dice or card; -1 for neither side."""
    rank: int = 0
    """Rank of the Resource Card whose row was read, from 1."""
    pips: tuple[int, ...] = ()
    result: int = 0
    """Resource Points, the sum, hits; 1 for a Combat Turn."""
    dice: int = 0
    event: str = ""
    href: str = ""


def play_of(game: UkrainianCrisis, before: State, action: int, href: str = "") -> Play | None:
    """Return the record entry of an action, or None if it adds nothing."""
    node, turn, action = int(before.node), int(before.turn), int(action)
    side = int(before.drawer) if int(before.drawer) in (0, 1) else -1
    if node == Node.ROLL:
        return _roll(game, before, action, side, href)
    if node == Node.DIE and Action.DIE <= action < Action.TWO_DICE:
        pips = action - Action.DIE + 1
        return Play("die", turn, side, 0, (pips,), pips, 1, href=href)
    if node == Node.DICE_SUM:
        return Play("sum", turn, int(before.stack[before.depth - 1].side), result=action - Action.DICE_SUM, href=href)
    if node == Node.HITS and Action.HITS <= action < Action.PLACE:
        return Play("hits", turn, side, result=action - Action.HITS, dice=dice_at_once(before), href=href)
    if Action.PLAY_EVENT <= action < Action.ALLIES:
        return Play("event", turn, int(before.mover), event=EVENTS[action - Action.PLAY_EVENT].id, href=href)
    if node == Node.TYPE:
        after = game.copy(before)
        game.apply(game.rules, after, action)
        return Play("type", turn, -1, result=int(after.turn_type), href=href)
    return None


def _roll(game: UkrainianCrisis, before: State, action: int, side: int, href: str) -> Play:
    area = int(before.area)
    rank = int(before.matrix[side, area]) if 0 <= area < before.matrix.shape[1] else 0
    turn = int(before.turn)
    if action >= Action.TWO_DICE:
        pips = (lower_die(action), higher_die(action))
        return Play("roll", turn, side, rank, pips, sum(pips), 2, href=href)
    pip = action - Action.DIE + 1
    row = int(game.rules.class_of[rank - 1]) if rank > 0 else 2
    result = int(game.rules.results[row, pip - 1]) if row < len(game.rules.results) else pip
    return Play("roll", turn, side, rank, (pip,), result, 1, href=href)


_ROWS = {True: 1, False: 3}
"""Number of lines on the wide table, beside which the page reports the dice, and on the narrow one."""


def dice_record(labels: Labels, plays: Sequence[Play], layout: Layout, results: Sequence[Sequence[int]]) -> Markup:
    """Draw the last dice, the latest first, and below them the row of the table that was read."""
    box = layout.dice
    latest = [play for play in plays if play.kind in ("roll", "die", "sum", "hits")][::-1][: _ROWS[layout.wide]]
    size, first, step = (LEAST, box.y + 33, 0.0) if layout.wide else (12.5, box.y + 36, 21.0)
    lines = [_line(labels, play, box, first + number * step, size) for number, play in enumerate(latest)]
    row = _row(labels, latest[0], box, results) if latest and latest[0].kind == "roll" else NOTHING
    told = ". ".join(_words(labels, play) for play in latest)
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        text(box.x + 10, box.y + 16, labels.sentence("crisis.dice").upper(), size, "b sp mu", room=box.w / 2 - 16),
        row,
        lines if latest else text(box.x + 10, first, labels.say("crisis.no_dice"), size, "mu", room=box.w - 20),
        css="record",
        id="record",
        role="img",
        aria_label=told or labels.say("crisis.no_dice"),
    )


def _words(labels: Labels, play: Play) -> str:
    who = labels.sides[play.side] if play.side in (0, 1) else labels.sentence("crisis.dice")
    if play.kind == "roll":
        card = labels.rank(play.rank) if play.rank > 0 else ""
        return labels.say("crisis.rolled", who=who, card=card, n=play.result)
    if play.kind == "hits":
        return labels.say("crisis.hits", who=who, n=play.result, dice=play.dice)
    return labels.say("crisis.sum", who=who, n=play.result)


def _line(labels: Labels, play: Play, box: Box, y: float, size: float) -> Markup:
    x = box.x + 10
    dice = []
    for pips in play.pips:
        dice.append(die(pips, x, y - 12, 15))
        x += 18
    words = _words(labels, play)
    css = SIDE_CSS[play.side] if play.side in (0, 1) else ""
    return join(dice, text(x + (2 if dice else 0), y, words, size, css, room=box.right - 10 - x))


def die(pips: int, x: float, y: float, size: float) -> Markup:
    """Draw a die that shows `pips` pips."""
    quarter = size / 4
    return group(
        rect(x, y, size, size, "die", 2.5),
        [el("circle", cx=x + a * quarter, cy=y + b * quarter, r=size / 11, class_="inkfill") for a, b in SPOTS[pips]],
        css="a-die",
    )


def _row(labels: Labels, play: Play, box: Box, results: Sequence[Sequence[int]]) -> Markup:
    """Draw the six entries of the row, with a ring around the one that was read."""
    if len(play.pips) != 1 or play.rank < 1:
        return NOTHING
    index = labels.ranks.index(labels.ranks[play.rank - 1])
    if index >= len(results) or len(labels.ranks) > 3:
        return NOTHING
    step, right = 17.0, box.right - 8
    left = right - 6 * step
    cells = []
    for number, value in enumerate(results[index], start=1):
        x = left + (number - 1) * step
        read = number == play.pips[0]
        cells.append(rect(x + 1, box.y + 3, step - 2, 16, "row-cell read" if read else "row-cell", 2))
        cells.append(text(x + step / 2, box.y + 15.5, str(value), LEAST, "b" if read else "mu", "middle"))
    return group(cells, css="row")
