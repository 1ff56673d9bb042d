"""Learn by playing: a game's course of lessons on prepared positions.

The current step is part of the address; completed lessons are stored in a cookie.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, NamedTuple

from markupsafe import Markup
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.drawing import drawing_of
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.engine.record import State
from brinkmanship.games.registry import kits
from brinkmanship.lessons import FIRST, Lesson, Step, course_of, has_lesson, lesson_of
from brinkmanship.text import Words, cards_of
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.forms import Name, signed_in, somebody
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.pictures import board, outlines
from brinkmanship.web.pages.shared.rendering import layout_of, page, run_in_pool
from brinkmanship.web.pages.table.card_text import aim_of
from brinkmanship.web.presentation.data_files import has_workshop
from brinkmanship.web.presentation.lesson_cookie import done_in, remember_done
from brinkmanship.web.presentation.level_cookie import player_of
from brinkmanship.web.presentation.page_words import computer_name, game_words, page_words, title_of
from brinkmanship.web.presentation.replay import Replay, ReplayCache, ReplaySource
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import NotFoundError
from brinkmanship.web.tables.continuation import play_on_against

router = PageRouter("/learn")

MAX_LINES = 8
_reels = ReplayCache()


class Offered(NamedTuple):
    """An answer for display."""

    text: str
    """The action in its text form."""
    sentence: str
    is_right: bool
    is_given: bool


class Listed(NamedTuple):
    """A lesson in the list of a course."""

    id: str
    title: str
    line: str
    """Short description."""
    is_done: bool


@router.get("/{game_id}")
async def course(request: Request, who: Person | None, game_id: str) -> Response:
    """Show the lessons of a game: the guided first game, then the short ones."""
    return await run_in_pool(request, partial(_course, request, who, _with_course(request, game_id)))


def _course(request: Request, who: Person | None, game: Game) -> Response:
    own = page_words(language_of(request, who))
    listed = _listed(request, game, own)
    return page(
        request,
        "study/lessons.html",
        who,
        title=title_of(game, own),
        game_id=game.id,
        games=[(id, title_of(game_by_id(request, id), own)) for id in kits() if has_lesson(id)],
        lesson=True,
        workshop=has_workshop(game.id),
        lessons=listed,
        done=sum(one.is_done for one in listed),
        following=next((one for one in listed if not one.is_done), None),
    )


def _listed(request: Request, game: Game, own: Words) -> list[Listed]:
    done, spoken = done_in(request, game.id), _spoken(game, own)
    return [
        Listed(id, spoken.sentence(Message(f"{id}.title")), spoken.sentence(Message(f"{id}.line")), id in done)
        for id in course_of(game.id)
    ]


def _spoken(game: Game, words: Words) -> Words:
    return words.with_domain(f"{game.id}-lessons")


@router.get("/{game_id}/{lesson_id}")
async def begin(request: Request, game_id: str, lesson_id: str) -> Response:
    """Redirect to the first step of a lesson."""
    _lesson(_with_course(request, game_id), lesson_id)
    return RedirectResponse(f"/learn/{game_id}/{lesson_id}/1", 303)


@router.get("/{game_id}/{lesson_id}/{number}")
async def learn(
    request: Request,
    who: Person | None,
    game_id: str,
    lesson_id: str,
    number: int,
    answer: Annotated[str, Meta(max_length=80)] = "",
) -> Response:
    """Show a step of a lesson, and the consequence of an answer to it."""
    game = _with_course(request, game_id)
    return await run_in_pool(request, partial(_step_page, request, who, game, lesson_id, number, answer))


def _step_page(request: Request, who: Person | None, game: Game, lesson_id: str, number: int, answer: str) -> Response:
    lesson = _lesson(game, lesson_id)
    step = _step(lesson, number)
    language = language_of(request, who)
    words, own = game_words(game, language), page_words(language)
    view = _view(lesson, step)
    offered = _offered(game, lesson, step, words, answer)
    given = next((each for each in offered if each.is_given), None)
    is_end = number == len(lesson.steps) and (not step.answers or (given is not None and given.is_right))
    listed = _listed(request, game, own)
    place = course_of(game.id).index(lesson.id)
    response = page(
        request,
        "study/lesson.html",
        who,
        title=title_of(game, own),
        game_id=game.id,
        lesson=True,
        workshop=has_workshop(game.id),
        of=listed[place],
        number=number,
        count=len(lesson.steps),
        layout=layout_of(request),
        outlines=outlines(game),
        say=_texts(game, lesson, step, words),
        side=lesson.side,
        side_name=words.name("side", game.sides[lesson.side]),
        aim=aim_of(game, view, lesson.side, words),
        answers=offered,
        given=given,
        is_end=is_end,
        following=next((one for one in listed[place + 1 :] + listed[:place] if not one.is_done), None),
        computer=computer_name(player_of(request, game), own),
        board=_board(request, game, lesson, step, given, words),
        hand=_hand(game, lesson, step, words),
        lines=_since(game, lesson, number, words) if given is None else [],
    )
    if is_end:
        remember_done(response, request, game.id, lesson.id)
    return response


def _with_course(request: Request, game_id: str) -> Game:
    game = game_by_id(request, game_id)
    if not has_lesson(game_id):
        raise NotFoundError("there are no lessons for this game yet")
    return game


def _lesson(game: Game, lesson_id: str) -> Lesson:
    if lesson_id not in course_of(game.id):
        raise NotFoundError(f"there is no such lesson; the lessons are {', '.join(course_of(game.id))}")
    return lesson_of(game, lesson_id)


def _step(lesson: Lesson, number: int) -> Step:
    if not 1 <= number <= len(lesson.steps):
        raise NotFoundError(f"the lesson has {len(lesson.steps)} steps")
    return lesson.steps[number - 1]


def _offered(game: Game, lesson: Lesson, step: Step, words: Words, answer: str) -> list[Offered]:
    """Return the answers to a step; before one is given, their sentences do not reveal the possible gain."""
    view = _view(lesson, step)
    form = "" if answer else "asked"
    return [
        Offered(
            each.text,
            words.sentence(game.narrator.describe(view, lesson.side, game.parse_action(each.text, lesson.side)), form),
            each.is_right,
            each.text == answer,
        )
        for each in step.answers
    ]


def _view(lesson: Lesson, step: Step) -> State:
    return lesson.seen.view(step.place)


def _texts(game: Game, lesson: Lesson, step: Step, words: Words) -> dict[str, str]:
    """Return title, text, question and feedback; the catalogue texts may refer to cards by id."""
    spoken = _spoken(game, words)
    names: dict[str, Argument] = {card.id: Ref("card", card.id) for card in cards_of(game, words)}
    parts = ("text", "ask", "right", "wrong") if step.answers else ("text",)
    texts = {part: spoken.sentence(Message(f"{lesson.id}.{step.name}.{part}", names)) for part in parts}
    # Each step of the first game has its own topic; a short lesson has one topic.
    title = f"{lesson.id}.{step.name}.title" if lesson.id == FIRST else f"{lesson.id}.title"
    return {"title": spoken.sentence(Message(title, names)), **texts}


def _board(request: Request, game: Game, lesson: Lesson, step: Step, given: Offered | None, words: Words) -> Markup:
    """Return the board: after a right answer the new position, after a wrong one the old one with ghosts."""
    before = _view(lesson, step)
    plays = _reel(game, lesson, words).plays_until(step.place)
    ghosts = None
    shown = before
    if given is not None:
        after = game.copy(before)
        game.apply(game.rules, after, game.parse_action(given.text, lesson.side))
        if given.is_right:
            shown = after
        else:
            ghosts = after
    return board(game, shown, lesson.side, words, layout_of(request), plays=plays, ghosts=ghosts)


def _reel(game: Game, lesson: Lesson, words: Words) -> Replay:
    film = ReplaySource(game, lambda _: lesson.seen, ("",) * len(game.sides), f"/learn/{game.id}/{lesson.id}/1")
    return _reels.reel(film, lesson.side, words)


def _since(game: Game, lesson: Lesson, number: int, words: Words) -> list[Any]:
    """Return the log lines since the previous question, the latest last.

    Before the first question of a short lesson, they show how the position came about.
    """
    if number < 2 and lesson.id == FIRST:
        return []
    first = lesson.steps[number - 2].place if number > 1 else 0
    lines = [line for line in _reel(game, lesson, words).lines if first < line.entry <= lesson.steps[number - 1].place]
    return lines[-MAX_LINES:]


def _hand(game: Game, lesson: Lesson, step: Step, words: Words) -> list[tuple[str, Markup]]:
    known = game.known_state(_view(lesson, step), lesson.side)["cards"]
    drawing = drawing_of(game)
    cards = [id for place in ("drawn", "hand") for id in known.get(place, ())]
    parts = [game.action_parts(game.parse_action(answer.text, lesson.side)) for answer in step.answers]
    agendas = [part.agenda for part in parts if part.agenda is not None]
    return [(id, Markup(drawing.agenda(game, id, words))) for id in agendas] + [
        (id, Markup(drawing.card(game, id, words))) for id in cards
    ]


@router.get("/{game_id}/{lesson_id}/{number}/replay/{step}")
async def where_it_came_from(game_id: str, lesson_id: str, number: int, step: int) -> Response:  # noqa: ARG001 - same address as for other games
    """Redirect from a table that began from a lesson back to that lesson."""
    return RedirectResponse(f"/learn/{game_id}/{lesson_id}/{number}", 303)


@router.get("/{game_id}/{lesson_id}/{number}/{kind}/{card_id}")
async def card_of_lesson(game_id: str, lesson_id: str, number: int, kind: str, card_id: str) -> Response:  # noqa: ARG001
    """Redirect card links in log lines to the page of cards."""
    return RedirectResponse(f"/cards/{game_id}#{card_id}", 303)


@router.post("/{game_id}/{lesson_id}/{number}/play-on", is_open=True)
async def play_on(
    request: Request, who: Person | None, game_id: str, lesson_id: str, number: int, name: Name = ""
) -> Response:
    """Continue from a step of a lesson as the learner's side, against the computer."""
    game = _with_course(request, game_id)
    lesson = await run_in_pool(request, partial(_lesson, game, lesson_id))
    step = _step(lesson, number)
    me, token = await somebody(request, who, name)
    seating, address = services_of(request).seating, f"/learn/{game_id}/{lesson_id}/{number}"
    computer = player_of(request, game)
    table = await play_on_against(seating, lesson.opened, step.place, lesson.side, address, computer, me)
    return signed_in(RedirectResponse(f"/t/{table.id}", 303), request, token)
