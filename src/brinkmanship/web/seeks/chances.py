"""Chances of winning between users who look for an opponent, from their ratings and the advantage of a side."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine

from brinkmanship.games.registry import kit_of
from brinkmanship.rating.bookkeeping import PlayerRating
from brinkmanship.rating.glicko import Rating, aged, win_chance
from brinkmanship.rating.profile import STANDARD, profile_of
from brinkmanship.store import ratings
from brinkmanship.store.seeks import Seek
from brinkmanship.web.seeks.pairing import Chance

DAY_SECONDS = 24 * 3600.0


def chances(engine: Engine, seeks: Sequence[Seek], now: float) -> Chance:
    """Return the chances of winning between the users of these seeks; unknown for users without rated games."""
    standings: dict[str, dict[str, PlayerRating]] = {}
    advantages: dict[str, float] = {}
    for game_id in {want.game for seek in seeks for want in seek.wants}:
        people = {seek.person_id for seek in seeks if any(want.game == game_id for want in seek.wants)}
        standings[game_id] = ratings.standings_in(engine, sorted(people), game_id)
        advantages[game_id] = _advantage(engine, game_id)

    def chance(game_id: str, side: int, first: str, second: str) -> float | None:
        known = standings[game_id]
        if first not in known or second not in known:
            return None
        advantage = advantages[game_id] if side == 0 else -advantages[game_id]
        return win_chance(_now(known[first], now), _now(known[second], now), advantage)

    return chance


def _now(standing: PlayerRating, now: float) -> Rating:
    return aged(standing.rating, (now - standing.at) / DAY_SECONDS)


def _advantage(engine: Engine, game_id: str) -> float:
    with engine.connect() as connection:
        latest = ratings.latest_advantage(connection, game_id, STANDARD)
    return latest.value if latest else profile_of(kit_of(game_id)).side_advantages.get(STANDARD, 0.0)
