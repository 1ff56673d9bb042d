"""The table page: board, question, hand and log; actions, live updates, chat and notes.

The page is a frame around one fragment, the *state*, which is re-rendered whenever the viewer's version rises. All of
it is built from the viewer's view; on a shared screen a cover without any hand separates the turns of the two sides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from markupsafe import Markup
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from brinkmanship.analysis.explained import ExplainedHints, explained_hints
from brinkmanship.drawing import dice, drawing_of
from brinkmanship.engine.game import OBSERVER
from brinkmanship.engine.record import State
from brinkmanship.store import repository
from brinkmanship.text import section_of
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.account.notices import contacts_of
from brinkmanship.web.pages.formats.match import match_box
from brinkmanship.web.pages.formats.series import series_box
from brinkmanship.web.pages.library.library import rules_in_parts
from brinkmanship.web.pages.lobby.home import next_table
from brinkmanship.web.pages.shared.board_text import text_mode_of
from brinkmanship.web.pages.shared.forms import Number
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.pictures import card_picture, card_view, outlines, overview, tells_history
from brinkmanship.web.pages.shared.rendering import (
    books_of,
    layout_of,
    oembed_link,
    page,
    public_url,
    render,
    run_in_pool,
    warns,
)
from brinkmanship.web.pages.shared.results import result_of
from brinkmanship.web.pages.table.card_text import card_view_for
from brinkmanship.web.pages.table.ending import luck_of, rematch_at, seek_at
from brinkmanship.web.pages.table.rated import rating_parts
from brinkmanship.web.pages.table.table_context import log_view_of
from brinkmanship.web.pages.table.table_model import TableModel, table_model
from brinkmanship.web.pages.table.viewer import Viewer, viewer_for
from brinkmanship.web.pages.table.watch_box import delay_called, watch_box
from brinkmanship.web.presentation.data_files import kind_of
from brinkmanship.web.presentation.level_cookie import remember_level
from brinkmanship.web.presentation.missed_events import MissedAction, since
from brinkmanship.web.presentation.multi_select import MAX_PIECES, TickedPieces, after_sending, destinations, one_by_one
from brinkmanship.web.presentation.page_words import game_words
from brinkmanship.web.presentation.repeat_action import MAX_TIMES, repeatable
from brinkmanship.web.presentation.replay import ReplaySource
from brinkmanship.web.services import services_of, table_at
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError, PartlyDoneError, RequestError
from brinkmanship.web.tables.event_stream import NewsResponse, heartbeat
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import FINISHED, RUNNING

router = PageRouter("/t")

FRAGMENT_HEADER = "x-fragment"
CHAT_LENGTH = 500
NOTE_LENGTH = 5000
MAX_PICKS = 100
"""Maximum choices ticked at once."""

Seat = Annotated[int, Meta(ge=0, le=1)] | None
"""On a shared screen: the side that has confirmed it is looking."""
AtLeast = Annotated[int, Meta(ge=0)] | None
"""The version announced to the page."""
Side = Annotated[int, Meta(ge=0, le=1)]
Version = Annotated[int, Meta(ge=0)]
DelayName = Annotated[str, Meta(max_length=12)]
Hex256 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", max_length=64)] | None


@router.get("/{table_id}")
async def show_table(request: Request, who: Person | None, table_id: str, seat: Seat = None) -> Response:
    """Show the whole page."""
    table = await _shown(request, who, table_id, seat)
    return await _whole_page(request, who, table, seat)


async def _shown(
    request: Request, who: Person | None, table_id: str, seat: int | None, at_least: int | None = None
) -> LiveTable:
    """Return a table no older than the viewer has seen it, possibly on another server machine."""
    table = await table_at(request, table_id)
    await services_of(request).tables.replication.ensure_version(table, viewer_for(table, who, seat).side, at_least)
    return table


async def _whole_page(
    request: Request, who: Person | None, table: LiveTable, seat: int | None, problem: RequestError | None = None
) -> Response:
    engine = services_of(request).engine
    viewer = viewer_for(table, who, seat)
    chat, said = await _chat_lines(request, who, table)
    note = await asyncio.to_thread(repository.note_of, engine, table.id, who.id) if who and viewer.mine else ""
    language = language_of(request, who)
    model = _model(request, table, viewer, language)
    rematch = await rematch_at(request, who, table, language)
    address = f"{public_url(request)}/t/{table.id}"
    return page(
        request,
        "table/table.html",
        who,
        status=problem.status if problem else 200,
        chat=chat,
        said=said,
        mute=await asyncio.to_thread(services_of(request).chat.mute_of, who.id) if who else None,
        may_report=_may_report(who, table, chat),
        note=note,
        outlines=outlines(table.game),
        faces=Markup(dice.faces()),
        away=await _away(request, who, table, viewer, language),
        told_by=await contacts_of(request, who, table.id) if viewer.mine else None,
        seated=[(player.side, player.side_name, player.name) for player in model.header.players],
        ended=result_of(table, language) if table.status == FINISHED else "",
        heartbeat_seconds=services_of(request).settings.heartbeat_seconds,
        url=address,
        oembed=oembed_link(request, f"/t/{table.id}") if table.is_revealed else "",
        picture=f"{address}/picture.png?n={table.seen_by(OBSERVER).length}",
        title=model.title,
        linked=await _linked(request, table),
        game_id=table.game.id,
        books=books_of(table.game),
        data_kind=kind_of(table.game) if table.game.data_file else "",
        tells=tells_history(request),
        table_id=table.id,
        model=model,
        hints=_hints(request, table, viewer, language),
        can_analyse=_can_analyse(request, table),
        rematch=rematch,
        **await rating_parts(request, who, table, viewer, rematch, language),
        luck=await luck_of(request, table, viewer, language),
        seek_again=await seek_at(request, who, table),
        series=await series_box(request, table, viewer.mine, language),
        match=await match_box(request, who, table, language),
        duplicate=table.round,
        occasion=table.occasion,
        other_waits=await _other_waits(request, who, table, viewer),
        problem=problem,
        watch=watch_box(request, who, table, viewer),
    )


async def _linked(request: Request, table: LiveTable) -> set[str]:
    """Return the ids of the players with a public profile."""
    return await services_of(request).profile_links.among(seat.person_id for seat in table.seats)


def _may_report(who: Person | None, table: LiveTable, chat: Sequence[repository.ChatLine]) -> bool:
    """Return True if other people play or have written at a table."""
    if who is None:
        return False
    others = {seat.person_id for seat in table.seats if seat.person_id and not seat.is_deserted}
    return bool(chat or others - {who.id})


def _model(request: Request, table: LiveTable, viewer: Viewer, language: str) -> TableModel:
    return table_model(
        table,
        viewer,
        language,
        layout_of(request),
        public_url(request),
        warns=warns(request),
        text_mode=text_mode_of(request),
    )


async def _other_waits(request: Request, who: Person | None, table: LiveTable, viewer: Viewer) -> bool:
    """Return True if another game waits for this player, so that the page can link to it."""
    if who is None or len(viewer.mine) != 1:
        return False
    return await next_table(request, who, table.id) is not None


def _can_analyse(request: Request, table: LiveTable) -> bool:
    return table.is_revealed and services_of(request).analyses.can_analyse(table.game, table.result)


def _hints(request: Request, table: LiveTable, viewer: Viewer, language: str) -> ExplainedHints | None:
    """Return the hints given to the viewer at this position."""
    found = services_of(request).hints.given(table, viewer.side) if viewer.is_player else None
    if found is None:
        return None
    return explained_hints(table.game, table.view(viewer.side), found, game_words(table.game, language))


async def _away(
    request: Request, who: Person | None, table: LiveTable, viewer: Viewer, language: str
) -> list[MissedAction]:
    """Return the events since this player last looked, for a player returning to a running game."""
    if who is None or len(viewer.mine) != 1 or table.status != RUNNING:
        return []
    seen = await asyncio.to_thread(repository.look_of, services_of(request).engine, table.id, who.id)
    if table.given:  # the given entries happened in another game
        seen = max(seen or 0, table.given)
    log_view = log_view_of(table, viewer.side, game_words(table.game, language))
    return since(seen, log_view.entries, log_view.lines, viewer.side)


@router.post("/{table_id}/seen")
async def seen(request: Request, who: Person, table_id: str) -> Response:
    """Record that the player has seen all events so far."""
    services_of(request).presence.sign_of_life(who.id)
    table = await table_at(request, table_id)
    mine = table.seat_of(who.id)
    if len(mine) == 1:
        length = table.seen_by(mine[0]).length
        await asyncio.to_thread(repository.note_look, services_of(request).engine, table.id, who.id, length)
    if FRAGMENT_HEADER in request.headers:
        return Response(status_code=204)
    return RedirectResponse(f"/t/{table.id}", 303)


@router.get("/{table_id}/state")
async def show_state(
    request: Request, who: Person | None, table_id: str, seat: Seat = None, at_least: AtLeast = None
) -> Response:
    """Return the *state* fragment."""
    table = await _shown(request, who, table_id, seat, at_least)
    return await _fragment(request, who, table, seat)


async def _fragment(
    request: Request, who: Person | None, table: LiveTable, seat: int | None, problem: RequestError | None = None
) -> Response:
    language = language_of(request, who)
    viewer = viewer_for(table, who, seat)
    series = await series_box(request, table, viewer.mine, language)
    model = _model(request, table, viewer, language)
    hints = _hints(request, table, viewer, language)
    rematch = await rematch_at(request, who, table, language)
    context: dict[str, object] = {
        "model": model,
        "hints": hints,
        "linked": await _linked(request, table),
        "series": series,
        "match": await match_box(request, who, table, language),
        "duplicate": table.round,
        "occasion": table.occasion,
        "other_waits": await _other_waits(request, who, table, viewer),
        "rematch": rematch,
        **await rating_parts(request, who, table, viewer, rematch, language),
        "luck": await luck_of(request, table, viewer, language),
        "seek_again": await seek_at(request, who, table),
        "problem": problem,
        "watch": watch_box(request, who, table, viewer),
    }
    return HTMLResponse(
        render("table/state.html", request, who, language, can_analyse=_can_analyse(request, table), **context),
        problem.status if problem is not None else 200,
    )


# Actions.


@router.post("/{table_id}/act")
async def act(
    request: Request,
    who: Person,
    table_id: str,
    side: Side,
    version: Version,
    action: Number | None = None,
) -> Response:
    """Take an action, given by its number or, for a combination of choices, by the fields step-1, step-2 ..."""
    if action is None:
        action = await _by_steps(request, who, table_id, side, version)
    return await _answered(
        request, who, table_id, side, services_of(request).actions.act(table_id, who.id, side, version, action)
    )


@router.post("/{table_id}/again")
async def again(
    request: Request,
    who: Person,
    table_id: str,
    side: Side,
    version: Version,
    times: Annotated[int, Meta(ge=1, le=MAX_TIMES)],
) -> Response:
    """Repeat the last action, once or several times, one by one."""
    return await _answered(request, who, table_id, side, _repeat(request, who, table_id, side, version, times))


async def _repeat(request: Request, who: Person, table_id: str, side: int, version: int, times: int) -> LiveTable:
    table = await _shown(request, who, table_id, side, version)
    is_asked = side in table.seat_of(who.id) and bool(table.decisions(side))
    repeat = repeatable(table.seen_by(side), game_words(table.game, "en")) if is_asked else None
    if repeat is None or times > repeat.times:
        raise IllegalError("there is nothing to repeat now", key="refused.no_choice")
    for action in repeat.actions * times:
        table = await services_of(request).actions.act(table_id, who.id, side, version, action)
        version = table.version(side)
    return table


@router.post("/{table_id}/several")
async def several(
    request: Request,
    who: Person,
    table_id: str,
    side: Side,
    version: Version,
    pick: Annotated[list[Number], Meta(max_length=MAX_PICKS)] | None = None,
    goal: Number | None = None,
) -> Response:
    """Send several pieces to the same goal: for each `pick`, the number in its field many-ACTION."""
    pieces = _pieces(await request.form(), pick)
    return await _answered(request, who, table_id, side, _send(request, who, table_id, side, version, pieces, goal))


def _pieces(sent: Mapping[str, Any], picks: list[int] | None) -> list[TickedPieces]:
    return [TickedPieces(action, _how_many(str(sent.get(f"many-{action}", "1")))) for action in picks or ()]


def _how_many(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_PIECES)) and 1 <= int(text) <= MAX_PIECES):
        raise IllegalError(f"1 to {MAX_PIECES} pieces of one type can be sent at once", key="refused.how_many")
    return int(text)


async def _send(
    request: Request, who: Person, table_id: str, side: int, version: int, pieces: list[TickedPieces], goal: int | None
) -> LiveTable:
    """Send pieces one by one, each decision checked like any other, until all are sent or one is refused."""
    table = await _shown(request, who, table_id, side, version)
    wanted = sum(piece.number for piece in pieces)
    if side not in table.seat_of(who.id):
        raise ForbiddenError("that is not your seat", key="refused.not_yours")
    if not wanted:
        raise IllegalError("tick the pieces to send", key="refused.tick")
    done = 0
    try:
        for action in one_by_one(pieces):
            steps = _steps_of(table, side, table.legal_number(side, action), goal)
            for step in steps:
                table = await services_of(request).actions.act(table_id, who.id, side, version, step)
                version = table.version(side)
            done += 1
    except RequestError as refused:
        if done:
            raise PartlyDoneError(done, wanted) from refused
        raise
    return table


def _steps_of(table: LiveTable, side: int, action: int, goal: int | None) -> tuple[int, ...]:
    """Return the decisions that send one piece by a legal action; the goal is checked before the first one is taken."""
    goals = destinations(table.game, table.view(side), side, action)
    if not goals:
        return (action,)
    if goal not in goals:
        raise IllegalError("choose a target" if goal is None else "this piece cannot go there", key="refused.where")
    return action, goal


async def _by_steps(request: Request, who: Person, table_id: str, side: int, version: int) -> int:
    """Return the legal action that makes these choices, or -1, which is no game's action."""
    form = await request.form()
    chosen: list[str] = []
    while (step := form.get(f"step-{len(chosen) + 1}")) is not None:
        chosen.append(str(step))
    table = await _shown(request, who, table_id, side, version)
    for decision in table.decisions(side) if chosen else ():
        if [answer.id for _, answer in table.game.action_parts(decision.action).steps] == chosen:
            return decision.action
    return -1


