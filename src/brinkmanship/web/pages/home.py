"""The first page: start a game in one click, games that go on, tables to join; invitations; the language."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, NamedTuple
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup

from brinkmanship.draw.emblems import emblem
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.options import PRESET, OptionValue
from brinkmanship.games import GAMES
from brinkmanship.players import players_for
from brinkmanship.store import repository
from brinkmanship.store.repository import ListedTable
from brinkmanship.text import LANGUAGES, MissingTextError, Words, rulings_of
from brinkmanship.text.options import option_text
from brinkmanship.web.clock import Clock
from brinkmanship.web.errors import ForbiddenError, IllegalError, NotFoundError
from brinkmanship.web.identity import LANGUAGE_COOKIE, Visitor, language_of, protected, remember, service
from brinkmanship.web.pages.play import result_text
from brinkmanship.web.pages.render import books_of, computer_name, game_words, local_path, page, page_words, title_of
from brinkmanship.web.people import Person
from brinkmanship.web.service import Plan
from brinkmanship.web.table import WAITING, LiveTable, Seat, digest

router = APIRouter()

MODES = ("computer", "same", "friend", "open")
RANDOM = "random"
Name = Annotated[str, Form(max_length=60)]


class OptionText(NamedTuple):
    """An option of a ruleset for the form."""

    name: str
    title: str
    ruling: str
    """The number of the ruling that describes it: "R42"."""
    values: list[tuple[str, str]]
    """Each value with what it means, the default first; of a range the usual ones."""
    default: str
    range: tuple[int, int] | None
    """The numbers it takes, both ends included; None where it takes only the values."""


class PresetText(NamedTuple):
    """Options that go together, for the form."""

    id: str
    title: str
    why: str
    values: str
    """Those that differ from their defaults, as JSON."""


class Offer(NamedTuple):
    """A game that can be begun here."""

    id: str
    title: str
    pitch: str
    emblem: Markup
    sides: list[tuple[int, str]]
    players: list[tuple[str, str]]
    """Computer players, the strongest first."""
    options: list[OptionText]
    presets: list[PresetText]
    preset: str
    """The one that the defaults are, or ""."""
    preset_title: str
    own_choice: str
    books: list[str]
    """What there is to read about it, as `books_of` names it."""
    has_series: bool
    """Whether games can be played in a series, as a campaign."""


class Row(NamedTuple):
    """A table in a list."""

    id: str
    title: str
    opponents: str
    my_side: str
    state: str
    is_mine_to_move: bool
    at: float


@router.get("/")
async def home(request: Request, who: Visitor) -> Response:
    """The home page."""
    engine = request.app.state.engine
    language = language_of(request, who)
    rows: dict[str, list[Row]] = {"running": [], "finished": []}
    if who is not None:
        for name, finished in (("running", False), ("finished", True)):
            listed = await asyncio.to_thread(repository.tables_of, engine, who.id, finished)
            for table in listed:
                row = listed_row(request, table, who, language)
                if table.series is not None:
                    row, finished = await series_row(request, row, table.series, language)
                    rows["finished" if finished else "running"].append(row)
                else:
                    rows[name].append(row)
    mine = {row.id for row in rows["running"]}
    waiting = await asyncio.to_thread(repository.open_tables, engine)
    return page(
        request,
        "home.html",
        who,
        offers=[_offer(request, game_id, language) for game_id in GAMES],
        clocks=clock_choices(),
        running=sorted(rows["running"], key=lambda row: not row.is_mine_to_move),
        finished=rows["finished"],
        waiting=[listed_row(request, table, who, language) for table in waiting if table.id not in mine],
    )


async def series_row(request: Request, row: Row, series_id: str, language: str) -> tuple[Row, bool]:
    """A series as one row of a list, by its latest game; and whether it is over."""
    story = await service(request).series(series_id)
    own = page_words(language)
    standing = story.series.standing
    title = own.sentence(
        Message("series.row", {"game": row.title, "first": standing.score[0], "second": standing.score[1]})
    )
    if not story.can_go_on:
        return row._replace(title=title), standing.is_over
    state = own.sentence(Message("series.can_go_on"))
    return row._replace(title=title, state=state, is_mine_to_move=True), False


def _offer(request: Request, game_id: str, language: str) -> Offer:
    game = service(request).ruleset(game_id, {})
    words, own = game_words(game, language), page_words(language)
    return Offer(
        game.id,
        title_of(game, own),
        _or_nothing(own, f"game.{game.id}.pitch"),
        Markup(emblem(game.id, ids=f"{game.id}-")),
        [(side, words.name("side", name)) for side, name in enumerate(game.sides)],
        [(player, computer_name(player, own)) for player in reversed(players_for(game))],
        _option_texts(game, words),
        [_preset(game, preset, words) for preset in game.presets()],
        game.preset or "",
        _or_nothing(words, "preset.title"),
        _or_nothing(words, "preset.own"),
        books_of(game),
        game.series() is not None,
    )


@lru_cache(64)
def _option_texts(game: Game, words: Words) -> list[OptionText]:
    rulings = {ruling.option: ruling.number for ruling in rulings_of(game, words)}
    return [_option(game, name, rulings.get(name, ""), words) for name in game.option_values()]


def _option(game: Game, name: str, ruling: str, words: Words) -> OptionText:
    default = game.default_options[name]
    values = sorted(game.option_values()[name], key=lambda value: value != default)
    return OptionText(
        name,
        _or_nothing(words, f"option.{name}") or name,
        ruling,
        [(_text(value), _meaning(words, name, value)) for value in values],
        _text(default),
        game.option_ranges().get(name),
    )


def _preset(game: Game, preset: str, words: Words) -> PresetText:
    values = {name: _text(value) for name, value in game.presets()[preset].items()}
    title, why = (_or_nothing(words, f"preset.{preset}{part}") for part in ("", ".why"))
    return PresetText(preset, title or preset, why, json.dumps(values))


def _text(value: OptionValue) -> str:
    return str(value).lower()


def _meaning(words: Words, name: str, value: OptionValue) -> str:
    try:
        return option_text(words, name, value)
    except MissingTextError:
        return ""


def _or_nothing(words: Words, key: str) -> str:
    try:
        return words.sentence(Message(key))
    except MissingTextError:
        return ""


def listed_row(request: Request, table: ListedTable, who: Person | None, language: str) -> Row:
    """A table as lists show it: with its state, or how it ended and why."""
    game = service(request).ruleset(table.game, {})
    words, own = game_words(game, language), page_words(language)
    mine = [side for side, seat in enumerate(table.seats) if who is not None and seat.person_id == who.id]
    names = [
        computer_name(seat.computer, own) if seat.computer else seat.name
        for side, seat in enumerate(table.seats)
        if side not in mine and (seat.name or seat.computer)
    ]
    my_turn = any(game.sides[side] in table.asked for side in mine) and table.status == "running"
    if table.status == "over":
        state = result_text(game, table.result, words, own)
    elif table.status == WAITING:
        state = own.sentence(Message("home.waits"))
    elif my_turn:
        state = own.sentence(Message("home.your_turn"))
    else:
        state = own.sentence(Message("home.their_turn"))
    return Row(
        table.id,
        title_of(game, own),
        ", ".join(names) or (own.sentence(Message("home.same_screen")) if len(mine) > 1 else ""),
        " · ".join(words.name("side", game.sides[side]) for side in mine),
        state,
        my_turn,
        table.finished_at or table.created_at,
    )


# Beginning a game.

LIVE_CLOCKS = ((10, 5), (20, 10), (45, 20))
"""Minutes for the game and seconds more for each decision, as offered."""
DAY_CLOCKS = (1, 3, 7)
"""Days for each decision, as offered."""


def clock_choices() -> list[tuple[str, str, dict[str, int]]]:
    """The clocks that are offered: the form's value, and the key and numbers of its words."""
    live = [(f"live {minutes} {more}", "clock.live", {"n": minutes, "more": more}) for minutes, more in LIVE_CLOCKS]
    return [("", "clock.none", {}), *live, *((f"days {days}", "clock.days", {"n": days}) for days in DAY_CLOCKS)]


