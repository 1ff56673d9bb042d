"""Tables as responses of the API show them, built from the caller's own view."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from brinkmanship.engine.game import OBSERVER
from brinkmanship.text import words_for
from brinkmanship.web.api.router import ApiRequest
from brinkmanship.web.api.schemas import (
    DataInfo,
    Orders,
    OriginInfo,
    SeatInfo,
    Seen,
    TableInfo,
    TableView,
)
from brinkmanship.web.presentation.action_previews import previews_of
from brinkmanship.web.presentation.level_cookie import proposed_at
from brinkmanship.web.support.errors import ForbiddenError, IllegalError
from brinkmanship.web.support.time_control import now
from brinkmanship.web.tables.deal_pledges import owed
from brinkmanship.web.tables.hints import has_hints
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import DEALING, RUNNING, WAITING


def side_called(table: LiveTable, name: str) -> int:
    """Return a side of a table's game by its name.

    Raises:
        IllegalError: The game has no such side.
    """
    if name not in table.game.sides:
        raise IllegalError(f"there is no side {name!r}; the sides are {' and '.join(table.game.sides)}")
    return table.game.sides.index(name)


def viewer_of(table: LiveTable, person_id: str, side: str | None) -> int:
    """Return the viewer that a user is at a table: the side asked for, else their first one, else an observer.

    Raises:
        IllegalError: The game has no such side.
    """
    mine = table.seat_of(person_id)
    if side is not None:
        wanted = side_called(table, side)
        return wanted if wanted in mine else OBSERVER
    return mine[0] if mine else OBSERVER


def own_side(table: LiveTable, person_id: str, side: str | None) -> int:
    """Return the side asked for, or else the first one, of a user who plays at a table.

    Raises:
        ForbiddenError: It is not theirs.
    """
    viewer = viewer_of(table, person_id, side)
    if viewer == OBSERVER:
        raise ForbiddenError("that is not your seat", key="refused.not_yours")
    return viewer


async def shown_table(request: ApiRequest, query: Seen) -> LiveTable:
    """Return the requested table once it has reached the version that the caller has seen."""
    table = request.table
    await request.services.tables.replication.ensure_version(
        table, viewer_of(table, request.who.id, query.side), query.at_least
    )
    return table


def orders_info(table: LiveTable, side: int) -> Orders:
    """Return the standing orders of a side: those given, and those there are."""
    if table.status != RUNNING:
        return Orders(given=[], offered=[])  # there are no further decisions
    offered = [order.text for order in table.game.orders(side)]
    return Orders(given=sorted(table.state.orders.get(side, ())), offered=offered)


class _Known(NamedTuple):
    """The parts of a response that are the same for all callers with the same view, until the table changes."""

    to_move: list[str]
    state: msgspec.Raw
    legal: msgspec.Raw
    can_undo: int
    seats: list[SeatInfo]


def _known(table: LiveTable, viewer: int) -> _Known:
    def compute() -> _Known:
        game, sides = table.game, table.game.sides
        view = table.view(viewer)
        return _Known(
            [sides[side] for side in sorted(game.to_move(view))] if table.status == RUNNING else [],
            _raw(game.known_state(view, viewer)),
            _raw(table.seen_by(viewer).legal_texts() if table.status == RUNNING else []),
            table.undo_count(viewer),
            [SeatInfo(sides[seat.side], seat.known_as, seat.computer is not None) for seat in table.seats],
        )

    return table.cached("api", viewer, compute)


def warnings_for(table: LiveTable, viewer: int) -> dict[str, str]:
    """Return how legal actions of a viewer could lose the game, as far as the viewer knows."""
    game, view, decisions = table.game, table.view(viewer), table.decisions(viewer)
    words = words_for(game, "en")
    return {
        decision.text: words.sentence(warning)
        for decision, preview in zip(decisions, previews_of(game, view, decisions), strict=True)
        if (warning := game.narrator.warning(view, preview.after, viewer))
    }


def _raw(data: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(data))


def _info(table: LiveTable, person_id: str, viewer: int, known: _Known) -> dict[str, Any]:
    """Return the fields of `TableInfo`."""
    sides, mine = table.game.sides, table.seat_of(person_id)
    has_begun = table.status not in (WAITING, DEALING)
    return {
        "id": table.id,
        "game": table.game.id,
        "rules_version": table.game.version,
        "options": table.game.options,
        "data": DataInfo(table.game.data_file, table.game.data_sha256) if table.game.data_file else None,
        "status": table.status,
        "result": table.result,
        "seats": known.seats,
        "you": [sides[side] for side in mine],
        "version": table.version(viewer),
        "asked": known.to_move,
        "commitment": table.commitment,
        "pledges": {sides[seat.side]: seat.pledge for seat in table.seats if seat.pledge},
        "owed": {} if has_begun else {sides[side]: what for side in mine if (what := owed(table, side))},
        "offer": None if table.state.offer is None else sides[table.state.offer],
        "clock": table.terms.clock.as_json() if table.terms.clock else None,
        "undo": table.terms.undo,
        "rated": table.terms.rated,
        "hints": table.allows_hints and has_hints(table.game),
        "seconds_left": table.seconds_left(viewer, now()),
        "series": table.part.series if table.part else None,
        "match": table.match_place.match if table.match_place else None,
        "duplicate": table.round,
        "sealed": table.sealed,
        "origin": OriginInfo(table.origin.address, table.origin.step, table.origin.same_chance)
        if table.origin
        else None,
        "invitations": {} if has_begun or not mine else _invitations(table),
        "suits": proposed_at(table, mine),
    }


def _invitations(table: LiveTable) -> dict[str, str]:
    if table.status != WAITING:
        return {}
    sides = table.game.sides
    return {sides[seat.side]: seat.invitation for seat in table.seats if seat.is_free and seat.invitation}


def table_info(table: LiveTable, person_id: str) -> TableInfo:
    """Return a table without its position, as a user may know it."""
    viewer = viewer_of(table, person_id, None)
    return TableInfo(**_info(table, person_id, viewer, _known(table, viewer)))


def table_view(table: LiveTable, person_id: str, viewer: int) -> TableView:
    """Return a table with its position, as a viewer may know it."""
    known = _known(table, viewer)
    return TableView(
        **_info(table, person_id, viewer, known),
        as_side=(*table.game.sides, "public")[viewer],
        state=known.state,
        legal=known.legal,
        can_undo=known.can_undo,
    )
