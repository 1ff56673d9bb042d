"""Routes of the API for tables: create, join, look, act."""

from __future__ import annotations

import asyncio

from brinkmanship.engine.hint import Hint
from brinkmanship.games.registry import kits
from brinkmanship.players import levels_for, players_for
from brinkmanship.store import repository
from brinkmanship.text import words_for
from brinkmanship.text.hints import why_text
from brinkmanship.web.api.router import ApiRequest
from brinkmanship.web.api.schemas import (
    Action,
    AsSide,
    Deal,
    GameInfo,
    HintInfo,
    Hints,
    HintWanted,
    Join,
    ListedTable,
    NewTable,
    Next,
    Order,
    Orders,
    OutlookInfo,
    PlayOn,
    RatingChange,
    ReplyInfo,
    Resignation,
    Seen,
    SeriesGameInfo,
    SeriesInfo,
    TableInfo,
    TableRating,
    TableView,
    Undo,
    Warnings,
    WhichTables,
)
from brinkmanship.web.api.table_view import (
    orders_info,
    own_side,
    shown_table,
    side_called,
    table_info,
    table_view,
    viewer_of,
    warnings_for,
)
from brinkmanship.web.api.terms import check_game, terms_of
from brinkmanship.web.api.v1 import api
from brinkmanship.web.presentation.data_files import data_file
from brinkmanship.web.tables.continuation import ContinuationSettings, of_table, play_on
from brinkmanship.web.tables.event_stream import NewsResponse
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import FINISHED


@api.get("games", is_open=True)
async def games(request: ApiRequest) -> list[GameInfo]:
    """List the games with their options (the default first) and computer players."""
    rulesets = [request.services.tables.rulesets.get(game_id, {}) for game_id in kits()]
    return [
        GameInfo(
            id=game.id,
            title=game.title,
            rules_version=game.version,
            sides=list(game.sides),
            options={name: list(values) for name, values in game.option_values().items()},
            option_ranges=dict(game.option_ranges()),
            presets={name: dict(values) for name, values in game.presets().items()},
            players=list(players_for(game)),
            levels=list(levels_for(game)),
            series=game.series() is not None,
        )
        for game in rulesets
    ]


@api.get("tables")
async def list_tables(request: ApiRequest, query: WhichTables) -> list[ListedTable]:
    """List your waiting and running tables, or tables that anyone may join; the newest 20."""
    engine = request.services.engine
    if query.mine:
        listed = await asyncio.to_thread(repository.tables_of, engine, request.who.id, False)
    else:
        listed = await asyncio.to_thread(
            repository.open_tables, engine, repository.PAGE, query.after, (), request.who.id
        )
    return [
        ListedTable(table.id, table.game, table.status, [seat.known_as for seat in table.seats]) for table in listed
    ]


@api.post("tables", 201)
async def create_table(request: ApiRequest, body: NewTable) -> TableInfo:
    """Create a table."""
    check_game(body.game)
    sent = data_file(body.data.name, body.data.text.encode()) if body.data else None
    plan = TableSettings(body.game, body.seats, body.options, terms_of(body), body.series, body.contributes, sent)
    table, _ = await request.services.seating.create(plan, request.who.id, request.who.name)
    return table_info(table, request.who.id)


@api.post("tables/{table_id}/play_on", 201)
async def play_on_from(request: ApiRequest, body: PlayOn) -> TableInfo:
    """Create a table that continues this finished game from a position, as either side.

    Chance is the same as in this game, or newly drawn.
    """
    table = await request.services.tables.fresh(request.id)
    wish = ContinuationSettings(body.step, side_called(table, body.side), body.against, body.same_chance)
    begun, _ = await play_on(request.services.seating, of_table(table), wish, request.who)
    return table_info(begun, request.who.id)


@api.post("tables/{table_id}/withdraw")
async def withdraw(request: ApiRequest) -> TableInfo:
    """Stop waiting for players: close the table."""
    return table_info(await request.services.seating.withdraw(request.id, request.who.id), request.who.id)


@api.post("tables/{table_id}/invitations")
async def invite_anew(request: ApiRequest) -> TableInfo:
    """Replace the invitations by new ones; the old ones become invalid."""
    return table_info(await request.services.seating.invite_anew(request.id, request.who.id), request.who.id)


@api.post("tables/{table_id}/join")
async def join_table(request: ApiRequest, body: Join) -> TableInfo:
    """Take a seat at a table."""
    who = request.who
    side = None if body.side is None else side_called(request.table, body.side)
    table = await request.services.seating.join(request.id, who.id, who.name, body.invitation, side, body.contributes)
    await request.services.matches.seats_taken(table)
    return table_info(table, who.id)


@api.post("tables/{table_id}/deal")
async def contribute(request: ApiRequest, body: Deal) -> TableInfo:
    """Pledge random bytes for the deal, or send them, as `owed` says; once nothing is missing the game begins."""
    side = side_called(request.table, body.side)
    contribution = None if body.contribution is None else bytes.fromhex(body.contribution)
    table = await request.services.seating.contribute(request.id, request.who.id, side, body.pledge, contribution)
    return table_info(table, request.who.id)


@api.get("tables/{table_id}")
async def look(request: ApiRequest, query: Seen) -> TableView:
    """Return the position as you know it, and your legal actions."""
    table = await shown_table(request, query)
    return table_view(table, request.who.id, viewer_of(table, request.who.id, query.side))


