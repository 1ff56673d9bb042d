"""Verifiable deals (commit-reveal): chance follows from a committed secret and random bytes added by the players.

The dealer draws a 256-bit secret and publishes its `commitment`. Then each player may add random bytes: first only a
`pledge` that commits them to the bytes, and the bytes once all pledges are known. The secret and these bytes give the
`chance_key` of the game; the key and the position of a deal in the game give its outcome. So no dealer or player can
choose the outcome alone. When the game is over the secret is revealed, and anyone can check all of it: `verify`,
``brink verify FILE``. The algorithm, byte by byte: ``docs/develop/formats.md``.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from brinkmanship.engine import journal
from brinkmanship.engine.errors import FileError
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message

SECRET_BYTES = 32
CONTRIBUTION_BYTES = 32

COMMITMENT_HEADER = "deal-commitment"
SECRET_HEADER = "deal-secret"
VERSION_HEADER = "deal-version"
PLEDGE_HEADER = "deal-pledge."
"""Prefix of the header; the side follows."""
CONTRIBUTION_HEADER = "deal-bytes."
"""Prefix of the header; the side follows. Its value is 64 hexadecimal digits, or `NOTHING`."""

NOTHING = "none"
SECRET_ALONE = "1"
"""The version of a deal without contributions; a journal that names no version has this one."""
WITH_CONTRIBUTIONS = "2"

_HEX_256_BITS = re.compile(r"[0-9a-f]{64}")


class UnfairDealError(FileError):
    """A journal whose deals do not follow from the secret it reveals."""


class Share(NamedTuple):
    """A side's contribution to the chance of a game, as a journal records it."""

    pledge: str
    """The pledge; "" if the side gave none."""
    contribution: bytes | None
    """The bytes; None if nothing was added, or the pledge was never opened."""


def new_secret() -> bytes:
    """Return a secret from the operating system's randomness."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """Return the commitment published at the start: it fixes the secret without revealing it (SHA-256, hexadecimal)."""
    return hashlib.sha256(b"brinkmanship deal 1 commitment\n" + secret).hexdigest()


def pledge(commitment: str, side: str, contribution: bytes) -> str:
    """Return the pledge a side publishes before its bytes; it fixes, but does not reveal them (SHA-256, hex)."""
    text = f"brinkmanship deal 2 pledge\n{commitment}\n{side}\n{contribution.hex()}\n"
    return hashlib.sha256(text.encode()).hexdigest()


def chance_key(secret: bytes, contributions: Mapping[str, bytes | None]) -> bytes:
    """Return the key of a game's chance; `contributions` has all sides in their order, None for no contribution."""
    if all(contribution is None for contribution in contributions.values()):
        return secret
    shares = "".join(f"{side} {_hex_or_nothing(contribution)}\n" for side, contribution in contributions.items())
    return hmac.digest(secret, f"brinkmanship deal 2 key\n{shares}".encode(), "sha256")


def _hex_or_nothing(contribution: bytes | None) -> str:
    return NOTHING if contribution is None else contribution.hex()


def number_below(key: bytes, place: int, count: int) -> int:
    """Return the number in 0..count-1 that the key gives for the entry number `place` (from 0) of a journal.

    HMAC-SHA-256 of the place under the key, read as a 256-bit number; numbers that would favour some outcomes are
    rejected and drawn again.
    """
    limit = 2**256 - 2**256 % count
    attempt = 0
    while True:
        message = f"brinkmanship deal 1 entry {place} attempt {attempt}".encode()
        number = int.from_bytes(hmac.digest(key, message, "sha256"), "big")
        if number < limit:  # reject numbers that would favour some outcomes
            return number % count
        attempt += 1


def advance(match: Match, key: bytes) -> None:
    """Resolve chance and rule steps by the key until a side has to act or the game is over."""
    while match.actor == CHANCE:
        push_chance(match, key)


def push_chance(match: Match, key: bytes) -> str:
    """Take one action of chance or of the rules by the key; return the note of the draw, "" if nothing is drawn."""
    place = len(match.entries)
    note = ""

    def deal(count: int) -> int:
        nonlocal note
        number = number_below(key, place, count)
        note = f"drawn {number} of {count}"
        return number

    match.push_chance(deal)
    return note


def headers(secret: bytes | None, commitment: str, shares: Mapping[str, Share]) -> dict[str, str]:
    """Return the journal headers about the deals; `secret` is None while the game is in progress."""
    found = {COMMITMENT_HEADER: commitment}
    if any(share.contribution is not None or share.pledge for share in shares.values()):
        found[VERSION_HEADER] = WITH_CONTRIBUTIONS
        for side, share in shares.items():
            if share.pledge:
                found[PLEDGE_HEADER + side] = share.pledge
            found[CONTRIBUTION_HEADER + side] = _hex_or_nothing(share.contribution)
    if secret is not None:
        found[SECRET_HEADER] = secret.hex()
    return found


