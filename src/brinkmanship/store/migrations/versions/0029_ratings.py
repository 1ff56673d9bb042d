"""Rated tables, and ratings"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    for name in ("rated", "awaits_rating"):
        op.add_column("tables", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_tables_awaits_rating", "tables", ["awaits_rating", "status", "finished_at"])
    op.create_table(
        "ratings",
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("is_listed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_ratings_person_id")),
        sa.PrimaryKeyConstraint("person_id", "game", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_listed", "ratings", ["game", "is_listed", "rating", "person_id"])
    op.create_table(
        "rated_games",
        sa.Column("table_id", sa.String(length=12), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("ruleset", sa.String(length=200), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("advantage", sa.Float(), nullable=False),
        sa.Column("weight", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_rated_games")),
        sa.UniqueConstraint("number", name=op.f("uq_rated_games_number")),
    )
    op.create_index("ix_rated_games_ruleset", "rated_games", ["game", "ruleset", "number"])
    op.create_table(
        "rating_changes",
        sa.Column("table_id", sa.String(length=12), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=True),
        sa.Column("player", sa.String(length=40), nullable=False),
        sa.Column("opponent", sa.String(length=40), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("is_early", sa.Boolean(), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.Column("before", sa.Float(), nullable=False),
        sa.Column("deviation_before", sa.Float(), nullable=False),
        sa.Column("after", sa.Float(), nullable=False),
        sa.Column("deviation_after", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["rated_games.table_id"], name=op.f("fk_rating_changes_table_id")),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_rating_changes_person_id")),
        sa.PrimaryKeyConstraint("table_id", "side", name=op.f("pk_rating_changes")),
    )
    op.create_index("ix_rating_changes_person", "rating_changes", ["person_id", "game", "number"])
    op.create_index("ix_rating_changes_opponent", "rating_changes", ["person_id", "opponent", "at"])
    op.create_index("ix_rating_changes_early", "rating_changes", ["is_early", "at"])
    op.create_table(
        "side_advantages",
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("ruleset", sa.String(length=200), nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game", "ruleset", "since", name=op.f("pk_side_advantages")),
    )
    ledger = op.create_table(
        "rating_ledger",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_ledger")),
    )
    op.bulk_insert(ledger, [{"id": 1, "number": 0}])


def downgrade() -> None:
    """Take back."""
    for name in ("rating_ledger", "side_advantages", "rating_changes", "rated_games", "ratings"):
        op.drop_table(name)
    op.drop_index("ix_tables_awaits_rating", "tables")
    for name in ("awaits_rating", "rated"):
        op.drop_column("tables", name)