@router.post("/{table_id}/undo")
async def undo(
    request: Request,
    who: Person,
    table_id: str,
    side: Side,
    version: Version,
    whole: bool = False,
) -> Response:
    """Take back the last step, or the whole turn."""
    return await _answered(
        request, who, table_id, side, services_of(request).actions.undo(table_id, who.id, side, version, whole)
    )


@router.post("/{table_id}/hint")
async def hint(request: Request, who: Person, table_id: str, side: Side, version: Version) -> Response:
    """Request a hint if the table allows it; the page then shows it beside the question."""

    async def hinted() -> LiveTable:
        table, _ = await services_of(request).hints.hint(table_id, who.id, side, version)
        return table

    return await _answered(request, who, table_id, side, hinted())


@router.post("/{table_id}/resign")
async def resign(
    request: Request,
    who: Person,
    table_id: str,
    side: Side,
    sure: bool = False,
    everything: bool = False,
) -> Response:
    """Resign the game, or the whole series; requires confirmation."""
    resigning = partial(services_of(request).actions.resign, table_id, who.id, side, everything)
    return await _answered(request, who, table_id, side, _if_sure(sure, resigning))


@router.post("/{table_id}/offer")
async def offer(request: Request, who: Person, table_id: str, side: Side) -> Response:
    """Offer to end the game without a result."""
    return await _answered(
        request, who, table_id, side, services_of(request).actions.offer_void(table_id, who.id, side)
    )


