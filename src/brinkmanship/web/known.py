"""What a program-readable view (`Game.known_state`) says of cards that lie before its reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def cards_at(known: Mapping[str, Any], place: str) -> Sequence[str]:
    """The ids of the cards the reader knows at a place ("hand", "drawn"); a game with many places keeps them together
    under "cards"."""
    cards: Sequence[str] | Mapping[str, int] | str | None = known.get("cards", known).get(place, ())
    if isinstance(cards, Mapping):  # how many there are of each
        return [card for card, count in cards.items() for _ in range(count)]
    return cards if isinstance(cards, Sequence) else ()
