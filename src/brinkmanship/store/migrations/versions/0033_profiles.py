"""Public profiles, results of finished games by person, completed lessons, and the statistics of the site"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_index("ix_tables_finished_at", "tables", ["finished_at"])
    op.create_table(
        "public_profiles",
        sa.Column("person_id", sa.String(16), nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_public_profiles_person_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", name="pk_public_profiles"),
    )
    op.create_table(
        "lessons_done",
        sa.Column("person_id", sa.String(16), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("lesson", sa.String(60), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_lessons_done_person_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "game", "lesson", name="pk_lessons_done"),
    )
    op.create_table(
        "game_results",
        sa.Column("table_id", sa.String(12), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.String(16)),
        sa.Column("computer", sa.String(40)),
        sa.Column("opponent_id", sa.String(16)),
        sa.Column("opponent_computer", sa.String(40)),
        sa.Column("opponent_key", sa.String(60), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("is_standard", sa.Boolean(), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("pace", sa.String(4), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("ending", sa.String(12), nullable=False),
        sa.Column("agenda", sa.String(40)),
        sa.Column("turns", sa.Integer()),
        sa.Column("seconds", sa.Float()),
        sa.Column("luck_adjusted", sa.Float()),
        sa.Column("finished_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_game_results_table_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_game_results_person_id", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("table_id", "side", name="pk_game_results"),
    )
    op.create_index("ix_game_results_person_finished", "game_results", ["person_id", "finished_at", "table_id"])
    op.create_index("ix_game_results_person_opponent", "game_results", ["person_id", "opponent_id", "finished_at"])
    kinds = ["person_id", "game", "side", "opponent_computer", "agenda", "score"]
    op.create_index("ix_game_results_kinds", "game_results", kinds)
    op.create_index("ix_game_results_game", "game_results", ["game", "side"])
    op.create_table(
        "results_progress",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("through", sa.Float(), nullable=False),
        sa.Column("leased_until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_results_progress"),
    )
    op.create_table(
        "site_statistics",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("report", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_site_statistics"),
    )


def downgrade() -> None:
    """Take back."""
    for table in ("site_statistics", "results_progress", "game_results", "lessons_done", "public_profiles"):
        op.drop_table(table)
    op.drop_index("ix_tables_finished_at", "tables")
