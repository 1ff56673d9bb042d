"""What came of many games with somebody's own cards or scenario"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "simulations",
        sa.Column("about", sa.String(length=32), nullable=False),
        sa.Column("begun_at", sa.Float(), nullable=False),
        sa.Column("heard_at", sa.Float(), nullable=True),
        sa.Column("told", sa.LargeBinary(), nullable=True),
        sa.Column("report", sa.LargeBinary(), nullable=True),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("about", name=op.f("pk_simulations")),
    )
    op.create_index(op.f("ix_simulations_begun_at"), "simulations", ["begun_at"], unique=False)


def downgrade() -> None:
    """Take back."""
    op.drop_index(op.f("ix_simulations_begun_at"), table_name="simulations")
    op.drop_table("simulations")
