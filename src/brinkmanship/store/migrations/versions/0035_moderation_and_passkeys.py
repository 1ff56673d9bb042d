"""Moderation: blocks, reports, measures and their log; passkeys and recovery codes of accounts"""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("people", sa.Column("role", sa.String(length=12), nullable=True))
    op.create_table(
        "blocks",
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("blocked_id", sa.String(length=16), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_blocks_person_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["blocked_id"], ["people.id"], name=op.f("fk_blocks_blocked_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "blocked_id", name=op.f("pk_blocks")),
    )
    op.create_index(op.f("ix_blocks_blocked_id"), "blocks", ["blocked_id"], unique=False)
    op.create_table(
        "reports",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("reporter_id", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("table_id", sa.String(length=12), nullable=True),
        sa.Column("category", sa.String(length=10), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("closed_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["reporter_id"], ["people.id"], name=op.f("fk_reports_reporter_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_reports_person_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_reports_table_id"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
    )
    op.create_index(op.f("ix_reports_person_id"), "reports", ["person_id"], unique=False)
    op.create_index(op.f("ix_reports_reporter_at"), "reports", ["reporter_id", "at"], unique=False)
    op.create_index(op.f("ix_reports_state_score"), "reports", ["state", "score"], unique=False)
    op.create_index(op.f("ix_reports_table_id"), "reports", ["table_id"], unique=False)
    op.create_table(
        "measures",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("moderator_id", sa.String(length=16), nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=True),
        sa.Column("read_at", sa.Float(), nullable=True),
        sa.Column("lifted_at", sa.Float(), nullable=True),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("appeal", sa.Text(), nullable=True),
        sa.Column("appealed_at", sa.Float(), nullable=True),
        sa.Column("reply", sa.Text(), nullable=True),
        sa.Column("decided_at", sa.Float(), nullable=True),
        sa.Column("is_waiting", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_measures_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_measures")),
    )
    op.create_index(op.f("ix_measures_person_id"), "measures", ["person_id"], unique=False)
    op.create_index(op.f("ix_measures_waiting_appealed"), "measures", ["is_waiting", "appealed_at"], unique=False)
    _measures_of_bans()
    op.create_table(
        "moderation_log",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("moderator_id", sa.String(length=16), nullable=True),
        sa.Column("moderator", sa.String(length=40), nullable=False),
        sa.Column("action", sa.String(length=12), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_moderation_log")),
    )
    op.create_index(op.f("ix_moderation_log_person_id"), "moderation_log", ["person_id"], unique=False)
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(length=1400), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("used_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_passkeys_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkeys")),
    )
    op.create_index(op.f("ix_passkeys_person_id"), "passkeys", ["person_id"], unique=False)
    op.create_table(
        "passkey_challenges",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("challenge", sa.LargeBinary(), nullable=False),
        sa.Column("purpose", sa.String(length=8), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=True),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_passkey_challenges_person_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_passkey_challenges")),
    )
    op.create_index(op.f("ix_passkey_challenges_expires_at"), "passkey_challenges", ["expires_at"], unique=False)
    op.create_index(op.f("ix_passkey_challenges_person_id"), "passkey_challenges", ["person_id"], unique=False)
    op.create_table(
        "recovery_codes",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_recovery_codes_person_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_recovery_codes")),
    )
    op.create_index(op.f("ix_recovery_codes_person_id"), "recovery_codes", ["person_id"], unique=False)


def _measures_of_bans() -> None:
    """Store a measure for each account that an operator has banned."""
    people = sa.table("people", sa.column("id", sa.String), sa.column("banned_at", sa.Float))
    names = ("id", "person_id", "kind", "reason", "line", "key")
    measures = sa.table("measures", *(sa.column(name, sa.String) for name in names), sa.column("at", sa.Float))
    banned = op.get_bind().execute(sa.select(people).where(people.c.banned_at.is_not(None))).all()
    given = {"kind": "closed", "reason": "Closed by the operator of this server.", "line": ""}
    for person_id, at in banned:
        row = {"id": secrets.token_hex(8), "key": secrets.token_urlsafe(16), "person_id": person_id, "at": at}
        op.execute(measures.insert().values(**row, **given))


def downgrade() -> None:
    """Take back."""
    op.drop_table("recovery_codes")
    op.drop_table("passkey_challenges")
    op.drop_table("passkeys")
    op.drop_table("moderation_log")
    op.drop_table("measures")
    op.drop_table("reports")
    op.drop_table("blocks")
    with op.batch_alter_table("people") as batch:
        batch.drop_column("role")
