"""Work with passwords: a hash is made to take long, so it has a thread of its own, and wrong ones have to wait."""

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
"""Wrong passwords for one account before one has to wait, wherever they come from."""
WRONG_OF_ADDRESS = 20
"""Wrong passwords of one address: a school behind it mistypes, too."""
LONGEST_WAIT_SECONDS = 60
"""Not longer: whoever guesses at an account would else lock its owner out."""

Made = TypeVar("Made")


class Passwords:
    """Where all hashing and checking of passwords is done."""

    def __init__(self) -> None:
        self._pool = BoundedPool("passwords", THREADS, MAX_AT_ONCE, MAX_OF_ADDRESS)
        self._logins = BackOff(WRONG_OF_LOGIN, LONGEST_WAIT_SECONDS)
        self._addresses = BackOff(WRONG_OF_ADDRESS, LONGEST_WAIT_SECONDS)

    async def do(self, work: Callable[[], Made]) -> Made:
        """What `work`, which hashes a password, returns.

        Raises:
            TooManyError: too many wait already.
        """
        return await self._pool.do(work)

    async def check(self, login: str, work: Callable[[], Made]) -> Made:
        """What `work`, which checks the password of an account, returns.

        Raises:
            ForbiddenError: by `work`, as the sign of a wrong password.
            IllegalError: the login is no name.
            TooManyError: too many wait already, or too many were wrong: one has to wait.
        """
        key, address = login_key(login), asking.get()
        wait = max(self._logins.seconds_left(key), self._addresses.seconds_left(address))
        if wait > 0:
            await delay_refusal()
            raise TooManyError(
                "too many wrong passwords; wait a little", "refused.passwords", retry_after=math.ceil(wait)
            )
        try:
            made = await self._pool.do(work)
        except ForbiddenError:
            self._logins.failed(key)
            self._addresses.failed(address)
            raise
        self._logins.succeeded(key)  # not the address: its own account would buy an attacker new guesses
        return made

    def close(self) -> None:
        """Begin nothing more."""
        self._pool.close()
