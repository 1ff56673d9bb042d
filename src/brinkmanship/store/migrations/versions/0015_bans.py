"""Since when somebody is banned"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("people", sa.Column("banned_at", sa.Float(), nullable=True))


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("people") as batch:
        batch.drop_column("banned_at")
