"""The file of ``brink replay --animate``: a recorded game as a moving picture."""

from __future__ import annotations

from pathlib import Path

from brinkmanship.cli.options import check_output, unwritable
from brinkmanship.cli.progress import progress
from brinkmanship.drawing.animation import FORMATS, Animation, Format, animate, frames_of
from brinkmanship.engine import journal
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.message import Message
from brinkmanship.engine.options import any_of
from brinkmanship.engine.perspective import Perspective
from brinkmanship.text import Words


def check_animation(file: Path) -> None:
    """Check before any work begins that the file can be written and that its ending names a format.

    Raises:
        OptionError: it cannot, or does not.
    """
    _format(file)
    check_output(file, "--animate")


def write_animation(
    file: Path, record: journal.Journal, seen: Perspective, first: int, last: int, words: Words, ending: str
) -> None:
    """Draw the steps from `first` to `last` as a viewer knows them, and write the file.

    Raises:
        OptionError: `first` comes after `last`, or the file cannot be written.
    """
    if first > last:
        raise OptionError(Message("fault.command.from", {"from": str(first), "last": str(last)}))
    title = f"{seen.game.title} · {_players(record, seen, words)}"
    animation = Animation(seen=seen, words=words, title=title, ending=ending, first=first, last=last)
    with progress(file.name, len(frames_of(animation))) as advance:
        content = animate(animation, _format(file), lambda done, _: advance(done > 0))
    try:
        file.write_bytes(content)
    except OSError as error:
        raise unwritable(file, error, "--animate") from error


def _players(record: journal.Journal, seen: Perspective, words: Words) -> str:
    sides = [(words.name("side", side), record.headers.get(side, "")) for side in seen.game.sides]
    return " – ".join(f"{side}: {name}" if name else side for side, name in sides)


def _format(file: Path) -> Format:
    for format in FORMATS:
        if file.suffix == f".{format}":
            return format
    endings = any_of([f".{format}" for format in FORMATS])
    raise OptionError(Message("fault.command.takes", {"option": "--animate", "what": endings, "value": str(file)}))
