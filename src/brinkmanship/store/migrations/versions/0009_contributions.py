"""Random bytes that players add to the deal"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    with op.batch_alter_table("seats") as batch:
        batch.add_column(sa.Column("contributes", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch.add_column(sa.Column("pledge", sa.String(length=64), nullable=True))
        batch.add_column(sa.Column("contribution", sa.LargeBinary(length=32), nullable=True))


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("seats") as batch:
        batch.drop_column("contribution")
        batch.drop_column("pledge")
        batch.drop_column("contributes")
