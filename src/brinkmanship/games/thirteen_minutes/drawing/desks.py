"""The desks of the two sides: supply, lost cubes, hand, bid, and at the end the sources of Prestige."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing import player_area as shared
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.svg import NOTHING, Markup, group, join, path, rect
from brinkmanship.games.thirteen_minutes.drawing.deciding import decides_prestige, total
from brinkmanship.games.thirteen_minutes.drawing.labels import Labels
from brinkmanship.games.thirteen_minutes.drawing.layout import LEAST, Layout
from brinkmanship.games.thirteen_minutes.drawing.position import DrawnPosition


def desk(labels: Labels, position: DrawnPosition, side: int, layout: Layout) -> Markup:
    """Draw the desk of a side."""
    box = layout.desks[side]
    summary = labels.say(
        "aria.seat",
        side=labels.sides[side],
        supply=position.supply[side],
        lost=position.lost[side],
        hand=position.hand[side],
        score=_prestige_words(labels, position, side),
    )
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        rect(box.x if side == 0 else box.right - 4, box.y, 4, box.h, f"mercury {SIDE_CSS[side]}"),
        shared.heading(labels, side, box, you=position.side == side, to_act=position.pending[side]),
        (_wide if layout.wide else _narrow)(labels, position, side, box),
        css="desk",
        data_desk=SIDE_CSS[side],
        role="group",
        data_tell=summary.replace(". ", "\n"),
        aria_label=summary,
    )


def _wide(labels: Labels, position: DrawnPosition, side: int, box: Box) -> Markup:
    left, total = position.supply[side], labels.data.limits.cubes_per_side
    x, right = box.x + 14, box.right - 14
    count = labels.say("supply.minutes", count=left)
    cubes = Box(x, box.y + 38, right - x - width(count, 13.5) - 14, 0)
    hand = labels.say("hand", count=position.hand[side])
    beside = x + width(hand, 13.5) + 10 + min(16.0, 8 * position.hand[side]) + 22
    row = box.y + 51
    if position.shown[side] is not None:
        second = _last_card(labels, position, side, x, row + 12, right - x)
    else:
        second = join(
            shared.hand(labels, side, position.hand[side], x, row),
            _bid(labels, position, side, right, row - 1)
            if position.is_bidding
            else _lost(labels, position, side, beside, row + 7.5, right - beside),
        )
    return join(
        shared.supply(side, left, total, cubes, rows=1),
        text(right, box.y + 43, count, 13.5, "", "end"),
        second,
        _prestige(labels, position, side, x, box.y + 82, right - x),
    )


def _narrow(labels: Labels, position: DrawnPosition, side: int, box: Box) -> Markup:
    left, total = position.supply[side], labels.data.limits.cubes_per_side
    x, right = box.x + 12, box.right - 10
    bidding = position.is_bidding
    return join(
        shared.supply(side, left, total, Box(x, box.y + 36, right - x - 26, 0), rows=2),
        text(right, box.y + 47, str(left), 14, "b", "end"),
        _lost(labels, position, side, x, box.y + 67, right - x) if not bidding else NOTHING,
        _bid(labels, position, side, right, box.y + 60) if bidding else NOTHING,
        shared.hand(labels, side, position.hand[side], x, box.y + 80)
        if position.shown[side] is None
        else _last_card(labels, position, side, x, box.y + 92, right - x),
        _prestige(labels, position, side, x, box.y + 113, right - x),
    )


def _lost(labels: Labels, position: DrawnPosition, side: int, x: float, y: float, room: float) -> Markup:
    """Draw the cubes out of the game: the bid, or the one of the beginner variant."""
    lost = position.lost[side]
    if not lost:
        return NOTHING
    words = labels.say("lost", count=lost)
    step = min(10.0, (room - width(words, LEAST) - 10) / lost)
    parts = []
    for number in range(lost):
        at = x + 4 + number * step
        parts.append(path(icons.cube_path(side, at, y, 7), f"slot {SIDE_CSS[side]}"))
        parts.append(icons.crossed(at, y, min(9.0, step)))
    return group(parts, text(x + lost * step + 8, y + 4, words, LEAST, "mu"), css="lost")


def _bid(labels: Labels, position: DrawnPosition, side: int, right: float, y: float) -> Markup:
    """Draw an envelope on both desks, with or without a bid in it (Q6); viewers see only their own bid."""
    bid = position.bid[side]
    words = labels.say("bid_known", count=bid) if bid is not None else labels.say("bid_sealed")
    css = "b" if bid is not None else "mu"
    return group(
        icons.envelope(right - 24, y, 24),
        text(right - 32, y + 12.5, words, LEAST, css, "end"),
        css="bid",
    )


def _last_card(labels: Labels, position: DrawnPosition, side: int, x: float, y: float, room: float) -> Markup:
    """Draw the card held at the end, with what the aftermath counts of it."""
    card_id = position.shown[side]
    if card_id is None:
        return NOTHING
    card = next(card for card in labels.data.card if card.id == card_id)
    words = f"{labels.card(card_id)} · {labels.words.name('side', card.side)} {card.cubes}"
    return group(
        icons.kind(card.colour, x, y - 10, 11),
        text(x + 16, y, words, LEAST, "b", room=room - 16),
        css="last-card",
        id=f"shown-{SIDE_CSS[side]}",
    )


def _prestige(labels: Labels, position: DrawnPosition, side: int, x: float, y: float, room: float) -> Markup:
    words = _prestige_words(labels, position, side)
    css = f"b {SIDE_CSS[side]}" if position.is_scored else "mu"
    size = 14 if position.is_scored else LEAST
    frame = rect(x - 6, y - 15, min(width(words, size, css), room) + 12, 20, "culprit", 4)
    return join(text(x, y, words, size, css, room=room), frame if decides_prestige(position) else NOTHING)


def _prestige_words(labels: Labels, position: DrawnPosition, side: int) -> str:
    """Return the Prestige that the battlegrounds would give now or, once scored, the Prestige by source."""
    if not position.is_scored:
        return labels.sentence("worth_now", count=labels.worth(position, side))
    sums = " + ".join(str(part) for part in position.score[side])
    return f"{labels.sentence('prestige_total', count=total(position, side))} = {sums}"
