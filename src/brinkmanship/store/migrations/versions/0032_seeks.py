"""Seeks for opponents, and challenges"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

SEEK_INDEXES = ("person_id", "table_id", "announced_at", "address_mark")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "seeks",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("wants", sa.Text(), nullable=False),
        sa.Column("clocks", sa.Text(), nullable=False),
        sa.Column("pace", sa.String(length=4), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("seen_at", sa.Float(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("live_of", sa.String(length=16), nullable=True),
        sa.Column("table_id", sa.String(length=12), nullable=True),
        sa.Column("left_at", sa.Float(), nullable=True),
        sa.Column("announced_at", sa.Float(), nullable=True),
        sa.Column("address_mark", sa.String(length=8), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_seeks_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seeks")),
        sa.UniqueConstraint("live_of", name=op.f("uq_seeks_live_of")),
    )
    for column in SEEK_INDEXES:
        op.create_index(op.f(f"ix_seeks_{column}"), "seeks", [column], unique=False)
    op.create_index("ix_seeks_state_pace_created", "seeks", ["state", "pace", "created_at"], unique=False)
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("from_id", sa.String(length=16), nullable=False),
        sa.Column("to_id", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("side", sa.Integer(), nullable=True),
        sa.Column("clock", sa.String(length=20), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("state", sa.String(length=9), nullable=False),
        sa.Column("reason", sa.String(length=12), nullable=False),
        sa.Column("answered_at", sa.Float(), nullable=True),
        sa.Column("table_id", sa.String(length=12), nullable=True),
        sa.ForeignKeyConstraint(["from_id"], ["people.id"], name=op.f("fk_challenges_from_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["to_id"], ["people.id"], name=op.f("fk_challenges_to_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
    )
    op.create_index(op.f("ix_challenges_expires_at"), "challenges", ["expires_at"], unique=False)
    op.create_index("ix_challenges_from_state", "challenges", ["from_id", "state"], unique=False)
    op.create_index("ix_challenges_to_state", "challenges", ["to_id", "state"], unique=False)


def downgrade() -> None:
    """Take back."""
    op.drop_table("challenges")
    op.drop_table("seeks")
