"""Digests of secret tokens: only the digests are stored."""

from __future__ import annotations

import hashlib


def digest(token: str) -> str:
    """Return the digest stored for a secret token."""
    return hashlib.sha256(token.encode()).hexdigest()
