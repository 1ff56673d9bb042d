"""Animated replays: which steps get a frame, what stands below the board, and files that browsers play."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image

from brinkmanship.drawing import animation
from brinkmanship.drawing.animation import FORMATS, Animation, Format, animate, assembled, frames_of, picture
from brinkmanship.engine import journal
from brinkmanship.engine.game import FULL_INFORMATION, OBSERVER
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.text import words_for
from support.finished_games import EXAMPLE, over


def example(viewer: int = FULL_INFORMATION, language: str = "en") -> Animation:
    game = load_game("13-days")
    match = journal.play(journal.read(EXAMPLE), game)
    return Animation(seen=Perspective(match, viewer), words=words_for(game, language), title="13 Days", ending="Over")


def test_every_line_of_the_log_is_a_caption_once_and_in_order() -> None:
    whole = example()
    frames = frames_of(whole)
    steps = [frame.step for frame in frames]
    assert steps == sorted(set(steps))
    assert (steps[0], steps[-1]) == (0, whole.seen.length)
    said = [caption.said for frame in frames for caption in frame.captions]
    in_two = [
        caption.said
        for span in (replace(whole, last=80), replace(whole, first=80))
        for frame in frames_of(span)
        for caption in frame.captions
    ]
    assert said == in_two
    assert "The US plays" in " ".join(said)


def test_a_long_game_has_no_more_frames_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = example()
    said = [caption for frame in frames_of(whole) for caption in frame.captions]
    monkeypatch.setattr(animation, "MAX_FRAMES", 10)
    frames = frames_of(whole)
    assert len(frames) <= 10
    assert frames[-1].step == whole.seen.length
    assert [caption for frame in frames for caption in frame.captions] == said


@pytest.mark.parametrize(("first", "last"), [(5, 4), (0, 10_000), (-1, 3)])
def test_a_span_outside_the_game_is_refused(first: int, last: int) -> None:
    with pytest.raises(ValueError, match="the game has steps 0 to"):
        frames_of(replace(example(), first=first, last=last))


def test_captions_say_only_what_their_viewer_knows() -> None:
    def said(viewer: int) -> str:
        return " ".join(caption.said for frame in frames_of(example(viewer)) for caption in frame.captions[:40])

    chosen = "The US chooses an agenda: Italy"
    assert chosen in said(FULL_INFORMATION)
    assert chosen in said(0)
    assert chosen not in said(1)
    assert chosen not in said(OBSERVER)


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_game_has_pictures_with_its_captions(game_id: str) -> None:
    match = over(game_id)
    whole = Animation(seen=Perspective(match, 0), words=words_for(match.game, "ru"), title="Т", ending="Конец")
    last = frames_of(whole)[-1]
    drawn = picture(whole, last)
    assert "Конец" in drawn
    assert "to-act" not in drawn
    assert f"{last.step} / {last.step}" in drawn


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_moves_and_shows_every_frame_as_drawn(format: Format) -> None:
    span = replace(example(), first=60, last=72)
    file = Image.open(io.BytesIO(animate(span, format)))
    count = len(frames_of(span))
    assert getattr(file, "n_frames", 1) == count > 3
    first = file.convert("RGB")
    file.seek(count - 1)
    assert file.convert("RGB").tobytes() != first.tobytes()
    assert file.info["loop"] == 0
    alone = Image.open(io.BytesIO(animate(replace(span, first=72), format))).convert("RGB")
    assert alone.size == file.size
    dark = [image.convert("L").point(lambda value: 255 * (value < 128)).getbbox() for image in (alone, file)]
    assert dark[0] is not None  # the board of the last frame is whole, not only what has changed
    assert dark[1] is not None
    assert dark[1][3] > 300


def test_frames_of_different_heights_are_put_on_paper_of_one_size() -> None:
    def paper(height: int) -> bytes:
        file = io.BytesIO()
        Image.new("RGB", (40, height), "red").save(file, "png")
        return file.getvalue()

    moving = Image.open(io.BytesIO(assembled([paper(20), paper(30)], [100, 200], "webp")))
    assert moving.size == (40, 30)
