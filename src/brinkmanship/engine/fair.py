"""Deals that can be checked: chance decided by a secret to which its keeper is bound before the game begins.

Whoever deals draws a secret of 256 bits and shows its `commitment` at the start. Every outcome of chance follows from
the secret and the place of the deal in the game by a keyed hash. When the game is over the secret is revealed, and
anybody can check the commitment and each deal: `verify`, ``brink verify FILE``.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from brinkmanship.engine import journal
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match

SECRET_BYTES = 32
COMMITMENT_HEADER = "deal-commitment"
SECRET_HEADER = "deal-secret"


class UnfairDealError(BrinkError):
    """A journal's deals do not follow from the secret it reveals."""


def new_secret() -> bytes:
    """A secret from the operating system's randomness."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What is shown at the start: it binds to the secret and tells nothing about it (SHA-256, hexadecimal)."""
    return hashlib.sha256(b"brinkmanship deal 1 commitment\n" + secret).hexdigest()


def number_below(secret: bytes, place: int, count: int) -> int:
    """The number in 0..count-1 that the secret gives for the entry number `place` (from 0) of a journal.

    HMAC-SHA-256 of the place under the secret, read as a 256-bit number; numbers that would favour some outcomes are
    rejected and drawn again.
    """
    limit = 2**256 - 2**256 % count
    attempt = 0
    while True:
        message = f"brinkmanship deal 1 entry {place} attempt {attempt}".encode()
        number = int.from_bytes(hmac.digest(secret, message, "sha256"), "big")
        if number < limit:
            return number % count
        attempt += 1


def advance(match: Match, secret: bytes) -> None:
    """Let chance and the rules act, by the secret, until a side is asked or the game is over."""
    while match.actor == CHANCE:
        place = len(match.entries)
        match.push_chance(lambda count, place=place: number_below(secret, place, count))  # type: ignore[misc]


def verify(record: journal.Journal, game: Game) -> int:
    """Check every deal of a journal against the secret in its header; returns the number of deals checked.

    Raises:
        JournalError: the journal breaks the rules of its game.
        UnfairDealError: no secret is revealed, or the commitment or a deal does not follow from it.
    """
    secret = _revealed(record)
    match = journal.play(record, game)
    again = Match(game)
    checked = 0
    for number, entry in enumerate(match.entries):
        if entry.actor != CHANCE:
            again.push(entry.action, side=entry.actor)
            continue
        again.push_chance(lambda count, number=number: number_below(secret, number, count))  # type: ignore[misc]
        if again.entries[-1].action != entry.action:
            raise UnfairDealError(
                f"{record.file}: entry {number + 1} is {entry.text!r}, "
                f"but by the revealed secret it is {again.entries[-1].text!r}"
            )
        checked += not entry.by_rules
    return checked


def _revealed(record: journal.Journal) -> bytes:
    try:
        secret = bytes.fromhex(record.headers.get(SECRET_HEADER, ""))
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise UnfairDealError(
            f"{record.file}: the header reveals no secret of the deals ({SECRET_HEADER}: 64 hexadecimal digits); "
            "a table reveals it when its game is over"
        )
    if commitment(secret) != record.headers.get(COMMITMENT_HEADER):
        raise UnfairDealError(f"{record.file}: the revealed secret is not the one that was committed to")
    return secret
