"""Measured pieces in an SQLite file beside the page.

Each piece is stored as soon as it is done, so that an interrupted report can be resumed and a page rendered again in
another language.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.lab.balance.accumulator import Tally
from brinkmanship.lab.balance.counterfactual import named
from brinkmanship.lab.balance.measures import Found
from brinkmanship.lab.balance.plan import Piece, Plan
from brinkmanship.lab.balance.versions import of_player, of_rules

FORMAT = 1
"""File format version; incremented when older files can no longer be read."""


class StoreError(LocalizedError):
    """A file cannot be used: it is not a report file, or it belongs to another report."""


class Store:
    """The file of a report.

    Args:
        path: the file; created if it does not exist and `about` is given.
        about: the settings that identify the report; None: those in the file.

    Raises:
        StoreError: the file belongs to another report, or cannot be read or written.
    """

    def __init__(self, path: Path, about: Mapping[str, Any] | None = None) -> None:
        self._path = path
        if about is None and not path.exists():
            raise self._unusable("no such file")
        try:
            self._data = sqlite3.connect(path)
            with self._data:
                self._data.execute("create table if not exists about (name text primary key, value text not null)")
                self._data.execute(
                    "create table if not exists piece (kind text, player text, first integer, count integer not null,"
                    " found text not null, primary key (kind, player, first))"
                )
            found = {name: json.loads(value) for name, value in self._data.execute("select name, value from about")}
        except (sqlite3.Error, OSError, ValueError) as error:
            raise self._unusable(str(error)) from error
        if not found and about is None:
            raise StoreError(Message("fault.match_file.none", {"file": str(path)}))
        if not found:
            found = {**(about or {}), "format": FORMAT}
            with self._data:
                rows = [(name, json.dumps(value)) for name, value in found.items()]
                self._data.executemany("insert into about values (?, ?)", rows)
        for name, value in {**(about or {}), "format": FORMAT}.items():
            if found.get(name) != value:
                other = {"file": str(path), "name": name, "given": repr(found.get(name)), "due": repr(value)}
                raise StoreError(Message("fault.match_file.other", other))
        self.about: Mapping[str, Any] = found

    def _unusable(self, why: str) -> StoreError:
        return StoreError(Message("fault.match_file.unusable", {"file": str(self._path), "why": why}))

    def close(self) -> None:
        """Close the file."""
        self._data.close()

    def missing(self, pieces: Iterable[Piece]) -> list[Piece]:
        """Return the pieces that have not been measured."""
        done = {Piece(*row) for row in self._data.execute("select kind, player, first, count from piece")}
        return [piece for piece in pieces if piece not in done]

    def keep(self, piece: Piece, found: Found) -> None:
        """Store the result of a piece."""
        text = json.dumps({"moments": found.tally.moments, "rows": found.rows}, separators=(",", ":"))
        with self._data:
            self._data.execute("insert or replace into piece values (?, ?, ?, ?, ?)", (*piece, text))

    def read(self, kind: str, player: str) -> Found:
        """Return everything measured by a measure and a player, in the order of the games."""
        tally, rows = Tally(), []
        order = "select found from piece where kind = ? and player = ? order by first"
        for (text,) in self._data.execute(order, (kind, player)):
            part = json.loads(text)
            tally.merge(Tally(part["moments"]))
            rows += part["rows"]
        return Found(tally, rows)

    def games(self) -> Iterator[tuple[str, str, int]]:
        """Yield the number of games by measure and player."""
        yield from self._data.execute("select kind, player, sum(count) from piece group by kind, player order by 1, 2")


def about(game: Game, seed: int, plan: Plan) -> dict[str, Any]:
    """Return the settings that identify a report: the ruleset with its data file's content, the players, the seed."""
    options = {key: value for key, value in game.options.items() if value != game.default_options[key]}
    content = ""
    if isinstance(game.source, DataFile):
        content = game.source.content.decode("utf-8")
    elif game.source is not None:
        content = Path(game.source).read_text("utf-8")
    return {
        "game": game.id,
        "rules": game.version,
        "data": game.data_sha256,
        "file": Path(game.data_file).name,
        "content": content,
        "options": options,
        "seed": seed,
        "engine": of_rules(game),
        "players": {name: of_player(named(name, game, seed), name) for name in plan.sizes},
    }


def ruleset_of(about: Mapping[str, Any]) -> Game:
    """Return the ruleset of a report."""
    options = dict(about["options"])
    source = DataFile(about["file"], about["content"].encode()) if about["content"] else None
    if source is not None:
        options.pop("scenario", None)
    return load_game(about["game"], source, options)
