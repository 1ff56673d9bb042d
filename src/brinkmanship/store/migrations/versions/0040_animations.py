"""Animated replays of finished games"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "animations",
        sa.Column("about", sa.String(length=32), nullable=False),
        sa.Column("table_id", sa.String(length=12), nullable=True),
        sa.Column("upload_id", sa.String(length=16), nullable=True),
        sa.Column("begun_at", sa.Float(), nullable=False),
        sa.Column("heard_at", sa.Float(), nullable=True),
        sa.Column("told", sa.LargeBinary(), nullable=True),
        sa.Column("report", sa.LargeBinary(), nullable=True),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_animations_table_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["upload_id"], ["uploads.id"], name=op.f("fk_animations_upload_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("about", name=op.f("pk_animations")),
    )
    for column in ("table_id", "upload_id", "begun_at"):
        op.create_index(op.f(f"ix_animations_{column}"), "animations", [column], unique=False)


def downgrade() -> None:
    """Take back."""
    for column in ("begun_at", "upload_id", "table_id"):
        op.drop_index(op.f(f"ix_animations_{column}"), table_name="animations")
    op.drop_table("animations")
