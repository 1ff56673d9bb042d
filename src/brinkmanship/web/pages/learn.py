"""Learn by playing: a guided first game on prepared positions. Nothing is kept: where one is stands in the address."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup

from brinkmanship.draw import drawing_of
from brinkmanship.engine.game import Game, State
from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.text import Words, cards_of
from brinkmanship.web.data_files import has_workshop
from brinkmanship.web.errors import NotFoundError
from brinkmanship.web.identity import Visitor, language_of
from brinkmanship.web.lessons import Course, Lesson, course_of, has_lesson
from brinkmanship.web.pages.library import game_by_id
from brinkmanship.web.pages.pictures import board, outlines
from brinkmanship.web.pages.render import aside, game_words, layout_of, page, page_words, title_of
from brinkmanship.web.people import Person
from brinkmanship.web.recording import Film, Reel, Reels

router = APIRouter()

MOST_LINES = 8
_reels = Reels()


class Offered(NamedTuple):
    """An answer as it is shown."""

    text: str
    """The action as programs write it."""
    sentence: str
    is_right: bool
    is_given: bool


@router.get("/learn/{game_id}")
async def begin(request: Request, game_id: str) -> Response:
    """The first lesson."""
    game_by_id(request, game_id)
    return RedirectResponse(f"/learn/{game_id}/1", 303)


@router.get("/learn/{game_id}/{number}")
async def learn(
    request: Request, who: Visitor, game_id: str, number: int, answer: Annotated[str, Query(max_length=80)] = ""
) -> Response:
    """A lesson, and what comes of an answer to it."""
    return await aside(request, partial(_lesson, request, who, game_by_id(request, game_id), number, answer))


def _lesson(request: Request, who: Person | None, game: Game, number: int, answer: str) -> Response:
    if not has_lesson(game.id):
        raise NotFoundError("there is no guided first game yet")
    course = course_of(game)
    if not 1 <= number <= len(course.lessons):
        raise NotFoundError(f"there are {len(course.lessons)} lessons")
    language = language_of(request, who)
    words, lesson = game_words(game, language), course.lessons[number - 1]
    offered = _offered(game, course, lesson, words, answer)
    given = next((each for each in offered if each.is_given), None)
    return page(
        request,
        "learn.html",
        who,
        title=title_of(game, page_words(language)),
        game_id=game.id,
        lesson=True,
        workshop=has_workshop(game.id),
        number=number,
        count=len(course.lessons),
        layout=layout_of(request),
        outlines=outlines(game),
        say=_texts(game, lesson, words),
        answers=offered,
        given=given,
        board=_board(request, game, course, lesson, given, words),
        hand=_hand(game, course, lesson, words),
        lines=_since(game, course, number, words) if given is None else [],
    )


def _offered(game: Game, course: Course, lesson: Lesson, words: Words, answer: str) -> list[Offered]:
    view = _view(course, lesson)
    return [
        Offered(
            each.text,
            words.sentence(game.describe(view, course.side, game.parse_action(each.text, course.side))),
            each.is_right,
            each.text == answer,
        )
        for each in lesson.answers
    ]


def _view(course: Course, lesson: Lesson) -> State:
    return course.seen.view(lesson.place)


def _texts(game: Game, lesson: Lesson, words: Words) -> dict[str, str]:
    """Title, text, question and feedback; they may name cards by their ids."""
    spoken = words.with_domain("library")
    names: dict[str, Argument] = {card.id: Ref("card", card.id) for card in cards_of(game, words)}
    parts = ("title", "text", "ask", "right", "wrong") if lesson.answers else ("title", "text")
    return {part: spoken.sentence(Message(f"lesson.{game.id}.{lesson.name}.{part}", names)) for part in parts}


def _board(request: Request, game: Game, course: Course, lesson: Lesson, given: Offered | None, words: Words) -> Markup:
    """The position; after a right answer the new one, after a wrong one with ghosts of what it would do."""
    before = _view(course, lesson)
    plays = _reel(game, course, words).plays_until(lesson.place)
    ghosts = None
    shown = before
    if given is not None:
        after = game.copy(before)
        game.apply(game.rules, after, game.parse_action(given.text, course.side))
        if given.is_right:
            shown = after
        else:
            ghosts = after
    return board(game, shown, course.side, words, layout_of(request), plays=plays, ghosts=ghosts)


def _reel(game: Game, course: Course, words: Words) -> Reel:
    film = Film(game, lambda _: course.seen, ("",) * len(game.sides), f"/learn/{game.id}")
    return _reels.reel(film, course.side, words)


def _since(game: Game, course: Course, number: int, words: Words) -> list[Any]:
    """What happened since the question before, the latest last."""
    if number < 2:
        return []
    first, last = course.lessons[number - 2].place, course.lessons[number - 1].place
    lines = [line for line in _reel(game, course, words).lines if first < line.entry <= last]
    return lines[-MOST_LINES:]


def _hand(game: Game, course: Course, lesson: Lesson, words: Words) -> list[tuple[str, Markup]]:
    known = game.known_state(_view(course, lesson), course.side)["cards"]
    drawing = drawing_of(game)
    cards = [id for place in ("drawn", "hand") for id in known.get(place, ())]
    parts = [game.action_parts(game.parse_action(answer.text, course.side)) for answer in lesson.answers]
    agendas = [part.agenda for part in parts if part.agenda is not None]
    return [(id, Markup(drawing.agenda(game, id, words))) for id in agendas] + [
        (id, Markup(drawing.card(game, id, words))) for id in cards
    ]


@router.get("/learn/{game_id}/card/{card_id}")
async def card_of_lesson(game_id: str, card_id: str) -> Response:
    """Where the names of cards in what happened lead."""
    return RedirectResponse(f"/cards/{game_id}#{card_id}", 303)
