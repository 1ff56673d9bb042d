"""Dates and times for people: one format per language, the same as in the browser (`ownTime` in `static/js/app.js`)."""

from __future__ import annotations

from datetime import UTC, datetime

from babel.dates import format_date, format_time


def moment(seconds: float, after: float | None = None, *, language: str) -> str:
    """Return a time in UTC, without its date if `after` is on the same day."""
    at = datetime.fromtimestamp(seconds, UTC)
    hour = format_time(at, "short", locale=date_locale(language))
    if after is not None and datetime.fromtimestamp(after, UTC).date() == at.date():
        return hour
    date = format_date(at, "medium", locale=date_locale(language))
    return f"{date}, {hour}".replace("\N{NARROW NO-BREAK SPACE}", " ")  # as browsers do


def date_locale(language: str) -> str:
    """Return the locale for dates; in English the day comes before the month, which has its name."""
    return "en_GB" if language == "en" else language