@router.post("/{table_id}/answer")
async def answer(request: Request, who: Person, table_id: str, side: Side, accept: bool) -> Response:
    """Accept or decline the other side's offer."""
    return await _answered(
        request, who, table_id, side, services_of(request).actions.answer_offer(table_id, who.id, side, accept)
    )


@router.post("/{table_id}/orders")
async def give_order(
    request: Request,
    who: Person,
    table_id: str,
    side: Side,
    order: Annotated[str, Meta(max_length=80)],
    sure: bool = False,
) -> Response:
    """Give a standing order; requires confirmation."""
    ordering = partial(services_of(request).standing_orders.give, table_id, who.id, side, order)
    return await _answered(request, who, table_id, side, _if_sure(sure, ordering))


@router.post("/{table_id}/orders/revoke")
async def revoke_order(
    request: Request, who: Person, table_id: str, side: Side, order: Annotated[str, Meta(max_length=80)]
) -> Response:
    """Revoke a standing order."""
    return await _answered(
        request, who, table_id, side, services_of(request).standing_orders.revoke(table_id, who.id, side, order)
    )


@router.post("/{table_id}/ask-back")
async def ask_back(
    request: Request,
    who: Person,
    table_id: str,
    side: Side,
    version: Version,
    keep: Number,
) -> Response:
    """Ask the other side to go back to before one of the user's decisions."""
    return await _answered(
        request, who, table_id, side, services_of(request).actions.ask_back(table_id, who.id, side, version, keep)
    )


