"""Password hashing in its own thread pool, with exponential back-off after wrong passwords.

Wrong passwords are counted per account and address together, so an attacker elsewhere cannot lock out the owner. All
strangers guessing at one account share a brake (a short back-off). A browser that has been signed in to the account
(`UserService.device_in`) is counted separately and uses a second pool: strangers cannot slow it down.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

from brinkmanship.web.support.bounded_pool import BoundedPool
from brinkmanship.web.support.display_names import login_key
from brinkmanship.web.support.errors import ForbiddenError, TooManyError
from brinkmanship.web.support.rate_limit import BackOff, client_address, delay_refusal

THREADS = 1
MAX_AT_ONCE = 16
MAX_OF_ADDRESS = 4
WRONG_OF_LOGIN = 10
"""Wrong passwords for one account from one address or known browser before the next attempt has to wait."""
WRONG_OF_ADDRESS = 20
"""Wrong passwords from one address before a wait; higher because a school may share an address."""
WRONG_OF_ALL = 100
"""Wrong passwords for one account from all addresses before the brake slows strangers down."""
MAX_WAIT = 60
"""Maximum wait of one address."""
BRAKE_SECONDS = 4
"""Maximum wait of all strangers together after a wrong password for one account.

It limits guessing from many addresses, and is short so that an owner in a new browser still gets a turn.
"""

Made = TypeVar("Made")


class Passwords:
    """Thread pools and back-off for all hashing and checking of passwords."""

    def __init__(self) -> None:
        self._pool = BoundedPool("passwords", THREADS, MAX_AT_ONCE, MAX_OF_ADDRESS)
        self._known_pool = BoundedPool("passwords of known browsers", THREADS, MAX_AT_ONCE, MAX_OF_ADDRESS)
        self._here = BackOff(WRONG_OF_LOGIN, MAX_WAIT)
        self._addresses = BackOff(WRONG_OF_ADDRESS, MAX_WAIT)
        self._brake = BackOff(WRONG_OF_ALL, BRAKE_SECONDS)

    async def do(self, work: Callable[[], Made]) -> Made:
        """Run `work`, which hashes a password, and return its result.

        Raises:
            TooManyError: Too many jobs are waiting already.
        """
        return await self._pool.do(work)

    async def check(self, login: str, work: Callable[[], Made], device: str = "") -> Made:
        """Run `work`, which checks the password of an account, and return its result.

        Args:
            login: Login of the account.
            work: Function that checks the password; it raises ForbiddenError if the password is wrong.
            device: Name of the browser if it has been signed in to the account before; "" for a stranger.

        Raises:
            ForbiddenError: The password is wrong.
            IllegalError: The login is not a valid name.
            TooManyError: Too many jobs are waiting already, or the client must wait after wrong passwords.
        """
        account, address = login_key(login), client_address.get()
        # Neither account names nor addresses contain a tab.
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
        # Reset only this count: otherwise attackers could buy guesses for their address by signing in to their account.
        self._here.succeeded(here)
        return made

    def close(self) -> None:
        """Cancel waiting jobs and accept no more."""
        self._pool.close()
        self._known_pool.close()
