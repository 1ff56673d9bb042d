"""Application of records to the state of a table: one handler for each kind that changes more than the log."""

from __future__ import annotations

from collections.abc import Callable

from brinkmanship.engine import commit_reveal, journal
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.tables import open_hands
from brinkmanship.web.tables import record_kinds as kinds
from brinkmanship.web.tables.statuses import FINISHED
from brinkmanship.web.tables.table_state import TableState

_CONCEDED = {kinds.RESIGN: "resignation", kinds.TIMEOUT: "time"}
"""Kinds of records by which a side loses, with the reason in the result."""


def apply_record(state: TableState, record: TableRecord) -> None:
    """Apply a record that has already been validated."""
    completes = record.kind == kinds.ACTION and state.match.answered == 1 - record.actor
    if handler := _HANDLERS.get(record.kind):
        handler(state, record)
    if completes:
        state.secrecy = state.secrecy.end()  # even if the next decision is a secret choice again
    _note_entries(state, record, completes)
    _hide(state, record)
    state.records.append(record)
    _settle(state, record)
    _run_clocks(state, record)
    state.note_secret()


def _act(state: TableState, record: TableRecord) -> None:
    assert state.chance_key is not None, "no action can precede the deal"
    state.match.push(record.value, side=record.actor)
    commit_reveal.advance(state.match, state.chance_key)
    state.offer = state.back = None


def _undo(state: TableState, record: TableRecord) -> None:
    for _ in range(record.value):
        state.match.pop()
    state.back = None


def _take_back(state: TableState, record: TableRecord) -> None:
    # Chance follows from secret and place: the same steps bring the same draws again (docs/develop/formats.md).
    while state.length > record.value:
        state.match.pop()
    state.offer = state.back = None
    state.secrecy = state.secrecy.end()
    if state.timer:
        state.timer.forget_gains()


def _ask_back(state: TableState, record: TableRecord) -> None:
    state.back = (record.actor, record.value)


def _keep(state: TableState, _: TableRecord) -> None:
    state.back = None


def _offer(state: TableState, record: TableRecord) -> None:
    state.offer = record.actor


def _decline(state: TableState, _: TableRecord) -> None:
    state.offer = None


def _wish(state: TableState, record: TableRecord) -> None:
    state.wishes = {**state.wishes, record.actor: bool(record.value)}


def _hint(state: TableState, record: TableRecord) -> None:
    state.hinted |= {(record.actor, record.value)}


def _ask_open(state: TableState, record: TableRecord) -> None:
    if state.decides_alone(record.actor):
        _open(state, record)
    else:
        state.open_view = state.open_view._replace(asked=(record.actor, record.value))


def _open(state: TableState, record: TableRecord) -> None:
    state.open_view = open_hands.OpenView(record.value)


def _close(state: TableState, record: TableRecord) -> None:
    if record.value:
        state.open_view = state.open_view._replace(asked=None)
    else:
        state.open_view = open_hands.OpenView(frozen=state.shown_openly(record.at))


def _ask_commentator(state: TableState, record: TableRecord) -> None:
    if state.decides_alone(record.actor):
        _invite_commentator(state, record)
    else:
        state.commentary = open_hands.Commentary(asked=record.actor)


def _invite_commentator(state: TableState, _: TableRecord) -> None:
    state.commentary = open_hands.Commentary(len(state.records) + 1)


def _dismiss_commentator(state: TableState, _: TableRecord) -> None:
    state.commentary = open_hands.Commentary()


_HANDLERS: dict[str, Callable[[TableState, TableRecord], None]] = {
    kinds.ACTION: _act,
    kinds.UNDO: _undo,
    kinds.TAKE_BACK: _take_back,
    kinds.ASK_BACK: _ask_back,
    kinds.KEEP: _keep,
    kinds.OFFER: _offer,
    kinds.DECLINE: _decline,
    kinds.WISH: _wish,
    kinds.HINT: _hint,
    kinds.ASK_OPEN: _ask_open,
    kinds.OPEN: _open,
    kinds.CLOSE: _close,
    kinds.ASK_COMMENTATOR: _ask_commentator,
    kinds.INVITE_COMMENTATOR: _invite_commentator,
    kinds.DISMISS_COMMENTATOR: _dismiss_commentator,
}


def _note_entries(state: TableState, record: TableRecord, completes: bool) -> None:
    """Note when the entries of a record were made, and forget those it takes back."""
    state.entry_times = open_hands.times_after(state.entry_times, state.length, record.at, completes=completes)
    if state.open_view.frozen > state.length:
        state.open_view = state.open_view._replace(frozen=state.length)


def _hide(state: TableState, record: TableRecord) -> None:
    """Note the only viewer who ever sees a record being applied.

    After a secret choice its result is known, but not how often each side changed its mind, so that is never counted.
    """
    if record.kind == kinds.HINT:
        state.secrecy = state.secrecy.hide(len(state.records), kinds.NOBODY)
    elif record.kind in (kinds.ACTION, kinds.UNDO) and state.secrecy.since is not None and state.match.in_secret:
        state.secrecy = state.secrecy.hide(len(state.records), record.actor)


def _settle(state: TableState, record: TableRecord) -> None:
    if record.kind in _CONCEDED:
        state.status = FINISHED
        state.result = f"{state.game.sides[1 - record.actor]} by {_CONCEDED[record.kind]}"
    elif record.kind == kinds.ACCEPT:
        state.status = FINISHED
        state.result = "nobody by agreement"
    elif state.match.is_over:
        state.status = FINISHED
        state.result = journal.result_text(state.match)
    if state.status == FINISHED:
        # No action is possible any more: no offer or request outlives the game, however it ended.
        state.offer = state.back = None


def _run_clocks(state: TableState, record: TableRecord) -> None:
    timer = state.timer
    if timer is None or record.kind == kinds.HINT:
        return
    if record.kind == kinds.PAUSE:
        timer.pause(record.at, record.value)
        state.secrecy = state.secrecy.pause(record.at, record.value)
        return
    # Not `state.status`: a finished table that is reloaded has its final status from the first record on.
    has_stopped = record.kind in _CONCEDED or record.kind in (kinds.ACCEPT, kinds.WISH)
    runs = () if has_stopped else sorted(state.match.pending)
    undone = record.value if record.kind == kinds.UNDO else 0
    timer.record(record.at, record.actor, record.kind == kinds.ACTION, runs, state.match.in_secret, undone)
