"""A new game: the page with all choices, and the form that creates a table, from there or from the home page."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal, get_args

from markupsafe import Markup
from msgspec import Meta, Struct
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.drawing.emblem import emblem
from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.errors import BrinkError, DataFileError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.options import OptionValue
from brinkmanship.games.registry import kits
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.lobby.opponents import opponents_of
from brinkmanship.web.pages.lobby.options import (
    chosen_options,
    option_fields,
    option_groups,
    preset_texts,
    scenario_option,
)
from brinkmanship.web.pages.shared.forms import Name, check_has_account, entered_texts, signed_in, somebody
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import books_of, page, public_url, refusal_of, run_in_pool
from brinkmanship.web.presentation.clock_forms import (
    OWN_CLOCK,
    OWN_CLOCKS,
    clock_choices,
    clock_fields,
    clock_in,
    own_clock_in,
)
from brinkmanship.web.presentation.data_files import fault_of, kept_data, kind_of, own_files, sent_data
from brinkmanship.web.presentation.level_cookie import player_of, remember_level
from brinkmanship.web.presentation.page_words import game_words, page_words, title_of
from brinkmanship.web.presentation.setup_cookie import RANDOM, Setup, remember_setup, setup_of
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import IllegalError, NotFoundError, TooLargeError
from brinkmanship.web.support.table_terms import FREE, UNDO_POLICIES, Terms, UndoPolicy
from brinkmanship.web.tables.rating_conditions import rated_terms
from brinkmanship.web.tables.seating import TableSettings

router = PageRouter()

MODES = ("computer", "friend", "open", "same")
Mode = Annotated[str, Meta(max_length=10)]
PEOPLE_MODES = ("friend", "open")
"""Modes with another user as the opponent."""
MatchWish = Literal["", "in_turn", "together"]
"""One game, or a match of two games, one after the other or at the same time."""
HintsWish = Literal["usual", "allowed", "forbidden"]
HINTS: Mapping[HintsWish, bool | None] = {"usual": None, "allowed": True, "forbidden": False}
"""Form values of the hint policy (`Terms.hints`)."""


class NewGame(Struct, frozen=True, kw_only=True):
    """The form of a new game; it also has the options and the numbers of a custom clock."""

    game: Annotated[str, Meta(max_length=40)]
    mode: Mode
    """Opponent, one of `MODES`."""
    side: Annotated[str, Meta(max_length=10)] = RANDOM
    """The user's side, or "random"."""
    player: Annotated[str, Meta(max_length=40)] = ""
    """Computer player, by default the one chosen last."""
    name: Name = ""
    """Name of a new guest."""
    clock: Annotated[str, Meta(max_length=20)] = ""
    """One of `clock_choices`, or "own"."""
    as_before: bool = False
    """Take side and clock of the user's last game instead."""
    undo: UndoPolicy = FREE
    hints: HintsWish = "usual"
    rated: bool = False
    """Count the result for the players' ratings; then `undo` and `hints` do not apply."""
    series: bool = False
    """Begin a series."""
    match: MatchWish = ""
    """Play a match of two games with another user."""
    contributes: bool = False
    """The browser will send random bytes for the deal."""
    data: UploadFile | None = None
    """Uploaded cards or scenario."""
    data_sha256: Annotated[str, Meta(max_length=64)] = ""
    """Cards or scenario stored by the workshop."""


@router.get("/new/{game_id}")
async def new_game(request: Request, who: Person | None, game_id: str, mode: Mode = "computer") -> Response:
    """Show the choices for a new game, with those of the user's last one."""
    return _form_page(request, who, game_by_id(request, game_id), {"mode": mode if mode in MODES else "computer"})


@router.post("/tables", is_open=True)
async def create_table(request: Request, who: Person | None, form: NewGame) -> Response:
    """Create a table and redirect to it; a stranger becomes a guest with the given name.

    What is refused is shown again with everything that was entered, but for an uploaded file.
    """
    if form.game not in kits():
        raise NotFoundError(f"there is no game {form.game!r}")
    game = game_by_id(request, form.game)
    entered = await entered_texts(request)
    language = language_of(request, who)
    try:
        data = await _data(request, form)
        try:
            return await _created(request, who, game, form, entered, data)
        except DataFileError as error:
            name, content = (data.name, data.content) if data else ("", b"")
            fault = await run_in_pool(request, partial(fault_of, error, content, language))
            return _form_page(request, who, game, entered, status=422, fault=fault, file_name=name)
    except (IllegalError, TooLargeError) as error:
        refused = refusal_of(error, language)
        return _form_page(request, who, game, entered, status=error.status, refused=refused)


async def _data(request: Request, form: NewGame) -> DataFile | None:
    """Return the data file of a form: uploaded, or stored by the workshop."""
    if not form.data_sha256:
        return await sent_data(form.data)
    found = await asyncio.to_thread(kept_data, services_of(request).engine, form.game, form.data_sha256)
    if found is None:
        raise NotFoundError("this version of the data file is no longer available", key="workshop.gone")
    return found


