"""`brink play` on the whole screen: whole games by keys, typed lines, leaves, undo, hidden hands."""

from __future__ import annotations

import asyncio
import os
import pty
import random
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from brinkmanship.engine import journal
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.state import CardIs
from brinkmanship.players import load_player
from brinkmanship.terminal.full_screen import FullScreen, Leaf, Sure
from brinkmanship.terminal.saved_game import SavedGame
from brinkmanship.terminal.session import Session
from brinkmanship.terminal.words import terminal_words
from support.loops import run_in_thread

GAMES = ("13-days", "13-minutes", "ukrainian-crisis")

KEYS_PRESSED = 10
"""So many decisions of a whole game are made by pressing keys; the others by what the keys do."""

By = Callable[[FullScreen, Pilot[None]], Awaitable[None]]


def play(
    by: By,
    game_id: str = "13-days",
    seats: tuple[str | None, str | None] = (None, "random"),
    language: str = "en",
    size: tuple[int, int] = (80, 24),
    save: Path | None = None,
) -> tuple[FullScreen, Match]:
    """A game that a person plays by keys."""
    game = load_game(game_id)
    match = Match(game)
    players = [load_player(name, game, seed) if name else None for seed, name in enumerate(seats)]
    app = FullScreen(
        terminal_words(game, language),
        lambda screen: Session(SavedGame(match, save), players, dealer(4), language, screen).run(),
    )

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await asked(app, pilot)
            try:
                await by(app, pilot)
            finally:
                app.action_leave()
                while not app.has_ended:
                    await asyncio.sleep(0.001)

    run_in_thread(run())
    if app.error is not None:
        raise app.error
    return app, match


async def asked(app: FullScreen, pilot: Pilot[None]) -> None:
    """Wait until the person is asked, or the game is left."""
    while not app.has_ended and not app.is_listening:
        await pilot.pause(0.001)
    await pilot.pause()


async def press(app: FullScreen, pilot: Pilot[None], *keys: str) -> None:
    """Press keys one after the other."""
    await pilot.press(*keys)
    await asked(app, pilot)


