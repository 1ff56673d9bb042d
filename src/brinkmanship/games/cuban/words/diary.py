"""Stages of the crisis diaries about the Cuban missile crisis."""

from __future__ import annotations

from datetime import date

from brinkmanship.text.diary import Stage


def _october(first: int, last: int, card: str) -> Stage:
    return Stage(date(1962, 10, first), date(1962, 10, last), ("card", card))


STAGES = (
    _october(16, 17, "excomm"),
    _october(18, 19, "lessons_of_munich"),
    _october(20, 21, "wave_and_smile"),
    _october(22, 23, "quarantine"),
    _october(24, 26, "u_thant"),
    _october(27, 28, "u2_downed"),
)
