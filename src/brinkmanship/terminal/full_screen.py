"""Full-screen interface: board, log and choices in panes, operated with keys or mouse.

The `Session` runs in a thread of its own and receives the same lines as in line mode, so that both modes have the same
commands and this module is independent of the games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Queue
from typing import ClassVar

from rich.console import Console, Group, RenderableType
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Key, Resize
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import Worker

from brinkmanship.engine.message import Message
from brinkmanship.terminal.screen import Page, Prompt
from brinkmanship.terminal.style import QUIET, one_line, wrapped
from brinkmanship.text import Words

WIDE = 124
"""Minimum columns for showing choices and log beside the board."""
_BOARD = 80
_GONE = object()
"""Queued in place of an answer when the user has left."""

Answer = str | object


class Leaf(ModalScreen[None]):
    """A modal page of text: help, a card, the log, rules."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(keys, "dismiss", show=False) for keys in ("escape", "enter", "q")]

    def __init__(self, parts: Sequence[RenderableType], hint: str) -> None:
        super().__init__()
        self.parts = parts
        self.hint = hint

    def compose(self) -> ComposeResult:
        """Yield the scrolling text, and the hint for closing it."""
        with Vertical(id="leaf"):
            with VerticalScroll(can_focus=True):
                yield Static(Group(*self.parts))
            yield Static(Text(self.hint, QUIET))

    def on_click(self) -> None:
        """Close on a click, as on Enter."""
        self.dismiss()


class Sure(ModalScreen[None]):
    """A yes-or-no question."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "no", show=False)]

    def __init__(self, question: str, answers: Sequence[tuple[str, str]], give: Callable[[str], None]) -> None:
        super().__init__()
        self.question = question
        self.answers = answers
        self.give = give

    def compose(self) -> ComposeResult:
        """Yield the question above its answers."""
        with Vertical(id="sure"):
            yield Static(Text(self.question, "bold"))
            yield OptionList(*[Option(label, id) for id, label in self.answers])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Submit the selected answer."""
        event.stop()
        self.dismiss()
        self.give(str(event.option_id))

    def action_no(self) -> None:
        """Submit the last answer, which changes nothing."""
        self.dismiss()
        self.give(self.answers[-1][0])


class CommandLine(Input):
    """The input line, which always has the focus; with nothing typed, its keys act on the list of choices.

    With a second widget for keys, those that arrive together (pasted or dictated text, a slow connection) would partly
    reach the wrong one.
    """

    def _on_key(self, event: Key) -> None:  # type: ignore[override]
        # As a binding, Enter would take effect after characters that were typed behind it.
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            text, self.value = self.value, ""
            self.post_message(self.Submitted(self, text))


