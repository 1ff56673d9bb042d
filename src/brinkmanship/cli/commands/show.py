"""``brink games``, ``brink cards``, ``brink rulings``: the available games, their cards and rulings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from brinkmanship.cli import command
from brinkmanship.cli.options import AsJson, Cards, OptionTexts, chosen_options
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message, Ref
from brinkmanship.games.registry import game_class, kit_for, kits, load_game
from brinkmanship.terminal.rules import ruling_lines
from brinkmanship.terminal.style import MARKS, NEUTRAL_MARK, NEUTRAL_STYLE, QUIET, SIDE_STYLES
from brinkmanship.terminal.words import DOMAIN, Language, checked_language, terminal_words
from brinkmanship.text import (
    LANGUAGES,
    AgendaText,
    CardText,
    MissingTextError,
    Words,
    agendas_of,
    cards_of,
    rulings_of,
    status_of,
    words_for,
)

GameId = Annotated[str, typer.Argument(metavar="GAME")]


@command("brink games", "brink games --lang de", "brink games --json")
def games(lang: Language = "en", as_json: AsJson = False) -> None:
    """List the games."""
    words = Words(checked_language(lang), (DOMAIN,))
    if as_json:
        print(json.dumps([_game_json(game_id) for game_id in kits()], ensure_ascii=False))
        return
    console = Console(highlight=False)
    for game_id in kits():
        console.print(Text(f"{game_id:<18}", "bold").append(title_of(words, game_id), "not bold"))
    console.print(Text(words.text(Message("show.try", {"game": next(iter(kits()))})), QUIET))


def title_of(words: Words, game_id: str) -> str:
    """Return the title of a game in the user's language, or as given by its package."""
    try:
        return words.text(Message(f"game.{game_id}"))
    except MissingTextError:  # a game of another package
        return game_class(game_id).title


def _game_json(game_id: str) -> dict[str, Any]:
    game = load_game(game_id)
    return {
        "id": game_id,
        "title": {language: title_of(Words(language), game_id) for language in LANGUAGES},
        "rules_version": game_class(game_id).version,
        "sides": game.sides,
        "options": {
            name: {"values": values, "default": game.default_options[name]}
            for name, values in game.option_values().items()
        },
    }


@command(
    "brink cards 13-days",
    "brink cards 13-days --lang ru",
    "brink cards 13-days --data > my.toml",
    "brink cards 13-days --cards my.toml --json",
)
def cards(
    game: GameId,
    lang: Language = "en",
    option: OptionTexts = None,
    cards: Cards = None,
    data: Annotated[bool, typer.Option("--data")] = False,
    status: Annotated[bool, typer.Option("--status")] = False,
    as_json: AsJson = False,
) -> None:
    """Show all cards of a game, with the texts generated from their data."""
    if data and as_json:
        raise OptionError(Message("fault.command.data_json"))
    ruleset = load_game(game, cards, chosen_options(option))
    words = terminal_words(ruleset, lang)
    if data:
        print(_data_text(ruleset), end="")
    elif as_json:
        print(json.dumps(_cards_json(ruleset, words), ensure_ascii=False, default=str))  # days as "1962-10-22"
    else:
        console = Console(highlight=False)
        for part in _status(ruleset, words) if status else _catalogue(ruleset, words):
            console.print(part)


def _data_text(game: Game) -> str:
    """Return the data file that the ruleset was loaded from."""
    if game.data_file:
        return Path(game.data_file).read_text(encoding="utf-8-sig")
    return kit_for(game).folder.joinpath(game.own_data).read_text(encoding="utf-8")


def _cards_json(game: Game, words: Words) -> dict[str, Any]:
    return {
        "game": game.id,
        "cards": [card._asdict() for card in cards_of(game, words)],
        "agendas": [agenda._asdict() for agenda in agendas_of(game, words)],
    }


def _catalogue(game: Game, words: Words) -> Iterator[RenderableType]:
    def say(key: str, **args: int | Ref) -> str:
        return words.sentence(Message(f"show.{key}", args))

    listed = cards_of(game, words)
    if not listed:
        yield Text(say("cards.none"))
    for side, group in groupby(listed, lambda card: card.side):
        found = list(group)
        mark, style = _mark(game, side)
        title = say("cards", side=Ref("side", side), n=len(found)) if side else say("cards.no_side", n=len(found))
        yield Text(f"{mark} ", style).append(title, "bold underline")
        for card in found:
            yield Padding(_card_title(card, mark, style), (0, 0, 0, 2))
            yield Padding(Text(card.text), (0, 0, 0, 6))
        yield Text()
    agendas = agendas_of(game, words)
    if not agendas:
        return
    yield Text(say("agendas", n=sum(agenda.copies for agenda in agendas)), "bold underline")
    for agenda in agendas:
        yield Padding(_agenda_title(agenda), (0, 0, 0, 2))
        yield Padding(Text(agenda.text), (0, 0, 0, 6))
    yield Text()
    yield Text(say("legend"), QUIET)


def _status(game: Game, words: Words) -> Iterator[RenderableType]:
    """Yield each card, or other record of the data file, with the certainty mark of each field."""
    for record in status_of(game, words):
        yield Text(f"{record.name}  " if record.name else "", "bold").append(record.id, QUIET)
        for mark, fields in groupby(sorted(record.fields, key=record.fields.__getitem__), record.fields.__getitem__):
            yield Text(f"  {words.text(Message(f'show.status.{mark}'))}: {', '.join(fields)}")


def _mark(game: Game, side: str) -> tuple[str, str]:
    if side not in game.sides:
        return NEUTRAL_MARK, NEUTRAL_STYLE
    number = game.sides.index(side)
    return MARKS[number], SIDE_STYLES[number]


def _card_title(card: CardText, mark: str, style: str) -> Text:
    value = f"{mark}{card.cubes}{'D' if card.icon else ' '} " if card.cubes is not None else ""
    return Text(value, style).append(card.name, "bold").append(f"  {card.id}", QUIET)


def _agenda_title(agenda: AgendaText) -> Text:
    title = Text("D " if agenda.icon else "", "bold").append(agenda.name, "bold")
    return title.append(f"  ×{agenda.copies}" if agenda.copies > 1 else "").append(f"  {agenda.id}", QUIET)


@command("brink rulings 13-days", "brink rulings 13-days --lang pl", "brink rulings 13-days --json")
def rulings(game: GameId, lang: Language = "en", cards: Cards = None, as_json: AsJson = False) -> None:
    """Show how points that the printed rules leave open are decided, and the options that change them."""
    ruleset = load_game(game, cards)
    words = words_for(ruleset, checked_language(lang))
    found = rulings_of(ruleset, words)
    if as_json:
        listed = [{**ruling._asdict(), "values": [value._asdict() for value in ruling.values]} for ruling in found]
        print(json.dumps(listed, ensure_ascii=False))
        return
    console = Console(highlight=False)
    if not found:
        console.print(Text(terminal_words(ruleset, lang).sentence(Message("show.rulings.none"))))
    for topic, group in groupby(found, lambda ruling: ruling.topic):
        console.print(Text(topic[:1].upper() + topic[1:], "bold underline"))
        for ruling in group:
            for line in ruling_lines(ruleset, words, ruling):
                console.print(line)
        console.print()
