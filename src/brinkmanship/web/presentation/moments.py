"""Dates and times for people: one format per language, the same as in the browser (`ownTime` in `static/js/app.js`)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import lru_cache

from babel.dates import format_date, format_time


def moment(seconds: float, after: float | None = None, *, language: str) -> str:
    """Return a time in UTC, without its date if `after` is on the same day."""
    hour, day = _minute(int(seconds // 60), date_locale(language))
    if after is not None and _day(after) == _day(seconds):
        return hour
    return f"{day}, {hour}"


def _day(seconds: float) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()


# Lists show the same times again and again, and formatting one takes longer than the rest of its row.
@lru_cache(maxsize=10_000)
def _minute(minute: int, locale: str) -> tuple[str, str]:
    """Return the time and the date of a minute (Unix time / 60 s)."""
    at = datetime.fromtimestamp(60 * minute, UTC)
    said = format_time(at, "short", locale=locale), format_date(at, "medium", locale=locale)
    hour, day = (text.replace("\N{NARROW NO-BREAK SPACE}", " ") for text in said)  # as browsers do
    return hour, day


def date_locale(language: str) -> str:
    """Return the locale for dates; in English the day comes before the month, which has its name."""
    return "en_GB" if language == "en" else language
