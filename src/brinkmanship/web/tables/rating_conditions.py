"""Conditions of rated tables: the terms, the ruleset and the players that count for ratings."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine, func, select

from brinkmanship.engine.game import Game
from brinkmanship.rating.profile import profile_for, ruleset_name
from brinkmanship.store import moderation
from brinkmanship.store.schema import people
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import ForbiddenError, IllegalError
from brinkmanship.web.support.table_terms import NONE, Terms
from brinkmanship.web.support.time_control import Clock
from brinkmanship.web.tables.origins import Origin, SeriesPlace
from brinkmanship.web.tables.seats import Seat


def rated_terms(clock: Clock | None) -> Terms:
    """Return the terms of a rated table: no hints and no take-back."""
    return Terms(clock, NONE, False, True)


def check_rated(
    engine: Engine, game: Game, seats: Sequence[Seat], terms: Terms, part: SeriesPlace | None, origin: Origin | None
) -> None:
    """Check that a game may be rated; blocking.

    Raises:
        IllegalError: Terms, ruleset or computer player do not allow it, or one user has both seats.
        ForbiddenError: A seated user has no account.
    """
    if terms != rated_terms(terms.clock):
        raise IllegalError("a rated game has no hints and no take-back", key="rated.refused.terms")
    if part is not None:
        raise IllegalError("the games of a campaign are not rated", key="rated.refused.campaign")
    if origin is not None:
        raise IllegalError("a game that continues from a position is not rated", key="rated.refused.origin")
    profile = profile_for(game)
    if game.data_file or ruleset_name(game) not in profile.side_advantages:
        rated = " or ".join(profile.side_advantages) or "none"
        raise IllegalError(
            f"a rated game has the standard rules and no custom data; rated options: {rated}",
            key="rated.refused.rules",
        )
    if any(seat.computer and profile.level_rating(seat.computer) is None for seat in seats):
        raise IllegalError("of the computer players only the levels are rated", key="rated.refused.player")
    seated = [seat.person_id for seat in seats if seat.person_id]
    if len(set(seated)) < len(seated):
        raise IllegalError("no one plays a rated game against themselves", key="rated.refused.alone")
    check_accounts(engine, seated)


def check_accounts(engine: Engine, person_ids: Sequence[str]) -> None:
    """Check that all users have accounts and no measure keeps them from rated games; blocking.

    Raises:
        ForbiddenError: One of them is a guest, or under such a measure.
    """
    has_account = people.c.id.in_(person_ids) & people.c.login.is_not(None)
    with engine.connect() as connection:
        accounts = connection.execute(select(func.count()).where(has_account)).scalar_one()
        may_play = all(moderation.may_play_rated(connection, each, time_control.now()) for each in person_ids)
    if accounts < len(person_ids):
        raise ForbiddenError("rated games are for people with an account", key="rated.refused.account")
    if not may_play:
        raise ForbiddenError("a measure keeps you from rated games", key="measure.refused.unrated")
