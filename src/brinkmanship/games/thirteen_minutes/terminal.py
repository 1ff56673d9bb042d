"""13 Minutes in the terminal: the three areas side by side, in 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from brinkmanship.engine.entry import ViewedEntry
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.record import State
from brinkmanship.games.cuban.frame import NOBODY
from brinkmanship.games.cuban.strategy_cards import StrategyCards
from brinkmanship.games.thirteen_minutes.rules import state as s
from brinkmanship.games.thirteen_minutes.rules.action_numbers import AREAS, SIDES
from brinkmanship.games.thirteen_minutes.rules.board import cards_of_colour
from brinkmanship.games.thirteen_minutes.rules.data import Card
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.rules.state import Area, CardIs, Node
from brinkmanship.games.thirteen_minutes.words.cards import card_notes, card_text
from brinkmanship.terminal.style import MARKS, NEUTRAL_STYLE, QUIET, SIDE_STYLES, fit, one_line
from brinkmanship.text import Words

COLOUR_STYLES = ("bold dark_orange", "bold green", "bold magenta")
SPHERES = (Area.US_SPHERE, Area.USSR_SPHERE)


class ThirteenMinutesTable(StrategyCards[Card]):
    """Terminal table of 13 Minutes; see `brinkmanship.terminal.protocol.Table`."""

    in_hand = CardIs.IN_HAND
    help_keys = ("table.help.choices", "table.help.picture")

    def __init__(self, game: ThirteenMinutes, words: Words) -> None:
        self.game = game
        self.data = game.data
        self.cards = game.data.card
        self.words = words

    def goal(self) -> Message:
        return Message("table.goal", {"n": self.data.scoring.war_cards})

    # ---- the position

    def position(self, view: State, viewer: int, width: int, past: Sequence[ViewedEntry]) -> list[RenderableType]:  # noqa: ARG002
        parts: list[RenderableType] = [one_line(self._turn(view))]
        parts += [one_line(line) for line in self._areas(view, width)]
        parts += [one_line(self._side(view, side)) for side in range(2)]
        parts += self._dangers(view)
        parts += self._card_in_play(view)
        return parts

    def _say(self, key: str, **args: Any) -> str:
        return self.words.text(Message(f"table.{key}", args))

    def _turn(self, view: State) -> Text:
        turns = self.data.limits.turns
        if view.first == NOBODY:
            said = self._say("before")
        elif view.depth > 0 or view.node in (Node.PLAY, Node.DRAW_CARD):
            said = self._say("turn", n=min(int(view.turn) + 1, turns), of=turns)
        else:
            said = self._say("scoring")
        return Text(f" {said}", "bold").append(f" · {self._say('pile', n=int(view.pile))}", QUIET)

    def _areas(self, view: State, width: int) -> list[Text]:
        """Return the spheres and the neutral area as columns, each battleground with its colour and cubes."""
        column = (width - 4) // s.N_AREAS
        columns = []
        for area, area_id in enumerate(AREAS):
            style = SIDE_STYLES[SPHERES.index(area)] if area in SPHERES else NEUTRAL_STYLE
            lines = [fit(Text(self.words.name("area", area_id), style), column)]
            lines += [
                self._battleground(view, place, column) for place in range(s.N_PLACES) if view.area[place] == area
            ]
            columns.append(lines)
        blank = Text(" " * column)
        return [Text(" ") + Text(" ").join(cells) for cells in zip_longest(*columns, fillvalue=blank)]

    def _battleground(self, view: State, place: int, width: int) -> Text:
        card = int(view.cuba_card) if place == s.CUBA else place
        if card >= 0:
            colour = s.COLOURS.index(self.data.card[card].colour)
            letter = self.words.name("colour", s.COLOURS[colour], "letter")
            line = Text(f"{letter} ", COLOUR_STYLES[colour])
        else:
            line = Text("? ", QUIET)
        cubes = Text()
        for side in range(2):
            count = int(view.influence[side, place])
            cubes.append(f" {MARKS[side]}{count}", SIDE_STYLES[side] if count else QUIET)
        name = fit(self.words.name("battleground", self.data.places[place]), width - 2 - cubes.cell_len)
        return line.append_text(name).append_text(cubes)

    def _side(self, view: State, side: int) -> Text:
        line = Text(f" {MARKS[side]} {self.words.name('side', SIDES[side])}  ", SIDE_STYLES[side])
        facts = [
            self._say("prestige", n=int(view.score[side].sum())),
            self._say("supply", n=int(view.supply[side])),
            self._say("lost", n=int(view.lost[side])),
            self._say("hand", n=int(view.hand[side])),
        ]
        return line.append(" · ".join(facts))

    def _dangers(self, view: State) -> list[RenderableType]:
        """Return the colours of which one more card in the side's own sphere triggers war."""
        lines: list[RenderableType] = []
        for side in range(2):
            for colour, name in enumerate(s.COLOURS):
                n = int(cards_of_colour(self.game.rules, view, SPHERES[side], colour))
                if n >= self.data.scoring.war_cards - 1:
                    said = self._say("danger", side=Ref("side", SIDES[side]), colour=Ref("colour", name), n=n)
                    lines.append(one_line(Text(f" ! {said}", COLOUR_STYLES[colour])))
        return lines

    def _card_in_play(self, view: State) -> list[RenderableType]:
        if not view.depth:
            return []
        frame = view.stack[0]
        card, player = self.data.card[int(frame.card)], int(frame.player)
        line = Text(self._say("in_play") + " ", QUIET).append(f"{MARKS[player]} ", SIDE_STYLES[player])
        parts: list[RenderableType] = [Padding(line.append_text(self._card_title(card)), (0, 0, 0, 1))]
        return parts + self._event_in_play(frame, card)

    # ---- cards

    def _card_title(self, card: Card) -> Text:
        """Return the mark of the side, the Command value, the letter of the colour, and the name."""
        mark, style = self._card_side(card)
        colour = s.COLOURS.index(card.colour)
        letter = self.words.name("colour", card.colour, "letter")
        title = Text(f"{mark}{card.cubes}", style).append(f"{letter} ", COLOUR_STYLES[colour])
        return title.append(self.words.name("card", card.id), "bold")

    def _event(self, card: Card) -> str:
        return card_text(self.data, card, self.words)

    def _notes(self, card: Card) -> tuple[str, ...]:
        return card_notes(card, self.words)

    def note(self, action: int, width: int) -> list[Text]:  # noqa: ARG002 - as every table
        """Return nothing: the names say it all; see `Table.note`."""
        return []

    def is_nothing(self, action: int) -> bool:
        return self.game.action_parts(action).kind == "done"

    def card_page(self, query: str, view: State, viewer: int) -> RenderableType | None:
        wanted = query.casefold()
        if wanted.isdecimal():
            own = self._numbered(view, viewer, int(wanted))
            return self._page(own) if own else None
        tokens = wanted.replace("_", " ").split()
        for card in self.data.card:
            names = f"{card.id} {self.words.name('card', card.id)} {card.names['en']}".casefold().replace("_", " ")
            if tokens and all(token in names for token in tokens):
                return self._page(card)
        return None

    def known_cards(self, view: State, viewer: int, width: int) -> list[RenderableType]:
        """Return no further cards: all others lie on the table; see `Table.known_cards`."""
        return self.hands(view, viewer, width)

    def ending(self, view: State) -> list[RenderableType]:
        """Return the last card of each hand; see `Table.ending`."""
        lines: list[RenderableType] = []
        for side in range(2):
            for card in self._in(view, CardIs.SHOWN + side):
                line = Text(f" {MARKS[side]} ", SIDE_STYLES[side]).append(self._say("last_card") + " ", QUIET)
                lines.append(line.append_text(self._card_title(card)))
        return lines
