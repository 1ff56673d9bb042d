"""A game in the terminal: ask the user, let computer players choose, execute commands.

Each side sees only its own view. On a shared screen ("hot seat") the screen is cleared before it is passed on. An input
is a choice or one of the `commands`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.text import Text

from brinkmanship.engine.match import Dealer
from brinkmanship.engine.observation import ObservationRecorder
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.players import Player, thinks_less
from brinkmanship.terminal.commands import Context, Leave, command_named
from brinkmanship.terminal.ending import show_ending
from brinkmanship.terminal.menu import Menu
from brinkmanship.terminal.presenter import Presenter
from brinkmanship.terminal.saved_game import SavedGame
from brinkmanship.terminal.screen import Prompt, Screen, printable
from brinkmanship.terminal.style import MARKS, SIDE_STYLES

HUMAN = "human"


class Session:
    """A match at one screen.

    Args:
        saved: the game, new or resumed.
        seats: computer player of each side, None for a user.
        deal: decides chance.
        language: language of all output.
        screen: the screen.
        note: a line under the title, e.g. the standing of a campaign.
    """

    def __init__(
        self,
        saved: SavedGame,
        seats: Sequence[Player | None],
        deal: Dealer,
        language: str,
        screen: Screen,
        note: str = "",
    ) -> None:
        saved.name_players(seat.name if seat else HUMAN for seat in seats)
        self.saved = saved
        self.match = saved.match
        self.seats = seats
        self.deal = deal
        self.screen = screen
        self.presenter = Presenter(self.match.game, screen, language)
        self.note = note
        self.entries_seen = [0 for _ in seats]
        self.at_screen: int | None = None
        self._recorders = [ObservationRecorder(side) for side in range(len(seats))]
        self._typed_ahead: list[str] = []
        """Further answers typed in one line, waiting for their questions."""
        self._typed_ahead_at = 0
        """Number of entries at which the next of them was expected to be asked."""

    def run(self) -> None:
        """Play until the game is over or the user leaves."""
        try:
            while self.saved.result is None:
                self.match.advance(self.deal)
                self.saved.autosave(self.presenter)  # includes deals, so that they cannot be repeated by reloading
                if self.match.is_over:
                    break
                self._decide(self._next_side())
            self.saved.autosave(self.presenter)
            show_ending(self.saved, self.presenter, self.seats, self.entries_seen, self.note)
        except Leave:
            self._farewell()
        except (KeyboardInterrupt, EOFError) as error:
            self.screen.leaf([Text()])
            self._farewell()
            if isinstance(error, KeyboardInterrupt):
                raise

    def _farewell(self) -> None:
        if self.saved.path is not None:
            self.saved.autosave(self.presenter)
            self.presenter.tell("resume", file=str(self.saved.path), game=self.match.game.id)

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
            choice = seat.choose(self._recorders[side].seen(self.match))
            self.match.push(choice.action, side=side)
            if choice.reason is not None:
                self.saved.reasons[len(self.match.entries)] = choice.reason
        elif len(actions) == 1 and self.presenter.table.is_nothing(actions[0]):
            self.match.push(actions[0], side=side)
            self.saved.forced.add(len(self.match.entries))
        else:
            self._ask(side, actions)

    def _ask(self, side: int, actions: list[int]) -> None:
        """Show the position to the user and wait for a choice; commands may change the match instead."""
        self._hand_over(side)
        view = self.match.view(side)
        menu = whole = self._menu(side, view, actions)
        typed_ahead = self._typed_ahead
        if self._takes_typed_ahead(side, whole):
            return
        self._show(side, menu)
        if typed_ahead:
            self.presenter.complain("stopped", text=printable(typed_ahead[0]))
        while True:
            text = self.screen.read(f"{MARKS[side]} > ").strip()
            if not text or (menu.is_part and text.casefold() in self._names_of_back()):
                menu = whole = self._menu(side, view, actions)  # the screen may have been resized
                self._show(side, menu)
                continue
            name, _, rest = text.partition(" ")
            command = command_named(name, self.presenter)
            if command is not None and not (name == "?" and rest):
                if command.run(Context(self.saved, self.presenter, self._recorders[side], side), rest.strip()):
                    self.entries_seen = [min(count, len(self.match.entries)) for count in self.entries_seen]
                    return
                if command.hides_question:
                    self.screen.ask(self._question(side, menu))
                continue
            steps = self._steps(text, side)
            answer = menu.answer(steps[0])
            if answer is None and menu.is_part and not steps[0].isdecimal():  # numbers refer to the shown menu only
                answer = whole.answer(steps[0])
            if isinstance(answer, int):
                self.entries_seen[side] = len(self.match.entries)
                self._push(answer, side, steps[1:])
                return
            if answer is None:
                self.presenter.complain("no_choice", text=printable(text))
            else:
                menu = answer
                self.screen.ask(self._question(side, menu))

    def _menu(self, side: int, view: State, actions: list[int]) -> Menu:
        words, table = self.presenter.words, self.presenter.table
        return Menu(self.match.game, words, table, view, side, actions, self.screen.menu_width)

    def _names_of_back(self) -> tuple[str, ...]:
        return ("b", "back", *self.presenter.say("command.back").split())

    def _steps(self, text: str, side: int) -> list[str]:
        """Return the answers in a line, separated by semicolons and split to match the questions."""
        parts = [part.strip() for part in text.split(";") if part.strip()] or [text]
        return [step for part in parts for step in self.presenter.table.written_out(part, side) or [part]]

    def _push(self, action: int, side: int, typed_ahead: list[str]) -> None:
        self.match.push(action, side=side)
        self._typed_ahead, self._typed_ahead_at = typed_ahead, len(self.match.entries)

    def _takes_typed_ahead(self, side: int, menu: Menu) -> bool:
        """Answer with the next step of a line, unless a die, a card or the other side intervened."""
        if not self._typed_ahead:
            return False
        text, *rest = self._typed_ahead
        answer = menu.answer(text) if len(self.match.entries) == self._typed_ahead_at else None
        self._typed_ahead = []
        if not isinstance(answer, int):
            return False
        self._push(answer, side, rest)
        return True

    def _hand_over(self, side: int) -> None:
        """Clear a shared screen of everything of one side before the other one looks."""
        if self.at_screen == side:
            return
        key = "take_seat" if self.at_screen is None else "hand_over"
        self.at_screen = side
        if self.seats.count(None) < 2:
            return
        said = self.presenter.say_with_side(key, side)
        self.screen.hand_over(Text(f"{MARKS[side]} ", SIDE_STYLES[side]).append(said, "bold"))

    def _show(self, side: int, menu: Menu) -> None:
        seen = Perspective(self.match, side)
        page = self.presenter.page(seen, self.entries_seen[side], self.saved.forced, self._notes(side))
        self.screen.page(
            replace(
                page,
                hands=[] if menu.shows_hand else self.presenter.table.hands(menu.view, side, self.screen.width),
                more=lambda n: self.presenter.say("more_lines", n=n),
                question=self._question(side, menu),
            )
        )

    def _notes(self, side: int) -> list[str]:
        """Return the campaign's standing; before a side's first decision also the goal and the computer's limits."""
        notes = [self.note] if self.note else []
        if not self.entries_seen[side] and any(
            seat is not None and thinks_less(seat.name, self.match.game) for seat in self.seats
        ):
            notes.append(self.presenter.say("thinks_less"))
        goal = self.presenter.table.goal()
        if goal and not any(entry.actor == side for entry in self.match.entries):
            notes.append(self.presenter.words.text(goal))
        return notes

    def _question(self, side: int, menu: Menu) -> Prompt:
        presenter = self.presenter
        if menu.is_part:
            return Prompt(presenter.say("which"), menu, presenter.say("hint_part"))
        prompt = self.match.game.narrator.prompt(menu.view, side)
        return Prompt(presenter.words.sentence(prompt), menu, presenter.say("hint"))
