"""Boards of analysis: lines that were tried from positions of finished games"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "boards",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("table_id", sa.String(length=12), nullable=True),
        sa.Column("upload_id", sa.String(length=16), nullable=True),
        sa.Column("journal", sa.LargeBinary(), nullable=True),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("title", sa.String(length=60), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("changed_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_boards_person_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_boards_table_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_boards")),
    )
    op.create_index(op.f("ix_boards_person_id"), "boards", ["person_id"], unique=False)
    op.create_index(op.f("ix_boards_table_id"), "boards", ["table_id"], unique=False)


def downgrade() -> None:
    """Take back."""
    op.drop_index(op.f("ix_boards_table_id"), table_name="boards")
    op.drop_index(op.f("ix_boards_person_id"), table_name="boards")
    op.drop_table("boards")
