"""Lists of open tables are found by an index alone, however many games have been played by invitation"""

from __future__ import annotations

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.drop_index("ix_tables_status_created", "tables")
    op.create_index("ix_tables_status_open_created", "tables", ["status", "is_open", "created_at"])


def downgrade() -> None:
    """Take back."""
    op.drop_index("ix_tables_status_open_created", "tables")
    op.create_index("ix_tables_status_created", "tables", ["status", "created_at"])
