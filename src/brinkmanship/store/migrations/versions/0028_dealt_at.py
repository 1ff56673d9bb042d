"""Clocks run from the deal on; where none runs yet they start now"""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("tables", sa.Column("dealt_at", sa.Float(), nullable=True))
    tables = sa.table(
        "tables",
        sa.column("status", sa.String),
        sa.column("clock", sa.JSON(none_as_null=True)),
        sa.column("clock_ends_at", sa.Float),
        sa.column("dealt_at", sa.Float),
    )
    now = time.time()
    # A clock that is due is looked at, and found to have all its time: then the row is set right.
    op.execute(
        tables.update()
        .where(tables.c.status == "running", tables.c.clock.is_not(None), tables.c.clock_ends_at.is_(None))
        .values(dealt_at=now, clock_ends_at=now)
    )


def downgrade() -> None:
    """Take back."""
    op.drop_column("tables", "dealt_at")
