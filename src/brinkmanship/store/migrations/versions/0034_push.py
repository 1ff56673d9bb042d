"""Push subscriptions and webhooks of one table as contacts; announcements, quiet hours, keys of the server"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "announcements",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("purpose", sa.String(length=20), nullable=False),
        sa.Column("subject", sa.String(length=80), nullable=False),
        sa.Column("message", sa.JSON(), nullable=False),
        sa.Column("address", sa.String(length=300), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_announcements_person_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcements")),
        sa.UniqueConstraint("person_id", "purpose", "subject", name=op.f("uq_announcements_person_id")),
    )
    op.create_index(op.f("ix_announcements_at"), "announcements", ["at"], unique=False)
    op.create_table(
        "notice_preferences",
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_to", sa.Integer(), nullable=True),
        sa.Column("digest_at", sa.Integer(), nullable=True),
        sa.Column("time_zone", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_notice_preferences_person_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_notice_preferences")),
    )
    op.create_table(
        "server_keys",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_server_keys")),
    )
    with op.batch_alter_table("contacts", schema=None) as batch_op:
        batch_op.add_column(sa.Column("place", sa.String(length=16), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("label", sa.String(length=40), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("keys", sa.String(length=120), nullable=True))
        batch_op.add_column(sa.Column("session", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("refused_days", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("refused_at", sa.Float(), nullable=True))
        batch_op.drop_constraint("pk_contacts", type_="primary")
        batch_op.create_primary_key("pk_contacts", ["person_id", "kind", "place"])
        batch_op.create_foreign_key(
            batch_op.f("fk_contacts_session"), "sessions", ["session"], ["digest"], ondelete="CASCADE"
        )
        batch_op.create_index(batch_op.f("ix_contacts_session"), ["session"], unique=False)
    with op.batch_alter_table("notices", schema=None) as batch_op:
        batch_op.add_column(sa.Column("is_muted", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("deliveries", schema=None) as batch_op:
        batch_op.add_column(sa.Column("place", sa.String(length=16), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("announcement_id", sa.String(length=16), nullable=True))
        batch_op.add_column(sa.Column("made_at", sa.Float(), nullable=False, server_default="0"))
        batch_op.create_foreign_key(
            batch_op.f("fk_deliveries_announcement_id"),
            "announcements",
            ["announcement_id"],
            ["id"],
            ondelete="CASCADE",
        )
        batch_op.create_index(batch_op.f("ix_deliveries_announcement_id"), ["announcement_id"], unique=False)


def downgrade() -> None:
    """Take back."""
    deliveries = sa.table("deliveries", sa.column("kind", sa.String), sa.column("announcement_id", sa.String))
    op.execute(deliveries.delete().where((deliveries.c.kind == "push") | deliveries.c.announcement_id.is_not(None)))
    contacts = sa.table("contacts", sa.column("place", sa.String))
    op.execute(contacts.delete().where(contacts.c.place != ""))
    with op.batch_alter_table("deliveries", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_deliveries_announcement_id"))
        batch_op.drop_constraint(batch_op.f("fk_deliveries_announcement_id"), type_="foreignkey")
        for column in ("made_at", "announcement_id", "place"):
            batch_op.drop_column(column)
    with op.batch_alter_table("notices", schema=None) as batch_op:
        batch_op.drop_column("is_muted")
    with op.batch_alter_table("contacts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_contacts_session"))
        batch_op.drop_constraint(batch_op.f("fk_contacts_session"), type_="foreignkey")
        batch_op.drop_constraint("pk_contacts", type_="primary")
        batch_op.create_primary_key("pk_contacts", ["person_id", "kind"])
        for column in ("refused_at", "refused_days", "session", "keys", "label", "place"):
            batch_op.drop_column(column)
    for name in ("server_keys", "notice_preferences", "announcements"):
        op.drop_table(name)
