"""How well people know the puzzles that they have tried"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "puzzle_answers",
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("puzzle", sa.String(length=12), nullable=False),
        sa.Column("box", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.Float(), nullable=True),
        sa.Column("is_solved", sa.Boolean(), nullable=False),
        sa.Column("at_first_sight", sa.Boolean(), nullable=False),
        sa.Column("answered_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_puzzle_answers_person_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", "game", "puzzle", name=op.f("pk_puzzle_answers")),
    )
    op.create_index(op.f("ix_puzzle_answers_game"), "puzzle_answers", ["game"], unique=False)


def downgrade() -> None:
    """Take back."""
    op.drop_index(op.f("ix_puzzle_answers_game"), table_name="puzzle_answers")
    op.drop_table("puzzle_answers")
