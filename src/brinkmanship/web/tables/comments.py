"""Comments on moves: by anyone at finished games, by the commentator at running ones. The rules of the chat apply."""

from __future__ import annotations

import asyncio
import hmac
import time

from sqlalchemy import Engine, insert

from brinkmanship.store import comments, schema
from brinkmanship.store.comments import Marks
from brinkmanship.store.writer import Statement, Writer
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, TooManyError
from brinkmanship.web.tables.chat import Chat
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.open_hands import commentator_token
from brinkmanship.web.tables.statuses import RUNNING

_insert = insert(schema.comments)


class CommentService:
    """Writer of comments on moves.

    Args:
        engine: Database engine.
        writer: Writer for the database.
        chat: Chat, whose limits and measures hold here too.
    """

    def __init__(self, engine: Engine, writer: Writer, chat: Chat) -> None:
        self._engine = engine
        self._writer = writer
        self._chat = chat

    async def write(
        self, table: LiveTable, who: Person, step: int, text: str, marks: Marks = (), *, last: int | None = None
    ) -> None:
        """Add a comment at a step.

        Args:
            table: the table.
            who: the author.
            step: number of entries before the position.
            text: the text; it may be empty if there are marks.
            marks: arrows on the board.
            last: last step that the author may see; None for all, after the game.

        Raises:
            ForbiddenError: The game is not over and the author is not its commentator, or a measure forbids it.
            IllegalError: There is no such step, or nothing to say.
            TooManyError: The author writes too quickly, or the table has too many comments.
        """
        if last is None and not table.is_revealed:
            raise ForbiddenError("comments are written after the game", key="comments.refused.running")
        if step > (table.length if last is None else last):
            raise IllegalError("the game has no such step", key="comments.refused.step")
        if not text and not marks:
            raise IllegalError("write something", key="comments.refused.empty")
        await self._chat.check_may_write(table, who.id)
        if await asyncio.to_thread(comments.comment_count, self._engine, table.id) >= comments.MAX_COMMENTS:
            raise TooManyError("this game has too many comments", key="comments.refused.many", retry_after=3600)
        await self._writer.write(Statement(_insert, _row(table, who, step, text, marks)))

    async def commentator(self, table: LiveTable) -> str | None:
        """Return the id of the commentator of a running game, or None."""
        number = table.state.commentary.number
        if number is None or table.status != RUNNING or table.state.open_view.delay is None:
            return None
        return await asyncio.to_thread(comments.commentator_of, self._engine, table.id, number)

    async def become_commentator(self, table: LiveTable, who: Person, token: str) -> None:
        """Make the user of an invitation the commentator.

        Raises:
            ForbiddenError: They play the game, the link is not valid, or someone else has used it.
        """
        if table.seat_of(who.id):
            raise ForbiddenError("players do not comment on their own game", key="watch.refused.player")
        check_invitation(table, token)
        number = table.state.commentary.number or 0
        if not await asyncio.to_thread(comments.become_commentator, self._engine, table.id, number, who.id):
            raise ForbiddenError("someone else has used this link", key="watch.refused.used")


def check_invitation(table: LiveTable, token: str) -> None:
    """Raise unless a token is that of the commentator whom the players of a running game invite now.

    Raises:
        ForbiddenError: It is not.
    """
    commentary, delay = table.state.commentary, table.state.open_view.delay
    is_due = table.status == RUNNING and commentary.number is not None and delay is not None
    right = commentator_token(table.secret, commentary)
    if not is_due or not hmac.compare_digest(token.encode(), right.encode()):
        raise ForbiddenError("this link is no longer valid", key="watch.refused.link")


def _row(table: LiveTable, who: Person, step: int, text: str, marks: Marks) -> dict[str, object]:
    mine = table.seat_of(who.id)
    return {
        "table_id": table.id,
        "person_id": who.id,
        "name": who.name,
        "side": mine[0] if len(mine) == 1 else None,
        "step": step,
        "move": table.move(step) or "",
        "text": text,
        "marks": [list(mark) for mark in marks],
        "at": time.time(),
    }