@router.post("/{table_id}/answer-back")
async def answer_back(request: Request, who: Person, table_id: str, side: Side, keep: Number, accept: bool) -> Response:
    """Allow or decline the other side's take-back; `keep` is the one that the page showed."""
    answering = services_of(request).actions.answer_back(table_id, who.id, side, keep, accept)
    return await _answered(request, who, table_id, side, answering)


# Open hands for spectators, and their commentator.


@router.post("/{table_id}/watch/propose")
async def propose_open_view(
    request: Request,
    who: Person,
    table_id: str,
    side: Side,
    delay: DelayName,
    sure: bool = False,
) -> Response:
    """Propose to show spectators all hands with a delay; requires confirmation."""
    delayed = delay_called(await table_at(request, table_id), delay)
    proposing = partial(services_of(request).open_hands.propose, table_id, who.id, side, delayed)
    return await _answered(request, who, table_id, side, _if_sure(sure, proposing))


@router.post("/{table_id}/watch/answer")
async def answer_open_view(
    request: Request, who: Person, table_id: str, side: Side, delay: DelayName, accept: bool
) -> Response:
    """Accept or decline the other side's proposal; `delay` is the one that the page showed."""
    delayed = delay_called(await table_at(request, table_id), delay)
    answering = services_of(request).open_hands.answer(table_id, who.id, side, delayed, accept)
    return await _answered(request, who, table_id, side, answering)