async def _created(
    request: Request, who: Person | None, game: Game, form: NewGame, entered: Mapping[str, str], data: DataFile | None
) -> Response:
    """Create the table of a form and remember its level, side and clock.

    Raises:
        DataFileError: the data file cannot be used.
        IllegalError: something else in the form is not possible.
    """
    if form.mode not in MODES:
        raise IllegalError(f"mode is one of {', '.join(MODES)}", key="refused.form_fields")
    player = form.player or player_of(request, game)
    setup = setup_of(request, game) if form.as_before else _setup(form, entered)
    seats = _seats(game, form.mode, _side(game, setup.side), player)
    clock = clock_in(setup.clock)
    terms = rated_terms(clock) if form.rated else Terms(clock, form.undo, HINTS[form.hints])
    if form.rated:
        check_has_account(who)
    options = chosen_options(game, entered)
    await _check_ruleset(request, game, options, data)
    me, token = await somebody(request, who, form.name)
    plan = TableSettings(game.id, seats, options, terms, form.series, form.contributes, data)
    if form.match and form.mode in PEOPLE_MODES:
        matches = services_of(request).matches
        table, _ = await matches.open(plan, form.match == "together", me.id, me.name)
    else:
        table, _ = await services_of(request).seating.create(plan, me.id, me.name)
    response = RedirectResponse(f"/t/{table.id}", 303)
    remember_setup(response, request, game, setup)
    if form.mode == "computer":
        remember_level(response, request, table.game, player)
    return signed_in(response, request, token)


def _setup(form: NewGame, entered: Mapping[str, str]) -> Setup:
    return Setup(form.side, own_clock_in(entered) if form.clock == OWN_CLOCK else form.clock)


def _side(game: Game, side: str) -> int:
    if side == RANDOM:
        return secrets.randbelow(len(game.sides))
    if side.isdecimal() and int(side) < len(game.sides):
        return int(side)
    raise IllegalError(f"a side is 0 to {len(game.sides) - 1} or {RANDOM}", key="refused.form_fields")


def _seats(game: Game, mode: str, side: int, player: str) -> list[str]:
    other = {"computer": f"computer:{player}", "same": "me"}.get(mode, mode)
    return ["me" if seat == side else other for seat in range(len(game.sides))]


async def _check_ruleset(
    request: Request, game: Game, options: Mapping[str, OptionValue], data: DataFile | None
) -> None:
    """Check options and data file before a stranger becomes a guest."""
    if not options and data is None:
        return
    try:
        await run_in_pool(request, partial(services_of(request).tables.rulesets.get, game.id, options, data))
    except DataFileError:
        raise
    except BrinkError as error:
        raise IllegalError(str(error), key="refused.options") from error


def _form_page(
    request: Request,
    who: Person | None,
    game: Game,
    entered: Mapping[str, str],
    *,
    status: int = 200,
    refused: Mapping[str, Any] | None = None,
    fault: object = None,
    file_name: str = "",
) -> Response:
    """Return the page with all choices for a new game.

    Args:
        request: the request.
        who: the user.
        game: the ruleset.
        entered: fields that have been filled in.
        status: status of the response.
        refused: why a form was refused; see `refusal_of`.
        fault: what is wrong with the uploaded file.
        file_name: name of this file.
    """
    language = language_of(request, who)
    words, own = game_words(game, language), page_words(language)
    values = _values(request, game, entered)
    return page(
        request,
        "lobby/new_game.html",
        who,
        status=status,
        game_id=game.id,
        title=title_of(game, own),
        pitch=own.sentence_if_any(Message(f"game.{game.id}.pitch")),
        length=own.sentence_if_any(Message(f"game.{game.id}.length")),
        has_rules="rules" in books_of(game),
        has_rulings="rulings" in books_of(game),
        emblem=Markup(emblem(game.id)),
        url=f"{public_url(request)}/new/{game.id}",
        values=values,
        modes=MODES,
        opponents=opponents_of(game, own),
        sides=[(str(side), words.name("side", name)) for side, name in enumerate(game.sides)],
        clocks=clock_choices(),
        own_clocks=OWN_CLOCKS,
        has_series=game.series() is not None,
        match_wishes=get_args(MatchWish),
        undo_policies=UNDO_POLICIES,
        hint_wishes=list(HINTS),
        presets=preset_texts(game, words),
        preset_title=words.sentence_if_any(Message("preset.title")),
        own_choice=words.sentence_if_any(Message("preset.own")),
        scenario=scenario_option(game, words),
        groups=option_groups(game, words, values),
        data_kind=kind_of(game),
        own_files=list(own_files(game.id)),
        refused=refused,
        fault=fault,
        file_name=file_name,
    )


def _values(request: Request, game: Game, entered: Mapping[str, str]) -> dict[str, str]:
    """Return the value of every field: what has been entered, else that of the user's last game, else the default."""
    setup = setup_of(request, game)
    initial = {
        "mode": "computer",
        "name": "",
        "player": player_of(request, game),
        "side": setup.side,
        "undo": FREE,
        "hints": "usual",
        "rated": "",
        "series": "",
        "match": "",
        "data_sha256": "",
    }
    return {**initial, **clock_fields(setup.clock), **option_fields(game), **entered}