def with_draws(record: journal.Journal, match: Match, key: bytes, given: int = 0) -> journal.Journal:
    """Return the journal of a finished game with a comment at each draw: the number drawn and the number of outcomes.

    With these, a program that does not know the rules can check the draws. During the game they would leak information:
    the number of a card among those left in the deck reveals something about the others. The key did not draw the first
    `given` entries.
    """
    again = match.until(given)
    entries = record.entries[:given]
    for written, entry in zip(record.entries[given:], match.entries[given:], strict=True):
        if entry.actor == CHANCE:
            entries.append(replace(written, comment=push_chance(again, key)))
        else:
            again.push(entry.action, side=entry.actor)
            entries.append(written)
    return replace(record, entries=entries)


def verify(record: journal.Journal, game: Game) -> int:
    """Check every deal of a journal against the values its header reveals; return the number of deals checked.

    Entries taken over from another game (`journal.given_in`) are not checked.

    Raises:
        JournalError: the journal breaks the rules of its game.
        UnfairDealError: no secret is revealed, or the commitment, a pledge or a deal does not follow from it.
    """
    key = key_of(record, game)
    match = journal.play(record, game)
    first = journal.given_in(record, match)
    notes = {place: record.entries[at].comment for at, place in enumerate(journal.places_of(record, match))}
    again = match.until(first)
    checked = 0
    for number, entry in enumerate(match.entries[first:], first):
        if entry.actor != CHANCE:
            again.push(entry.action, side=entry.actor)
            continue
        note = push_chance(again, key)
        if again.entries[-1].action != entry.action:
            given = {"given": entry.text, "due": again.entries[-1].text}
            raise UnfairDealError(record.file, None, Message("fault.deal.entry", {"number": number + 1, **given}))
        if journal.is_draw_note(notes.get(number, "")) and notes[number] != note:
            given = {"given": notes[number], "due": note}
            raise UnfairDealError(record.file, None, Message("fault.deal.note", {"number": number + 1, **given}))
        checked += not entry.by_rules
    return checked


def key_of(record: journal.Journal, game: Game) -> bytes:
    """Return the key of the chance of a game, from the values its journal reveals.

    Raises:
        UnfairDealError: no secret is revealed, or the commitment or a pledge does not follow from it.
    """
    secret = _revealed(record)
    return chance_key(secret, {side: share.contribution for side, share in shares(record, game).items()})


def shares(record: journal.Journal, game: Game) -> dict[str, Share]:
    """Return the contribution of each side to the chance of a journal.

    Raises:
        UnfairDealError: the header is malformed, or bytes do not match their pledge.
    """
    version = record.headers.get(VERSION_HEADER, SECRET_ALONE)
    said = [key for key in record.headers if key.startswith((PLEDGE_HEADER, CONTRIBUTION_HEADER))]
    if version == SECRET_ALONE and not said:
        return {side: Share("", None) for side in game.sides}
    if version != WITH_CONTRIBUTIONS:
        versions = {
            "given": "; ".join([f"{VERSION_HEADER}: {version}", *said[:1]]),
            "alone": SECRET_ALONE,
            "shared": WITH_CONTRIBUTIONS,
            "field": f"{CONTRIBUTION_HEADER}SIDE",
        }
        raise UnfairDealError(record.file, None, Message("fault.deal.version", versions))
    return {side: _share(record, side) for side in game.sides}


def _share(record: journal.Journal, side: str) -> Share:
    pledged = record.headers.get(PLEDGE_HEADER + side, "")
    added = record.headers.get(CONTRIBUTION_HEADER + side, "")
    if added == NOTHING:
        return Share(pledged, None)
    if not _HEX_256_BITS.fullmatch(added):
        field = {"field": CONTRIBUTION_HEADER + side, "nothing": NOTHING, "value": added[:70]}
        raise UnfairDealError(record.file, None, Message("fault.deal.bytes", field))
    contribution = bytes.fromhex(added)
    if pledge(record.headers.get(COMMITMENT_HEADER, ""), side, contribution) != pledged:
        pledge_of = {"field": CONTRIBUTION_HEADER + side, "side": side}
        raise UnfairDealError(record.file, None, Message("fault.deal.pledge", pledge_of))
    return Share(pledged, contribution)


def _revealed(record: journal.Journal) -> bytes:
    try:
        secret = bytes.fromhex(record.headers.get(SECRET_HEADER, ""))
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise UnfairDealError(record.file, None, Message("fault.deal.no_secret", {"field": SECRET_HEADER}))
    if commitment(secret) != record.headers.get(COMMITMENT_HEADER):
        raise UnfairDealError(record.file, None, Message("fault.deal.commitment"))
    return secret
