"""Puzzles from people's own games"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "own_puzzles",
        sa.Column("about", sa.String(length=30), nullable=False),
        sa.Column("table_id", sa.String(length=12), nullable=False),
        sa.Column("heard_at", sa.Float(), nullable=True),
        sa.Column("told", sa.LargeBinary(), nullable=True),
        sa.Column("report", sa.LargeBinary(), nullable=True),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_own_puzzles_table_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("about", name=op.f("pk_own_puzzles")),
    )
    op.create_index(op.f("ix_own_puzzles_table_id"), "own_puzzles", ["table_id"], unique=False)


def downgrade() -> None:
    """Take back."""
    op.drop_index(op.f("ix_own_puzzles_table_id"), table_name="own_puzzles")
    op.drop_table("own_puzzles")
