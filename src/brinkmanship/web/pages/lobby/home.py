"""The home page: start a game in one click, running games, open tables; invitations; the language."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from typing import Annotated, Any, Literal, NamedTuple

from markupsafe import Markup
from msgspec import Meta
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.drawing.emblem import emblem
from brinkmanship.drawing.link_preview import link_preview
from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.errors import BrinkError, DataFileError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.options import PRESET, OptionValue
from brinkmanship.games.registry import game_class, kits
from brinkmanship.players import levels_for, players_for
from brinkmanship.store import repository
from brinkmanship.store.repository import ListedTable
from brinkmanship.text import LANGUAGES, MissingTextError, Words, rulings_of
from brinkmanship.text.options import option_text
from brinkmanship.web.accounts.authentication import LANGUAGE_COOKIE, language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.forms import Name, signed_in, somebody
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.pictures import preview_of_link
from brinkmanship.web.pages.shared.rendering import books_of, local_path, page, public_url, run_in_pool
from brinkmanship.web.pages.shared.results import result_text
from brinkmanship.web.presentation.data_files import fault_of, kept_data, kind_of, own_files, sent_data
from brinkmanship.web.presentation.level_cookie import player_of, remember_level
from brinkmanship.web.presentation.page_words import computer_name, game_words, page_words, player_name, title_of
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError
from brinkmanship.web.support.table_terms import FREE, UNDO_POLICIES, Terms, UndoPolicy
from brinkmanship.web.support.time_control import (
    BANK,
    BANK_DAYS,
    BANK_HOURS,
    DAYS,
    DAYS_EACH,
    INCREMENT_SECONDS,
    LIVE,
    LIVE_MINUTES,
    Clock,
)
from brinkmanship.web.tables.live_table import DEALING, WAITING, LiveTable, Seat
from brinkmanship.web.tables.seating import Plan

router = PageRouter()

MODES = ("computer", "same", "friend", "open")
RANDOM = "random"
NONE_WAITS = "/?next=none"
"""Home page with the notice that no game waits."""
TableId = Annotated[str, Meta(max_length=12)]


class OptionText(NamedTuple):
    """An option of a ruleset, for the form."""

    name: str
    title: str
    ruling: str
    """Number of the ruling that describes it: "R42"."""
    values: list[tuple[str, str]]
    """Each value with its meaning, the default first; for a range only common values."""
    default: str
    range: tuple[int, int] | None
    """Inclusive range of accepted numbers; None if only `values` are accepted."""


class PresetText(NamedTuple):
    """A named combination of options, for the form."""

    id: str
    title: str
    why: str
    values: str
    """The values that differ from their defaults, as JSON."""


class LevelText(NamedTuple):
    """A level of the computer player, for the form."""

    player: str
    name: str
    line: str
    """Short description."""


class Offer(NamedTuple):
    """A game that can be started here."""

    id: str
    title: str
    pitch: str
    emblem: Markup
    sides: list[tuple[int, str]]
    players: list[tuple[str, str]]
    """Computer players, the strongest first, for games without levels."""
    levels: list[LevelText]
    """Levels, the weakest first."""
    player: str
    """The player chosen last, by default one that suits a first game."""
    options: list[OptionText]
    presets: list[PresetText]
    preset: str
    """The preset equal to the defaults, or ""."""
    preset_title: str
    own_choice: str
    books: list[str]
    """Its reference pages, as named by `books_of`."""
    data_kind: str
    """Kind of its data file; see `data_files.kind_of`."""
    own_files: list[str]
    """Packaged data files a designer may start from; if empty, custom files are not accepted."""
    has_series: bool
    """True if games can be played in a series, e.g. a campaign."""


class Row(NamedTuple):
    """A table in a list."""

    id: str
    title: str
    opponents: str
    my_side: str
    state: str
    is_mine_to_move: bool
    at: float
    terms: list[str]
    """For a waiting table: free side, clock, take-back, hints and options that differ from the default."""


@router.get("/")
async def home(request: Request, who: Person | None, after: TableId = "", next: Literal["", "none"] = "") -> Response:
    """Show the home page, with open tables after `after`; `next` is the outcome of a request for the next game."""
    engine = services_of(request).engine
    language = language_of(request, who)
    own = page_words(language)
    rows: dict[str, list[Row]] = {"running": [], "finished": []}
    if who is not None:
        waits_for = await asyncio.to_thread(repository.rematches_by, engine, who.id)
        for name, finished in (("running", False), ("finished", True)):
            listed = await asyncio.to_thread(repository.tables_of, engine, who.id, finished)
            for table in listed:
                with repository.leaving_out(table.id):
                    row = listed_row(request, table, who, language)
                    if table.status == WAITING and (other := waits_for.get(table.id)):
                        row = row._replace(state=own.sentence(Message("rematch.waiting", {"who": other})))
                    if table.series is not None:
                        row, is_over = await series_row(request, row, table.series, language)
                        rows["finished" if is_over else "running"].append(row)
                    else:
                        rows[name].append(row)
        asked_for = await asyncio.to_thread(repository.rematches_for, engine, who.id)
        for row in reversed(listed_rows(request, asked_for, who, language)):
            state = own.sentence(Message("rematch.wanted", {"who": row.opponents}))
            rows["running"].insert(0, row._replace(state=state))
    mine = {row.id for row in rows["running"]}
    waiting = await asyncio.to_thread(repository.open_tables, engine, repository.PAGE + 1, after)
    waiting, further = waiting[: repository.PAGE], waiting[repository.PAGE :]
    return page(
        request,
        "lobby/home.html",
        who,
        offers=[_offer(request, game_id, language) for game_id in kits()],
        clocks=clock_choices(),
        own_clocks=OWN_CLOCKS,
        undo_policies=UNDO_POLICIES,
        hint_wishes=list(HINTS),
        running=sorted(rows["running"], key=lambda row: not row.is_mine_to_move),
        finished=rows["finished"],
        waiting=listed_rows(request, [table for table in waiting if table.id not in mine], who, language),
        more=waiting[-1].id if further else "",
        after=after,
        none_waits=next == "none",
        url=f"{public_url(request)}/",
        picture=f"{public_url(request)}/picture.png",
    )


@router.get("/picture.png")
async def picture(request: Request, who: Person | None) -> Response:
    """Return the preview of a link to the home page: the games."""
    title = page_words(language_of(request, who)).sentence(Message("home.title"))
    emblems = [emblem(game_id, ids=f"{game_id}-") for game_id in kits()]
    return await preview_of_link(request, partial(link_preview, title, "", emblems))


@router.get("/next")
async def next_game(request: Request, who: Person | None, after: TableId = "") -> Response:
    """Redirect to the table that has waited longest for the user, or to the home page with a notice.

    The table `after`, which the user comes from, is excluded.
    """
    if who is None:
        return RedirectResponse(NONE_WAITS, 303)
    found = await next_table(request, who, after)
    return RedirectResponse(f"/t/{found}" if found else NONE_WAITS, 303)


async def next_table(request: Request, who: Person, after: str) -> str | None:
    """Return the id of the table that has waited longest for a user, except `after`; None if none waits."""
    sides = {game_id: game_class(game_id).sides for game_id in kits()}
    return await asyncio.to_thread(repository.waits_longest, services_of(request).engine, who.id, sides, after)


async def series_row(request: Request, row: Row, series_id: str, language: str) -> tuple[Row, bool]:
    """Return a series as one list row, based on its latest game, and True if the series is over."""
    story = await services_of(request).followups.series(series_id)
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
    game = services_of(request).tables.ruleset(game_id, {})
    words, own = game_words(game, language), page_words(language)
    return Offer(
        game.id,
        title_of(game, own),
        own.sentence_if_any(Message(f"game.{game.id}.pitch")),
        Markup(emblem(game.id, ids=f"{game.id}-")),
        [(side, words.name("side", name)) for side, name in enumerate(game.sides)],
        [(player, computer_name(player, own)) for player in reversed(players_for(game))],
        [
            LevelText(level, computer_name(level, own), own.sentence_if_any(Message(f"{level}.{game.id}")))
            for level in levels_for(game)
        ],
        player_of(request, game),
        _option_texts(game, words),
        [_preset(game, preset, words) for preset in game.presets()],
        game.preset or "",
        words.sentence_if_any(Message("preset.title")),
        words.sentence_if_any(Message("preset.own")),
        books_of(game),
        kind_of(game),
        list(own_files(game.id)),
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
        words.sentence_if_any(Message(f"option.{name}")) or name,
        ruling,
        [(_text(value), _meaning(words, name, value)) for value in values],
        _text(default),
        game.option_ranges().get(name),
    )


def _preset(game: Game, preset: str, words: Words) -> PresetText:
    values = {name: _text(value) for name, value in game.presets()[preset].items()}
    title, why = (words.sentence_if_any(Message(f"preset.{preset}{part}")) for part in ("", ".why"))
    return PresetText(preset, title or preset, why, json.dumps(values))


def _text(value: OptionValue) -> str:
    return str(value).lower()


def _meaning(words: Words, name: str, value: OptionValue) -> str:
    try:
        return option_text(words, name, value)
    except MissingTextError:
        return ""


def listed_rows(request: Request, listed: Iterable[ListedTable], who: Person | None, language: str) -> list[Row]:
    """Return the list rows of tables; skip tables that cannot be read."""
    rows = []
    for table in listed:
        with repository.leaving_out(table.id):
            rows.append(listed_row(request, table, who, language))
    return rows


def listed_row(request: Request, table: ListedTable, who: Person | None, language: str) -> Row:
    """Return the list row of a table, with its state or result."""
    game = services_of(request).tables.ruleset(table.game, {})
    words, own = game_words(game, language), page_words(language)
    mine = [side for side, seat in enumerate(table.seats) if who is not None and seat.person_id == who.id]
    names = [name for side, seat in enumerate(table.seats) if side not in mine and (name := player_name(seat, own))]
    my_turn = any(game.sides[side] in table.asked for side in mine) and table.status == "running"
    my_bytes = table.status == DEALING and any(table.seats[side].is_awaited for side in mine)
    if table.status == "over":
        state = result_text(game, table.result, words, own)
    elif table.status == WAITING:
        state = own.sentence(Message("home.waits"))
    elif table.status == DEALING:
        state = own.sentence(Message("home.your_bytes" if my_bytes else "home.their_bytes"))
    elif my_turn:
        state = own.sentence(Message("home.your_turn"))
    else:
        state = own.sentence(Message("home.their_turn"))
    title = title_of(game, own)
    return Row(
        table.id,
        own.sentence(Message("play_on.row", {"game": title})) if table.is_played_on else title,
        ", ".join(names) or (own.sentence(Message("home.same_screen")) if len(mine) > 1 else ""),
        " · ".join(words.name("side", game.sides[side]) for side in mine),
        state,
        my_turn or my_bytes,
        table.finished_at or table.created_at,
        _terms(game, table, words, own) if table.status == WAITING else [],
    )


def _terms(game: Game, table: ListedTable, words: Words, own: Words) -> list[str]:
    """Return the terms of a waiting table, for users who may join."""
    free = [words.name("side", game.sides[side]) for side, seat in enumerate(table.seats) if seat.is_free]
    said = [own.sentence(Message("open.side", {"side": ", ".join(free)}))] if free else []
    said += terms_said(table.clock, table.undo, table.hints, own)
    if table.data_file:
        said.append(own.sentence(Message(f"data.{kind_of(game)}.listed", {"file": table.data_file})))
    return said + [words.sentence_if_any(Message(f"option.{name}")) or name for name in table.options]


def terms_said(clock: Mapping[str, Any] | None, undo: str, hints: bool | None, own: Words) -> list[str]:
    """Return the terms of a table in words: clock, take-back and hints where they differ from the default."""
    said = []
    if clock:
        key, numbers = clock_words(clock)
        said.append(own.sentence(Message(key, numbers)))
    if undo != FREE:
        said.append(own.sentence(Message(f"undo.{undo}")))
    if hints is not None:
        said.append(own.sentence(Message("hints.allowed" if hints else "hints.forbidden")))
    return said


# Creating a table.

LIVE_CLOCKS = ((10, 5), (20, 10), (45, 20))
"""Offered clocks: minutes per game, and increment in seconds per decision."""
DAY_CLOCKS = (1, 3, 7)
"""Offered clocks: days per decision."""


BANK_CLOCKS = ((10, 12), (30, 24))
"""Offered clocks: days per game, and increment in hours per decision."""
MAX_DIGITS = 9
"""Maximum digits of a clock number; Python rejects integers with some thousands of digits."""
OWN_CLOCK = "own"
"""Form value of a clock with custom numbers in further fields."""

HintsWish = Literal["usual", "allowed", "forbidden"]
HINTS: Mapping[HintsWish, bool | None] = {"usual": None, "allowed": True, "forbidden": False}
"""Form values of the hint policy (`Terms.hints`)."""


class OwnClock(NamedTuple):
    """A kind of clock with custom numbers, for the form."""

    kind: str
    fields: list[tuple[str, tuple[int, int], int]]
    """Name, range and initial value of each number."""


OWN_CLOCKS = [
    OwnClock(LIVE, [("minutes", LIVE_MINUTES, 30), ("increment", INCREMENT_SECONDS, 15)]),
    OwnClock(DAYS, [("days", DAYS_EACH, 2)]),
    OwnClock(BANK, [("days", BANK_DAYS, 14), ("hours", BANK_HOURS, 12)]),
]


def clock_choices() -> list[tuple[str, str, dict[str, int]]]:
    """Return the offered clocks: form value, text key and text numbers."""
    live = [(f"live {minutes} {more}", *clock_words(_live(minutes, more))) for minutes, more in LIVE_CLOCKS]
    days = [(f"days {days}", *clock_words({"kind": DAYS, "days": days})) for days in DAY_CLOCKS]
    bank = [(f"bank {days} {more}", *clock_words(_bank(days, more))) for days, more in BANK_CLOCKS]
    return [("", "clock.none", {}), *live, *days, *bank]


def clock_words(clock: Mapping[str, Any]) -> tuple[str, dict[str, int]]:
    """Return the text key and numbers of a clock in its JSON form."""
    if clock["kind"] == LIVE:
        return "clock.live", {"n": clock["minutes"], "more": clock["increment"]}
    if clock["kind"] == BANK:
        return "clock.bank", {"n": clock["days"], "more": clock["hours"]}
    return "clock.days", {"n": clock["days"]}


def _live(minutes: int, increment: int) -> dict[str, object]:
    return {"kind": LIVE, "minutes": minutes, "increment": increment}


def _bank(days: int, hours: int) -> dict[str, object]:
    return {"kind": BANK, "days": days, "hours": hours}


def _clock(text: str) -> Clock | None:
    kind, *numbers = text.split() or [""]
    if not all(number.isdecimal() and len(number) <= MAX_DIGITS for number in numbers):
        raise IllegalError(f"there is no clock {text!r}", said="refused.clock")
    match kind, [int(number) for number in numbers]:
        case "", []:
            data: object = None
        case "live", [minutes, increment]:
            data = _live(minutes, increment)
        case "days", [days]:
            data = {"kind": kind, "days": days}
        case "bank", [days, hours]:
            data = _bank(days, hours)
        case _:
            raise IllegalError(f"there is no clock {text!r}", said="refused.clock")
    try:
        return Clock.from_json(data)
    except ValueError as error:
        raise IllegalError(str(error), said="refused.clock") from error


def _own_clock(form: Mapping[str, str]) -> str:
    """Return the custom clock of a form, in the format of `_clock`."""
    own = next((each for each in OWN_CLOCKS if each.kind == form.get("clock.kind")), None)
    if own is None:
        raise IllegalError(f"a clock is one of {', '.join(each.kind for each in OWN_CLOCKS)}", said="refused.clock")
    return " ".join([own.kind, *(form.get(f"clock.{own.kind}.{name}", "").strip() for name, _, _ in own.fields)])


@router.post("/tables", is_open=True)
async def create_table(
    request: Request,
    who: Person | None,
    game: Annotated[str, Meta(max_length=40)],
    mode: Annotated[str, Meta(max_length=10)],
    side: Annotated[str, Meta(max_length=10)] = RANDOM,
    player: Annotated[str, Meta(max_length=40)] = "",
    name: Name = "",
    clock: Annotated[str, Meta(max_length=20)] = "",
    undo: UndoPolicy = FREE,
    hints: HintsWish = "usual",
    series: bool = False,
    contributes: bool = False,
    data: UploadFile | None = None,
    data_sha256: Annotated[str, Meta(max_length=64)] = "",
) -> Response:
    """Create a table and redirect to it; a stranger becomes a guest with the given name.

    Args:
        request: the request; its form also has the options and the numbers of a custom clock.
        who: the user, None for a stranger.
        game: id of the game.
        mode: opponent, one of `MODES`.
        side: the user's side, or "random".
        player: computer player, by default the one chosen last.
        name: name of a new guest.
        clock: one of `clock_choices`, or "own".
        undo: take-back policy.
        hints: hint policy, one of `HINTS`.
        series: begin a series.
        contributes: the browser will send random bytes for the deal.
        data: uploaded cards or scenario.
        data_sha256: cards or scenario stored by the workshop.
    """
    if game not in kits():
        raise NotFoundError(f"there is no game {game!r}")
    if mode not in MODES:
        raise IllegalError(f"mode is one of {', '.join(MODES)}", said="refused.form_fields")
    ruleset = services_of(request).tables.ruleset(game, {})
    player = player or player_of(request, ruleset)
    seats = _seats(ruleset, mode, _side(ruleset, side), player)
    form = {key: value for key, value in (await request.form()).items() if isinstance(value, str)}
    options = _options(ruleset, form)
    terms = Terms(_clock(_own_clock(form) if clock == OWN_CLOCK else clock), undo, HINTS[hints])
    if data_sha256:
        sent = await asyncio.to_thread(kept_data, services_of(request).engine, game, data_sha256)
        if sent is None:
            raise NotFoundError("this version of the data file is no longer available", said="workshop.gone")
    else:
        sent = await sent_data(data)
    if sent is not None:
        try:
            await run_in_pool(request, partial(services_of(request).tables.ruleset, game, options, sent))
        except DataFileError as error:
            return await run_in_pool(request, partial(_data_fault, request, who, ruleset, sent, error))
        except BrinkError as error:
            raise IllegalError(str(error), said="refused.options") from error
    me, token = await somebody(request, who, name)
    plan = Plan(game, seats, options, terms, series, contributes, sent)
    table, _ = await services_of(request).seating.create(plan, me.id, me.name)
    response = RedirectResponse(f"/t/{table.id}", 303)
    if mode == "computer":
        remember_level(response, request, table.game, player)
    return signed_in(response, request, token)


def _data_fault(request: Request, who: Person | None, ruleset: Game, data: DataFile, error: DataFileError) -> Response:
    language = language_of(request, who)
    title = title_of(ruleset, page_words(language))
    fault = fault_of(error, data.content, language)
    kind = kind_of(ruleset)
    return page(request, "lobby/data_fault.html", who, status=422, title=title, kind=kind, name=data.name, fault=fault)


def _side(game: Game, side: str) -> int:
    if side == RANDOM:
        return secrets.randbelow(len(game.sides))
    if side.isdecimal() and int(side) < len(game.sides):
        return int(side)
    raise IllegalError(f"a side is 0 to {len(game.sides) - 1} or {RANDOM}", said="refused.form_fields")


def _seats(game: Game, mode: str, side: int, player: str) -> list[str]:
    other = {"computer": f"computer:{player}", "same": "me"}.get(mode, mode)
    return ["me" if seat == side else other for seat in range(len(game.sides))]


def _options(game: Game, form: Mapping[str, str]) -> dict[str, OptionValue]:
    """Return the options chosen in a form: a preset, typed numbers, and options that differ from the default."""
    chosen: dict[str, OptionValue] = {}
    if preset := form.get(f"option.{PRESET}"):
        chosen[PRESET] = preset
    ranges = game.option_ranges()
    for name, values in game.option_values().items():
        given = form.get(f"option.{name}", "").strip()
        if name in ranges and given:  # even the default: another scenario may have a different one
            chosen[name] = given
            continue
        value = next((value for value in values if given == _text(value)), "")
        if value not in ("", game.default_options[name]):
            chosen[name] = value
    return chosen


# Joining a table.


@router.get("/join/{table_id}", "/join/{table_id}/{token}")
async def invitation(request: Request, who: Person | None, table_id: str, token: str = "") -> Response:
    """Show an invitation: the host, the game and the terms."""
    table = await services_of(request).tables.fresh(table_id)
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
        "lobby/join.html",
        who,
        status=200 if seat else 410,
        table=table,
        token=token,
        seat=seat,
        title=title_of(game, own),
        emblem=Markup(emblem(game.id)),
        side_name=words.name("side", game.sides[seat.side]) if seat else "",
        host=", ".join(player_name(other, own) for other in table.seats if other.person_id),
        terms=terms_said(table.terms.as_row()["clock"], table.terms.undo, table.terms.hints, own),
        data_file=game.data_file,
        data_kind=kind_of(game),
        changed=[(option, _meaning(words, option.name, game.options[option.name])) for option in changed],
        game_id=game.id,
        url=f"{public_url(request)}{request.url.path}",
        picture=f"{public_url(request)}/t/{table.id}/picture.png",
    )


def _free_seat(table: LiveTable, token: str) -> Seat | None:
    for seat in table.seats:
        invited = bool(token) and seat.is_invited(token)
        open_to_all = not token and table.is_open and seat.is_free and seat.invitation is None
        if table.status == WAITING and (invited or open_to_all):
            return seat
    return None


@router.post("/join/{table_id}", "/join/{table_id}/{token}", is_open=True)
async def join(
    request: Request,
    who: Person | None,
    table_id: str,
    token: str = "",
    name: Name = "",
    contributes: bool = False,
) -> Response:
    """Take a seat; `contributes`: the browser will send random bytes for the deal."""
    table = await services_of(request).tables.fresh(table_id)
    if _free_seat(table, token) is None:
        raise ForbiddenError("this seat is taken or the invitation has already been used", said="join.taken")
    me, session = await somebody(request, who, name)
    table = await services_of(request).seating.join(table_id, me.id, me.name, token or None, contributes=contributes)
    return signed_in(RedirectResponse(f"/t/{table.id}", 303), request, session)


# The language.


@router.post("/language", is_open=True)
async def choose_language(
    request: Request,
    who: Person | None,
    language: Annotated[str, Meta(max_length=5)],
    back: Annotated[str, Meta(max_length=300)] = "/",
) -> Response:
    """Set the user's language."""
    if language not in LANGUAGES:
        raise IllegalError(f"the languages are {', '.join(LANGUAGES)}", said="refused.form_fields")
    if who is not None:
        await asyncio.to_thread(services_of(request).users.set_language, who, language)
    response = RedirectResponse(local_path(back), 303)
    response.set_cookie(LANGUAGE_COOKIE, language, max_age=365 * 24 * 3600, samesite="lax")
    return response
