"""Work with passwords: a hash is made to take long, so it has a thread of its own, and wrong ones have to wait.

Wrong passwords are counted by account and address together, so a stranger elsewhere keeps no owner out. Many strangers
who guess at one account share a brake. A browser in which the account was signed in before (`UserService.device_in`)
is counted by itself and works in a pool of its own: nothing that strangers do holds it back.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

from brinkmanship.web.support.bounded_pool import BoundedPool
from brinkmanship.web.support.display_names import login_key
from brinkmanship.web.support.errors import ForbiddenError, TooManyError
from brinkmanship.web.support.rate_limit import BackOff, asking, delay_refusal

THREADS = 1
MAX_AT_ONCE = 16
MAX_OF_ADDRESS = 4
WRONG_OF_LOGIN = 10
"""Wrong passwords for one account from one address, or in one known browser, before the next attempt has to wait."""
WRONG_OF_ADDRESS = 20
"""Wrong passwords of one address: a school behind it mistypes, too."""
WRONG_OF_ALL = 100
"""Wrong passwords for one account from all addresses before the brake acts on strangers."""
LONGEST_WAIT_SECONDS = 60
"""Longest wait of one address."""
BRAKE_SECONDS = 4
"""Longest wait of all strangers together after a wrong password for one account. It bounds what many addresses can
guess, and is short: an owner in a new browser still gets a turn."""

Made = TypeVar("Made")


class Passwords:
    """Where all hashing and checking of passwords is done."""

    def __init__(self) -> None:
        self._pool = BoundedPool("passwords", THREADS, MAX_AT_ONCE, MAX_OF_ADDRESS)
        self._known_pool = BoundedPool("passwords of known browsers", THREADS, MAX_AT_ONCE, MAX_OF_ADDRESS)
        self._here = BackOff(WRONG_OF_LOGIN, LONGEST_WAIT_SECONDS)
        self._addresses = BackOff(WRONG_OF_ADDRESS, LONGEST_WAIT_SECONDS)
        self._brake = BackOff(WRONG_OF_ALL, BRAKE_SECONDS)

    async def do(self, work: Callable[[], Made]) -> Made:
        """What `work`, which hashes a password, returns.

        Raises:
            TooManyError: too many wait already.
        """
        return await self._pool.do(work)

    async def check(self, login: str, work: Callable[[], Made], device: str = "") -> Made:
        """What `work`, which checks the password of an account, returns.

        Args:
            device: names the browser where it is known that the account was signed in there; "" for a stranger.

        Raises:
            ForbiddenError: by `work`, as the sign of a wrong password.
            IllegalError: the login is no name.
            TooManyError: too many wait already, or too many were wrong: one has to wait.
        """
        account, address = login_key(login), asking.get()
        # Neither names nor addresses hold a tab.
        here = f"{account}\t{device or address}"
        counts = [(self._here, here)]
        if not device:
            counts += [(self._addresses, address), (self._brake, account)]
        wait = max(count.seconds_left(key) for count, key in counts)
        if wait > 0:
            await delay_refusal()
            raise TooManyError(
                "too many wrong passwords; wait a little", "refused.passwords", retry_after=math.ceil(wait)
            )
        try:
            made = await (self._known_pool if device else self._pool).do(work)
        except ForbiddenError:
            for count, key in counts:
                count.failed(key)
            raise
        # Nothing else: an attacker's own account would buy new guesses for the address.
        self._here.succeeded(here)
        return made

    def close(self) -> None:
        """Begin nothing more."""
        self._pool.close()
        self._known_pool.close()
