"""Animated pictures of a game as WebP or APNG: a frame per step shows the board as a viewer knows it, with captions."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from brinkmanship.drawing import drawing_of
from brinkmanship.drawing.board_request import BoardRequest
from brinkmanship.drawing.icons import cube
from brinkmanship.drawing.lettering import text, wrap
from brinkmanship.drawing.link_preview import placed
from brinkmanship.drawing.player_area import without_to_act
from brinkmanship.drawing.png import png
from brinkmanship.drawing.style import PALETTE, flat
from brinkmanship.drawing.svg import Markup, el, rect
from brinkmanship.engine.entry import Entry
from brinkmanship.engine.game import CHANCE, FULL_INFORMATION, OBSERVER
from brinkmanship.engine.game_log import GameLog, LogEntry
from brinkmanship.engine.message import LogLine
from brinkmanship.engine.perspective import UNKNOWN, Perspective
from brinkmanship.text import Words

if TYPE_CHECKING:
    from PIL import Image

Format = Literal["webp", "png"]
FORMATS: tuple[Format, ...] = ("webp", "png")
"""Animated WebP, and animated PNG (APNG); both by the ending of their file names."""
MEDIA_TYPES: dict[Format, str] = {"webp": "image/webp", "png": "image/png"}

MAX_FRAMES = 160
"""Maximum frames of an animation; of a longer span, neighbouring steps share a frame."""
WIDTH = 880.0
"""Width of a frame in pixels."""
COLOURS = 192
"""Colours of an animation; flat drawings need few, and files with few are small."""
_TRANSPARENT = 255
"""Colour number of transparent pixels; above `COLOURS`."""
_OVER = 1
"""Blend operation of APNG that lets the frame before show through."""
SHORTEST, LONGEST, LAST = 900, 4000, 5000
"""Minimum and maximum time (ms) of a frame, and the time of the last one."""
PER_LETTER = 28
"""Reading time (ms) of a letter of the captions."""

EDGE = 14.0
HEAD = 40.0
"""Height of the title above the board."""
CAPTION_SIZE, CAPTION_LEADING, CAPTION_LINES = 19.0, 24.0, 4
FOOT = CAPTION_LINES * CAPTION_LEADING + 18
"""Height of the captions below the board."""

Report = Callable[[int, int], None]
"""Callback that is told how many of how many frames are drawn."""


@dataclass(frozen=True, kw_only=True)
class Animation:
    """A span of a game to animate."""

    seen: Perspective
    """The game as the viewer knows it."""
    words: Words
    """Texts of the ruleset, in the language of the captions."""
    title: str
    """Text above the board: the game and its players."""
    ending: str = ""
    """Caption of the last frame if the span ends with the game: the result."""
    first: int = 0
    """First step: the position after this many entries."""
    last: int | None = None
    """Last step; None for the end of the game."""

    @cached_property
    def plays(self) -> list[tuple[int, object]]:
        """The record that the board keeps: each play with the number of its entry."""
        seen, drawing, found = self.seen, drawing_of(self.seen.game), []
        for number, entry, before, _ in seen.seen():
            play = None if entry.action == UNKNOWN else drawing.play_of(seen.game, before, entry.action)
            if play is not None:
                found.append((number, play))
        return found

    def plays_until(self, step: int) -> list[object]:
        """Return the record up to a step."""
        return [play for number, play in self.plays if number <= step]


class Caption(NamedTuple):
    """A line below the board."""

    side: int | None
    """The acting side; None for chance and the rules."""
    said: str
    follows: bool
    """True for a consequence of the line above."""


class Frame(NamedTuple):
    """A step with its captions."""

    step: int
    captions: Sequence[Caption]


def animate(animation: Animation, format: Format, report: Report = lambda _, __: None) -> bytes:
    """Return the animation as a file that loops forever; takes about a quarter of a second per frame.

    Raises:
        ValueError: the span contains no step of the game.
    """
    frames = frames_of(animation)
    pictures = []
    for number, frame in enumerate(frames):
        report(number, len(frames))
        pictures.append(png(picture(animation, frame)))
    return assembled(pictures, [duration(frame, frame is frames[-1]) for frame in frames], format)


def frames_of(animation: Animation) -> list[Frame]:
    """Return the frames of an animation, at most `MAX_FRAMES`: the position it begins with, then each step.

    Raises:
        ValueError: the span contains no step of the game.
    """
    seen, first = animation.seen, animation.first
    last = seen.length if animation.last is None else animation.last
    if not 0 <= first <= last <= seen.length:
        raise ValueError(f"the game has steps 0 to {seen.length}, not {first} to {last}")
    log = GameLog(_told_in(animation.words))
    log.follow(seen)
    told = [line for line in log.lines if first < line.entry <= last]
    steps = [step for step in _stops(seen.entries) if first < step < last]
    steps = sorted({step for step in steps if any(line.entry == step for line in told)} | {last})
    steps = _thinned(steps, MAX_FRAMES - 1)
    groups = groupby(told, lambda line: next(step for step in steps if step >= line.entry))
    captions = {step: [_caption(line) for line in lines] for step, lines in groups}
    shown = [Frame(step, captions.get(step, ())) for step in steps if step > first]
    return [Frame(first, ()), *shown]


def _told_in(words: Words) -> Callable[[LogLine, int], str]:
    def told(line: LogLine, times: int) -> str:
        return words.sentence(line.message) + (f" (×{times})" if times > 1 else "")

    return told


def _caption(line: LogEntry[str]) -> Caption:
    return Caption(line.side, line.shown, line.follows)


def _stops(entries: Sequence[Entry]) -> list[int]:
    """Return the steps that are worth a frame: of a deal, only the last one."""

    def is_deal(number: int) -> bool:
        return entries[number].actor == CHANCE and not entries[number].by_rules

    last = len(entries)
    return [step for step in range(1, last + 1) if step == last or not (is_deal(step - 1) and is_deal(step))]


def _thinned(steps: Sequence[int], most: int) -> list[int]:
    """Return at most `most` of the steps, evenly, with the last one."""
    every = -(-len(steps) // most)
    return [*reversed(steps[::-1][::every])]


def duration(frame: Frame, is_last: bool) -> int:
    """Return how long a frame stays (ms): as long as its captions take to read, the last one longer."""
    letters = sum(len(caption.said) for caption in _fitting(frame.captions))
    return LAST if is_last else min(max(SHORTEST, PER_LETTER * letters), LONGEST)


# ---- Pictures.


def picture(animation: Animation, frame: Frame) -> str:
    """Draw a frame as SVG for `png`."""
    seen = animation.seen
    is_end = frame.step == seen.length and bool(animation.ending)
    drawn = _board(animation, frame.step, is_end)
    found = re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', drawn)
    wide, high = map(float, found.groups()) if found else (WIDTH, WIDTH / 2)
    inner = WIDTH - 2 * EDGE
    board = inner * high / wide
    height = round(HEAD + board + FOOT)
    count = f"{frame.step} / {seen.length}"
    captions = [*frame.captions, *([Caption(None, animation.ending, False)] if is_end else [])]
    return el(
        "svg",
        el("style", Markup(flat())),
        rect(0, 0, WIDTH, height, "page"),
        text(EDGE, 27, animation.title, 20, "b", room=inner - 110),
        text(WIDTH - EDGE, 27, count, 18, "m mu", "end"),
        placed(drawn, EDGE, HEAD, inner, board),
        [_line(caption, HEAD + board + 24 + place * CAPTION_LEADING) for place, caption in _placed(captions)],
        xmlns="http://www.w3.org/2000/svg",
        width=WIDTH,
        height=height,
        class_="brink",
    )


def _board(animation: Animation, step: int, is_end: bool) -> str:
    seen, game = animation.seen, animation.seen.game
    side = OBSERVER if seen.viewer == FULL_INFORMATION else seen.viewer
    request = BoardRequest[object](plays=animation.plays_until(step))
    drawn = drawing_of(game).board(game, seen.view(step), side, animation.words, request)
    return without_to_act(drawn) if is_end else drawn


def _placed(captions: Sequence[Caption]) -> Iterable[tuple[int, Caption]]:
    return enumerate(_fitting(captions))


def _fitting(captions: Sequence[Caption]) -> list[Caption]:
    """Return the captions that have room, broken into lines; of too many, the first ones and the last one."""
    lines: list[Caption] = []
    for caption in captions:
        room = WIDTH - 2 * EDGE - _indent(caption)
        broken = wrap(caption.said, room, CAPTION_SIZE)
        lines += [Caption(caption.side if not n else None, said, caption.follows) for n, said in enumerate(broken)]
    if len(lines) <= CAPTION_LINES:
        return lines
    return [*lines[: CAPTION_LINES - 2], Caption(None, "…", True), lines[-1]]


def _indent(caption: Caption) -> float:
    return 46.0 if caption.follows else 26.0


def _line(caption: Caption, y: float) -> Markup:
    """Draw a caption; an action has the mark of its side, the same as on the board."""
    mark = None if caption.side is None or caption.follows else cube(caption.side, EDGE + 10, y - 6, 13)
    css = "mu" if caption.follows else "b"
    said = text(EDGE + _indent(caption), y, caption.said, CAPTION_SIZE, css, room=WIDTH - 2 * EDGE - _indent(caption))
    return Markup(f"{mark or ''}{said}")


# ---- Files.


def assembled(pictures: Sequence[bytes], durations: Sequence[int], format: Format) -> bytes:
    """Return PNG pictures of one size as an animation.

    Args:
        pictures: the frames.
        durations: the time of each (ms).
        format: one of `FORMATS`.
    """
    from PIL import Image  # only processes that animate need it

    size = _largest(pictures)
    shared = Image.new("RGB", (size[0], size[1] * 3))
    for place, which in enumerate((0, len(pictures) // 2, -1)):
        shared.paste(_opened(pictures[which], size), (0, place * size[1]))
    palette = shared.quantize(COLOURS, dither=Image.Dither.NONE)
    # A byte per pixel: all frames are in memory at once.
    frames = [_opened(each, size).quantize(palette=palette, dither=Image.Dither.NONE) for each in pictures]
    file = io.BytesIO()
    how: dict[str, Any]
    if format == "webp":
        how = {"lossless": True, "method": 2, "minimize_size": False}
    else:
        frames, how = _differences(frames), {"blend": _OVER, "transparency": _TRANSPARENT}
    how["duration"] = list(durations) if len(frames) > 1 else durations[0]
    frames[0].save(file, format=format, save_all=True, append_images=frames[1:], loop=0, **how)
    return file.getvalue()


def _differences(frames: Sequence[Image.Image]) -> list[Image.Image]:
    """Return each frame with what the one before shows already left transparent, so that it packs well."""
    from PIL import Image

    pixels = [np.asarray(frame) for frame in frames]
    changed = [np.where(before == after, np.uint8(_TRANSPARENT), after) for before, after in pairwise(pixels)]
    palette = (frames[0].getpalette() or []) + [0] * 768  # with an entry for transparent pixels
    found = []
    for each in (pixels[0], *changed):
        image = Image.fromarray(each)
        image.putpalette(palette[:768])
        found.append(image)
    return found


def _largest(pictures: Sequence[bytes]) -> tuple[int, int]:
    """Return the width and height that all pictures fit in; a board may grow by a line during a game."""
    from PIL import Image

    sizes = [Image.open(io.BytesIO(each)).size for each in pictures]
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def _opened(picture: bytes, size: tuple[int, int]) -> Image.Image:
    """Return a picture, on paper of this size."""
    from PIL import Image

    paper = Image.new("RGB", size, PALETTE["paper"][0])
    with Image.open(io.BytesIO(picture)) as image:
        paper.paste(image.convert("RGB"))
    return paper