class FullScreen(App[None]):
    """Textual application that implements `Screen`; the session's thread calls the methods of that protocol."""

    ENABLE_COMMAND_PALETTE = False
    CSS = f"""
    Screen {{ layout: vertical; }}
    #title {{ height: auto; }}
    #title {{ max-height: 5; }}
    #body {{ height: 1fr; }}
    #board {{ height: 1fr; }}
    #side {{ height: auto; }}
    #log {{ height: auto; max-height: 4; border-top: solid $panel; }}
    #prompt {{ height: auto; max-height: 7; border-top: solid $panel; }}
    #choices {{ height: auto; max-height: 7; border: none; padding: 0; background: transparent; }}
    #choices > .option-list--option-highlighted {{
        color: $block-cursor-foreground; background: $block-cursor-background; text-style: $block-cursor-text-style;
    }}
    #typed, #keys {{ border: none; height: 1; }}
    #body.-tall #log {{ max-height: 8; }}
    #body.-tall #choices {{ max-height: 16; }}
    #body.-wide {{ layout: horizontal; }}
    #body.-wide #board {{ width: {_BOARD + 2}; height: 100%; }}
    #body.-wide #side {{ width: 1fr; height: 100%; border-left: solid $panel; }}
    #body.-wide #log {{ max-height: 35%; border-top: none; }}
    #body.-wide #choices {{ height: 1fr; max-height: 100%; }}
    #leaf {{ width: 90%; max-width: 90; height: 90%; border: round $accent; background: $surface; }}
    #sure {{ width: 70%; max-width: 70; height: auto; border: round $accent; background: $surface; padding: 1 2; }}
    Leaf, Sure {{ align: center middle; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "leave", show=False, priority=True),
        Binding("pageup", "turn_board(-1)", show=False, priority=True),
        Binding("pagedown", "turn_board(1)", show=False, priority=True),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("escape", "step_back", show=False),
    ]
    COMMAND_KEYS = (("f1", "help"), ("f2", "rules"), ("f3", "card"), ("f4", "log"), ("f5", "undo"), ("f10", "quit"))

    def __init__(self, words: Words, play: Callable[[FullScreen], None]) -> None:
        super().__init__()
        self.words = words
        self.play = play
        self.answers: Queue[Answer] = Queue()
        self.shown: Page | None = None
        self.question: Prompt | None = None
        self.error: BaseException | None = None
        self.last_words: list[str] = []
        """Messages printed again after the full screen is closed."""
        self.written_for = (0, 0)
        """Widths of board and choices for which the current question was laid out."""
        self.is_closed = False
        self.has_ended = False
        self.is_listening = False
        """True if the session waits for an answer; earlier key presses cannot answer a question not yet shown."""
        for key, command in self.COMMAND_KEYS:
            self.bind(key, f"command('{command}')", show=False)

    def _say(self, key: str) -> str:
        return self.words.text(Message(f"screen.{key}"))

    # ---- layout

    def compose(self) -> ComposeResult:
        """Yield title, board, log, question, choices, input line and keys."""
        yield Static(id="title")
        with Vertical(id="body"):
            with VerticalScroll(id="board", can_focus=False):
                yield Static(id="position")
            with Vertical(id="side"):
                with VerticalScroll(id="log", can_focus=False):
                    yield Static(id="log-lines")
                yield Static(id="prompt")
                choices = OptionList(id="choices", compact=True)
                choices.can_focus = False
                yield choices
        yield CommandLine(placeholder=self._say("type"), id="typed", compact=True, select_on_focus=False)
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Start the game in its thread."""
        self._arrange(self.size.width, self.size.height)
        self._name_keys()
        self.query_one("#typed", CommandLine).focus()
        self.run_worker(self._play, thread=True, exit_on_error=False)

    def _play(self) -> None:
        try:
            self.play(self)
        except BaseException as error:  # raised again by `play_on_full_screen` after the screen is closed
            self.error = error
        self.has_ended = True

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Exit when the session has ended."""
        if event.worker.is_finished:
            self.exit()

    def on_resize(self, event: Resize) -> None:
        """Lay out everything again for the new width."""
        self._arrange(event.size.width, event.size.height)
        self.call_later(self._draw_anew)  # when the application itself knows its new size

    def _draw_anew(self, *_: object) -> None:
        """Let the session write the question for the current width, unless a modal screen covers it."""
        if self.question is not None and len(self.screen_stack) == 1 and self.written_for != self._widths():
            self.answer("")

    def _widths(self) -> tuple[int, int]:
        return self.width, self.menu_width

    def _arrange(self, width: int, height: int) -> None:
        body = self.query_one("#body")
        body.set_class(width >= WIDE, "-wide")
        body.set_class(height >= 40, "-tall")

    def _name_keys(self) -> None:
        keys = [
            f"[@click=app.command('{command}')]{key.upper()} {self._say(f'key.{command}')}[/]"
            for key, command in self.COMMAND_KEYS
        ]
        self.query_one("#keys", Static).update(" " + " · ".join(keys))
        self.query_one("#typed", CommandLine).placeholder = self._say("type")

    def answer(self, answer: str) -> None:
        """Answer the session, if it waits for an answer."""
        if self.is_listening:
            self.is_listening = False
            self.answers.put(answer)

    def on_unmount(self) -> None:
        """Release the session's thread when the screen has closed for any reason."""
        self.is_closed = True
        self.answers.put(_GONE)

    # ---- called by the session

    def _draw(self, draw: Callable[..., object], *args: object, **options: object) -> None:
        """Run a function in the application's thread, while the application is running."""
        if not self.is_closed:
            self.call_from_thread(draw, *args, **options)

    def speak(self, words: Words) -> None:
        self.words = words
        self._draw(self._name_keys)

    @property
    def width(self) -> int:
        return _BOARD if self.size.width >= WIDE else max(self.size.width - 2, 40)

    @property
    def menu_width(self) -> int:
        return max(self.size.width - _BOARD - 8 if self.size.width >= WIDE else self.size.width - 2, 36)

    def page(self, page: Page) -> None:
        self._draw(self._page, page)
        if page.result:
            self.last_words.append(page.result)
            self._answer()

    def ask(self, question: Prompt) -> None:
        self._draw(self._ask, question)

    def leaf(self, parts: Sequence[RenderableType]) -> None:
        self._draw(self._leaf, parts)

    def complain(self, text: str) -> None:
        self._draw(self._complain, text)

    def tell(self, text: str) -> None:
        self.last_words.append(text)
        self._draw(self.notify, text, markup=False)

    def read(self, prompt: str = "") -> str:  # noqa: ARG002 - the question says what to type
        return self._answer()

    def read_text(self, prompt: str) -> str:
        question, self.question = self.question, None
        self._draw(self._prompt, prompt)
        text = self._answer()
        if question is not None:
            self._draw(self._ask, question)
        return text

    def _answer(self) -> str:
        self.is_listening = True
        answer = self.answers.get()
        if answer is _GONE:
            self.answers.put(_GONE)  # also answers all later questions
            raise EOFError
        return str(answer)

    def confirm(self, question: str, yes: str, no: str, otherwise: str) -> bool:  # noqa: ARG002 - there are no other answers
        self._draw(self.push_screen, Sure(question, (("yes", yes), ("no", no)), self.answer))
        while True:
            answer = self._answer()
            if answer in ("yes", "no"):
                return answer == "yes"

    def hand_over(self, text: Text) -> None:
        self._draw(self._blank)
        self._draw(self.push_screen, Sure(text.plain, (("", self._say("go_on")),), self.answer))
        self._answer()

    # ---- in the application's own thread

    def _page(self, page: Page) -> None:
        self.shown = page
        title = Text(f" {page.title}  ", "bold reverse").append(f"{page.you} ")
        self.query_one("#title", Static).update(Group(one_line(title), *[Text(note, "italic") for note in page.notes]))
        parts = [*page.position, *page.hands, *page.ending]
        self.query_one("#position", Static).update(Group(*parts))
        log = [line.copy() for line in page.log[-max(page.new, 30) :]]
        for line in log[: max(len(log) - page.new, 0)]:
            line.stylize(QUIET)
        self.query_one("#log-lines", Static).update(Group(*log))
        self.query_one("#log", VerticalScroll).scroll_end(animate=False)
        self.query_one("#board", VerticalScroll).scroll_home(animate=False)
        if page.question is not None:
            self._ask(page.question)
        else:
            self.question = None
            self.query_one("#prompt", Static).update(Text(page.result, "bold reverse"))
            self._offer([Option(self._say("close"), "")])

    def _ask(self, question: Prompt) -> None:
        self.question = question
        self.written_for = self._widths()
        menu = question.menu
        self._print_question(question)
        options = []
        for item in menu.offered:
            lines = wrapped(item.label.plain, self.menu_width - 8)
            label = item.label if len(lines) == 1 else Text("\n    ".join(lines))
            first = Text(f"{item.key:>2}  ", "bold") + label
            options.append(Option(Text("\n    ").join([first, *item.below]), item.key))
        if menu.is_part:
            options.append(Option(Text(f"    {self._say('back')}", QUIET), ""))
        self._offer(options)

    def _print_question(self, question: Prompt, complaint: str = "") -> None:
        lines = [Text(question.text, "bold"), *question.menu.heading]
        if complaint:
            lines.append(Text(f"! {complaint}", "bold yellow"))
        self.query_one("#prompt", Static).update(Group(*lines))

    def _complain(self, text: str) -> None:
        if self.question is not None:
            self._print_question(self.question, text)

    def _offer(self, options: Sequence[Option]) -> None:
        choices = self.query_one("#choices", OptionList)
        choices.clear_options()
        choices.add_options(options)
        choices.highlighted = 0 if options else None
        self.query_one("#typed", CommandLine).value = ""

    def _prompt(self, prompt: str) -> None:
        self.query_one("#prompt", Static).update(Text(prompt, "bold"))
        self._offer([])

    def _leaf(self, parts: Sequence[RenderableType]) -> None:
        if any(not isinstance(part, Text) or part.plain.strip() for part in parts):
            self.push_screen(Leaf(parts, self._say("close_leaf")), self._draw_anew)

    def _blank(self) -> None:
        for id in ("#title", "#position", "#log-lines", "#prompt"):
            self.query_one(id, Static).update("")
        self.query_one("#choices", OptionList).clear_options()

    # ---- user input

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Answer with the key of the selected line."""
        self.answer(event.option_id or "")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with the typed line, as in line mode, or with the highlighted choice if nothing is typed."""
        choices = self.query_one("#choices", OptionList)
        if event.value or choices.highlighted is None:
            self.answer(event.value)
        else:
            self.answer(choices.get_option_at_index(choices.highlighted).id or "")

    def action_move(self, steps: int) -> None:
        """Highlight the next choice, or the one before."""
        if len(self.screen_stack) == 1:
            choices = self.query_one("#choices", OptionList)
            (choices.action_cursor_down if steps > 0 else choices.action_cursor_up)()

    def action_command(self, command: str) -> None:
        """Send the command of a function key."""
        if len(self.screen_stack) == 1 and self.question is not None:
            self.answer(command)

    def action_step_back(self) -> None:
        """Leave the input line, or a sub-menu of the choices."""
        typed = self.query_one("#typed", CommandLine)
        if typed.value:
            typed.value = ""
        elif self.question is not None and self.question.menu.is_part:
            self.answer("")

    def action_turn_board(self, pages: int) -> None:
        """Scroll the board, or the page in front of it."""
        above = self.screen.query(VerticalScroll).first()
        above.scroll_relative(y=pages * max(above.size.height - 1, 1), animate=False)

    def action_leave(self) -> None:
        """Leave as Ctrl-C does in line mode; saved data stays saved."""
        self.answers.put(_GONE)


def play_on_full_screen(words: Words, play: Callable[[FullScreen], None]) -> None:
    """Run the game on the full screen; afterwards print the messages worth keeping."""
    app = FullScreen(words, play)
    app.run()
    console = Console(highlight=False)
    for line in app.last_words:
        console.print(Text(line), soft_wrap=True)
    if app.error is not None:
        raise app.error