@router.post("/{table_id}/watch/withdraw")
async def withdraw_open_view(request: Request, who: Person, table_id: str, side: Side) -> Response:
    """Show spectators nothing more than they have seen."""
    withdrawing = services_of(request).open_hands.withdraw(table_id, who.id, side)
    return await _answered(request, who, table_id, side, withdrawing)


@router.post("/{table_id}/watch/commentator")
async def change_commentator(request: Request, who: Person, table_id: str, side: Side, invite: bool) -> Response:
    """Propose or accept a commentator, or decline or dismiss one."""
    open_hands = services_of(request).open_hands
    changing = open_hands.propose_commentator if invite else open_hands.dismiss_commentator
    return await _answered(request, who, table_id, side, changing(table_id, who.id, side))


async def _if_sure(sure: bool, act: Callable[[], Awaitable[LiveTable]]) -> LiveTable:
    if not sure:
        raise IllegalError("tick the box to confirm", key="account.refused.sure")
    return await act()


async def _answered(request: Request, who: Person, table_id: str, side: int, acting: Awaitable[LiveTable]) -> Response:
    """Run an action and show the result; a refusal is shown beside the current position."""
    services_of(request).presence.sign_of_life(who.id)
    problem: RequestError | None = None
    try:
        table = await acting
    except NotFoundError:
        raise
    except RequestError as error:
        table, problem = await table_at(request, table_id), error
    if FRAGMENT_HEADER in request.headers:
        return await _fragment(request, who, table, side, problem)
    if problem is not None:
        return await _whole_page(request, who, table, side, problem)
    seat = f"?seat={side}" if len(table.seat_of(who.id)) > 1 else ""
    return RedirectResponse(f"/t/{table.id}{seat}", 303)


