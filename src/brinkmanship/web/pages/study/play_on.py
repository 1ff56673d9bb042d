"""Continue from a position of a finished game: the form, and the creation of the table."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.engine import journal
from brinkmanship.engine.continuation import PlayOnError, given
from brinkmanship.engine.game import FULL_INFORMATION, OBSERVER
from brinkmanship.engine.message import Message
from brinkmanship.players import levels_for, players_for
from brinkmanship.store import repository
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.board_text import board_text, text_mode_of
from brinkmanship.web.pages.shared.forms import Name, signed_in, somebody
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.pictures import board, outlines
from brinkmanship.web.pages.shared.rendering import layout_of, page, run_in_pool
from brinkmanship.web.pages.study.replay import As, ReplayAccess, access_at, access_to_upload, frame
from brinkmanship.web.presentation.level_cookie import player_of, remember_level
from brinkmanship.web.presentation.page_words import computer_name, game_words, page_words
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import IllegalError, NotFoundError
from brinkmanship.web.tables.continuation import ContinuationSettings, Source, key_in, of_table, play_on

router = PageRouter()

COMPUTER = "computer:"


class PlayOnFields(Struct):
    """Fields of the form; see `ContinuationSettings`."""

    side: Annotated[int, Meta(ge=0, le=1)]
    against: Annotated[str, Meta(max_length=50)]
    chance: Literal["fresh", "same"] = "fresh"
    name: Name = ""


async def open_table(request: Request, who: Person | None, table_id: str) -> tuple[ReplayAccess, Source]:
    """Return the finished game at a table.

    Raises:
        IllegalError: the game is not over.
    """
    table = await services_of(request).tables.fresh(table_id)
    source = of_table(table)
    return await access_at(request, who, table), source


async def open_upload(request: Request, who: Person | None, upload_id: str) -> tuple[ReplayAccess, Source]:
    """Return the game of an uploaded journal.

    Raises:
        NotFoundError: the journal is no longer stored.
    """
    access = await access_to_upload(request, who, upload_id)
    replay_source = access.source
    text = await asyncio.to_thread(repository.upload_of, services_of(request).engine, upload_id)
    if text is None:
        raise NotFoundError("this journal is no longer available", key="refused.journal_gone")
    key = await run_in_pool(request, lambda: key_in(journal.parse(text), replay_source.game))
    return access, Source(replay_source.game, replay_source.seen_by(FULL_INFORMATION), replay_source.address, key)


async def open_game(request: Request, who: Person | None) -> tuple[ReplayAccess, Source]:
    """Return the finished game named by an address: /t/{table_id}/... or /u/{upload_id}/...

    Raises:
        IllegalError: the game is not over.
        NotFoundError: there is no such table, or the journal is no longer stored.
    """
    named = request.path_params
    if "table_id" in named:
        return await open_table(request, who, named["table_id"])
    return await open_upload(request, who, named["upload_id"])


@router.get("/t/{table_id}/play-on/{step}", "/u/{upload_id}/play-on/{step}")
async def form(request: Request, who: Person | None, step: int, as_: As = None) -> Response:
    """Show the form for a position of a finished game."""
    access, source = await open_game(request, who)
    return await form_there(request, who, access, source, step, as_ if as_ in source.game.sides else access.own_side)


@router.post("/t/{table_id}/play-on/{step}", "/u/{upload_id}/play-on/{step}", is_open=True)
async def begin(request: Request, who: Person | None, step: int, wished: PlayOnFields) -> Response:
    """Create the table and redirect to it; a stranger becomes a guest with the given name."""
    _, source = await open_game(request, who)
    return await begin_there(request, who, source, step, wished)


async def begin_there(
    request: Request, who: Person | None, source: Source, step: int, wished: PlayOnFields
) -> Response:
    """Create a table from a position of a finished game, and redirect to it."""
    me, token = await somebody(request, who, wished.name)
    wish = ContinuationSettings(step, wished.side, wished.against, wished.chance == "same")
    table, _ = await play_on(services_of(request).seating, source, wish, me)
    response = signed_in(RedirectResponse(f"/t/{table.id}", 303), request, token)
    remember_level(response, request, source.game, wished.against.removeprefix(COMPUTER))
    return response


async def form_there(
    request: Request, who: Person | None, access: ReplayAccess, source: Source, step: int, chosen: str | None = None
) -> Response:
    """Show the form for a position of a finished game; `chosen` is the proposed side."""
    return await run_in_pool(request, partial(_form_page, request, who, access, source, step, chosen))


def _form_page(
    request: Request, who: Person | None, access: ReplayAccess, source: Source, step: int, chosen: str | None
) -> Response:
    game, own = source.game, page_words(access.language)
    try:
        at = len(given(source.seen, step))
    except PlayOnError as error:
        raise IllegalError(str(error), key="play_on.refused.over") from error
    viewing = access.viewing(request, None)
    words = game_words(game, access.language)
    view = source.seen.view(at)
    to_move = sorted(game.to_move(view))
    side = game.sides.index(chosen) if chosen in game.sides else to_move[0] if to_move else 0
    computers = levels_for(game) or tuple(reversed(players_for(game)))
    return page(
        request,
        "study/play_on.html",
        who,
        **frame(viewing),
        step=at,
        now=words.sentence(game.narrator.prompt(view, OBSERVER)),
        layout=layout_of(request),
        board=board(game, view, OBSERVER, words, layout_of(request), plays=viewing.replay.plays_until(at)),
        board_text=board_text(game, view, OBSERVER, words, text_mode_of(request)),
        outlines=outlines(game),
        sides=[(number, words.name("side", name)) for number, name in enumerate(game.sides)],
        side=side,
        computers=[(f"{COMPUTER}{name}", computer_name(name, own)) for name in computers],
        computer=COMPUTER + player_of(request, game),
        knows_chance=source.key is not None,
        back=viewing.link(at),
        of=own.text(Message("play_on.of", {"n": at})),
    )
