"""Seats of a table: who plays a side, and their share in the deal."""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from brinkmanship.web.support.tokens import digest


@dataclass
class Seat:
    """Seat of a side: its player, and their share in the deal. A seat with neither user nor computer is free."""

    side: int
    person_id: str | None = None
    computer: str | None = None
    name: str = ""
    invitation: str | None = None
    """Token of the invitation link for the seat; at tables of older versions its digest."""
    contributes: bool = False
    """True if the user contributes random bytes to the deal."""
    pledge: str | None = None
    """Commitment to the user's bytes, sent before them (`commit_reveal.pledge`)."""
    contribution: bytes | None = None

    @property
    def is_free(self) -> bool:
        """True if the seat can still be taken."""
        return self.person_id is None and self.computer is None

    @property
    def is_awaited(self) -> bool:
        """True if the game cannot begin before this player's bytes have arrived."""
        return self.contributes and self.contribution is None

    @property
    def is_deserted(self) -> bool:
        """True if the user of the seat has deleted their account."""
        return self.person_id is not None and not self.name

    @property
    def known_as(self) -> str:
        """Name in files and for API clients, independent of a viewer's language."""
        return "somebody" if self.is_deserted else self.name

    def is_invited(self, token: str) -> bool:
        """Return True if this token allows a user to take the seat."""
        known = (self.invitation or "").encode()
        return self.is_free and any(hmac.compare_digest(known, given.encode()) for given in (token, digest(token)))