@api.get("tables/{table_id}/rating")
async def rating_at_table(request: ApiRequest) -> TableRating:
    """Return what a rated game would do to your rating, or has done to both."""
    table = await request.services.tables.fresh(request.id)
    sides = table.game.sides
    changes = [
        RatingChange(sides[change.side], change.before, change.after, change.counts)
        for change in await request.services.ratings.changes(table)
    ]
    return TableRating(await _outlook(request, table), changes)


async def _outlook(request: ApiRequest, table: LiveTable) -> OutlookInfo | None:
    if not table.terms.rated or table.status == FINISHED or request.who.is_guest:
        return None
    mine = table.seat_of(request.who.id) or [seat.side for seat in table.seats if seat.is_free and table.is_open]
    if not mine:
        return None
    found = await request.services.ratings.outlook(table, mine[0], request.who.id)
    return OutlookInfo(table.game.sides[mine[0]], *found.prospect, found.is_even)


@api.get("tables/{table_id}/warnings")
async def warnings(request: ApiRequest, query: Seen) -> Warnings:
    """Return which of your legal actions could lose the game at the next check, by all you know."""
    table = await shown_table(request, query)
    viewer = viewer_of(table, request.who.id, query.side)
    # Not part of the view: it takes a millisecond or two, several times as long as the whole answer to an action.
    found = table.cached("warnings", viewer, lambda: warnings_for(table, viewer))
    return Warnings(table.version(viewer), found)


@api.post("tables/{table_id}/actions")
async def act(request: ApiRequest, body: Action) -> TableView:
    """Take an action; the response, your new view, is sent once the action is stored."""
    side = side_called(request.table, body.side)
    table = await request.services.actions.act(request.id, request.who.id, side, body.version, body.action)
    return table_view(table, request.who.id, side)


@api.post("tables/{table_id}/undo")
async def undo(request: ApiRequest, body: Undo) -> TableView:
    """Take back, as far as the last draw, reveal or change of decider."""
    side = side_called(request.table, body.side)
    table = await request.services.actions.undo(request.id, request.who.id, side, body.version, body.whole_turn)
    return table_view(table, request.who.id, side)


@api.post("tables/{table_id}/hint")
async def hint(request: ApiRequest, body: HintWanted) -> Hints:
    """Return advice on the current decision if the table allows hints; the journal shows the hint to both players."""
    side = side_called(request.table, body.side)
    table, found = await request.services.hints.hint(request.id, request.who.id, side, body.version)
    game, words = table.game, words_for(table.game, "en")

    def info(one: Hint) -> HintInfo:
        reason = None if one.reason is None else why_text(one.reason, words)
        reply = None if one.reply is None else ReplyInfo(game.action_text(one.reply.action), one.reply.share)
        text = game.action_text(one.action)
        return HintInfo(text, one.win, one.error, one.is_best, one.war, one.share, reason, reply, one.score)

    return Hints(body.side, table.version(side), found.worlds, found.playouts, [info(one) for one in found.hints])


@api.get("tables/{table_id}/orders")
async def orders(request: ApiRequest, query: AsSide) -> Orders:
    """Return your standing orders: choices made for you as soon as they come up."""
    table = await request.services.tables.fresh(request.id)
    return orders_info(table, own_side(table, request.who.id, query.side))


@api.post("tables/{table_id}/orders")
async def give_order(request: ApiRequest, body: Order) -> Orders:
    """Give a standing order; it replaces an earlier one about the same thing."""
    side = side_called(request.table, body.side)
    return orders_info(await request.services.standing_orders.give(request.id, request.who.id, side, body.order), side)


@api.post("tables/{table_id}/orders/revoke")
async def revoke_order(request: ApiRequest, body: Order) -> Orders:
    """Revoke a standing order."""
    side = side_called(request.table, body.side)
    return orders_info(
        await request.services.standing_orders.revoke(request.id, request.who.id, side, body.order), side
    )


@api.post("tables/{table_id}/resign")
async def resign(request: ApiRequest, query: Resignation) -> TableInfo:
    """Resign the game."""
    side = side_called(request.table, query.side)
    table = await request.services.actions.resign(request.id, request.who.id, side, query.everything)
    return table_info(table, request.who.id)


@api.post("tables/{table_id}/next")
async def next_game(request: ApiRequest, query: Next) -> TableInfo:
    """Begin the next game of a series; return its table, or this one until the other player has agreed."""
    table = await request.services.followups.next_game(request.id, request.who.id, query.swapped, query.contributes)
    return table_info(table, request.who.id)


@api.get("series/{series_id}")
async def series(request: ApiRequest) -> SeriesInfo:
    """Return a series of games: its score, games and winners."""
    history = await request.services.followups.series(request.id)
    standing = history.series.standing
    sides = history.game.sides
    next_sides = history.next_sides if history.can_go_on else None
    return SeriesInfo(
        id=history.id,
        game=history.game.id,
        options=dict(history.game.options),
        players=[seat.known_as for seat in history.players],
        score=list(standing.score),
        target=standing.target,
        is_over=standing.is_over,
        winners=list(standing.winners),
        reason=standing.reason,
        can_go_on=history.can_go_on,
        next_sides=[sides[side] for side in next_sides] if next_sides else None,
        games=[
            SeriesGameInfo(
                table=each.table.id,
                sides=[sides[side] for side in each.sides],
                status=each.table.status,
                result=each.table.result,
                points=None if each.points is None else list(each.points),
            )
            for each in history.games
        ],
    )


@api.get("tables/{table_id}/stream")
async def stream(request: ApiRequest, query: Seen) -> NewsResponse:
    """Stream server-sent events: the table's version for you, at once and whenever it rises, and `outage`."""
    table = await shown_table(request, query)
    return NewsResponse(request.services, table, viewer_of(table, request.who.id, query.side), request.who.id)
