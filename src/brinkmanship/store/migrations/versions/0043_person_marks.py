"""Marks of the users that uploads come from, for quotas by user"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("uploads", sa.Column("person_mark", sa.String(length=8), nullable=True))
    op.create_index(op.f("ix_uploads_person_mark"), "uploads", ["person_mark"], unique=False)


def downgrade() -> None:
    """Take back."""
    op.drop_index(op.f("ix_uploads_person_mark"), table_name="uploads")
    op.drop_column("uploads", "person_mark")
