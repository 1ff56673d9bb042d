"""Tournaments with their entries, matches and games"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("clock", sa.JSON(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("organiser_id", sa.String(length=16), nullable=True),
        sa.Column("is_listed", sa.Boolean(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("round_days", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("starts_at", sa.Float(), nullable=True),
        sa.Column("begun_at", sa.Float(), nullable=True),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.Column("due_at", sa.Float(), nullable=True),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("previous", sa.String(length=12), nullable=True),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organiser_id"], ["people.id"], name=op.f("fk_tournaments_organiser_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["previous"], ["tournaments.id"], name=op.f("fk_tournaments_previous"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
        sa.UniqueConstraint("previous", name=op.f("uq_tournaments_previous")),
    )
    op.create_index(op.f("ix_tournaments_due_at"), "tournaments", ["due_at"], unique=False)
    op.create_index("ix_tournaments_listed", "tournaments", ["is_listed", "status", "created_at"], unique=False)
    op.create_index(op.f("ix_tournaments_organiser_id"), "tournaments", ["organiser_id"], unique=False)
    op.create_table(
        "tournament_entries",
        sa.Column("tournament_id", sa.String(length=12), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("entered_at", sa.Float(), nullable=False),
        sa.Column("is_substitute", sa.Boolean(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=True),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("replaces", sa.String(length=16), nullable=True),
        sa.Column("withdrawn_at", sa.Float(), nullable=True),
        sa.Column("is_struck", sa.Boolean(), nullable=False),
        sa.Column("away_from", sa.Float(), nullable=True),
        sa.Column("away_until", sa.Float(), nullable=True),
        sa.Column("points", sa.Float(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_tournament_entries_person_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_entries_tournament_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "person_id", name=op.f("pk_tournament_entries")),
    )
    op.create_index(op.f("ix_tournament_entries_person_id"), "tournament_entries", ["person_id"], unique=False)
    op.create_table(
        "tournament_matches",
        sa.Column("tournament_id", sa.String(length=12), nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("first_id", sa.String(length=16), nullable=False),
        sa.Column("second_id", sa.String(length=16), nullable=True),
        sa.Column("starts_at", sa.Float(), nullable=False),
        sa.Column("ends_at", sa.Float(), nullable=True),
        sa.Column("is_struck", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["first_id"], ["people.id"], name=op.f("fk_tournament_matches_first_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["second_id"], ["people.id"], name=op.f("fk_tournament_matches_second_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_matches_tournament_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "division", "round", "number", name=op.f("pk_tournament_matches")),
    )
    op.create_table(
        "tournament_games",
        sa.Column("tournament_id", sa.String(length=12), nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.String(length=12), nullable=True),
        sa.Column("first_side", sa.Integer(), nullable=False),
        sa.Column("first_points", sa.Float(), nullable=True),
        sa.Column("second_points", sa.Float(), nullable=True),
        sa.Column("no_show", sa.Integer(), nullable=True),
        sa.Column("decided_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_tournament_games_table_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id", "division", "round", "number"],
            [
                "tournament_matches.tournament_id",
                "tournament_matches.division",
                "tournament_matches.round",
                "tournament_matches.number",
            ],
            name=op.f("fk_tournament_games_tournament_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "tournament_id", "division", "round", "number", "game", name=op.f("pk_tournament_games")
        ),
        sa.UniqueConstraint("table_id", name=op.f("uq_tournament_games_table_id")),
    )
    op.create_index(op.f("ix_tournament_games_decided_at"), "tournament_games", ["decided_at"], unique=False)


def downgrade() -> None:
    """Take back."""
    op.drop_index(op.f("ix_tournament_games_decided_at"), table_name="tournament_games")
    op.drop_table("tournament_games")
    op.drop_table("tournament_matches")
    op.drop_index(op.f("ix_tournament_entries_person_id"), table_name="tournament_entries")
    op.drop_table("tournament_entries")
    op.drop_index(op.f("ix_tournaments_organiser_id"), table_name="tournaments")
    op.drop_index("ix_tournaments_listed", table_name="tournaments")
    op.drop_index(op.f("ix_tournaments_due_at"), table_name="tournaments")
    op.drop_table("tournaments")
