"""Content of notices, in the user's language: nothing about the position, no card names."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from brinkmanship.engine.message import Message
from brinkmanship.store.notices import Announcement
from brinkmanship.text import Words
from brinkmanship.web.notifications.push import MAX_PAYLOAD
from brinkmanship.web.notifications.turn import opponents_of, sentence_of
from brinkmanship.web.presentation.page_words import page_words, title_of
from brinkmanship.web.support.time_control import LIVE
from brinkmanship.web.tables.live_table import LiveTable

SITE_NAME = "Brinkmanship"
SEVERAL = "several"
"""Tag of a push message that stands for several notices."""
MAX_LINES = 5
"""Maximum sentences of a push message that stands for several notices."""


@dataclass(frozen=True)
class Notice:
    """A notice to a user."""

    heading: str
    """Short title of a push message."""
    subject: str
    """Subject of an e-mail."""
    sentence: str
    path: str
    """Path of the page that it is about."""
    tag: str
    """Key by which a browser and a push service replace an earlier notice of the same subject."""
    is_urgent: bool = False
    """True if a clock of minutes is running."""
    data: dict[str, str] = field(default_factory=dict)
    """Further fields for a webhook."""


def turn_notice(table: LiveTable, side: int, language: str) -> Notice:
    """Return the notice that it is a side's turn."""
    own = page_words(language)
    title = title_of(table.game, own)
    clock = table.terms.clock
    return Notice(
        heading=own.sentence(Message("home.your_turn")),
        subject=own.sentence(Message("mail.turn.subject", {"title": title})),
        sentence=sentence_of(table, side, language),
        path=f"/t/{table.id}",
        tag=table.id,
        is_urgent=clock is not None and clock.kind == LIVE,
        data={
            "event": "turn",
            "table": table.id,
            "game": table.game.id,
            "title": title,
            "side": table.game.sides[side],
            "opponent": opponents_of(table, side, language),
        },
    )


def news_notice(news: Announcement, language: str) -> Notice:
    """Return the notice of an announcement."""
    sentence = page_words(language).sentence(news.message)
    return Notice(SITE_NAME, sentence, sentence, news.path, news.id, data={"event": news.purpose})


def webhook_body(notice: Notice, site: str) -> bytes:
    """Return the JSON body of a webhook; its `url` is only a path if the operator has not set the public URL."""
    body = {**notice.data, "url": site + notice.path, "text": notice.sentence}
    return json.dumps(body, ensure_ascii=False).encode()


def message_id(*about: str | int) -> str:
    """Return the id of a message to a webhook, by which a receiver knows another attempt to deliver it."""
    return "msg_" + hashlib.sha256(json.dumps(about).encode()).hexdigest()[:24]


def push_payload(notices: Sequence[Notice], words: Words) -> bytes:
    """Return what a browser shows, as JSON: `title`, `body`, the `path` to open, and a `tag` as in `Notice`."""
    first = notices[0]
    if len(notices) == 1:
        return _payload(first.heading, [first.sentence], first.path, first.tag)
    title = words.sentence(Message("push.several", {"n": len(notices)}))
    return _payload(title, [notice.sentence for notice in notices[:MAX_LINES]], "/", SEVERAL)


def _payload(title: str, lines: Sequence[str], path: str, tag: str) -> bytes:
    content = {"title": title, "body": "\n".join(lines), "path": path, "tag": tag}
    payload = json.dumps(content, ensure_ascii=False).encode()
    return payload if len(payload) <= MAX_PAYLOAD else _payload(title, lines[:-1], path, tag)
