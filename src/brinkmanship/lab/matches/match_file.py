"""Match files: each piece of pairs is one line, written once played, so that an interrupted match can be resumed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.lab.matches.match import Pairs


class SavedMatchError(LocalizedError):
    """A file cannot be used: it is not a match file, or it belongs to another match."""


def description(game: Game, a: str, b: str, seed: int) -> dict[str, Any]:
    """Return the settings that identify a match."""
    options = {key: value for key, value in game.options.items() if value != game.default_options[key]}
    return {
        "game": game.id,
        "rules": game.version,
        "data": game.data_sha256,
        "options": options,
        "a": a,
        "b": b,
        "seed": seed,
    }


class SavedMatch:
    """The file of a match; created if it does not exist.

    Args:
        path: the file.
        match: the settings from `description`.

    Raises:
        SavedMatchError: the file belongs to another match, or cannot be read or written.
    """

    def __init__(self, path: Path, match: Mapping[str, Any]) -> None:
        self._path = path
        self.pairs: list[Pairs] = []
        """Pairs played so far."""
        try:
            lines = path.read_text("utf-8").splitlines() if path.exists() else []
            if not lines:
                path.write_text(json.dumps(dict(match)) + "\n", "utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = {"file": str(path), "why": str(error)}
            raise SavedMatchError(Message("fault.match_file.unusable", why)) from error
        if lines:
            self._check(lines[0], match)
            # An incomplete line, left by an interrupted write, is discarded and played again.
            whole = list(self._read(lines[1:]))
            self.pairs = whole
            if len(whole) < len(lines) - 1:
                path.write_text("\n".join(lines[: 1 + len(whole)]) + "\n", "utf-8")

    def _check(self, first: str, match: Mapping[str, Any]) -> None:
        try:
            found = json.loads(first)
        except json.JSONDecodeError:
            found = None
        if not isinstance(found, dict) or "game" not in found:
            raise SavedMatchError(Message("fault.match_file.none", {"file": str(self._path)}))
        for name, value in match.items():
            if found.get(name) != value:
                other = {"file": str(self._path), "name": name, "given": repr(found.get(name)), "due": repr(value)}
                raise SavedMatchError(Message("fault.match_file.other", other))

    @staticmethod
    def _read(lines: list[str]) -> Iterator[Pairs]:
        for line in lines:
            try:
                data = json.loads(line)
                yield Pairs(np.array(data["scores"], np.float64), np.array(data["reasons"], np.int64))
            except (json.JSONDecodeError, KeyError, ValueError):
                return

    @property
    def count(self) -> int:
        """Return the number of pairs played."""
        return sum(len(each.scores) for each in self.pairs)

    def add(self, pairs: Pairs) -> None:
        """Append played pairs to the file."""
        line = json.dumps({"scores": pairs.scores.tolist(), "reasons": pairs.reasons.tolist()})
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        self.pairs.append(pairs)
