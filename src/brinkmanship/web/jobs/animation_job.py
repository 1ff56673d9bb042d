"""Job for another process or machine: the animated picture of a finished game, from bytes to bytes."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from brinkmanship.drawing.animation import Animation, Format, animate
from brinkmanship.engine import journal
from brinkmanship.engine.game import Game
from brinkmanship.engine.perspective import Perspective
from brinkmanship.text import words_for
from brinkmanship.web.jobs.request import FinishedGameRequest, data_of
from brinkmanship.web.support.progress import ProgressReporter

MAX_BYTES = 8_000_000
"""Maximum size of an animation; a usual one has less than two megabytes."""


class AnimationSpan(msgspec.Struct, frozen=True, array_like=True):
    """The part of a game to animate, and how."""

    viewer: int
    """A side, `OBSERVER` or `FULL_INFORMATION`."""
    first: int
    last: int
    language: str
    format: Format
    title: str
    ending: str
    """Caption of the end of the game."""


class _Request(FinishedGameRequest):
    span: AnimationSpan


class TooLongError(ValueError):
    """The animation would be larger than `MAX_BYTES`."""


def encode(record: journal.Journal, game: Game, span: AnimationSpan) -> bytes:
    """Encode a request to animate a finished game.

    Args:
        record: Journal with all cards open.
        game: Ruleset of the game.
        span: The part of the game.
    """
    return _Request(record.text(), *data_of(game), span).to_bytes()


def run(payload: bytes, report_progress: Callable[[bytes], None]) -> bytes:
    """Return the file of an animation.

    Args:
        payload: Request from `encode`.
        report_progress: Callback for progress reports.

    Raises:
        TooLongError: The file would be too large.
    """
    request = _Request.from_bytes(payload)
    _, match = request.replayed()
    span = request.span
    animation = Animation(
        seen=Perspective(match, span.viewer),
        words=words_for(match.game, span.language),
        title=span.title,
        ending=span.ending,
        first=span.first,
        last=span.last,
    )
    file = animate(animation, span.format, ProgressReporter(report_progress).progress)
    if len(file) > MAX_BYTES:
        raise TooLongError(f"the animation has {len(file)} bytes; {MAX_BYTES} are allowed")
    return file