@router.post("/{table_id}/withdraw")
async def withdraw(request: Request, who: Person, table_id: str) -> Response:
    """Stop waiting for a player."""
    return await _answered(request, who, table_id, 0, services_of(request).seating.withdraw(table_id, who.id))


@router.post("/{table_id}/invite")
async def invite_anew(request: Request, who: Person, table_id: str) -> Response:
    """Replace the invitation link by a new one."""
    return await _answered(request, who, table_id, 0, services_of(request).seating.invite_anew(table_id, who.id))


@router.post("/{table_id}/rematch")
async def rematch(
    request: Request,
    who: Person,
    table_id: str,
    contributes: bool = False,
    player: Annotated[str, Meta(max_length=40)] = "",
) -> Response:
    """Request a game with the sides swapped, or accept one; `player` is another level of the computer."""
    services = services_of(request)
    new = await services.followups.rematch(table_id, who.id, who.name, contributes, player)
    await services.matches.seats_taken(new)
    response = RedirectResponse(f"/t/{new.id}", 303)
    remember_level(response, request, new.game, player)
    return response


@router.post("/{table_id}/deal")
async def contribute(
    request: Request,
    who: Person,
    table_id: str,
    side: Side,
    pledge: Hex256 = None,
    contribution: Hex256 = None,
) -> Response:
    """Store random bytes for the deal, or their pledge, or neither; the page's script sends them."""
    added = None if contribution is None else bytes.fromhex(contribution)
    table = await services_of(request).seating.contribute(table_id, who.id, side, pledge, added)
    if FRAGMENT_HEADER in request.headers:
        return Response(status_code=204)
    return RedirectResponse(f"/t/{table.id}", 303)


# Chat and notes.


@router.get("/{table_id}/chat")
async def show_chat(request: Request, who: Person | None, table_id: str) -> Response:
    """Return the chat of the table."""
    table = await table_at(request, table_id)
    return await _chat(request, who, table)


@router.post("/{table_id}/chat")
async def say(
    request: Request, who: Person, table_id: str, text: Annotated[str, Meta(max_length=CHAT_LENGTH)] = ""
) -> Response:
    """Post a chat message."""
    table = await table_at(request, table_id)
    said = " ".join(text.split())
    mine = table.seat_of(who.id)
    if said:
        await services_of(request).chat.say(table_id, who.name, mine[0] if len(mine) == 1 else None, said, who.id)
    if FRAGMENT_HEADER in request.headers:
        return await _chat(request, who, table)
    return RedirectResponse(f"/t/{table_id}", 303)


