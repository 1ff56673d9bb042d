"""Accounts at a sign-in provider; indexes for the retention of reports and measures"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "external_accounts",
        sa.Column("issuer", sa.String(length=200), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("used_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_external_accounts_person_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("issuer", "subject", name=op.f("pk_external_accounts")),
    )
    op.create_index(op.f("ix_external_accounts_person_id"), "external_accounts", ["person_id"], unique=False)
    op.create_index("ix_reports_closed_at", "reports", ["closed_at"], unique=False)
    op.create_index("ix_measures_at", "measures", ["at"], unique=False)


def downgrade() -> None:
    """Revert."""
    op.drop_index("ix_measures_at", table_name="measures")
    op.drop_index("ix_reports_closed_at", table_name="reports")
    op.drop_table("external_accounts")
