"""Open records: games played with the physical game, entered step by step"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "open_records",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("title", sa.String(length=80), nullable=False),
        sa.Column("journal", sa.LargeBinary(), nullable=False),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("is_over", sa.Boolean(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("changed_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_open_records_person_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_open_records")),
    )
    op.create_index(op.f("ix_open_records_person_changed"), "open_records", ["person_id", "changed_at"], unique=False)


def downgrade() -> None:
    """Take back."""
    op.drop_table("open_records")
