"""Matches of two games, and rounds of tables that play the same deal"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("tables", sa.Column("sealed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "matches",
        sa.Column("id", sa.String(12), nullable=False),
        sa.Column("simultaneous", sa.Boolean(), nullable=False),
        sa.Column("ready", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
    )
    op.create_index("ix_matches_finished_at", "matches", ["finished_at"])
    op.create_table(
        "match_games",
        sa.Column("match_id", sa.String(12), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.String(12), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_match_games_match_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_match_games_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_match_games"),
        sa.UniqueConstraint("table_id", name="uq_match_games_table_id"),
    )
    op.create_table(
        "duplicate_rounds",
        sa.Column("id", sa.String(12), nullable=False),
        sa.Column("organiser", sa.String(16), nullable=True),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("join_until", sa.Float(), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organiser"], ["people.id"], name="fk_duplicate_rounds_organiser", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_duplicate_rounds"),
    )
    op.create_index("ix_duplicate_rounds_organiser", "duplicate_rounds", ["organiser"])
    op.create_index("ix_duplicate_rounds_finished_at", "duplicate_rounds", ["finished_at"])
    op.create_table(
        "duplicate_tables",
        sa.Column("round_id", sa.String(12), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.String(12), nullable=False),
        sa.ForeignKeyConstraint(
            ["round_id"], ["duplicate_rounds.id"], name="fk_duplicate_tables_round_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_duplicate_tables_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("round_id", "number", name="pk_duplicate_tables"),
        sa.UniqueConstraint("table_id", name="uq_duplicate_tables_table_id"),
    )
    op.create_table(
        "duplicate_players",
        sa.Column("round_id", sa.String(12), nullable=False),
        sa.Column("person_id", sa.String(16), nullable=False),
        sa.ForeignKeyConstraint(
            ["round_id"], ["duplicate_rounds.id"], name="fk_duplicate_players_round_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_duplicate_players_person_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("round_id", "person_id", name="pk_duplicate_players"),
    )


def downgrade() -> None:
    """Take back."""
    for table in ("duplicate_players", "duplicate_tables", "duplicate_rounds", "match_games", "matches"):
        op.drop_table(table)
    op.drop_column("tables", "sealed")