def _clock(text: str) -> Clock | None:
    kind, *numbers = text.split() or [""]
    if not all(number.isdecimal() for number in numbers):
        raise IllegalError(f"there is no clock {text!r}")
    match kind, [int(number) for number in numbers]:
        case "", []:
            data: object = None
        case "live", [minutes, increment]:
            data = {"kind": kind, "minutes": minutes, "increment": increment}
        case "days", [days]:
            data = {"kind": kind, "days": days}
        case _:
            raise IllegalError(f"there is no clock {text!r}")
    try:
        return Clock.from_json(data)
    except ValueError as error:
        raise IllegalError(str(error)) from error


@router.post("/tables")
async def create_table(
    request: Request,
    who: Visitor,
    game: Annotated[str, Form(max_length=40)],
    mode: Annotated[str, Form(max_length=10)],
    side: Annotated[str, Form(max_length=10)] = RANDOM,
    player: Annotated[str, Form(max_length=40)] = "",
    name: Name = "",
    clock: Annotated[str, Form(max_length=20)] = "",
    series: Annotated[bool, Form()] = False,
) -> Response:
    """Set a table and go there; somebody new becomes a guest with the name he gave."""
    if game not in GAMES:
        raise NotFoundError(f"there is no game {game!r}")
    if mode not in MODES:
        raise IllegalError(f"a table is set for {', '.join(MODES)}")
    ruleset = service(request).ruleset(game, {})
    seats = _seats(ruleset, mode, _side(ruleset, side), player)
    options = _options(ruleset, {key: value for key, value in (await request.form()).items() if isinstance(value, str)})
    me, token = await _somebody(request, who, name)
    table, links = await service(request).create(Plan(game, seats, options, _clock(clock), series), me.id, me.name)
    response = RedirectResponse(f"/t/{table.id}", 303)
    for link in links.values():
        _keep_link(response, request, table, link)
    return _signed_in(response, request, token)


