"""Cache of rulesets shared by tables.

It keeps rulesets with default options forever, the latest others, and all that any table in memory uses.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from weakref import WeakValueDictionary

from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.game import Game
from brinkmanship.engine.options import OptionValue
from brinkmanship.games.registry import kits, load_game
from brinkmanship.web.support.lru_cache import LruCache

MAX_RULESETS = 200
"""Maximum cached rulesets with other options; users can choose any of a great many, also by uploads."""
BYTES = 350_000
"""Memory of a ruleset (bytes, rounded up), as measured for Ukrainian Crisis, the largest."""


class Rulesets:
    """Thread-safe cache that loads rulesets on first use."""

    def __init__(self) -> None:
        self._defaults: LruCache[str, Game] = LruCache(len(kits()))
        self._others: LruCache[_Key, Game] = LruCache(MAX_RULESETS)
        self._in_use: WeakValueDictionary[_Key, Game] = WeakValueDictionary()
        """All rulesets still referenced anywhere, by their effective options."""
        self._loading = threading.Lock()

    def get(self, game_id: str, options: Mapping[str, OptionValue], data: DataFile | None = None) -> Game:
        """Return a ruleset, with a custom data file or the game's own; slow if it is not cached.

        Raises:
            BrinkError: There is no such game or option, or the data file is invalid.
        """
        found = self.at_hand(game_id, options, data)
        if found is not None:
            return found
        # Decoding a data file in two threads at once has crashed the interpreter (msgspec).
        with self._loading:
            found = self.at_hand(game_id, options, data)
            if found is None:
                game = load_game(game_id, data, options)
                if options or data:
                    # The ruleset may be requested with equivalent options, or be evicted here yet used by a table.
                    game = self._in_use.setdefault(_key(game_id, game.options, data), game)
                    return self._others.keep(_key(game_id, options, data), game)
                self._in_use[_key(game_id, game.options, data)] = game
                return self._defaults.keep(game_id, game)
            return found

    def is_shared(self, game: Game) -> bool:
        """Return True for a ruleset that is kept even if no table uses it."""
        return self._defaults.get(game.id) is game

    def tried(self, game_id: str, data: DataFile) -> Game:
        """Return a ruleset for trying a data file; it is not cached.

        Raises:
            BrinkError: The data file is invalid.
        """
        with self._loading:
            return load_game(game_id, data)

    def at_hand(self, game_id: str, options: Mapping[str, OptionValue], data: DataFile | None = None) -> Game | None:
        """Return a cached ruleset, or None."""
        if options or data:
            return self._others.get(_key(game_id, options, data))
        return self._defaults.get(game_id)


_Key = tuple[str, str, str, str]


def _key(game_id: str, options: Mapping[str, OptionValue], data: DataFile | None) -> _Key:
    file = (data.name, hashlib.sha256(data.content).hexdigest()) if data else ("", "")
    return game_id, repr(sorted(options.items())), *file
