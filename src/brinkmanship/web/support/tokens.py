"""Digests of secret tokens: only these are stored."""

from __future__ import annotations

import hashlib


def digest(token: str) -> str:
    """What is kept of a secret token."""
    return hashlib.sha256(token.encode()).hexdigest()
