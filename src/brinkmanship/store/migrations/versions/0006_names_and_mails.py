"""Accounts are found by one spelling of their name; a ledger of mails; addresses in small letters

Of two accounts whose names have become the same, the older one keeps the name. The newer one gets a number behind it,
and the log says so: its owner signs in with the new name, which his page shows.
"""

from __future__ import annotations

import logging
import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

log = logging.getLogger("brinkmanship.store")

LOGIN_LENGTH = 40


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "mails",
        sa.Column("counted", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("counted", "kind", "number", name=op.f("pk_mails")),
    )
    op.create_index(op.f("ix_mails_at"), "mails", ["at"])
    with op.batch_alter_table("contacts", schema=None) as batch_op:
        batch_op.drop_column("site")
    contacts = sa.table("contacts", sa.column("kind", sa.String), sa.column("address", sa.String))
    is_email = contacts.c.kind == "email"
    op.execute(contacts.update().where(is_email).values(address=sa.func.lower(contacts.c.address)))
    _spell_logins_alike(op.get_bind())


def _spell_logins_alike(connection: sa.Connection) -> None:
    people = sa.table("people", *(sa.column(name) for name in ("id", "login", "created_at")))
    accounts = connection.execute(
        sa.select(people.c.id, people.c.login).where(people.c.login.is_not(None)).order_by(people.c.created_at)
    ).all()
    logins: dict[str, str] = {}
    for person, login in accounts:
        key = name = _key(login)
        number = 1
        while key in logins:
            number += 1
            key = f"{name[: LOGIN_LENGTH - 4]}-{number}"
        logins[key] = person
        if number > 1:
            log.warning("two accounts had the same name", extra={"person": person, "signs_in_as": key})
    old = {account.id: account.login for account in accounts}
    moved = {person: key for key, person in logins.items() if old[person] != key}
    # In two steps, for one may take the name that another leaves.
    for person in moved:
        connection.execute(people.update().where(people.c.id == person).values(login=f"\n{person}"))
    for person, key in moved.items():
        connection.execute(people.update().where(people.c.id == person).values(login=key))


def _key(login: str) -> str:
    """As `web.support.display_names.login_key` was when this was written; what it refused is left as it is."""
    kept = "".join(each for each in login if unicodedata.category(each)[0] != "C")
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", kept).casefold()).casefold()
    key = "".join(each for each in unicodedata.normalize("NFKC", folded) if unicodedata.category(each)[0] != "C")
    key = " ".join(key.split())
    return key if 1 <= len(key) <= LOGIN_LENGTH else login


def downgrade() -> None:
    """Take back; logins and addresses stay as they are."""
    with op.batch_alter_table("contacts", schema=None) as batch_op:
        batch_op.add_column(sa.Column("site", sa.String(length=300), nullable=False, server_default=""))
    op.drop_table("mails")
