"""Accounts that are looked after: when a session was last used, recovery by mail, what was said by whom, leaving"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "recoveries",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_recoveries_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_recoveries")),
    )
    op.create_index(op.f("ix_recoveries_person_id"), "recoveries", ["person_id"])
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.add_column(sa.Column("used_at", sa.Float(), nullable=True))
    with op.batch_alter_table("people", schema=None) as batch_op:
        batch_op.add_column(sa.Column("left_at", sa.Float(), nullable=True))
    with op.batch_alter_table("chats", schema=None) as batch_op:
        batch_op.add_column(sa.Column("person_id", sa.String(length=16), nullable=True))
        batch_op.create_foreign_key(op.f("fk_chats_person_id"), "people", ["person_id"], ["id"], ondelete="SET NULL")
        batch_op.create_index(op.f("ix_chats_person_id"), ["person_id"])
    with op.batch_alter_table("deliveries", schema=None) as batch_op:
        batch_op.add_column(sa.Column("purpose", sa.String(length=8), nullable=False, server_default="turn"))
    deliveries = sa.table("deliveries", sa.column("table_id"), sa.column("purpose", sa.String))
    op.execute(deliveries.update().where(deliveries.c.table_id.is_(None)).values(purpose="confirm"))


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("deliveries", schema=None) as batch_op:
        batch_op.drop_column("purpose")
    with op.batch_alter_table("chats", schema=None) as batch_op:
        batch_op.drop_index(op.f("ix_chats_person_id"))
        batch_op.drop_constraint(op.f("fk_chats_person_id"), type_="foreignkey")
        batch_op.drop_column("person_id")
    with op.batch_alter_table("people", schema=None) as batch_op:
        batch_op.drop_column("left_at")
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.drop_column("used_at")
    op.drop_table("recoveries")
