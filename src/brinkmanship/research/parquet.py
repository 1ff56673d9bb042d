"""Games as Parquet: a table with one row per game, and one with a row per decision. It needs the extra `data`.

Polars, pandas, DuckDB and Spark read both. The columns are in ``docs/research/python.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from brinkmanship.engine import journal
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.journal import Journal
from brinkmanship.engine.match import Match

SCHEMA_VERSION = b"1"
"""Stored in both files; raised when a column changes its meaning."""
GAMES_AT_ONCE = 500
"""Games in memory; each such group is a row group of the files."""

_META = {b"brinkmanship.schema": SCHEMA_VERSION}
GAMES = pa.schema(
    [
        ("game_number", pa.int64()),
        ("game", pa.string()),
        ("rules", pa.int32()),
        ("options", pa.map_(pa.string(), pa.string())),
        ("headers", pa.map_(pa.string(), pa.string())),
        ("cards_sha256", pa.string()),
        ("result", pa.string()),
        ("winner", pa.string()),
        ("reason", pa.string()),
        ("utility", pa.list_(pa.float64(), 2)),
        ("actions", pa.int32()),
        ("decisions", pa.int32()),
    ],
    metadata=_META,
)
DECISIONS = pa.schema(
    [
        ("game_number", pa.int64()),
        ("ply", pa.int32()),
        ("side", pa.string()),
        ("action", pa.string()),
        ("action_number", pa.int16()),
        ("legal", pa.list_(pa.int16())),
    ],
    metadata=_META,
)


class Counts(NamedTuple):
    """The rows that were written."""

    games: int
    decisions: int


def decisions_file(file: Path) -> Path:
    """Return the file of the decisions that belongs to a file of games: ``games.decisions.parquet``."""
    return file.with_name(f"{file.stem}.decisions{file.suffix}")


def write(games: Iterable[tuple[Journal, Game]], file: Path) -> Counts:
    """Write games to two Parquet files, in pieces, so that their number is not limited by memory.

    Args:
        games: journals, each with its ruleset.
        file: the file of games; `decisions_file` is written beside it. After an error both are as they were.

    Raises:
        JournalError: a journal breaks the rules of its game.
        OSError: a file cannot be written.
    """
    parts = {one: one.with_name(f"{one.name}.part") for one in (file, decisions_file(file))}
    try:
        counts = _write(games, *parts.values())
        for whole, part in parts.items():
            part.replace(whole)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
    return counts


def _write(games: Iterable[tuple[Journal, Game]], file: Path, decisions_to: Path) -> Counts:
    played = decided = 0
    with pq.ParquetWriter(file, GAMES) as of_games, pq.ParquetWriter(decisions_to, DECISIONS) as of_decisions:
        for piece in _pieces(games):
            rows = [_rows(played + number, *one) for number, one in enumerate(piece)]
            decisions = [decision for _, found in rows for decision in found]
            of_games.write_table(pa.Table.from_pylist([row for row, _ in rows], GAMES))
            of_decisions.write_table(pa.Table.from_pylist(decisions, DECISIONS))
            played, decided = played + len(rows), decided + len(decisions)
    return Counts(played, decided)


def _pieces(games: Iterable[tuple[Journal, Game]]) -> Iterator[list[tuple[Journal, Game]]]:
    piece: list[tuple[Journal, Game]] = []
    for one in games:
        piece.append(one)
        if len(piece) == GAMES_AT_ONCE:
            yield piece
            piece = []
    if piece:
        yield piece


def _rows(number: int, record: Journal, game: Game) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the row of a game, and those of its decisions."""
    match = journal.play(record, game)
    decisions = list(_decisions(number, match))
    winner, reason = journal.ending_of(game, record.result)
    row = {
        "game_number": number,
        "game": game.id,
        "rules": game.version,
        "options": [(name, str(value)) for name, value in game.options.items()],
        "headers": list(record.headers.items()),
        "cards_sha256": game.data_sha256,
        "result": record.result,
        "winner": None if winner is None else game.sides[winner],
        "reason": reason or None,
        "utility": game.outcome(match.state)[1].tolist() if game.is_over(match.state) else None,
        "actions": len(match.entries),
        "decisions": len(decisions),
    }
    return row, decisions


def _decisions(number: int, match: Match) -> Iterator[dict[str, Any]]:
    game, state = match.game, match.game.new_state()
    for ply, entry in enumerate(match.entries):
        if entry.actor != CHANCE:
            yield {
                "game_number": number,
                "ply": ply,
                "side": game.sides[entry.actor],
                "action": entry.text,
                "action_number": entry.action,
                "legal": game.legal_actions(state, entry.actor),
            }
        game.apply(game.rules, state, entry.action)
