"""Games that belong to a series, as a campaign"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "series_games",
        sa.Column("table_id", sa.String(length=12), nullable=False),
        sa.Column("series", sa.String(length=12), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("swapped", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["series"], ["tables.id"], name=op.f("fk_series_games_series"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_series_games_table_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_series_games")),
        sa.UniqueConstraint("series", "number", name=op.f("uq_series_games_series")),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("series_games")
