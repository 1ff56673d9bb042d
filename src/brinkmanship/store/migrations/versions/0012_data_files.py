"""Cards and scenarios of designers"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "data_files",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_data_files")),
    )
    op.create_index(op.f("ix_data_files_at"), "data_files", ["at"])
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("data_file", sa.String(length=60), nullable=True))
        batch.add_column(sa.Column("data_sha256", sa.String(length=64), nullable=True))
        batch.create_foreign_key(op.f("fk_tables_data_sha256"), "data_files", ["data_sha256"], ["sha256"])
        batch.create_index(op.f("ix_tables_data_sha256"), ["data_sha256"])


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("tables") as batch:
        batch.drop_index(op.f("ix_tables_data_sha256"))
        batch.drop_constraint(op.f("fk_tables_data_sha256"), type_="foreignkey")
        batch.drop_column("data_sha256")
        batch.drop_column("data_file")
    op.drop_table("data_files")
