"""Processes on several machines: who lives, where tables are at home, how often a table has changed"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "processes",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_processes")),
    )
    op.add_column("tables", sa.Column("home", sa.String(length=40), nullable=True))
    op.add_column("tables", sa.Column("changes", sa.Integer(), server_default="0", nullable=False))


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("tables") as batch:
        batch.drop_column("changes")
        batch.drop_column("home")
    op.drop_table("processes")
