"""Rulesets that tables share: those with all options at their defaults for good, of all others the latest, and all that
any table in memory is played by."""

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

MOST = 200
"""Rulesets with other options: anybody may choose any of a great many, by an upload as well."""
BYTES = 350_000
"""Memory of a ruleset, rounded up: of Ukrainian Crisis, the largest."""


class Rulesets:
    """Makes rulesets when they are asked for; may be used from several threads."""

    def __init__(self) -> None:
        self._defaults: LruCache[str, Game] = LruCache(len(kits()))
        self._others: LruCache[_Key, Game] = LruCache(MOST)
        self._in_use: WeakValueDictionary[_Key, Game] = WeakValueDictionary()
        """All that anything holds, by their options, however those were chosen."""
        self._loading = threading.Lock()

    def ruleset(self, game_id: str, options: Mapping[str, OptionValue], data: DataFile | None = None) -> Game:
        """A ruleset, by a data file of somebody's or the game's own; takes a while where it is not at hand.

        Raises:
            BrinkError: no such game or option.
        """
        found = self.at_hand(game_id, options, data)
        if found is not None:
            return found
        # Reading a data file in two threads at once has crashed the interpreter (msgspec).
        with self._loading:
            found = self.at_hand(game_id, options, data)
            if found is None:
                game = load_game(game_id, data, options)
                if options or data:
                    # The same ruleset may have been chosen in other words, or be forgotten here and held by a table.
                    game = self._in_use.setdefault(_key(game_id, game.options, data), game)
                    return self._others.keep(_key(game_id, options, data), game)
                self._in_use[_key(game_id, game.options, data)] = game
                return self._defaults.keep(game_id, game)
            return found

    def is_shared(self, game: Game) -> bool:
        """Return True for a ruleset that is kept whether any table is played by it or not."""
        return self._defaults.get(game.id) is game

    def tried(self, game_id: str, data: DataFile) -> Game:
        """A ruleset by a data file that may never be played with; it is not kept.

        Raises:
            BrinkError: the data file cannot be used.
        """
        with self._loading:
            return load_game(game_id, data)

    def at_hand(self, game_id: str, options: Mapping[str, OptionValue], data: DataFile | None = None) -> Game | None:
        """The same where it need not be made, else None."""
        if options or data:
            return self._others.get(_key(game_id, options, data))
        return self._defaults.get(game_id)


_Key = tuple[str, str, str, str]


def _key(game_id: str, options: Mapping[str, OptionValue], data: DataFile | None) -> _Key:
    file = (data.name, hashlib.sha256(data.content).hexdigest()) if data else ("", "")
    return game_id, repr(sorted(options.items())), *file
