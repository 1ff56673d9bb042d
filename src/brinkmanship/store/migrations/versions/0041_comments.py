"""Comments on the moves of a game, with arrows on the board"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "comments",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("table_id", sa.String(12), nullable=False),
        sa.Column("person_id", sa.String(16)),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("side", sa.Integer()),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("move", sa.String(80), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("marks", sa.JSON(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_comments_table_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_comments_person_id", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_comments"),
    )
    op.create_index("ix_comments_person_id", "comments", ["person_id"])
    op.create_index("ix_comments_table_step", "comments", ["table_id", "step"])


def downgrade() -> None:
    """Take back."""
    op.drop_table("comments")
