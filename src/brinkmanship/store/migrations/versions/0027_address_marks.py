"""Marks of the addresses that tables and uploads come from, for quotas by address"""

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
        op.add_column(table, sa.Column("address_mark", sa.String(length=8), nullable=True))
        op.create_index(op.f(f"ix_{table}_address_mark"), table, ["address_mark"], unique=False)


def downgrade() -> None:
    """Take back."""
    for table in ("tables", "uploads"):
        op.drop_index(op.f(f"ix_{table}_address_mark"), table_name=table)
        op.drop_column(table, "address_mark")
