"""From which household tables and uploads come, for limits by address"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    for table in ("tables", "uploads"):
        op.add_column(table, sa.Column("household", sa.String(length=8), nullable=True))
        op.create_index(op.f(f"ix_{table}_household"), table, ["household"], unique=False)


def downgrade() -> None:
    """Take back."""
    for table in ("tables", "uploads"):
        op.drop_index(op.f(f"ix_{table}_household"), table_name=table)
        op.drop_column(table, "household")
