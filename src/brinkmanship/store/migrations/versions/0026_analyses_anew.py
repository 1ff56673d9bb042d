"""Analyses of format 1 are made anew by who asks for them next"""

from __future__ import annotations

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.execute("DELETE FROM analyses")


def downgrade() -> None:
    """Take back."""
    op.execute("DELETE FROM analyses")
