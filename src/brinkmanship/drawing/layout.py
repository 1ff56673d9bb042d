"""The two layouts in which every board is drawn."""

from __future__ import annotations

from typing import Literal

LayoutName = Literal["wide", "narrow"]
"""Layout for a screen that is wider than high ("wide") or for a phone ("narrow")."""
