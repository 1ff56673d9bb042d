"""Which people have a public profile, cached for pages that show names: only these names are links."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable

from sqlalchemy import Engine

from brinkmanship.store.profiles import public_among
from brinkmanship.web.support.lru_cache import LruCache

KEPT_SECONDS = 60.0
"""Time (s) for which an answer is cached; until then a name may still be a link to a profile that is private again."""
MAX_KEPT = 5_000


class ProfileLinks:
    """Cache of the people with a public profile.

    Args:
        engine: Database engine.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known: LruCache[str, tuple[bool, float]] = LruCache(MAX_KEPT)

    async def among(self, person_ids: Iterable[str | None]) -> set[str]:
        """Return which of these people have a public profile; None stands for no person."""
        wanted, now = {each for each in person_ids if each is not None}, time.monotonic()
        known = {each: kept[0] for each in wanted if (kept := self._known.get(each)) is not None and kept[1] > now}
        if missing := wanted - known.keys():
            public = await asyncio.to_thread(public_among, self._engine, missing)
            for each in missing:
                known[each] = each in public
                self._known.keep(each, (known[each], now + KEPT_SECONDS))
        return {each for each, is_public in known.items() if is_public}

    def forget(self, person_id: str) -> None:
        """Drop a person whose profile has changed."""
        self._known.keep(person_id, (False, 0.0))
