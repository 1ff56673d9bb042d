"""Deals of the day: who has played them, and how the decisions of the players differed"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "daily_games",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.String(16), nullable=False),
        sa.Column("table_id", sa.String(12), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("is_abandoned", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("luck_adjusted", sa.Float(), nullable=True),
        sa.Column("revealed_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_daily_games_person_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_daily_games_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "day", "person_id", name="pk_daily_games"),
        sa.UniqueConstraint("table_id", name="uq_daily_games_table_id"),
    )
    op.create_index("ix_daily_games_person_day", "daily_games", ["person_id", "day"])
    op.create_index("ix_daily_games_revealed_day", "daily_games", ["revealed_at", "day"])
    op.create_table(
        "daily_reports",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("report", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("game", "day", name="pk_daily_reports"),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("daily_reports")
    op.drop_table("daily_games")
