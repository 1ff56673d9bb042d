"""Standing orders"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "orders",
        sa.Column("table_id", sa.String(length=12), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("about", sa.String(length=60), nullable=False),
        sa.Column("text", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_orders_table_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "side", "about", name=op.f("pk_orders")),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("orders")
