"""Rate limit for e-mails that anonymous users can trigger.

An e-mail is counted for everyone it concerns: the recipient's address and the user who requests it. The entries of
each are numbered like a table's records, and forgetting an address does not remove its entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Engine, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from brinkmanship.store.schema import mails
from brinkmanship.web.support.errors import TooManyError
from brinkmanship.web.support.tokens import digest

DAY_SECONDS = 24 * 3600


class MailLimit(NamedTuple):
    """Maximum number of e-mails within a period (s)."""

    most: int
    seconds: float


TO_ADDRESS = (MailLimit(3, DAY_SECONDS),)
"""Limits per kind for one recipient address, regardless of who requests the e-mails."""
BY_ADDRESS = (MailLimit(5, 60),)
"""Limits per kind for all clients of one network address, in addition to the daily limit in the settings."""
BY_PERSON = (MailLimit(1, 60), MailLimit(6, DAY_SECONDS))
"""Limits per kind for one user, to any addresses."""


def address_counted(address: str) -> str:
    """Return the digest counted for an e-mail address; the address itself is not stored."""
    return digest(address)


def address_digest(address_prefix: str) -> str:
    """Return the digest counted for a network address; the address itself is not stored."""
    return digest(f"household {address_prefix}")


def enter(connection: Connection, kind: str, counted: str, limits: Sequence[MailLimit], now: float) -> None:
    """Count an e-mail for one party it concerns, in the transaction that queues it.

    Args:
        connection: Connection with the open transaction.
        kind: Kind of e-mail.
        counted: Party the e-mail is counted for: a digest or a user id.
        limits: Limits to enforce.
        now: Present time (s since 1970).

    Raises:
        TooManyError: The e-mail would exceed a limit, or a concurrent request came first.
    """
    mine = (mails.c.counted == counted) & (mails.c.kind == kind)
    last = connection.execute(select(func.max(mails.c.number)).where(mine)).scalar() or 0
    for limit in limits:
        before = select(mails.c.at).where(mine & (mails.c.number == last - limit.most + 1))
        at = connection.execute(before).scalar()
        if at is not None and at > now - limit.seconds:
            is_short = limit.seconds < DAY_SECONDS
            raise TooManyError(
                f"at most {limit.most} such e-mails in {limit.seconds:.0f} seconds; try again later",
                key="notices.refused.soon" if is_short else "notices.refused.often",
            )
    try:
        connection.execute(insert(mails).values(counted=counted, kind=kind, number=last + 1, at=now))
    except IntegrityError as error:
        raise TooManyError(
            "another such e-mail was requested at the same moment", key="notices.refused.soon"
        ) from error


def forget_old(engine: Engine, now: float) -> None:
    """Remove entries too old to affect any limit."""
    with engine.begin() as connection:
        connection.execute(delete(mails).where(mails.c.at < now - DAY_SECONDS))
