"""When clocks run out and computers are asked; the heartbeat; no clock is NULL and no longer JSON's null"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

COLUMNS = ("clock_ends_at", "computer_asked_at")


def upgrade() -> None:
    """Apply. Clocks that run are looked at once, by `web.tables.timeouts`, which then knows when they run out."""
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_heartbeat")),
    )
    for column in COLUMNS:
        op.add_column("tables", sa.Column(column, sa.Float()))
        op.create_index(op.f(f"ix_tables_{column}"), "tables", [column])
    op.execute("UPDATE tables SET clock = NULL WHERE CAST(clock AS TEXT) = 'null'")
    op.execute("UPDATE tables SET clock_ends_at = 0 WHERE clock IS NOT NULL AND status = 'running'")


def downgrade() -> None:
    """Take back."""
    for column in COLUMNS:
        op.drop_index(op.f(f"ix_tables_{column}"), "tables")
        op.drop_column("tables", column)
    op.drop_table("heartbeat")
