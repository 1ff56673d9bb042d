"""The two layouts in which every board is drawn."""

from __future__ import annotations

from typing import Literal

LayoutName = Literal["wide", "narrow"]
"""For a screen that is wider than high, and for a phone."""
