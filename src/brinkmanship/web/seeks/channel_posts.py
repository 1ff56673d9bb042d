"""Posts of open seeks to the operator's channel: a webhook of Discord, Slack or a program that reads either form.

A seek is posted once, if it is still open half a minute after it was placed. Several seeks become one message, at most
one a minute from all processes together. A message names games, clocks and a link, but no user.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence

from sqlalchemy import Engine

from brinkmanship.engine.message import Message
from brinkmanship.games.registry import kits
from brinkmanship.store import seeks as stored
from brinkmanship.store.seeks import Seek
from brinkmanship.web.notifications import webhook
from brinkmanship.web.notifications.webhook import WebhookError
from brinkmanship.web.presentation.clock_forms import clock_in, clock_words
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.support.time_control import now

log = logging.getLogger("brinkmanship.web")

POST_SECONDS = 10.0
"""Interval (s) of the search for seeks to post."""
UNPAIRED_SECONDS = 30.0
"""Time (s) that a seek is open before it is posted."""
PAUSE_SECONDS = 60.0
"""Minimum time (s) between two messages."""
MAX_LINES = 10
"""Maximum seeks that one message describes; it counts the others."""


class ChannelPosts:
    """Poster of open seeks; call `tick` every `POST_SECONDS`."""

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self._engine = engine
        self._settings = settings

    async def tick(self) -> None:
        """Post the seeks that are due, if there are any."""
        if not (self._settings.seeks_webhook and self._settings.public_url):
            return
        at = now()
        due = await asyncio.to_thread(stored.claim_posts, self._engine, at, at - UNPAIRED_SECONDS, at - PAUSE_SECONDS)
        if not due:
            return
        body = json.dumps(message_of(due, self._settings.public_url), ensure_ascii=False).encode()
        settings = self._settings
        try:
            headers = {"Content-Type": "application/json"}
            status = await webhook.send(
                settings.seeks_webhook, body, headers, settings.webhooks_to_private, settings.webhook_ports
            )
            if not 200 <= status < 300:
                log.warning("open seeks could not be posted", extra={"seeks": len(due), "status": status})
        except WebhookError as error:  # a lost message is not sent again: the seeks are in the lobby
            log.warning("open seeks could not be posted", extra={"seeks": len(due), "reason": str(error)})


def message_of(seeks: Sequence[Seek], site: str) -> dict[str, object]:
    """Return the JSON body that describes seeks: `content` for Discord, `text` for Slack."""
    lines = [_line(seek, site) for seek in seeks[:MAX_LINES]]
    if len(seeks) > MAX_LINES:
        lines.append(f"and {len(seeks) - MAX_LINES} more")
    text = "\n".join(["Looking for an opponent:", *lines])
    return {"content": text, "text": text, "allowed_mentions": {"parse": []}}


def _line(seek: Seek, site: str) -> str:
    own = page_words("en")
    games = dict.fromkeys(own.sentence(Message(f"game.{want.game}")) for want in seek.wants if want.game in kits())
    clocks = []
    for clock in filter(None, map(clock_in, seek.clocks)):
        key, numbers = clock_words(clock.as_json())
        clocks.append(own.sentence(Message(key, numbers)))
    parts = [" / ".join(games), " or ".join(clocks), *(["rated"] if seek.rated else [])]
    return f"{', '.join(parts)}: {site}/seek/{seek.id}"
