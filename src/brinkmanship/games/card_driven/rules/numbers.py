"""The actions of a card-driven game: one number each, and one text.

===========================  ====================  =========================
number                       text                  who
===========================  ====================  =========================
0                            reshuffle             the rules
1                            end_round             the rules
first_draw + cards*side + n  draw SIDE CARD        chance; known to the side
first_play + n               play CARD event       the side
first_play + cards + n       play CARD ops         the side
accept                       accept                the side
decline                      decline               the side
done                         done                  the side
first_put + n                put PLACE             the side
first_take_off + n           take_off PLACE        the side
first_push + 2*n             push TRACK up         the side
first_push + 2*n + 1         push TRACK down       the side
===========================  ====================  =========================
"""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.engine.message import ActionParts
from brinkmanship.games.card_driven.rules.data import GameData

RESHUFFLE = 0
END_ROUND = 1


class Numbers(NamedTuple):
    """The first number of each block of actions; the fields are in the record of the rules too."""

    first_draw: int
    first_play: int
    accept: int
    decline: int
    done: int
    first_put: int
    first_take_off: int
    first_push: int
    total: int
    """Number of actions."""


def numbers(cards: int, places: int, tracks: int) -> Numbers:
    """Return the blocks of actions of a game with this many cards, places and tracks."""
    play = 2 + 2 * cards
    accept = play + 2 * cards
    put = accept + 3
    push = put + 2 * places
    return Numbers(2, play, accept, accept + 1, accept + 2, put, put + places, push, push + 2 * tracks)


def action_texts(data: GameData) -> tuple[str, ...]:
    """Return the text of every action, by number."""
    cards = [card.id for card in data.card]
    return (
        "reshuffle",
        "end_round",
        *(f"draw {side} {card}" for side in data.side_ids for card in cards),
        *(f"play {card} {use}" for use in ("event", "ops") for card in cards),
        "accept",
        "decline",
        "done",
        *(f"{verb} {place.id}" for verb in ("put", "take_off") for place in data.place),
        *(f"push {track.id} {way}" for track in data.track for way in ("up", "down")),
    )


def parts(text: str) -> ActionParts:
    """Return the parts of an action by its text."""
    kind, *about = text.split()
    match kind:
        case "draw":
            return ActionParts(kind, side=about[0], card=about[1])
        case "play":
            return ActionParts(about[1], card=about[0])
        case "put" | "take_off":
            return ActionParts(kind, place=about[0])
        case "push":
            return ActionParts(kind, track=about[0], count=1 if about[1] == "up" else -1)
    return ActionParts(kind)