async def _chat(request: Request, who: Person | None, table: LiveTable) -> Response:
    chat, said = await _chat_lines(request, who, table)
    return page(request, "table/chat.html", who, chat=chat, said=said)


async def _chat_lines(
    request: Request, who: Person | None, table: LiveTable
) -> tuple[Sequence[repository.ChatLine], int]:
    """Return the chat of the table, and the number of the last line, which a block may hide from this viewer."""
    said, viewer = table.said, who.id if who else ""
    chat = await asyncio.to_thread(partial(repository.chat_of, services_of(request).engine, table.id, person_id=viewer))
    if chat:  # another process's notification may have been lost
        said = max(said, chat[-1].number)
        table.said = max(table.said, said)
    return chat, said


@router.post("/{table_id}/note")
async def write_note(
    request: Request, who: Person, table_id: str, text: Annotated[str, Meta(max_length=NOTE_LENGTH)] = ""
) -> Response:
    """Store a private note."""
    await table_at(request, table_id)
    await asyncio.to_thread(repository.write_note, services_of(request).engine, table_id, who.id, text)
    if FRAGMENT_HEADER in request.headers:
        return Response(status_code=204)
    return RedirectResponse(f"/t/{table_id}", 303)


# Requests of the page's scripts.


@router.get("/{table_id}/news")
async def news(request: Request, who: Person | None, table_id: str, seat: Seat = None) -> NewsResponse:
    """Stream the table's versions for this viewer."""
    table = await _shown(request, who, table_id, seat)
    return NewsResponse(services_of(request), table, viewer_for(table, who, seat).side, who.id if who else None)


@router.get("/{table_id}/heartbeat")
async def show_heartbeat(request: Request, who: Person | None, table_id: str, seat: Seat = None) -> Response:
    """Return one heartbeat, for a hidden page, which keeps no stream open."""
    table = await _shown(request, who, table_id, seat)
    seconds = services_of(request).settings.heartbeat_seconds
    return Response(heartbeat(table, viewer_for(table, who, seat).side, seconds), media_type="application/json")


@router.get("/{table_id}/preview")
async def preview(
    request: Request,
    who: Person,
    table_id: str,
    action: Number,
    version: Annotated[int, Meta(ge=0)],
    seat: Seat = None,
    rows: bool = False,
) -> Response:
    """Return the effect of an action as ghosts for the board, or the table rows that it would change (`rows`)."""
    table = await _shown(request, who, table_id, seat, version)
    viewer = viewer_for(table, who, seat)
    if version != table.version(viewer.side):
        return Response(status_code=204)  # outdated request: the page is about to be updated
    legal = table.decisions(viewer.side) if viewer.is_player else []
    if action not in {decision.action for decision in legal}:
        raise IllegalError("there is no such choice now", key="refused.no_choice")
    after = table.game.copy(table.view(viewer.side))
    table.game.apply(table.game.rules, after, action)
    return _ghosts(request, who, table, viewer.side, after, rows)


@router.get("/{table_id}/preview/several")
async def preview_several(
    request: Request,
    who: Person,
    table_id: str,
    version: Annotated[int, Meta(ge=0)],
    seat: Seat = None,
    pick: Annotated[list[Number], Meta(max_length=MAX_PICKS)] | None = None,
    goal: Number | None = None,
    rows: bool = False,
) -> Response:
    """Return the effect of sending several pieces, as `preview` does for one action; nothing if they cannot be sent."""
    table = await _shown(request, who, table_id, seat, version)
    side = viewer_for(table, who, seat).side
    if version != table.version(side) or not table.decisions(side):
        return Response(status_code=204)
    after = after_sending(table.game, table.view(side), side, _pieces(request.query_params, pick), goal)
    return _ghosts(request, who, table, side, after, rows) if after is not None else Response(status_code=204)


