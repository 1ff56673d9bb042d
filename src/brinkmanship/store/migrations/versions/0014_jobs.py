"""Work that is done in processes apart: what waits to be done, and who lives that does such work"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "workers",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_workers")),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(length=60), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("kept_until", sa.Float(), nullable=False),
        sa.Column("worker", sa.String(length=40), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=True),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_index("ix_jobs_priority_made", "jobs", ["priority", "made_at"])
    op.create_index(op.f("ix_jobs_kept_until"), "jobs", ["kept_until"])


def downgrade() -> None:
    """Take back."""
    op.drop_table("jobs")
    op.drop_table("workers")
