"""What mails strangers could have caused, so that nobody's mailbox is filled by asking again and again.

A mail is counted for everybody it concerns: the address it goes to and the person who asks. The entries of one of them
are numbered like a table's records, and forgetting an address removes none.
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
    """At most so many mails in so many seconds."""

    most: int
    seconds: float


TO_ADDRESS = (MailLimit(3, DAY_SECONDS),)
"""Of one kind to one address, whoever asks for them."""
BY_ADDRESS = (MailLimit(5, 60),)
"""Of one kind by all who come from one address of the network, beside what the settings allow a day."""
BY_PERSON = (MailLimit(1, 60), MailLimit(6, DAY_SECONDS))
"""Of one kind by one person, to whatever addresses."""


def address_counted(address: str) -> str:
    """What stands for an address in the ledger, which does not keep the address itself."""
    return digest(address)


def address_digest(address_prefix: str) -> str:
    """What stands for an address of the network in the ledger, which does not keep the address itself."""
    return digest(f"household {address_prefix}")


def enter(connection: Connection, kind: str, counted: str, limits: Sequence[MailLimit], now: float) -> None:
    """Enter a mail of a kind for one whom it concerns, in the transaction that has it sent.

    Raises:
        TooManyError: it would be more than a limit allows; also where two ask at the same moment.
    """
    mine = (mails.c.counted == counted) & (mails.c.kind == kind)
    last = connection.execute(select(func.max(mails.c.number)).where(mine)).scalar() or 0
    for limit in limits:
        before = select(mails.c.at).where(mine & (mails.c.number == last - limit.most + 1))
        at = connection.execute(before).scalar()
        if at is not None and at > now - limit.seconds:
            is_short = limit.seconds < DAY_SECONDS
            raise TooManyError(
                f"at most {limit.most} such mails in {limit.seconds:.0f} seconds; ask again later",
                said="notices.refused.soon" if is_short else "notices.refused.often",
            )
    try:
        connection.execute(insert(mails).values(counted=counted, kind=kind, number=last + 1, at=now))
    except IntegrityError as error:
        raise TooManyError("another such mail was asked for at this moment", said="notices.refused.soon") from error


def forget_old(engine: Engine, now: float) -> None:
    """Remove the entries that limit nothing any more."""
    with engine.begin() as connection:
        connection.execute(delete(mails).where(mails.c.at < now - DAY_SECONDS))