def _ghosts(request: Request, who: Person, table: LiveTable, side: int, after: State, rows: bool) -> Response:
    game, view = table.game, table.view(side)
    words = game_words(game, language_of(request, who))
    if rows:
        plays = [play for _, play in log_view_of(table, side, words).plays]
        lists = overview(game, view, side, words, "narrow", plays=plays, ghosts=after)
        return page(request, "table/overview_ghosts.html", who, overview=lists) if lists else Response(status_code=204)
    ghosts = drawing_of(game).ghost_layer(game, view, after, side, words, layout_of(request))
    return Response(ghosts, media_type="image/svg+xml")


@router.get("/{table_id}/card/{card_id}", "/{table_id}/watch/card/{card_id}")
async def show_card(request: Request, who: Person | None, table_id: str, card_id: str) -> Response:
    """Show a card of this table's ruleset; the list of cards is public."""
    table = await table_at(request, table_id)
    return _picture(request, who, table, "card", card_id)


@router.get("/{table_id}/agenda/{card_id}", "/{table_id}/watch/agenda/{card_id}")
async def show_agenda(request: Request, who: Person | None, table_id: str, card_id: str) -> Response:
    """Show an agenda of this table's ruleset."""
    table = await table_at(request, table_id)
    return _picture(request, who, table, "agenda", card_id)


def _picture(request: Request, who: Person | None, table: LiveTable, kind: str, card_id: str) -> Response:
    words = game_words(table.game, language_of(request, who))
    if FRAGMENT_HEADER in request.headers:
        view = card_view(table.game, kind, card_id, words, tells_history(request))
        return page(request, "table/card_view.html", who, view=view)
    alone = card_picture(table.game, kind, card_id, words, alone=True)
    policy = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return Response(alone, media_type="image/svg+xml", headers=policy)


@router.get("/{table_id}/rules")
async def show_rules(request: Request, who: Person | None, table_id: str, seat: Seat = None) -> Response:
    """Return the section of the rules that the current question comes from."""
    table = await table_at(request, table_id)
    viewer = viewer_for(table, who, seat)
    words = game_words(table.game, language_of(request, who))
    section = section_of(table.game, table.game.narrator.prompt(table.view(viewer.side), viewer.side))
    parts = rules_in_parts(table.game, words, "narrow")
    part = next((part for part in parts if part.id == section), None)
    return page(request, "table/step_rules.html", who, part=part, game_id=table.game.id)


@router.get("/{table_id}/discards")
async def show_discards(request: Request, who: Person | None, table_id: str, seat: Seat = None) -> Response:
    """Return the face-up discards, as far as the viewer knows them."""
    table = await table_at(request, table_id)
    viewer = viewer_for(table, who, seat)
    words = game_words(table.game, language_of(request, who))
    lying = table.game.known_state(table.view(viewer.side), viewer.side)["cards"].get("discard", ())
    return page(
        request, "table/discards.html", who, cards=[card_view_for(table.game, "card", id, words) for id in lying]
    )


@router.get("/{table_id}/log")
async def show_log(request: Request, who: Person | None, table_id: str, seat: Seat = None) -> Response:
    """Return the whole log."""
    table = await _shown(request, who, table_id, seat)
    viewer = viewer_for(table, who, seat)
    # Use the log of the cached replay.
    snapshot = table.snapshot()
    source = ReplaySource(table.game, snapshot.seen_by, (), f"/t/{table.id}", hinted_entries=snapshot.hinted_entries)
    return await run_in_pool(request, partial(_log, request, who, source, viewer.side))


def _log(request: Request, who: Person | None, source: ReplaySource, viewer: int) -> Response:
    words = game_words(source.game, language_of(request, who))
    replays = services_of(request).replays
    replay = replays.replay(source, viewer, words)
    table_id = source.address.removeprefix("/t/")
    return page(
        request, "table/log.html", who, lines=replay.lines, hinted=replay.hinted, earlier=False, table_id=table_id
    )
