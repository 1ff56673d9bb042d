"""The example position of the rules: after the last turn, before scoring (position P, cases G38 to G42).

The pictures of the rules show it as well. The example fixes which cards lie where; their names, colours and
scores come from the data file.
"""

from __future__ import annotations

from typing import NamedTuple


class Lying(NamedTuple):
    """A battleground on the table."""

    id: str
    """Id of the card, or "cuba" for the one that lies face down."""
    area: str
    us: int
    """Cubes of the US."""
    ussr: int
    """Cubes of the USSR."""


EXAMPLE = (
    Lying("cuba", "neutral", 3, 2),
    Lying("quarantine", "us", 1, 1),
    Lying("mrbms_irbms", "ussr", 0, 0),
    Lying("strategic_balance", "neutral", 0, 2),
    Lying("nuclear_submarines", "neutral", 1, 1),
    Lying("moscow_is_our_brain", "us", 0, 2),
    Lying("fidel_castro", "ussr", 1, 0),
    Lying("public_protests", "us", 2, 0),
    Lying("wave_and_smile", "neutral", 2, 1),
    Lying("u2_photographs", "ussr", 0, 0),
    Lying("u2_downed", "ussr", 1, 3),
)
CUBA_CARD = "scramble"
"""The card that Cuba turns out to be."""
LAST_CARDS = {"us": "u_thant", "ussr": "excomm"}
"""The card left in each hand."""
BIDS = {"us": 2, "ussr": 1}
"""Cubes that each side has lost by its bid."""


def controller(lying: Lying) -> str | None:
    """Return the side that controls a battleground: more cubes, else the owner of its sphere (Q34, Q35)."""
    if lying.us != lying.ussr:
        return "us" if lying.us > lying.ussr else "ussr"
    return lying.area if lying.area != "neutral" else None
