"""Journals that were uploaded to be looked at

Every worker process shows them, and they outlive a restart.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "uploads",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("journal", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_uploads")),
    )
    op.create_index(op.f("ix_uploads_at"), "uploads", ["at"])


def downgrade() -> None:
    """Take back."""
    op.drop_table("uploads")
