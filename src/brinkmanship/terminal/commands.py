"""The commands of a session: inputs that are not choices of the game.

They have their English names in every language beside the local ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from brinkmanship.drawing.board_text import lines_of
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import ObservationRecorder
from brinkmanship.engine.perspective import Perspective
from brinkmanship.terminal.hint_lines import hint_lines
from brinkmanship.terminal.log import game_log, with_notes
from brinkmanship.terminal.presenter import Presenter
from brinkmanship.terminal.rules import contents, found_rules, section_here
from brinkmanship.terminal.saved_game import SavedGame
from brinkmanship.terminal.screen import printable
from brinkmanship.terminal.style import QUIET
from brinkmanship.text import LANGUAGES, section_of


class Leave(Exception):  # noqa: N818 - not an error
    """The user ends the session; the game may be resumed later."""


class Context(NamedTuple):
    """The decision at which a command is typed."""

    saved: SavedGame
    presenter: Presenter
    recorder: ObservationRecorder
    """Observations of the side to decide."""
    side: int

    @property
    def seen(self) -> Perspective:
        """The match as the side to decide knows it."""
        return Perspective(self.saved.match, self.side)


class Command(NamedTuple):
    """A command of a session."""

    run: Callable[[Context, str], bool | None]
    """Executes it with the text after its name; returns True if the position must be shown again."""
    hides_question: bool = False
    """True if its output is long, so that the question has to be shown again below it."""


def _help(context: Context, _: str) -> None:
    presenter = context.presenter
    grid = RichTable.grid(padding=(0, 2, 0, 0))
    for name in COMMANDS:
        local = [alias for alias in _local_names(name, presenter) if alias != name]
        names = Text(", ".join([name if name != "help" else "?", *local]), "bold")
        grid.add_row(Text(" ") + names, presenter.say(f"help.{name}"))
    goal = presenter.table.goal()
    lines = [*([goal] if goal else []), *map(Message, presenter.table.help_keys)]
    about = [Padding(Text(presenter.words.text(each), QUIET), (0, 0, 0, 1)) for each in lines]
    presenter.screen.leaf([Text(), grid, Text(), *about])


def _rules(context: Context, query: str) -> None:
    """Show the rules section of the current question, or the search result for the words after the command."""
    game, words = context.presenter.game, context.presenter.words
    if query:
        parts = found_rules(game, words, query)
    else:
        question = game.narrator.prompt(context.seen.view(), context.side)
        parts = section_here(game, words, section_of(game, question)) + contents(game, words)
    _show_found(context, parts, "no_rules" if query else "rules_missing", query)


def _card(context: Context, query: str) -> None:
    """Show a card by its number or a part of its name, or all cards that the side knows."""
    table, view = context.presenter.table, context.seen.view()
    if query:
        page = table.card_page(query, view, context.side)
        _show_found(context, [] if page is None else [page], "no_card", query)
    else:
        context.presenter.screen.leaf(table.known_cards(view, context.side, context.presenter.screen.width))


def _show_found(context: Context, parts: list[RenderableType], nothing: str, query: str) -> None:
    if parts:
        context.presenter.screen.leaf(parts)
    else:
        context.presenter.complain(nothing, text=printable(query))


def _hint(context: Context, _: str) -> None:
    """Show a hint to the side to decide; the journal records it, even if the decision is taken back."""
    from brinkmanship.players.hints import NoHintError, hints  # loads the search

    saved, presenter = context.saved, context.presenter
    observed = context.recorder.seen(saved.match)
    try:
        found = hints(observed)
    except NoHintError:
        presenter.complain("no_hint")
        return
    saved.hinted.add(len(saved.match.entries))
    presenter.screen.leaf([*hint_lines(presenter.game, presenter.words, observed.view(), found)])


def _board(context: Context, _: str) -> None:
    context.presenter.screen.leaf(context.presenter.position(context.seen))


def _describe(context: Context, _: str) -> None:
    """Show the position in words, as the pages tell it; see `drawing.board_text`."""
    from brinkmanship.drawing import drawing_of  # loads the pictures

    presenter = context.presenter
    drawing = drawing_of(presenter.game)
    sections = drawing.board_text(presenter.game, context.seen.view(), context.side, presenter.words)
    presenter.screen.leaf([Text(line) for line in lines_of(sections)])


def _log(context: Context, _: str) -> None:
    presenter = context.presenter
    lines = game_log(context.seen, presenter.words)
    presenter.screen.leaf([*with_notes(lines, context.saved.forced, presenter.say("forced"))])


def _undo(context: Context, _: str) -> bool:
    return _take_back(context, everything=False)


def _restart(context: Context, _: str) -> bool:
    return _take_back(context, everything=True)


def _take_back(context: Context, *, everything: bool) -> bool:
    has_changed = context.saved.take_back(context.side, everything=everything)
    if not has_changed:
        context.presenter.complain("no_undo")
    return has_changed


def _save(context: Context, name: str) -> None:
    context.saved.save(name, context.presenter)


def _change_language(context: Context, language: str) -> bool:
    if language not in LANGUAGES:
        context.presenter.complain("no_language", text=printable(language), known=", ".join(LANGUAGES))
        return False
    context.presenter.speak(language)
    return True


def _resign(context: Context, _: str) -> bool:
    if not context.presenter.confirm("resign_sure"):
        return False
    context.saved.result = f"{context.presenter.game.sides[1 - context.side]} by resignation"
    return True


def _leave(context: Context, _: str) -> None:
    context.saved.offer_to_save("save_first", context.presenter)
    raise Leave


COMMANDS = {
    "help": Command(_help, hides_question=True),
    "rules": Command(_rules, hides_question=True),
    "card": Command(_card),
    "hint": Command(_hint, hides_question=True),
    "board": Command(_board),
    "describe": Command(_describe, hides_question=True),
    "log": Command(_log, hides_question=True),
    "undo": Command(_undo),
    "restart": Command(_restart),
    "save": Command(_save),
    "lang": Command(_change_language),
    "resign": Command(_resign),
    "quit": Command(_leave),
}
"""The commands by their English names, in the order of the help."""


def command_named(name: str, presenter: Presenter) -> Command | None:
    """Return the command with a name, in English or in the user's language; None if there is none."""
    names = {alias.casefold(): one for one in COMMANDS for alias in (one, *_local_names(one, presenter))}
    names |= {"?": "help", "exit": "quit"}
    found = names.get(name.casefold())
    return None if found is None else COMMANDS[found]


def _local_names(name: str, presenter: Presenter) -> list[str]:
    return presenter.say(f"command.{name}").split()
