"""Games of the balanced scenario keep the Prestige that they were begun with, now that it gives Russia another"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

PRESTIGE = {"prestige_ru": 38}
"""What the scenario gave until now."""

tables = sa.table("tables", sa.column("id", sa.String), sa.column("game", sa.String), sa.column("options", sa.JSON))


def upgrade() -> None:
    """Apply."""
    for table_id, options in _balanced():
        _keep(table_id, PRESTIGE | options)


def downgrade() -> None:
    """Take back."""
    for table_id, options in _balanced():
        _keep(table_id, dict(options.items() - PRESTIGE.items()))


def _balanced() -> list[tuple[str, dict[str, Any]]]:
    of_the_game = sa.select(tables.c.id, tables.c.options).where(tables.c.game == "ukrainian-crisis")
    found = op.get_bind().execute(of_the_game)
    return [(table_id, options) for table_id, options in found if options.get("scenario") == "balanced"]


def _keep(table_id: str, options: dict[str, Any]) -> None:
    op.execute(tables.update().where(tables.c.id == table_id).values(options=options))
