"""A game in the terminal: ask the user, let computer players choose, execute commands.

Each side sees only its own view. On a shared screen ("hot seat") the screen is cleared before it is passed on. An input
is a choice or a command; commands have their English names in every language beside the local ones. Output goes to a
`Screen`.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from brinkmanship.drawing.board_text import lines_of
from brinkmanship.engine import journal
from brinkmanship.engine.entry import Entry
from brinkmanship.engine.game import FULL_INFORMATION, OBSERVER
from brinkmanship.engine.game_log import LogEntry
from brinkmanship.engine.match import Dealer, Match
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.observation import ObservationRecorder
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.players import Player, level_that_suits, levels_for, thinks_less
from brinkmanship.terminal.hint_lines import hint_lines
from brinkmanship.terminal.log import story, with_notes
from brinkmanship.terminal.menu import Menu
from brinkmanship.terminal.rules import contents, found_rules, section_here
from brinkmanship.terminal.score import score_lines
from brinkmanship.terminal.screen import Page, Question, Screen, printable
from brinkmanship.terminal.style import MARKS, QUIET, SIDE_STYLES
from brinkmanship.terminal.tables import table_for
from brinkmanship.terminal.words import terminal_words
from brinkmanship.text import LANGUAGES, section_of

COMMANDS = (
    "help",
    "rules",
    "card",
    "hint",
    "board",
    "describe",
    "log",
    "undo",
    "restart",
    "save",
    "lang",
    "resign",
    "quit",
)
HUMAN = "human"


class Leave(Exception):  # noqa: N818 - not an error
    """The user ends the session; the game may be resumed later."""


class Session:
    """A match at one screen.

    Args:
        match: the game, new or resumed.
        seats: computer player of each side, None for a user.
        deal: decides chance.
        language: language of all output.
        screen: the screen.
        autosave: path where the journal is written after every decision.
        headers: further lines for the header of the journal.
        result: how the game ended outside its rules, if it did ("us by resignation").
        note: a line under the title, e.g. the standing of a campaign.
        hinted: the decisions made after a hint, each by the number of entries before it.
        given: number of entries from another game; they cannot be taken back.
    """

    def __init__(
        self,
        match: Match,
        seats: list[Player | None],
        deal: Dealer,
        language: str,
        screen: Screen,
        autosave: Path | None = None,
        headers: Mapping[str, str] | None = None,
        result: str | None = None,
        note: str = "",
        hinted: Iterable[int] = (),
        given: int = 0,
    ) -> None:
        self.match = match
        self.game = match.game
        self.seats = seats
        self.deal = deal
        self.screen = screen
        self.note = note
        self.autosave = autosave
        self.headers = {"date": datetime.date.today().isoformat(), **(headers or {})}
        self.headers.update(
            {side: seat.name if seat else HUMAN for side, seat in zip(self.game.sides, seats, strict=True)}
        )
        self.result = result
        self.hinted = set(hinted)
        self.reasons: dict[int, Message] = {}
        """Reasons of computer players by entry number; shown to nobody before the game is over."""
        self.given = given
        self._witnesses = [ObservationRecorder(side) for side in range(len(seats))]
        self.saved = self._record()
        self.forced: set[int] = set()
        self.entries_seen = [0 for _ in seats]
        self.at_screen: int | None = None
        self.waiting: list[str] = []
        """Further answers typed in one line, waiting for their questions."""
        self.waiting_since = 0
        self.people = [side for side, seat in enumerate(seats) if seat is None]
        self.speak(language)

    def speak(self, language: str) -> None:
        """Switch to another language."""
        self.words = terminal_words(self.game, language)
        self.screen.speak(self.words)
        self.table = table_for(self.game, self.words)
        self.names = {
            alias.casefold(): command
            for command in COMMANDS
            for alias in (command, *self._say(f"command.{command}").split())
        }
        self.names["?"] = "help"
        self.names["exit"] = "quit"

    # ---- the game

    def run(self) -> None:
        """Play until the game is over or the user leaves."""
        try:
            while self.result is None:
                self.match.advance(self.deal)
                self._autosave()  # includes deals, so that they cannot be repeated by reloading
                if self.match.is_over:
                    break
                self._decide(self._next_side())
            self._autosave()
            self._end()
        except Leave:
            self._farewell()
        except (KeyboardInterrupt, EOFError) as error:
            self.screen.leaf([Text()])
            self._farewell()
            if isinstance(error, KeyboardInterrupt):
                raise

    def _next_side(self) -> int:
        """Return the side to decide; of simultaneous choices a computer's first, then the one at the screen."""
        pending = sorted(self.match.pending)
        computers = [side for side in pending if self.seats[side] is not None]
        if computers:
            return computers[0]
        if self.at_screen is not None and self.at_screen in pending:
            return self.at_screen
        return pending[0]

    def _decide(self, side: int) -> None:
        seat = self.seats[side]
        actions = [decision.action for decision in self.match.legal(side)]
        if seat is not None:
            choice = seat.choose(self._witnesses[side].seen(self.match))
            self.match.push(choice.action, side=side)
            if choice.reason is not None:
                self.reasons[len(self.match.entries)] = choice.reason
        elif len(actions) == 1 and self.table.is_nothing(actions[0]):
            self.match.push(actions[0], side=side)
            self.forced.add(len(self.match.entries))
        else:
            self._ask(side, actions)

    def _ask(self, side: int, actions: list[int]) -> None:
        """Show the position to the user and wait for a choice; commands may change the match instead."""
        self._hand_over(side)
        view = self.match.view(side)
        menu = whole = self._menu(side, view, actions)
        left = self.waiting
        if self._takes_waiting(side, whole):
            return
        self._show(side, menu)
        if left:
            self._complain("stopped", text=printable(left[0]))
        while True:
            text = self.screen.read(f"{MARKS[side]} > ").strip()
            if not text or (menu.is_part and text.casefold() in ("b", "back", *self._say("command.back").split())):
                menu = whole = self._menu(side, view, actions)  # the screen may have been resized
                self._show(side, menu)
                continue
            name, _, rest = text.partition(" ")
            command = self.names.get(name.casefold())
            if command is not None and not (name == "?" and rest):
                if self._obey(command, rest.strip(), side):
                    return
                if command in ("help", "rules", "hint", "describe", "log"):  # long output: the question is out of sight
                    self.screen.ask(self._question(side, menu))
                continue
            steps = self._steps(text, side)
            answer = menu.answer(steps[0])
            if answer is None and menu.is_part and not steps[0].isdecimal():  # numbers refer to the shown menu only
                answer = whole.answer(steps[0])
            if isinstance(answer, int):
                self.entries_seen[side] = len(self.match.entries)
                self.match.push(answer, side=side)
                self.waiting, self.waiting_since = steps[1:], len(self.match.entries)
                return
            if answer is None:
                self._complain("no_choice", text=printable(text))
            else:
                menu = answer
                self.screen.ask(self._question(side, menu))

    def _menu(self, side: int, view: State, actions: list[int]) -> Menu:
        return Menu(self.game, self.words, self.table, view, side, actions, self.screen.menu_width)

    def _steps(self, text: str, side: int) -> list[str]:
        """Return the answers in a line, separated by semicolons and split to match the questions."""
        parts = [part.strip() for part in text.split(";") if part.strip()] or [text]
        return [step for part in parts for step in self.table.written_out(part, side) or [part]]

    def _takes_waiting(self, side: int, menu: Menu) -> bool:
        """Answer with the next step of a line, unless a die, a card or the other side intervened."""
        if not self.waiting:
            return False
        text, *rest = self.waiting
        answer = menu.answer(text) if len(self.match.entries) == self.waiting_since else None
        self.waiting = []
        if not isinstance(answer, int):
            return False
        self.match.push(answer, side=side)
        self.waiting, self.waiting_since = rest, len(self.match.entries)
        return True

    # ---- commands

    def _obey(self, command: str, rest: str, side: int) -> bool:
        """Execute a command; return True if the position must be shown again."""
        if command == "help":
            self.screen.leaf(self._help())
        elif command == "rules":
            self._rules(rest, side)
        elif command == "card":
            self._card(rest, side)
        elif command == "hint":
            self._hint(side)
        elif command == "board":
            self.screen.leaf(self._position(side))
        elif command == "describe":
            self.screen.leaf(self._described(side))
        elif command == "log":
            self.screen.leaf([*self._in_words(self._story(side))])
        elif command in ("undo", "restart"):
            return self._undo(side, everything=command == "restart")
        elif command == "save":
            self._save(rest)
        elif command == "lang":
            return self._change_language(rest)
        elif command == "resign":
            return self._resign(side)
        else:
            self._quit()
        return False

    def _help(self) -> list[RenderableType]:
        grid = RichTable.grid(padding=(0, 2, 0, 0))
        for command in COMMANDS:
            local = [alias for alias in self._say(f"command.{command}").split() if alias != command]
            names = Text(", ".join([command if command != "help" else "?", *local]), "bold")
            grid.add_row(Text(" ") + names, self._say(f"help.{command}"))
        lines = [*map(Message, self.table.help_keys)]
        if goal := self.table.goal():
            lines.insert(0, goal)
        about = [Padding(Text(self.words.text(each), QUIET), (0, 0, 0, 1)) for each in lines]
        return [Text(), grid, Text(), *about]

    def _rules(self, query: str, side: int) -> None:
        """Show the rules section of the current question, or the search result for the words after the command."""
        if query:
            parts = found_rules(self.game, self.words, query)
        else:
            question = self.game.narrator.prompt(self.match.view(side), side)
            parts = section_here(self.game, self.words, section_of(self.game, question))
            parts += contents(self.game, self.words)
        if parts:
            self.screen.leaf(parts)
        else:
            self._complain("no_rules", text=printable(query))

    def _card(self, query: str, side: int) -> None:
        view = self.match.view(side)
        if not query:
            self.screen.leaf(self.table.known_cards(view, side, self.screen.width))
        elif (page := self.table.card_page(query, view, side)) is not None:
            self.screen.leaf([page])
        else:
            self._complain("no_card", text=printable(query))

    def _hint(self, side: int) -> None:
        """Show a hint to the side to decide; the journal records it, even if the decision is taken back."""
        from brinkmanship.players.hints import NoHintError, hints  # loads the search

        seen = self._witnesses[side].seen(self.match)
        try:
            found = hints(seen)
        except NoHintError:
            self._complain("no_hint")
            return
        self.hinted.add(len(self.match.entries))
        self.screen.leaf([*hint_lines(self.game, self.words, seen.view(), found)])

    def _undo(self, side: int, *, everything: bool) -> bool:
        last = len(self.match.entries)
        mine = range(last, max(last - self.match.undo_count(side), self.given), -1)
        chosen = [number for number in mine if number not in self.forced]
        if not chosen:
            self._complain("no_undo")
            return False
        back_to = (chosen[-1] if everything else chosen[0]) - 1
        while len(self.match.entries) > back_to:
            self.forced.discard(len(self.match.entries))
            self.reasons.pop(len(self.match.entries), None)
            self.match.pop()
        self.entries_seen = [min(count, len(self.match.entries)) for count in self.entries_seen]
        self.hinted = {min(number, len(self.match.entries)) for number in self.hinted}
        return True

    def _save(self, name: str) -> None:
        if not name:
            name = str(self.autosave) if self.autosave else self.screen.read(self._say("save_as") + " ").strip()
        if not name:
            return
        path = Path(name).expanduser()
        if path.exists() and path != self.autosave and not self._confirm("overwrite", file=name):
            return
        if self._write(path):
            self._tell("saved", file=str(path))

    def _change_language(self, language: str) -> bool:
        if language not in LANGUAGES:
            self._complain("no_language", text=printable(language), known=", ".join(LANGUAGES))
            return False
        self.speak(language)
        return True

    def _resign(self, side: int) -> bool:
        if not self._confirm("resign_sure"):
            return False
        self.result = f"{self.game.sides[1 - side]} by resignation"
        return True

    def _quit(self) -> None:
        if self.autosave is None and self.saved != self._record() and self._confirm("save_first"):
            self._save("")
        raise Leave

    # ---- output

    def _say(self, key: str, **args: int | str | Ref) -> str:
        return self.words.text(Message(f"play.{key}", args))

    def _position(self, viewer: int) -> list[RenderableType]:
        seen = Perspective(self.match, viewer)
        return self.table.position(seen.view(), viewer, self.screen.width, list(seen.seen()))

    def _described(self, viewer: int) -> list[RenderableType]:
        """Return the position in words, as the pages tell it; see `drawing.board_text`."""
        from brinkmanship.drawing import drawing_of  # loads the pictures

        sections = drawing_of(self.game).board_text(self.game, self.match.view(viewer), viewer, self.words)
        return [Text(line) for line in lines_of(sections)]

    def _hand_over(self, side: int) -> None:
        """Clear a shared screen of everything of one side before the other one looks."""
        if self.at_screen == side:
            return
        first = self.at_screen is None
        self.at_screen = side
        if len(self.people) < 2:
            return
        key = "take_seat" if first else "hand_over"
        said = self._say(key, side=Ref("side", self.game.sides[side]))
        self.screen.hand_over(Text(f"{MARKS[side]} ", SIDE_STYLES[side]).append(said, "bold"))

    def _show(self, side: int, menu: Menu) -> None:
        lines = self._story(side)
        hands = [] if menu.shows_hand else self.table.hands(menu.view, side, self.screen.width)
        self.screen.page(
            Page(
                title=self._title(),
                you=f"{MARKS[side]} " + self._say("you_are", side=Ref("side", self.game.sides[side])),
                position=self._position(side),
                notes=self._notes(side),
                hands=hands,
                happened=self._say("happened"),
                log=[*self._in_words(lines)],
                new=sum(line.entry > self.entries_seen[side] for line in lines),
                more=lambda n: self._say("more_lines", n=n),
                question=self._question(side, menu),
            )
        )

    def _title(self) -> str:
        return self.words.text(Message(f"game.{self.game.id}"))

    def _notes(self, side: int) -> list[str]:
        """Return the campaign's standing; before a side's first decision also the goal and the computer's limits."""
        notes = [self.note] if self.note else []
        if not self.entries_seen[side] and any(
            seat is not None and thinks_less(seat.name, self.game) for seat in self.seats
        ):
            notes.append(self._say("thinks_less"))
        goal = self.table.goal()
        if goal and not any(entry.actor == side for entry in self.match.entries):
            notes.append(self.words.text(goal))
        return notes

    def _question(self, side: int, menu: Menu) -> Question:
        if menu.is_part:
            return Question(self._say("which"), menu, self._say("hint_part"))
        return Question(self.words.sentence(self.game.narrator.prompt(menu.view, side)), menu, self._say("hint"))

    def _story(self, viewer: int) -> list[LogEntry[Text]]:
        return story(Perspective(self.match, viewer), self.words)

    def _in_words(self, lines: Iterable[LogEntry[Text]]) -> Iterator[Text]:
        return with_notes(lines, self.forced, self._say("forced"))

    def _complain(self, key: str, **args: int | str) -> None:
        self.screen.complain(self._say(key, **args))

    def _tell(self, key: str, **args: str) -> None:
        self.screen.tell(self._say(key, **args))

    # ---- files

    def _confirm(self, key: str, **args: str) -> bool:
        yes, no = self.words.text(Message("yes")), self.words.text(Message("no"))
        return self.screen.confirm(self._say(key, **args), yes, no, self._say("yes_or_no", yes=yes, no=no))

    def _record(self) -> tuple[list[Entry], str | None, set[int]]:
        """Return the contents of a journal of the game, for detecting unsaved changes."""
        return list(self.match.entries), self.result, set(self.hinted)

    def _autosave(self) -> None:
        if self.autosave is not None and self.saved != self._record():
            self._write(self.autosave)

    def _write(self, path: Path) -> bool:
        try:
            record = journal.of_match(self.match, self.headers, self.result)
            if self.result or self.match.is_over:
                record = journal.with_reasons(record, self.reasons)
            journal.with_notes_of_hints(record, self.hinted).write(path)
        except OSError as error:
            self._tell("not_saved", file=str(path), why=error.strerror or str(error))
            return False
        self.saved = self._record()
        return True

    def _farewell(self) -> None:
        if self.autosave is not None:
            self._autosave()
            self._tell("resume", file=str(self.autosave), game=self.game.id)

    # ---- the end

    def _end(self) -> None:
        viewer = self.people[0] if len(self.people) == 1 else OBSERVER
        first = self.entries_seen[viewer] if viewer != OBSERVER else min(self.entries_seen)
        lines = self._story(viewer)
        you = self._say("you_are", side=Ref("side", self.game.sides[viewer])) if viewer != OBSERVER else ""
        self.screen.page(
            Page(
                title=self._title(),
                you=f"{MARKS[viewer]} {you}" if you else "",
                position=self._position(viewer),
                notes=[self.note] if self.note else [],
                happened=self._say("happened"),
                log=[*self._in_words(lines)],
                new=sum(line.entry > first for line in lines),
                ending=[
                    *self.table.ending(self.match.view(viewer)),
                    *score_lines(Perspective(self.match, FULL_INFORMATION), self.words, self.screen.width),
                ],
                result=self._result(),
            )
        )
        if (level := self._next_level()) and not self.note:
            name = self.words.with_domain("players").text(Message(f"player.{level}"))
            self._tell("next_level", name=name, game=self.game.id, level=level)
        if self.autosave is None and self.saved != self._record() and self._confirm("save_journal"):
            self._save("")

    def _next_level(self) -> str:
        """Return the level that suits the user for the next game, "" if it is unchanged."""
        names = [seat.name for seat in self.seats if seat is not None]
        if len(self.people) != 1 or names[0] not in levels_for(self.game):
            return ""
        score = self.game.narrator.score(list(Perspective(self.match, FULL_INFORMATION).seen()))
        result = self.result or journal.result_text(self.match)
        level = level_that_suits(self.game, names[0], self.people[0], result, score)
        return level if level != names[0] else ""

    def _result(self) -> str:
        if self.result is not None:
            side = self.result.split()[0]
            if side not in self.game.sides:
                return self.result
            loser = self.game.sides[1 - self.game.sides.index(side)]
            return self._say("result.resignation", side=Ref("side", side), loser=Ref("side", loser))
        outcome = self.match.outcome()
        if outcome is None or outcome.winner is None:
            return self._say("result.nobody")
        if len(self.people) == 1:
            return self._say("result.you_win" if outcome.winner == self.people[0] else "result.you_lose")
        return self._say("result.winner", side=Ref("side", self.game.sides[outcome.winner]))
