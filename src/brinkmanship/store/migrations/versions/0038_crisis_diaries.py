"""Crisis diaries: the stages that a user has played alone"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "solo_games",
        sa.Column("person_id", sa.String(16), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.String(12), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_solo_games_person_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_solo_games_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "game", "side", "stage", name="pk_solo_games"),
        sa.UniqueConstraint("table_id", name="uq_solo_games_table_id"),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("solo_games")
