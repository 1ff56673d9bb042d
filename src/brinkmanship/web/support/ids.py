"""Public ids of tables and users."""

from __future__ import annotations

import secrets

ID_BYTES = 6


def new_id() -> str:
    """Return a short, unguessable public id."""
    return secrets.token_urlsafe(ID_BYTES).replace("-", "x").replace("_", "y")
