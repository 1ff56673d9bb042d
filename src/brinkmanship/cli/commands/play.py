"""``brink play``: a game in the terminal, against the computer or a friend at the same screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console

from brinkmanship.cli import command
from brinkmanship.cli.commands.show import GameId
from brinkmanship.cli.journal_ruleset import ruleset_of
from brinkmanship.cli.options import Cards, OptionTexts, Seed, chosen_options, side_number
from brinkmanship.engine import commit_reveal, journal
from brinkmanship.engine.continuation import given
from brinkmanship.engine.continuation import headers as headers_of_given
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import FULL_INFORMATION, Game
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.message import Message
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.registry import load_game
from brinkmanship.players import Player, opponents_for, usual_opponent
from brinkmanship.terminal.campaign import CampaignSession, path_of, saved_games
from brinkmanship.terminal.line_ui import LineScreen, prepare_input
from brinkmanship.terminal.saved_game import SavedGame
from brinkmanship.terminal.screen import Screen
from brinkmanship.terminal.session import Session
from brinkmanship.terminal.words import Language, checked_language, terminal_words
from brinkmanship.text import Words

BOTH = "both"


@command(
    "brink play 13-days",
    "brink play 13-days --side ussr --against random --lang ru",
    "brink play 13-days --side both --save evening.brink",
    "brink play 13-days --load evening.brink --save evening.brink",
    "brink play 13-days --load evening.brink --at 60 --side us",
    "brink play 13-minutes --campaign",
)
def play(
    game: GameId,
    side: Annotated[str | None, typer.Option("--side")] = None,
    against: Annotated[str | None, typer.Option("--against")] = None,
    lang: Language = "en",
    seed: Seed = None,
    option: OptionTexts = None,
    cards: Cards = None,
    save: Annotated[Path | None, typer.Option("--save")] = None,
    load: Annotated[Path | None, typer.Option("--load")] = None,
    at: Annotated[int | None, typer.Option("--at", min=0)] = None,
    same_chance: Annotated[bool, typer.Option("--same-chance")] = False,
    plain: Annotated[bool, typer.Option("--plain")] = False,
    campaign: Annotated[
        bool,
        typer.Option("--campaign"),
    ] = False,
) -> None:
    """Play a game in the terminal. Type ? there for help.

    A saved game is a journal: plain text with all cards dealt so far, including those hidden from you.
    """
    checked_language(lang)
    if campaign:
        _play_campaign(game, side, against, lang, seed, option, cards, save, load, plain)
        return
    record = journal.read(load) if load is not None else None
    if record is not None and record.game_id != game:
        raise journal.other_game(record, game)
    if record is not None and option:
        raise OptionError(Message("fault.command.option_load"))
    ruleset = ruleset_of(record, cards) if record is not None else load_game(game, cards, chosen_options(option))
    if at is not None or same_chance:
        _play_on(record, load, ruleset, _From(at, same_chance), _Wish(side, against, lang, seed, save, plain))
        return
    saved = SavedGame(Match(ruleset), save) if record is None else SavedGame.loaded(record, ruleset, save)
    seats = _seats(ruleset, side, against, saved.headers, seed)
    if save is not None:
        _check_writable(save, load)

    def run(screen: Screen) -> None:
        Session(saved, seats, dealer(seed), lang, screen).run()

    _show(terminal_words(ruleset, lang), plain, run)


class _From(NamedTuple):
    """The position where a recorded game is continued."""

    at: int | None
    same_chance: bool


class _Wish(NamedTuple):
    """The options of the command for a continued game."""

    side: str | None
    against: str | None
    lang: str
    seed: int | None
    save: Path | None
    plain: bool


def _play_on(record: journal.Journal | None, load: Path | None, ruleset: Game, where: _From, wish: _Wish) -> None:
    """Continue a recorded game from a position as a new game."""
    if record is None or load is None or where.at is None:
        raise OptionError(Message("fault.command.at_load"))
    whole = journal.play(record, ruleset)
    taken = given(Perspective(whole, FULL_INFORMATION), where.at)
    match = whole.until(len(taken))
    key = commit_reveal.key_of(record, ruleset) if where.same_chance else None
    fresh = dealer(wish.seed)
    seats = _seats(ruleset, wish.side, wish.against, {}, wish.seed)
    if wish.save is not None:
        _check_writable(wish.save, None)
    saved = SavedGame(match, wish.save, headers_of_given(taken, load.name), given=len(taken))

    def deal(count: int) -> int:
        return fresh(count) if key is None else commit_reveal.number_below(key, len(match.entries), count)

    def run(screen: Screen) -> None:
        Session(saved, seats, deal, wish.lang, screen).run()

    _show(terminal_words(ruleset, wish.lang), wish.plain, run)


def _play_campaign(
    game: str,
    side: str | None,
    against: str | None,
    lang: str,
    seed: int | None,
    option: list[str] | None,
    cards: Path | None,
    save: Path | None,
    load: Path | None,
    plain: bool,
) -> None:
    saved = saved_games(load, game) if load is not None else []
    if saved and option:
        raise OptionError(Message("fault.command.option_load"))
    ruleset = ruleset_of(saved[0], cards) if saved else load_game(game, cards, chosen_options(option))
    seats = _seats(ruleset, side, against, dict(saved[0].headers) if saved else {}, seed)
    if save is not None:
        last = path_of(save, max(len(saved), 1))
        _check_writable(last, None if load is None else path_of(load, len(saved)))
        if path_of(save, len(saved) + 1).exists():
            raise OptionError(Message("fault.command.next_there", {"file": str(path_of(save, len(saved) + 1))}))
    person = seats.index(None)
    first_sides = (person, 1 - person)
    _show(
        terminal_words(ruleset, lang),
        plain,
        lambda screen: CampaignSession(ruleset, seats, first_sides, dealer(seed), lang, screen, save, saved).run(),
    )


def _show(words: Words, plain: bool, game: Callable[[Screen], None]) -> None:
    """Run the game in the full-screen interface if there is a terminal and `plain` is false, otherwise line by line."""
    if plain or os.environ.get("TERM") in (None, "", "dumb") or not (sys.stdin.isatty() and sys.stdout.isatty()):
        prepare_input()
        game(LineScreen(Console(highlight=False)))
        return
    from brinkmanship.terminal.full_screen import play_on_full_screen  # imported here so that pipes start faster

    play_on_full_screen(words, game)


def _seats(
    game: Game, side: str | None, against: str | None, headers: dict[str, str], seed: int | None
) -> list[Player | None]:
    """Return the computer player of each side, None for a user: as requested, otherwise as in the saved game."""
    if side == BOTH and against is not None:
        raise OptionError(Message("fault.command.against_both"))
    saved = [headers.get(name, "") for name in game.sides]
    computers = [name if name in opponents_for(game) else None for name in saved]
    if side is None and any(saved) and None in computers:
        if against is not None:
            computers = [name and against for name in computers]
    else:
        people = range(len(game.sides)) if side == BOTH else [side_number(game, side or game.sides[0], [BOTH])]
        computers = [
            None if number in people else against or name or usual_opponent(game)
            for number, name in enumerate(computers)
        ]
    if against is not None and against not in computers:
        _player(against, game, seed)  # raises for an unknown name
        raise OptionError(Message("fault.command.against_people"))
    return [_player(name, game, seed) if name is not None else None for name in computers]


def _player(name: str, game: Game, seed: int | None) -> Player:
    """Return a computer player named as requested, e.g. `level:3`, so that a saved game finds it again."""
    from brinkmanship.players.lab_players import load_lab_player  # it loads Numba

    player = load_lab_player(name, game, seed)
    vars(player)["name"] = name
    return player


def _check_writable(save: Path, load: Path | None) -> None:
    """Raise before the game begins if the save file cannot be written, or if it contains another game."""
    folder = save.parent
    if not folder.is_dir():
        raise OptionError(Message("fault.command.no_folder", {"option": "--save", "folder": str(folder)}))
    if save.is_dir() or not os.access(save if save.exists() else folder, os.W_OK) or not os.access(folder, os.W_OK):
        raise OptionError(Message("fault.command.not_writable", {"file": str(save)}))
    if save.exists() and save.stat().st_size and not (load is not None and load.exists() and save.samefile(load)):
        raise OptionError(Message("fault.command.save_there", {"file": str(save)}))
