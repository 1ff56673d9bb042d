"""Recording a game that was played with the physical game, in the terminal, line by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import CHANCE, OBSERVER
from brinkmanship.engine.match import Decision, Match
from brinkmanship.engine.message import Message
from brinkmanship.engine.open_record import OpenRecord
from brinkmanship.engine.perspective import Perspective
from brinkmanship.terminal.style import QUIET, show
from brinkmanship.terminal.tables import table_for
from brinkmanship.terminal.words import terminal_words
from brinkmanship.text.errors import reason
from brinkmanship.text.record_steps import Possible, possible_steps

UNSEEN = "?"
STEPS_SHOWN = 12


class RecordSession:
    """An open record at the keyboard; the file is written after every step.

    Args:
        record: the record, new or resumed.
        path: the journal to write.
        headers: further headers of the journal.
        language: language of all output.
    """

    def __init__(self, record: OpenRecord, path: Path, headers: Mapping[str, str], language: str) -> None:
        self.record = record
        self.path = path
        self.headers = headers
        self.language = language
        self.words = terminal_words(record.game, language).with_domain("record")
        self.console = Console(highlight=False)

    def run(self) -> None:
        """Ask for steps until the game is over or the user leaves; the end of the input leaves as well."""
        self._say(Message("record.terminal.help"), QUIET)
        self._board()
        while not self.record.is_over:
            try:
                if not self._ask():
                    break
            except EOFError:
                break
            except LocalizedError as error:
                self.console.print(Text(reason(error, self.language), "bold"))
        self._save()
        self._say(Message("record.terminal.saved", {"file": str(self.path)}), QUIET)

    def _ask(self) -> bool:
        """Ask one question and carry out the answer; return False to leave."""
        record = self.record
        prompt = record.game.narrator.prompt(record.game.view_of(record.match.state, OBSERVER), OBSERVER)
        self.console.print(Text(self.words.sentence(prompt), "bold"))
        found = self._list(record.match, record.outcomes() if record.asks_chance else record.choices())
        answer = input("> ").strip()
        commands = {UNSEEN: record.enter_unseen, "undo": record.undo, "reveal": self._reveal}
        commands |= {"board": self._board, "steps": self._steps}
        if answer.casefold() in ("quit", "exit", "q"):
            return False
        if command := commands.get(answer.casefold()):
            command()
        elif answer and (chosen := self._chosen(answer, found)) is not None:
            record.enter(chosen)
        self._save()
        return True

    def _list(self, match: Match, decisions: Sequence[Decision]) -> list[Possible]:
        found = possible_steps(match, decisions, self.words)
        for number, one in enumerate(found, 1):
            self.console.print(Text(f"{number:>4}  {one.text}"))
        return found

    def _chosen(self, answer: str, found: Sequence[Possible]) -> int | None:
        """Return the action of an answer: a number of the list, or a part of a text that only one choice has."""
        if answer.isdecimal() and 1 <= int(answer[:9]) <= len(found):
            return found[int(answer[:9]) - 1].action
        named = [one for one in found if one.text.casefold() == answer.casefold()]
        named = named or [one for one in found if answer.casefold() in one.text.casefold()]
        if len(named) == 1:
            return named[0].action
        key = "record.terminal.many" if named else "record.terminal.no"
        self._say(Message(key, {"text": answer[:60], **({"n": len(named)} if named else {})}))
        return None

    def _reveal(self) -> None:
        """Ask which unseen step has been seen now, and what it was."""
        gaps = self.record.unseen()
        if not gaps:
            self._say(Message("record.terminal.none"))
            return
        names = [self.words.name("side", self.record.game.sides[gap.side]) for gap in gaps]
        for number, (gap, name) in enumerate(zip(gaps, names, strict=True), 1):
            kind = "cards" if self.record.steps[gap.steps[0]].actor == CHANCE else "choice"
            said = self.words.sentence(Message(f"record.gap.{kind}", {"side": name, "n": len(gap.steps)}))
            self.console.print(Text(f"{number:>4}  {said}"))
        answer = input("> ").strip() if len(gaps) > 1 else "1"
        if not answer.isdecimal() or not 1 <= int(answer[:9]) <= len(gaps):
            self._say(Message("record.terminal.no", {"text": answer[:60]}))
            return
        gap = gaps[int(answer[:9]) - 1]
        found = self._list(self.record.before(gap.steps[-1]), gap.possible)
        chosen = self._chosen(input("> ").strip(), found)
        if chosen is not None:
            self.record.reveal(gap.steps[-1], chosen)

    def _board(self) -> None:
        view = self.record.game.view_of(self.record.match.state, OBSERVER)
        table = table_for(self.record.game, self.words)
        show(self.console, table.position(view, OBSERVER, max(self.console.width, 40), []))

    def _steps(self) -> None:
        """Show the last steps, as everyone saw them."""
        seen = Perspective(self.record.match, OBSERVER)
        for entry in list(seen.seen(max(0, seen.length - STEPS_SHOWN))):
            for line in seen.lines(entry):
                self.console.print(Text(f"  {self.words.sentence(line.message)}"))

    def _save(self) -> None:
        self.record.draft(self.headers).write(self.path)

    def _say(self, message: Message, style: str = "") -> None:
        self.console.print(Text(self.words.sentence(message), style))
