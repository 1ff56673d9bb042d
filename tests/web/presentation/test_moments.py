"""Times have one format per language, whoever writes them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from brinkmanship.text import LANGUAGES
from brinkmanship.web.presentation.moments import moment

SHOWN = """([language, times]) => {
  document.documentElement.lang = language;
  const list = document.createElement("div");
  for (const [at, after] of times) {
    const time = document.createElement("time");
    time.dataset.at = at;
    if (after !== null) time.dataset.after = after;
    list.append(time);
  }
  ownTime(list);
  return [...list.children].map((time) => time.textContent);
}"""


def at(month: int, day: int, hour: int) -> float:
    return datetime(2026, month, day, hour, 18, tzinfo=UTC).timestamp()


def test_a_month_is_named_in_english_and_a_day_not_repeated() -> None:
    assert moment(at(11, 4, 9), language="en") == "4 Nov 2026, 09:18"
    assert moment(at(11, 4, 9), at(11, 4, 0), language="en") == "09:18"
    assert moment(at(11, 4, 9), at(11, 3, 23), language="en") == "4 Nov 2026, 09:18"


def test_browser_and_server_write_the_same(visit: Callable[..., Any]) -> None:
    page = visit("/", timezone_id="UTC")
    times = [(at(month, 4, 9), None) for month in range(1, 13)]
    times += [(at(11, 4, 9), at(11, 4, 0)), (at(11, 4, 9), at(11, 3, 23))]
    for language in LANGUAGES:
        assert page.evaluate(SHOWN, [language, times]) == [moment(*time, language=language) for time in times]
