"""Challenges on a database: two clicks send one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brinkmanship.web.accounts.users import UserService
from brinkmanship.web.seeks import challenge_service
from brinkmanship.web.seeks.challenge_service import Proposal
from brinkmanship.web.support.errors import IllegalError
from support.databases import KINDS, fresh_database
from support.house import House, run
from support.patience import HANGS_SECONDS


@pytest.fixture(params=KINDS)
def any_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with fresh_database(request.param, tmp_path) as url:
        yield url


def test_of_two_clicks_at_once_one_challenges(any_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    both = threading.Barrier(2)
    check = challenge_service.check_tables

    def together(*given: Any) -> None:
        check(*given)
        both.wait(HANGS_SECONDS)

    monkeypatch.setattr(challenge_service, "check_tables", together)

    async def test(house: House) -> None:
        users, service = UserService(house.engine), house.services.challenges
        anna, boris = (users.register(who, who.name.lower(), "long enough") for who in (house.anna, house.boris))
        sent = (service.challenge(anna, boris.id, Proposal("13-days", 0, "")) for _ in range(2))
        answers = await asyncio.gather(*sent, return_exceptions=True)
        (refused,) = [answer for answer in answers if isinstance(answer, BaseException)]
        assert isinstance(refused, IllegalError)
        assert refused.specific_key == "challenges.refused.open"
        assert len(await service.of(boris)) == 1

    run(any_database, test)