def _side(game: Game, side: str) -> int:
    if side == RANDOM:
        return secrets.randbelow(len(game.sides))
    if side.isdecimal() and int(side) < len(game.sides):
        return int(side)
    raise IllegalError(f"a side is 0 to {len(game.sides) - 1} or {RANDOM}")


def _seats(game: Game, mode: str, side: int, player: str) -> list[str]:
    other = {"computer": f"computer:{player or players_for(game)[-1]}", "same": "me"}.get(mode, mode)
    return ["me" if seat == side else other for seat in range(len(game.sides))]


def _options(game: Game, form: Mapping[str, str]) -> dict[str, OptionValue]:
    """What a form chooses: a preset, and single options that are not at their defaults."""
    chosen: dict[str, OptionValue] = {}
    if preset := form.get(f"option.{PRESET}"):
        chosen[PRESET] = preset
    ranges = game.option_ranges()
    for name, values in game.option_values().items():
        given = form.get(f"option.{name}", "").strip()
        value = given if name in ranges else next((value for value in values if given == _text(value)), "")
        if value not in ("", _text(game.default_options[name])) and value != game.default_options[name]:
            chosen[name] = value
    return chosen


async def _somebody(request: Request, who: Person | None, name: str) -> tuple[Person, str]:
    """The person who sends a form, and the token of a new session if he was a stranger until now."""
    if who is not None:
        await protected(request)
        return who, ""
    check_same_site(request)
    people = request.app.state.people
    guest, token = await asyncio.to_thread(people.add_guest, name, language_of(request))
    return guest, token


def check_same_site(request: Request) -> None:
    """Refuse a stranger's form that another site has sent.

    Raises:
        ForbiddenError: it says so itself, or its origin is another host.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        if site not in ("same-origin", "none"):
            raise ForbiddenError("the form is from another site")
        return
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise ForbiddenError("the form is from another site")


def _signed_in(response: Response, request: Request, token: str) -> Response:
    if token:
        remember(response, request, token)
    return response


def _keep_link(response: Response, request: Request, table: LiveTable, link: str) -> None:
    # The database has only a digest; the inviter's browser keeps the link until somebody has come.
    response.set_cookie(
        f"invite-{table.id}",
        link,
        max_age=30 * 24 * 3600,
        path=f"/t/{table.id}",
        httponly=True,
        samesite="lax",
        secure=request.app.state.settings.secure_cookies,
    )


# Joining one.


@router.get("/join/{table_id}")
@router.get("/join/{table_id}/{token}")
async def invitation(request: Request, who: Visitor, table_id: str, token: str = "") -> Response:
    """Who invites, and to what."""
    table = await service(request).table(table_id)
    if who is not None and table.seat_of(who.id):
        return RedirectResponse(f"/t/{table.id}", 303)
    seat = _free_seat(table, token)
    language = language_of(request, who)
    words, own = game_words(table.game, language), page_words(language)
    game = table.game
    changed = [
        option
        for option in _option_texts(game, words)
        if game.options[option.name] != game.default_options[option.name]
    ]
    return page(
        request,
        "join.html",
        who,
        status=200 if seat else 410,
        table=table,
        token=token,
        seat=seat,
        title=title_of(game, own),
        emblem=Markup(emblem(game.id)),
        side_name=words.name("side", game.sides[seat.side]) if seat else "",
        host=", ".join(other.name for other in table.seats if other.person_id),
        changed=[(option, _meaning(words, option.name, game.options[option.name])) for option in changed],
        game_id=game.id,
    )


def _free_seat(table: LiveTable, token: str) -> Seat | None:
    for seat in table.seats:
        invited = bool(token) and seat.invitation == digest(token)
        open_to_all = not token and table.is_open and seat.invitation is None
        if seat.is_free and (invited or open_to_all):
            return seat
    return None


@router.post("/join/{table_id}")
@router.post("/join/{table_id}/{token}")
async def join(request: Request, who: Visitor, table_id: str, token: str = "", name: Name = "") -> Response:
    """Sit down."""
    table = await service(request).table(table_id)
    if _free_seat(table, token) is None:
        raise ForbiddenError("this seat is taken or the invitation has already been used")
    me, session = await _somebody(request, who, name)
    table = await service(request).join(table_id, me.id, me.name, token or None)
    return _signed_in(RedirectResponse(f"/t/{table.id}", 303), request, session)


# The language.


@router.post("/language")
async def choose_language(
    request: Request,
    who: Visitor,
    language: Annotated[str, Form(max_length=5)],
    back: Annotated[str, Form(max_length=300)] = "/",
) -> Response:
    """Read everything in this language from now on."""
    check_same_site(request)
    if language not in LANGUAGES:
        raise IllegalError(f"there are the languages {', '.join(LANGUAGES)}")
    if who is not None:
        await asyncio.to_thread(request.app.state.people.set_language, who, language)
    response = RedirectResponse(local_path(back), 303)
    response.set_cookie(LANGUAGE_COOKIE, language, max_age=365 * 24 * 3600, samesite="lax")
    return response
