"""Public names of tables and people."""

from __future__ import annotations

import secrets

ID_BYTES = 6


def new_id() -> str:
    """A short public name that nobody can guess."""
    return secrets.token_urlsafe(ID_BYTES).replace("-", "x").replace("_", "y")
