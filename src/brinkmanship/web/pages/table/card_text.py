"""Text version of cards and agendas on the table page, readable at any size.

A face has the contents of a card: title, strength, event, and the other side's options. If the current question is
which card to play and how, its choices are attached (`CardView.choices`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple, cast

from markupsafe import Markup

from brinkmanship.drawing import drawing_of, icons, pictogram
from brinkmanship.drawing.document import drawing
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.engine.record import State
from brinkmanship.text import MissingTextError, Words, agendas_of, cards_of
from brinkmanship.web.presentation.choice_groups import Group, OfferedAction

KINDS = ("card", "agenda")
"""Kinds that have faces."""
DISCARD = "discard"
"""Kind of an action that puts a card away unused."""


class CardView(NamedTuple):
    """A card or an agenda as text."""

    kind: str
    """One of `KINDS`."""
    id: str
    name: str
    side: str = ""
    """Id of the side it belongs to; "" if cards have no side."""
    side_name: str = ""
    cubes: int = 0
    """Strength; 0 if cards have none."""
    icon: bool = False
    """True if its event is linked to DEFCON."""
    text: str = ""
    strip: Markup = Markup("")
    """Effect as pictograms; hidden from screen readers, which get the text."""
    theirs: str = ""
    """The other side's options when it is played."""
    choices: tuple[OfferedAction, ...] = ()
    """The current ways to play it."""
    colour: str = ""
    """Id of its DEFCON type; "" if cards have none."""
    colour_name: str = ""
    colour_sign: Markup = Markup("")
    """Shape of its DEFCON type; hidden from screen readers, which get the name."""
    copies: int = 1
    """Number of equal ones among the choices, which are one choice."""

    @property
    def letter(self) -> str:
        """The letter beside the shape, as on the board."""
        return self.colour_name[:1].upper()

    @property
    def worth(self) -> str:
        """Current value of an agenda being chosen."""
        return self.choices[0].text if self.kind == "agenda" and self.choices else ""


class Aim(NamedTuple):
    """The viewer's secret agenda."""

    kind: str
    id: str
    text: str
    """Name and current value."""


class Hand(NamedTuple):
    """Cards in front of the viewer, under a heading."""

    heading: str
    kind: str
    cards: list[CardView]


def hands_of(game: Game, view: State, viewer: int, words: Words, own: Words, groups: list[Group]) -> list[Hand]:
    """Return the cards in front of a viewer, except those among the current choices."""
    known = game.known_state(view, viewer)
    answers = {(group.kind, group.id) for group in groups}
    found = []
    for place in (*game.open_cards, *game.own_cards):
        ids = [id for id in known["cards"].get(place, ()) if ("card", id) not in answers]
        if ids:
            heading = own.sentence(Message(f"hand.{place}"))
            found.append(Hand(heading, "card", [_held(game, id, viewer, words) for id in ids]))
    return found


def answers_of(game: Game, view: State, viewer: int, words: Words, groups: Sequence[Group]) -> list[CardView]:
    """Return the cards and agendas to choose from, each with the ways to play it."""
    dealt = game.known_state(view, viewer).get("flags", {}).get(game.sides[viewer], ()) if groups else ()
    found = []
    for group in groups:
        if group.kind == "card":
            is_played = any(choice.kind != DISCARD for choice in group.choices)
            face = _held(game, group.id, viewer, words) if is_played else card_view_for(game, "card", group.id, words)
            found.append(face._replace(choices=tuple(group.choices)))
        elif group.kind == "agenda":
            face = card_view_for(game, "agenda", group.id, words)
            found.append(face._replace(choices=tuple(group.choices), copies=dealt.count(group.id)))
    return found


def aim_of(game: Game, view: State, viewer: int, words: Words) -> Aim | None:
    """Return the agenda chosen by the viewer, or None."""
    aim = game.narrator.aim(view, viewer)
    if aim is None:
        return None
    # The text names the agenda's subject, e.g. a track; the card itself has its own id.
    chosen = game.known_state(view, viewer).get("agenda", {}).get(game.sides[viewer])
    return Aim("agenda", chosen, words.sentence(aim)) if chosen else None


def subject_of(game: Game, question: Message, words: Words) -> CardView | None:
    """Return the card that a question is about, to show its text beside it; None if there is none."""
    for ref in _things(question.args.values()):
        kind = "card" if ref.kind == "event" else ref.kind  # the kind of events in Ukrainian Crisis
        if kind in KINDS and (face := card_view_for(game, kind, ref.id, words)).text:
            return face
    return None


def _things(values: Iterable[Argument]) -> Iterator[Ref]:
    for value in values:
        if isinstance(value, Ref):
            yield value
        elif isinstance(value, Message):
            yield from _things(value.args.values())
        elif isinstance(value, tuple):
            yield from _things(cast("tuple[Ref | Message, ...]", value))


def _held(game: Game, id: str, viewer: int, words: Words) -> CardView:
    """Return a card in the viewer's hand."""
    face = card_view_for(game, "card", id, words)
    other = next((side for number, side in enumerate(game.sides) if number != viewer), "")
    if face.side != other:
        return face
    with suppress(MissingTextError):
        return face._replace(theirs=words.sentence(Message("card.theirs", {"who": Ref("side", other)})))
    return face


@lru_cache(2000)
def card_view_for(game: Game, kind: str, id: str, words: Words) -> CardView:
    """Return the face of a card or an agenda; only its name if the game's list of cards does not contain it."""
    if kind == "agenda":
        for agenda in agendas_of(game, words):
            if agenda.id == id:
                strip = _strip(game, kind, id)
                return CardView(kind, id, agenda.name, icon=agenda.icon, text=agenda.text, strip=strip)
    for card in cards_of(game, words) if kind == "card" else ():
        if card.id == id:
            return CardView(
                kind,
                id,
                card.name,
                card.side,
                card.side_name,
                card.cubes or 0,
                card.icon,
                card.text,
                _strip(game, kind, id),
                colour=card.colour,
                colour_name=card.colour_name,
                colour_sign=_colour_sign(card.colour) if card.colour else Markup(""),
            )
    text = ""
    with suppress(MissingTextError):
        text = words.name(f"{kind}_row", id)
    try:
        return CardView(kind, id, words.name(kind, id), text=text)
    except MissingTextError:
        return CardView(kind, id, id, text=text)


def _colour_sign(colour: str) -> Markup:
    shape = icons.kind(colour, 0, 0)
    return Markup(drawing(14, 14, shape, standalone=None, css="colour-sign", aria_hidden="true", focusable="false"))


def _strip(game: Game, kind: str, id: str) -> Markup:
    return Markup(pictogram.strip(drawing_of(game).pictogram(game, kind, id)))
