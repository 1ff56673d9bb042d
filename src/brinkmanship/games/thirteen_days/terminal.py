"""13 Days in the terminal: calendar, rope, battlegrounds, DEFCON tracks, hands and cards.

The order is that of every picture of this game: calendar, board, the viewer's own cards. Cubes face each other across
a line, so that a lead is visible as length; five dots a side show the room that is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from brinkmanship.engine.entry import ViewedEntry
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.perspective import UNKNOWN
from brinkmanship.engine.record import State
from brinkmanship.games.cuban.frame import Mode
from brinkmanship.games.cuban.strategy_cards import StrategyCards
from brinkmanship.games.thirteen_days.rules.action_numbers import SIDES
from brinkmanship.games.thirteen_days.rules.board import before_turns, in_turns
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, TRACKS, Agenda, Card
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.state import CardIs, Node
from brinkmanship.games.thirteen_days.words.cards import agenda_text, card_notes, card_text
from brinkmanship.terminal.style import FLAG, HOLLOW, MARKS, QUIET, SIDE_STYLES, fit, flowing, one_line, widest, wrapped
from brinkmanship.text import Words
from brinkmanship.text.history import history_of

TRACK_MARKS = ("Λ", "Π", "”")
"""Chevron, column, speech mark: military, political, world opinion."""
TRACK_STYLES = ("yellow", "green", "magenta")
AREA_FILLS = {1: "▓▓", 2: "▒▒", 3: "░░"}
AREA_STYLES = {1: "red", 2: "yellow", 3: "dim"}
FIRST_DAY = 16
"""Day in October 1962; each card played is half a day."""

_CELL = 6  # a marker, the pattern of the area, a marker
_MODE_WORDS = {Mode.EVENT: "event", Mode.COMMAND: "command", Mode.COMMAND_WITH_LETTER: "command_letter"}


class ThirteenDaysTable(StrategyCards[Card]):
    """The terminal table of 13 Days."""

    in_hand = CardIs.IN_HAND
    help_keys = ("board.help.choices", "board.help.picture")

    def __init__(self, game: ThirteenDays, words: Words) -> None:
        self.game = game
        self.data = game.data
        self.cards = game.data.card
        self.rules = game.rules
        self.words = words
        self.place_tracks = {place.id: TRACKS.index(place.track) for place in self.data.battleground}

    def goal(self) -> Message:
        return Message("board.goal")

    # ---- the position

    def position(self, view: State, viewer: int, width: int, past: Sequence[ViewedEntry]) -> list[RenderableType]:
        parts: list[RenderableType] = [self._round(view, width), self._calendar(past), self._rope(view), Text()]
        parts += [one_line(line) for line in self._board(view, width)]
        parts += [self._side(view, side, width) for side in range(2)]
        parts += self._dangers(view)
        parts += self._agendas(view, viewer)
        parts += self._cards_in_play(view)
        return parts

    def _say(self, key: str, **args: Any) -> str:
        return self.words.text(Message(f"board.{key}", args))

    def _side_name(self, side: int) -> str:
        return self.words.name("side", SIDES[side])

    def _round(self, view: State, width: int) -> Text:
        limits = self.data.limits
        left = Text(self._say("round", n=int(view.round_number), of=limits.rounds), "bold")
        if in_turns(view):
            left.append(" · " + self._say("turn", n=int(view.turn) + 1, of=2 * limits.turns_per_round))
        elif view.node != Node.OVER:
            left.append(" · " + self._say("step.before" if before_turns(view) else "step.after"))
        piles = Text(
            self._say("piles", deck=int(view.deck), discard=int(view.discard), aftermath=int(view.aftermath.sum())),
            QUIET,
        )
        return Text(" ").append_text(fit(left, max(width - 2 - piles.cell_len, left.cell_len + 2))).append_text(piles)

    def _calendar(self, past: Sequence[ViewedEntry]) -> Text:
        """Return the calendar with each play on its half-day: a full mark for a Command, a hollow one for an event."""
        plays = []
        for seen in past:
            if seen.before.node == Node.PLAY and seen.entry.action != UNKNOWN:
                side = int(seen.before.mover)
                marks = HOLLOW if self.game.action_parts(seen.entry.action).kind == "event" else MARKS
                plays.append((marks[side], SIDE_STYLES[side]))
        a_round = 2 * self.data.limits.turns_per_round
        total = a_round * self.data.limits.rounds
        line = Text(f" {self._say('month')}  ", QUIET)
        for half in range(0, total, 2):
            if half and half % a_round == 0:
                line.append("│ ", QUIET)
            line.append(f"{FIRST_DAY + half // 2}", "bold" if half <= len(plays) < half + 2 else QUIET)
            for mark, style in [*plays, *([("·", QUIET)] * total)][half : half + 2]:
                line.append(mark, style)
            line.append(" ")
        return line.append(f"{FIRST_DAY + total // 2}", QUIET)

    def _rope(self, view: State) -> Text:
        limit = self.data.limits.prestige_lead_max
        prestige = int(view.prestige)
        line = Text(f" {self._say('prestige')}  ", QUIET).append(self._mark_and_name(0)).append(" ")
        for points in range(limit, -limit - 1, -1):
            leader = 0 if points > 0 else 1
            if points == prestige:
                line.append(f"[{abs(points)}]", SIDE_STYLES[leader] if points else "bold")
            else:
                line.append(f"─{abs(points)}─", QUIET)
        line.append(" ").append(self._mark_and_name(1)).append("  ")
        if prestige:
            leader = 0 if prestige > 0 else 1
            return line.append(self._say("leads", side=Ref("side", SIDES[leader]), n=abs(prestige)), "bold")
        return line.append(self._say("even"))

    def _mark_and_name(self, side: int) -> Text:
        return Text(f"{MARKS[side]} {self._side_name(side)}", SIDE_STYLES[side])

    # ---- battlegrounds and tracks

    def _board(self, view: State, width: int) -> list[Text]:
        battlegrounds = list(self._battlegrounds(view))
        taken = battlegrounds[0].cell_len
        if width - taken - 2 < 2 + 3 * _CELL:
            return [*battlegrounds, Text(), *self._tracks_in_rows(view)]
        tracks = self._tracks_in_columns(view, width - taken - 2)
        tracks += [Text()] * (len(battlegrounds) - len(tracks))
        return [left + Text("  ") + right for left, right in zip(battlegrounds, tracks, strict=False)]

    def _battlegrounds(self, view: State) -> Iterator[Text]:
        names = widest([self.words.name("battleground", place) for place in BATTLEGROUNDS])
        leads = widest([self._side_name(side) for side in range(2)]) + 3
        room = self.data.limits.cubes_per_battleground
        for track, track_id in enumerate(TRACKS):
            heading = Text(f" {TRACK_MARKS[track]} {self._say(f'track.{track_id}')}", f"bold {TRACK_STYLES[track]}")
            yield fit(heading, names + 2 * room + leads + 9)
            for place, place_id in enumerate(BATTLEGROUNDS):
                if self.place_tracks[place_id] != track:
                    continue
                us, ussr = (int(view.influence[side, place]) for side in range(2))
                row = Text("  ") + fit(self.words.name("battleground", place_id), names)
                row.append(" ").append_text(fit(self._flags(view, 0, place_id), 1)).append(" ")
                row.append("·" * (room - us), QUIET).append(MARKS[0] * us, SIDE_STYLES[0])
                row.append("│")
                row.append(MARKS[1] * ussr, SIDE_STYLES[1]).append("·" * (room - ussr), QUIET)
                row.append(" ").append_text(fit(self._flags(view, 1, place_id), 1))
                yield row.append(" ").append_text(fit(self._lead(us, ussr), leads))

    def _lead(self, us: int, ussr: int) -> Text:
        if us == ussr:
            return Text("=" if us else "", QUIET)
        leader = 0 if us > ussr else 1
        return Text(f"{self._side_name(leader)} +{abs(us - ussr)}", SIDE_STYLES[leader])

    def _flags(self, view: State, side: int, spot: str) -> Text:
        """Return the flags of a side on a battleground or track: they show the agendas it was dealt, until step 6."""
        count = sum(
            int(view.agenda_dealt[side, index]) for index, agenda in enumerate(self.data.agenda) if agenda.flag == spot
        )
        return Text((FLAG * count) if count < 3 else f"{count}{FLAG}", SIDE_STYLES[side])

    def _tracks_in_columns(self, view: State, width: int) -> list[Text]:
        column = min((width - 2) // 3, 16)
        names = [self._say(f"track.{track}") for track in TRACKS]
        if widest(names) + 3 > column:
            names = [self._say(f"track_short.{track}") for track in TRACKS]
        heading = Text(" ")
        flags = Text(" ")
        for track, name in enumerate(names):
            heading.append_text(fit(Text(f"{TRACK_MARKS[track]} {name}", TRACK_STYLES[track]), column, "center"))
            both = fit(self._flags(view, 0, TRACKS[track]), 2, "right") + Text("  ")
            flags.append_text(fit(both + fit(self._flags(view, 1, TRACKS[track]), 2), column, "center"))
        lines = [self._axes(3 * column + 2), heading, flags]
        top = self.data.limits.defcon_max
        for step in range(top, 0, -1):
            area = int(self.rules.area[step])
            first = step == top or int(self.rules.area[step + 1]) != area
            line = Text(str(area) if first else " ", f"bold {AREA_STYLES[area]}")
            for track in range(3):
                us, ussr = (int(view.defcon[side, track]) == step for side in range(2))
                cell = Text(f" {MARKS[0]}" if us else "  ", SIDE_STYLES[0])
                cell.append(AREA_FILLS[area], AREA_STYLES[area])
                cell.append(f"{MARKS[1]} " if ussr else "  ", SIDE_STYLES[1])
                line.append_text(fit(cell, column, "center"))
            lines.append(line.append(str(step), QUIET))
        return lines

    def _axes(self, width: int) -> Text:
        """Return the legend of the tracks' edges: areas on the left, steps on the right."""
        area, step = self._say("axis.area"), self._say("axis.step")
        room = width - cell_len(area) - cell_len(step)
        return Text(area, QUIET).append_text(fit(Text("DEFCON", "bold"), room, "center")).append(step, QUIET)

    def _tracks_in_rows(self, view: State) -> list[Text]:
        """Return a line for each track, for narrow screens."""
        names = [self._say(f"track.{track}") for track in TRACKS]
        lines = []
        for track, name in enumerate(names):
            line = Text(f" {TRACK_MARKS[track]} ", TRACK_STYLES[track]) + fit(name, widest(names) + 1)
            for side in range(2):
                step = int(view.defcon[side, track])
                area = int(self.rules.area[step])
                line.append(f" {MARKS[side]} {self._say('on_step', n=step)}", SIDE_STYLES[side])
                line.append(f" {AREA_FILLS[area]} DEFCON {area}  ", AREA_STYLES[area])
            lines.append(line)
        return lines

    # ---- what belongs to a side

    def _side(self, view: State, side: int, width: int) -> Text:
        limits = self.data.limits
        supply = limits.cubes_per_side - int(view.influence[side].sum())
        names = widest([self._side_name(0), self._side_name(1)])
        items = [Text(self._say("supply", n=supply)), Text(self._say("hand", n=int(view.hand[side])))]
        if view.aftermath[side] and view.node != Node.OVER:
            items.append(Text(self._say("put_away", n=int(view.aftermath[side]))))
        if int(view.letter) == side:
            items.append(Text(self.words.text(Message("term.letter")), "bold"))
        if view.modifier[side] or view.least[side]:
            key = "modifier_least" if view.least[side] else "modifier"
            value = {"by": int(view.modifier[side]), "least": int(view.least[side])}
            items.append(Text(self._say(key, **value), "bold"))
        if view.ban[side]:
            items.append(Text(self._say("ban"), "bold"))
        return flowing(fit(self._mark_and_name(side), names + 3), items, width)

    def _dangers(self, view: State) -> list[RenderableType]:
        """Return warnings about each side's danger, in words if it is in any."""
        lines: list[RenderableType] = []
        if view.node == Node.OVER:
            return lines
        for side in range(2):
            areas = [int(self.rules.area[step]) for step in view.defcon[side]]
            if 1 in areas or areas == [2, 2, 2]:
                worst = [t for t in range(3) if areas[t] == 1]
                tracks = [self._say(f"track.{TRACKS[t]}") for t in worst]
                text = self._say("danger.one", tracks=self.words.join(tracks)) if worst else self._say("danger.three")
                lines.append(self._warning(side, text, "bold red"))
            elif areas.count(2) == 2:
                lines.append(self._warning(side, self._say("danger.two"), "yellow"))
        return lines

    def _warning(self, side: int, text: str, style: str) -> RenderableType:
        line = Text("! ", style) + self._mark_and_name(side)
        return Padding(line.append(": ").append(text, style), (0, 0, 0, 1))

    def _agendas(self, view: State, viewer: int) -> list[RenderableType]:
        lines: list[RenderableType] = []
        for side in range(2):
            chosen = int(view.chosen[side])
            if chosen < 0:
                continue
            agenda = self.data.agenda[chosen]
            if side == viewer:
                line = Text(self._say("your_agenda") + " ", QUIET)
            else:
                line = self._mark_and_name(side).append(": " + self._say("agenda") + " ", QUIET)
            line.append(self.words.name("agenda", agenda.id), "bold")
            line.append(" – " + agenda_text(self.data, agenda, self.words), QUIET)
            lines.append(Padding(line, (0, 0, 0, 1)))
        return lines

    def _cards_in_play(self, view: State) -> list[RenderableType]:
        parts: list[RenderableType] = []
        for depth in range(int(view.depth)):
            frame = view.stack[depth]
            card, player = self.data.card[int(frame.card)], int(frame.player)
            mode = Mode.COMMAND_WITH_LETTER if frame.letter else Mode(frame.mode)
            line = Text(self._say("in_play") + " ", QUIET).append_text(self._mark_and_name(player))
            line.append(", " + self._say(f"mode.{_MODE_WORDS[mode]}") + ": ").append_text(self._card_title(card))
            parts.append(Padding(line, (0, 0, 0, 1)))
            parts += self._event_in_play(frame, card)
            taken = int(frame.taken_card)
            if taken >= 0 and depth == int(view.depth) - 1:
                line = Text(self._say("taken") + " ", QUIET).append_text(self._card_title(self.data.card[taken]))
                parts.append(Padding(line, (0, 0, 0, 1)))
                parts.append(self._event_below(self.data.card[taken]))
        return parts

    # ---- cards

    def _card_title(self, card: Card) -> Text:
        """Return mark of the side, cubes, D for the DEFCON symbol, and the name."""
        mark, style = self._card_side(card)
        title = Text(f"{mark}{card.cubes}{'D' if card.defcon_icon else ''} ", style)
        return title.append(self.words.name("card", card.id), "bold")

    def _event(self, card: Card) -> str:
        return card_text(self.data, card, self.words)

    def _notes(self, card: Card) -> tuple[str, ...]:
        return card_notes(card, self.words)

    def note(self, action: int, width: int) -> list[Text]:
        """Return what an agenda scores."""
        parts = self.game.action_parts(action)
        if parts.kind != "keep" or parts.agenda is None:
            return []
        text = agenda_text(self.data, self._agenda(parts.agenda), self.words)
        return [Text(line, QUIET) for line in wrapped(text, width)]

    def is_nothing(self, action: int) -> bool:
        return self.game.action_parts(action).kind == "done"

    def _agenda(self, id: str) -> Agenda:
        return next(agenda for agenda in self.data.agenda if agenda.id == id)

    def card_page(self, query: str, view: State, viewer: int) -> RenderableType | None:
        wanted = query.casefold()
        if wanted.isdecimal():
            card = self._numbered(view, viewer, int(wanted))
            return self._card(card) if card else None
        found: list[tuple[str, Card | Agenda]] = [
            (f"{card.id} {self.words.name('card', card.id)} {card.names['en']}".casefold(), card)
            for card in self.data.card
        ]
        found += [(f"{a.id} {self.words.name('agenda', a.id)}".casefold(), a) for a in self.data.agenda]
        words = wanted.replace("_", " ").split()
        fitting = [thing for name, thing in found if all(word in name.replace("_", " ") for word in words)]
        exact = [thing for name, thing in found if wanted in name.split("  ") or wanted == thing.id]
        for thing in [*exact, *fitting][: 1 if words else 0]:
            return self._card(thing) if isinstance(thing, Card) else self._agenda_page(thing)
        return None

    def _card(self, card: Card) -> RenderableType:
        return self._page(card, "  " + self._say("card_facts", side=Ref("side", card.side), n=card.cubes))

    def _agenda_page(self, agenda: Agenda) -> RenderableType:
        page = Text(self.words.sentence(Message("term.agenda")) + " ", QUIET)
        page.append(self.words.name("agenda", agenda.id), "bold")
        page.append("  " + self._say("copies", n=agenda.copies), QUIET)
        page.append("\n" + agenda_text(self.data, agenda, self.words))
        if history := history_of("agenda", agenda.id, self.words.language):
            page.append("\n" + history, QUIET)
        return Padding(page, (0, 0, 0, 1))

    def known_cards(self, view: State, viewer: int, width: int) -> list[RenderableType]:
        parts = self.hands(view, viewer, width)
        piles = [
            (CardIs.IN_AFTERMATH, "aftermath_us"),
            (CardIs.IN_AFTERMATH + 1, "aftermath_ussr"),
            (CardIs.DISCARDED, "discards"),
        ]
        for place, key in piles:
            if cards := self._in(view, place):
                parts.append(flowing(self._say(key), [self._card_title(card) for card in cards], width))
        used = [agenda for index, agenda in enumerate(self.data.agenda) if view.agenda_used[index]]
        if used:
            names = [Text(self.words.name("agenda", agenda.id)) for agenda in used]
            parts.append(flowing(self._say("agendas_used"), names, width))
        return parts

    def ending(self, view: State) -> list[RenderableType]:
        """Return the aftermath stack, by side, with its cubes."""
        stack = self._in(view, CardIs.REVEALED)
        lines: list[RenderableType] = []
        for side in ("us", "ussr", "un"):
            cards = [card for card in stack if card.side == side]
            if not cards:
                continue
            mark, style = self._card_side(cards[0])
            line = Text(self._say("aftermath") + " ", QUIET)
            line.append(f"{mark} {self.words.name('side', side)} ", style)
            if side != "un":
                line.append(f"{sum(card.cubes for card in cards)} ", "bold")
            names = ", ".join(f"{self.words.name('card', card.id)} {card.cubes}" for card in cards)
            lines.append(Padding(line.append(f"({names})"), (0, 0, 0, 1)))
        return lines
