"""A game in the terminal: draws the position, asks whoever sits at the screen, lets computer players answer.

Each side sees only its own view. On a shared screen ("hot seat") the screen is cleared before it is passed on. A
person's input is a choice or a command; commands have their English names in every language beside the local ones.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from brinkmanship.cli.look import MARKS, QUIET, SIDE_STYLES, one_line, show
from brinkmanship.cli.menu import Menu
from brinkmanship.cli.speech import terminal_words
from brinkmanship.cli.story import Told, past_of, spoken, story
from brinkmanship.cli.table import table_for
from brinkmanship.engine import journal
from brinkmanship.engine.game import OBSERVER
from brinkmanship.engine.match import Dealer, Entry, Match
from brinkmanship.engine.message import Message, Ref
from brinkmanship.players import Player
from brinkmanship.text import LANGUAGES

COMMANDS = ("help", "card", "board", "log", "undo", "restart", "save", "lang", "resign", "quit")
HUMAN = "human"
_FEW_LINES = 6
_HIGH = 40
_HEIGHT_WITHOUT_LOG = 32
_CLEAR_EVERYTHING = "\x1b[H\x1b[2J\x1b[3J"  # the screen, and what has scrolled away


class Leave(Exception):  # noqa: N818 - it is no error
    """The person at the screen ends the session; the game may go on another time."""


class Session:
    """A match at one screen.

    Args:
        match: the game, new or resumed.
        seats: the computer player of each side, None for a person.
        deal: decides chance.
        language: of everything that is shown.
        autosave: where the journal is written after every decision.
        headers: further lines for the header of the journal.
        result: how the game ended outside its rules, if it did ("us by resignation").
    """

    def __init__(
        self,
        match: Match,
        seats: list[Player | None],
        deal: Dealer,
        language: str,
        console: Console,
        autosave: Path | None = None,
        headers: Mapping[str, str] | None = None,
        result: str | None = None,
    ) -> None:
        self.match = match
        self.game = match.game
        self.seats = seats
        self.deal = deal
        self.console = console
        self.autosave = autosave
        self.headers = {"date": datetime.date.today().isoformat(), **(headers or {})}
        self.headers.update(
            {side: seat.name if seat else HUMAN for side, seat in zip(self.game.sides, seats, strict=True)}
        )
        self.result = result
        self.saved = self._record()
        self.forced: set[int] = set()
        self.told = [0 for _ in seats]
        self.at_screen: int | None = None
        self.waiting: list[str] = []
        """Answers that were typed in one line and wait for their question."""
        self.waiting_since = 0
        self.people = [side for side, seat in enumerate(seats) if seat is None]
        self.speak(language)

    def speak(self, language: str) -> None:
        """Go on in this language."""
        self.words = terminal_words(self.game, language)
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
        """Play until the game is over or somebody leaves."""
        try:
            while self.result is None:
                self.match.advance(self.deal)
                self._autosave()  # the deals too, so that nobody can have them dealt again
                if self.match.is_over:
                    break
                self._decide(self._next_side())
            self._autosave()
            self._end()
        except Leave:
            self._farewell()
        except (KeyboardInterrupt, EOFError) as error:
            self.console.print()
            self._farewell()
            if isinstance(error, KeyboardInterrupt):
                raise

    def _next_side(self) -> int:
        """Where several choose in secret: computers first, then whoever sits at the screen."""
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
            self.match.push(seat.choose(self.match.view(side), side).action, side=side)
        elif len(actions) == 1 and self.table.is_nothing(actions[0]):
            self.match.push(actions[0], side=side)
            self.forced.add(len(self.match.entries))
        else:
            self._ask(side, actions)

    def _ask(self, side: int, actions: list[int]) -> None:
        """Show the position to a person and wait for a choice; commands may change the match instead."""
        self._hand_over(side)
        whole = Menu(self.game, self.words, self.table, self.match.view(side), side, actions, self._width())
        menu = whole
        left = self.waiting
        if self._takes_waiting(side, whole):
            return
        self._show(side, menu)
        if left:
            self._complain("stopped", text=_printable(left[0]))
        while True:
            text = self._read(f"{MARKS[side]} > ").strip()
            if not text or (menu.is_part and text.casefold() in ("b", "back", *self._say("command.back").split())):
                menu = whole
                self._show(side, menu)
                continue
            name, _, rest = text.partition(" ")
            command = self.names.get(name.casefold())
            if command is not None and not (name == "?" and rest):
                if self._obey(command, rest.strip(), side):
                    return
                continue
            steps = self._steps(text, side)
            answer = menu.answer(steps[0])
            if answer is None and menu.is_part:
                answer = whole.answer(steps[0])
            if isinstance(answer, int):
                self.told[side] = len(self.match.entries)
                self.match.push(answer, side=side)
                self.waiting, self.waiting_since = steps[1:], len(self.match.entries)
                return
            if answer is None:
                self._complain("no_choice", text=_printable(text))
            else:
                menu = answer
                self._print_menu(menu, self._say("which"))

    def _steps(self, text: str, side: int) -> list[str]:
        """The answers in a line, parted by semicolons, each as small as the questions are."""
        parts = [part.strip() for part in text.split(";") if part.strip()] or [text]
        return [step for part in parts for step in self.table.written_out(part, side) or [part]]

    def _takes_waiting(self, side: int, menu: Menu) -> bool:
        """Answer with the next step of a line, unless a die, a card or the other side has come between."""
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
        """Carry out a command; True if the position must be looked at again."""
        if command == "help":
            self._help()
        elif command == "card":
            self._card(rest, side)
        elif command == "board":
            self._position(side)
        elif command == "log":
            self._print(self._in_words(story(self.match, side)))
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

    def _help(self) -> None:
        grid = RichTable.grid(padding=(0, 2, 0, 0))
        for command in COMMANDS:
            local = [alias for alias in self._say(f"command.{command}").split() if alias != command]
            names = Text(", ".join([command if command != "help" else "?", *local]), "bold")
            grid.add_row(Text(" ") + names, self._say(f"help.{command}"))
        self._print([Text(), grid, Text()])
        for key in self.table.help_keys:
            self.console.print(Padding(Text(self.words.text(Message(key)), QUIET), (0, 0, 0, 1)))

    def _card(self, asked: str, side: int) -> None:
        view = self.match.view(side)
        if not asked:
            self._print(self.table.known_cards(view, side, self._width()))
        elif (page := self.table.card_page(asked, view, side)) is not None:
            self._print([page])
        else:
            self._complain("no_card", text=_printable(asked))

    def _undo(self, side: int, *, everything: bool) -> bool:
        last = len(self.match.entries)
        mine = range(last, last - self.match.undo_count(side), -1)
        chosen = [number for number in mine if number not in self.forced]
        if not chosen:
            self._complain("no_undo")
            return False
        back_to = (chosen[-1] if everything else chosen[0]) - 1
        while len(self.match.entries) > back_to:
            self.forced.discard(len(self.match.entries))
            self.match.pop()
        self.told = [min(told, len(self.match.entries)) for told in self.told]
        return True

    def _save(self, name: str) -> None:
        if not name:
            name = str(self.autosave) if self.autosave else self._read(self._say("save_as") + " ").strip()
        if not name:
            return
        path = Path(name).expanduser()
        if path.exists() and path != self.autosave and not self._confirm("overwrite", file=name):
            return
        if self._write(path):
            self._tell("saved", file=str(path))

    def _change_language(self, language: str) -> bool:
        if language not in LANGUAGES:
            self._complain("no_language", text=_printable(language), known=", ".join(LANGUAGES))
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

    # ---- what is shown

    def _say(self, key: str, **args: int | str | Ref) -> str:
        return self.words.text(Message(f"play.{key}", args))

    def _position(self, reader: int) -> None:
        past = past_of(self.match, reader, len(self.match.entries))
        self._print(self.table.position(self.match.view(reader), reader, self._width(), past))

    def _is_low(self) -> bool:
        """Whether the screen is too low for everything to be seen at once."""
        return self.console.is_terminal and self.console.height < _HIGH

    def _width(self) -> int:
        return max(self.console.width, 40)

    def _hand_over(self, side: int) -> None:
        """On a shared screen: nothing of the one side's is left on it when the other one looks."""
        if self.at_screen == side:
            return
        first = self.at_screen is None
        self.at_screen = side
        if len(self.people) < 2:
            return
        self._clear(everything=True)
        key = "take_seat" if first else "hand_over"
        line = Text(f"{MARKS[side]} ", SIDE_STYLES[side]).append(
            self._say(key, side=Ref("side", self.game.sides[side])), "bold"
        )
        self.console.print(line)
        self._read("")
        self._clear(everything=True)

    def _show(self, side: int, menu: Menu) -> None:
        view, width = self.match.view(side), self._width()
        self._clear()
        self._title(side)
        self._position(side)
        if not menu.shows_hand:
            self._print(self.table.hands(view, side, width))
        self._what_happened(side)
        self._print_menu(menu, self.words.sentence(self.game.prompt(view, side)))

    def _title(self, side: int) -> None:
        name = self.words.text(Message(f"game.{self.game.id}"))
        you = ""
        if side != OBSERVER:
            you = f"{MARKS[side]} " + self._say("you_are", side=Ref("side", self.game.sides[side]))
        line = Text(f" {name} ")
        line.append(" " * (self._width() - line.cell_len - len(you) - 2)).append(you + " ")
        line.stylize("bold reverse")
        self._print([one_line(line)])

    def _what_happened(self, side: int) -> None:
        """The log since the last decision of this side, at least a few lines of it, no more than the screen holds."""
        told = list(story(self.match, side))
        new = sum(line.entry > self.told[side] for line in told)
        few = _FEW_LINES // 2 if self._is_low() else _FEW_LINES
        room = max(self.console.height - _HEIGHT_WITHOUT_LOG, 2 * few) if self.console.is_terminal else new
        count = min(max(new, few), max(room, few), len(told))
        if not count:
            return
        if not self._is_low():
            self.console.print()
        self.console.print(Text(" " + self._say("happened"), "bold"))
        if new > count:
            self.console.print(Text("   " + self._say("more_lines", n=new - count), QUIET))
        for number, line in enumerate(self._in_words(told[-count:]), len(told) - count):
            if number < len(told) - new:
                line.stylize(QUIET)
            self.console.print(Padding(line, (0, 0, 0, 1)))

    def _in_words(self, told: Iterable[Told]) -> Iterator[Text]:
        return spoken(told, self.words, self.forced, self._say("forced"))

    def _print_menu(self, menu: Menu, question: str) -> None:
        self.console.print()
        self.console.print(Padding(Text(question, "bold"), (0, 0, 0, 1)))
        for line in menu.lines():
            self.console.print(line)
        self.console.print(Text(" " + self._say("hint_part" if menu.is_part else "hint"), QUIET))

    def _print(self, parts: Iterable[RenderableType]) -> None:
        show(self.console, parts)

    def _complain(self, key: str, **args: int | str) -> None:
        self.console.print(Text(" " + self._say(key, **args), "bold"))

    def _tell(self, key: str, **args: str) -> None:
        """A line with the name of a file, which is not broken, so that it can be copied."""
        self.console.print(Text(" " + self._say(key, **args)), soft_wrap=True)

    def _clear(self, *, everything: bool = False) -> None:
        if self.console.is_terminal:
            if everything:
                self.console.file.write(_CLEAR_EVERYTHING)
                _forget_input()
            else:
                self.console.clear()
        else:
            self.console.print()

    # ---- what is read and written

    def _read(self, prompt: str) -> str:
        self.console.file.flush()
        text = input(prompt)
        if not sys.stdin.isatty():
            print(_printable(text))  # no keyboard has echoed it
        return text

    def _confirm(self, key: str, **args: str) -> bool:
        yes, no = self.words.text(Message("yes")), self.words.text(Message("no"))
        while True:
            answer = self._read(f" {self._say(key, **args)} ({yes}/{no}) ").strip().casefold()
            for word, value in ((yes, True), ("yes", True), (no, False), ("no", False)):
                if answer and word.startswith(answer):
                    return value
            self._complain("yes_or_no", yes=yes, no=no)

    def _record(self) -> tuple[list[Entry], str | None]:
        """All that a journal of the game would say, to see whether it has been saved."""
        return list(self.match.entries), self.result

    def _autosave(self) -> None:
        if self.autosave is not None and self.saved != self._record():
            self._write(self.autosave)

    def _write(self, path: Path) -> bool:
        try:
            journal.of_match(self.match, self.headers, self.result).write(path)
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
        reader = self.people[0] if len(self.people) == 1 else OBSERVER
        view = self.match.view(reader)
        self._clear(everything=len(self.people) > 1)
        self._title(reader)
        self._position(reader)
        first = self.told[reader] if reader != OBSERVER else min(self.told)
        self.console.print(Text(" " + self._say("happened"), "bold"))
        for line in self._in_words(story(self.match, reader, first)):
            self.console.print(Padding(line, (0, 0, 0, 1)))
        self._print(self.table.ending(view))
        self.console.print()
        self.console.print(Padding(Text(self._result(), "bold reverse"), (0, 0, 0, 1)))
        if self.autosave is None and self.saved != self._record() and self._confirm("save_journal"):
            self._save("")

    def _result(self) -> str:
        if self.result is not None:
            side = self.result.split()[0]
            return self._say("result.resignation", side=Ref("side", side)) if side in self.game.sides else self.result
        outcome = self.match.outcome()
        if outcome is None or outcome.winner is None:
            return self._say("result.nobody")
        if len(self.people) == 1:
            return self._say("result.you_win" if outcome.winner == self.people[0] else "result.you_lose")
        return self._say("result.winner", side=Ref("side", self.game.sides[outcome.winner]))


def _printable(text: str) -> str:
    """What somebody typed, short and without characters that would move the cursor."""
    return "".join(char if char.isprintable() else "?" for char in text[:30])


def _forget_input() -> None:
    """Forget what has been typed, which arrow keys would bring back for the next person."""
    with suppress(ImportError):
        import readline

        readline.clear_history()


def prepare_input() -> None:
    """Line editing where there is a keyboard, and no failure over bytes that are no text."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 - importing it is what gives `input` its line editing
    for stream in (sys.stdin, sys.stdout):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
