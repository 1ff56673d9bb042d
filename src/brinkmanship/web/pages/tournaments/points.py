"""Points and numbers of standings as text."""

from __future__ import annotations

HALF = 0.5


def points_text(points: float) -> str:
    """Return points with halves: "2½"."""
    whole, rest = divmod(points, 1)
    if rest == HALF:
        return f"{int(whole)}½" if whole else "½"
    return str(int(whole))


def number_text(number: float, language: str) -> str:
    """Return a tie-break number with at most two decimals."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return text if language == "en" else text.replace(".", ",")
