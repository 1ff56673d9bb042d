"""What may be taken back at a table"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("undo", sa.String(length=4), nullable=False, server_default="free"))


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("tables") as batch:
        batch.drop_column("undo")