def seen(app: FullScreen) -> str:
    """What stands on the screen."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


@pytest.mark.parametrize(("game_id", "size"), [(GAMES[0], (80, 24)), (GAMES[1], (140, 45)), (GAMES[2], (80, 50))])
def test_a_whole_game_is_played_by_arrow_keys(tmp_path: Path, game_id: str, size: tuple[int, int]) -> None:
    saved = tmp_path / "game.brink"
    dice = random.Random(3)

    async def by(app: FullScreen, pilot: Pilot[None]) -> None:
        decisions = 0
        while app.shown is None or not app.shown.result:
            choices = app.query_one("#choices", OptionList)
            down = dice.randrange(min(choices.option_count, 4))
            decisions += 1
            if decisions <= KEYS_PRESSED:
                await press(app, pilot, *["down"] * down, "enter")
                continue
            app.answer(choices.get_option_at_index(down).id or "")  # the same without drawing between keys
            while not app.is_listening:
                await asyncio.sleep(0.001)
        await pilot.pause()
        assert app.shown.result in seen(app)
        await press(app, pilot, "enter")

    app, match = play(by, game_id, size=size, save=saved)
    assert match.is_over
    assert journal.play(journal.read(saved), load_game(game_id)).is_over
    assert app.last_words[0]  # who has won is still said on the ordinary terminal


def test_a_line_may_be_typed_as_in_the_line_mode() -> None:
    async def by(app: FullScreen, pilot: Pilot[None]) -> None:
        await press(app, pilot, "2", "enter")
        assert len(app.query_one("#typed", Input).value) == 0
        await pilot.press("n", "o", "t", "h", "i", "n", "g", "enter")
        await asked(app, pilot)
        assert "does not match any choice" in seen(app)

    _, match = play(by)
    assert [entry.text for entry in match.entries if entry.actor == 0] != []


def test_keys_that_arrive_together_are_one_line() -> None:
    async def by(app: FullScreen, pilot: Pilot[None]) -> None:
        for key, character in (("3", "3"), ("enter", "\r"), ("4", "4"), ("enter", "\r")):
            app.post_message(Key(key, character))  # as from a paste: the second comes before the first has an effect
        await pilot.pause()
        await asked(app, pilot)

    _, match = play(by, "13-minutes")
    assert next(entry.text for entry in match.entries if entry.actor == 0) == "bid 3"


def test_a_file_is_never_named_by_the_highlighted_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def by(app: FullScreen, pilot: Pilot[None]) -> None:
        await press(app, pilot, *"save", "enter")
        await press(app, pilot, "enter")
        assert app.question is not None
        assert app.query_one("#choices", OptionList).option_count > 1

    play(by)
    assert [*tmp_path.iterdir()] == []


def test_keys_show_help_rules_cards_and_log_and_go_back() -> None:
    async def by(app: FullScreen, pilot: Pilot[None]) -> None:
        for key, words in (("f1", "take back your last decision"), ("f2", "Agendas"), ("f4", "DEFCON markers move")):
            await press(app, pilot, key)
            assert isinstance(app.screen, Leaf)
            assert words in seen(app)
            await press(app, pilot, "escape")
            assert not isinstance(app.screen, Leaf)
        await press(app, pilot, "enter")
        await press(app, pilot, "f3")
        assert "Your hand" in seen(app)

    play(by)


def test_a_part_of_the_choices_is_left_by_escape_and_undo_takes_back() -> None:
    def mine() -> list[str]:
        return [entry.text for entry in match.entries if entry.actor == 0]

    async def by(app: FullScreen, pilot: Pilot[None]) -> None:
        await press(app, pilot, "enter")
        assert "Turn" in seen(app) or "turn" in seen(app)
        await press(app, pilot, "enter")
        assert "Which one?" in seen(app)
        await press(app, pilot, "escape")
        assert "Which one?" not in seen(app)
        await press(app, pilot, "f5")
        assert "Nothing to take back" in seen(app)

    _, match = play(by)
    assert len(mine()) == 1


def test_the_other_hand_is_never_on_a_shared_screen() -> None:
    game = load_game("13-days")
    assert isinstance(game, ThirteenDays)
    looked: list[int] = []

    async def by(app: FullScreen, pilot: Pilot[None]) -> None:
        while len(looked) < 12:
            shown = seen(app)
            if isinstance(app.screen, Sure):
                assert not any(card.names["en"] in shown for card in game.data.card)
            elif app.shown is not None:
                side = int("USSR" in app.shown.you)
                looked.append(side)
            await press(app, pilot, "enter")

    play(by, seats=(None, None))
    assert set(looked) == {0, 1}


def test_whoever_quits_is_asked_whether_to_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def by(app: FullScreen, pilot: Pilot[None]) -> None:
        await press(app, pilot, "enter")
        await press(app, pilot, "f10")
        assert isinstance(app.screen, Sure)
        await press(app, pilot, "enter")
        await press(app, pilot, *"evening.brink", "enter")

    app, _ = play(by)
    assert journal.read(tmp_path / "evening.brink").game_id == "13-days"
    assert app.last_words == ["Saved: evening.brink"]


@pytest.mark.parametrize("language", ["ru", "de", "pl"])
def test_everything_around_the_game_is_in_the_language_that_is_played_in(language: str) -> None:
    async def by(app: FullScreen, pilot: Pilot[None]) -> None:
        await press(app, pilot, *"lang", "space", *language, "enter")
        words = terminal_words(load_game("13-days"), language)
        for key in ("help", "rules", "undo"):
            assert words.text(Message(f"screen.key.{key}")) in seen(app)
        assert "F1 help" not in seen(app)

    play(by)


@pytest.mark.process
@pytest.mark.parametrize(
    ("terminal", "options", "is_full"), [("xterm", [], True), ("dumb", [], False), ("xterm", ["--plain"], False)]
)
def test_the_whole_screen_is_used_in_a_terminal_that_can(terminal: str, options: list[str], is_full: bool) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "brinkmanship", "play", "13-days", "--against", "random", *options]
    environment = {**os.environ, "TERM": terminal, "COLUMNS": "80", "LINES": "24", "NO_COLOR": "1"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        while b"DEFCON" not in shown:
            shown += os.read(ours, 4096)
        os.write(ours, b"\x11" if is_full else b"quit\nno\n")
        try:
            while more := os.read(ours, 4096):
                shown += more
        except OSError:  # Linux's way of saying that the other end is closed
            pass
    os.close(ours)
    assert process.returncode == 0
    assert (b"\x1b[?1049h" in shown) == is_full
    assert not re.search(rb"\x1b\[[0-9;]*3[1-6]m", shown)  # NO_COLOR


def test_the_other_cards_stay_hidden_on_the_whole_screen() -> None:
    game = load_game("13-days")
    assert isinstance(game, ThirteenDays)

    async def by(app: FullScreen, pilot: Pilot[None]) -> None:
        for _ in range(10):
            state = match_of[0].state
            theirs = [card for n, card in enumerate(game.data.card) if state.card[n] == CardIs.IN_HAND + 1]
            assert not any(card.names["en"] in seen(app) for card in theirs)
            await press(app, pilot, "enter")

    match_of: list[Match] = []
    original = Match.__init__

    def keep(self: Match, *args: object, **kwargs: object) -> None:
        original(self, *args, **kwargs)  # type: ignore[arg-type]
        match_of.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Match, "__init__", keep)
        play(by, size=(140, 50))


async def widened(app: FullScreen, pilot: Pilot[None], width: int, height: int) -> None:
    """Another size of the terminal, and all that follows from it."""
    await pilot.resize_terminal(width, height)
    while app.size.width != width or (len(app.screen_stack) == 1 and app.written_for != (app.width, app.menu_width)):
        await pilot.pause(0.001)
    await pilot.pause()
    await asked(app, pilot)


def broadest(app: FullScreen) -> int:
    """The longest line of the choices as they were written."""
    choices = app.query_one("#choices", OptionList)
    prompts = [str(choices.get_option_at_index(at).prompt) for at in range(choices.option_count)]
    return max(len(line) for prompt in prompts for line in prompt.splitlines())


def test_another_size_of_the_terminal_writes_the_choices_anew_also_when_a_leaf_lay_before_them() -> None:
    async def by(app: FullScreen, pilot: Pilot[None]) -> None:
        assert broadest(app) > 60
        await widened(app, pilot, 124, 40)
        assert broadest(app) <= app.menu_width
        await press(app, pilot, "f2")
        await widened(app, pilot, 80, 24)
        assert isinstance(app.screen, Leaf)
        await press(app, pilot, "escape")
        await asked(app, pilot)
        assert broadest(app) > 60

    play(by, language="ru")


def test_another_size_of_the_terminal_shows_nobody_the_hand_of_the_other() -> None:
    async def by(app: FullScreen, pilot: Pilot[None]) -> None:
        while not isinstance(app.screen, Sure):
            await press(app, pilot, "enter")
        await widened(app, pilot, 124, 40)
        assert isinstance(app.screen, Sure)
        assert app.query_one("#choices", OptionList).option_count == 0

    play(by, seats=(None, None))
