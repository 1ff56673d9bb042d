"""A thread-safe LRU cache."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LruCache(Generic[Key, Value]):
    """LRU cache of at most `most` values; safe to use from several threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value | None:
        """Return the cached value, or None."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key]

    def keep(self, key: Key, value: Value) -> Value:
        """Store a value and return it."""
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
        return value

    def clear(self) -> None:
        """Remove all values."""
        with self._lock:
            self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)
