"""Games that are played on from a position of another one"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("tables", sa.Column("origin", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("tables") as batch:
        batch.drop_column("origin")
