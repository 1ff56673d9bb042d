"""Analyses of finished games, and how far a job is"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("jobs", sa.Column("told", sa.LargeBinary(), nullable=True))
    op.create_table(
        "analyses",
        sa.Column("about", sa.String(30), nullable=False),
        sa.Column("table_id", sa.String(12), nullable=True),
        sa.Column("upload_id", sa.String(16), nullable=True),
        sa.Column("heard_at", sa.Float(), nullable=True),
        sa.Column("told", sa.LargeBinary(), nullable=True),
        sa.Column("report", sa.LargeBinary(), nullable=True),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_analyses_table_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["upload_id"], ["uploads.id"], name=op.f("fk_analyses_upload_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("about", name=op.f("pk_analyses")),
    )
    op.create_index(op.f("ix_analyses_table_id"), "analyses", ["table_id"])
    op.create_index(op.f("ix_analyses_upload_id"), "analyses", ["upload_id"])


def downgrade() -> None:
    """Take back."""
    op.drop_table("analyses")
    with op.batch_alter_table("jobs") as batch:
        batch.drop_column("told")
