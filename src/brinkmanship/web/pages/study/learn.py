"""Learn by playing: a game's course of lessons on prepared positions.

A learner answers with the controls of a table; a lesson offers the actions whose reasons it gives. The current step is
part of the address; completed lessons are stored in a cookie.
"""

from __future__ import annotations

from functools import partial
from itertools import count, takewhile
from typing import Annotated, Any, NamedTuple

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Decision
from brinkmanship.engine.message import Argument, Message
from brinkmanship.engine.record import State
from brinkmanship.games.registry import kits
from brinkmanship.lessons import FIRST, Answer, Lesson, LessonStep, course_of, has_lesson, lesson_of
from brinkmanship.lessons.names import mark, pieces_of
from brinkmanship.players import usual_opponent
from brinkmanship.store.profiles import keep_lesson
from brinkmanship.text import Words, cards_of
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.board_text import board_text, text_mode_of
from brinkmanship.web.pages.shared.forms import Name, Number, signed_in, somebody
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.pictures import board, card_picture, card_view, outlines, tells_history
from brinkmanship.web.pages.shared.rendering import layout_of, page, run_in_pool
from brinkmanship.web.pages.study.position_form import decided, ghosts_of, shown_of
from brinkmanship.web.pages.table.board_panel import highlights_of
from brinkmanship.web.pages.table.card_text import aim_of, answers_of, hands_of
from brinkmanship.web.pages.table.question import QuestionView
from brinkmanship.web.presentation.choice_groups import OfferedAction
from brinkmanship.web.presentation.data_files import has_workshop
from brinkmanship.web.presentation.lesson_cookie import done_in, remember_done
from brinkmanship.web.presentation.level_cookie import player_of
from brinkmanship.web.presentation.page_words import computer_name, game_words, page_words, title_of
from brinkmanship.web.presentation.replay import Replay, ReplayCache, ReplaySource
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import NotFoundError
from brinkmanship.web.tables.continuation import play_on_against

router = PageRouter("/learn")

FRAGMENT_HEADER = "x-fragment"
MAX_LINES = 8
MAX_EXPLAINED = 3
"""Steps of the first lesson that say how to answer."""
LEARNED = ("learned.1", "learned.2", "learned.3")
"""Keys of the points that a course teaches, in the catalogue of the lessons."""
_replays = ReplayCache()


class LessonEntry(NamedTuple):
    """A lesson in the list of a course."""

    id: str
    title: str
    line: str
    """Short description."""
    is_done: bool


class FirstGame(NamedTuple):
    """A first game against the computer, offered at the end of a course."""

    learned: list[str]
    player: str
    opponent: str
    """Display name of the player."""
    side: int
    side_name: str


@router.get("/{game_id}")
async def course(request: Request, who: Person | None, game_id: str) -> Response:
    """Show the lessons of a game: the guided first game, then the short ones."""
    return await run_in_pool(request, partial(_course, request, who, _with_course(request, game_id)))


def _course(request: Request, who: Person | None, game: Game) -> Response:
    own = page_words(language_of(request, who))
    listed = _listed(request, game, own)
    following = next((one for one in listed if not one.is_done), None)
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
        following=following,
        first_game=None if following else _first_game(game, game_words(game, own.language), own),
    )


def _listed(request: Request, game: Game, own: Words) -> list[LessonEntry]:
    done, spoken = done_in(request, game.id), _spoken(game, own)
    return [
        LessonEntry(id, spoken.sentence(Message(f"{id}.title")), spoken.sentence(Message(f"{id}.line")), id in done)
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
    action: Number | None = None,
    answer: Annotated[str, Meta(max_length=80)] = "",
) -> Response:
    """Show a step of a lesson, and the consequence of an answer: an action, as a table sends it, or its text."""
    game = _with_course(request, game_id)
    return await run_in_pool(request, partial(_step_page, request, who, game, lesson_id, number, action, answer))


def _step_page(
    request: Request, who: Person | None, game: Game, lesson_id: str, number: int, action: int | None, answer: str
) -> Response:
    lesson = _lesson(game, lesson_id)
    step = _step(lesson, number)
    language, layout = language_of(request, who), layout_of(request)
    words, own = game_words(game, language), page_words(language)
    view, side = _view(lesson, step), lesson.side
    given = _given(request, game, lesson, step, action, answer)
    is_solved = given is not None and given.is_right
    is_end = number == len(lesson.steps) and (not step.answers or is_solved)
    question = _asked(game, lesson, step, words, own) if step.answers and not is_solved else None
    after = game.after(view, game.parse_action(given.text, side), side) if given else view
    shown = after if is_solved else view
    listed = _listed(request, game, own)
    place = course_of(game.id).index(lesson.id)
    following = next((one for one in listed[place + 1 :] + listed[:place] if not one.is_done), None)
    ends_course = is_end and (lesson.id == FIRST or following is None)
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
        layout=layout,
        outlines=outlines(game),
        say=_texts(game, lesson, step, words),
        side=side,
        side_name=words.name("side", game.sides[side]),
        aim=aim_of(game, view, side, words),
        given=given,
        chosen=words.sentence(game.narrator.describe(view, side, game.parse_action(given.text, side))) if given else "",
        question=question,
        explains=lesson.id == FIRST and number <= MAX_EXPLAINED,
        is_end=is_end,
        following=following,
        first_game=_first_game(game, words, own) if ends_course else None,
        computer=computer_name(player_of(request, game), own),
        board_text=board_text(game, shown, side, words, text_mode_of(request)),
        board=board(
            game,
            shown,
            side,
            words,
            layout,
            plays=_replay(game, lesson, words).plays_until(step.place),
            highlights=highlights_of(question.groups) if question else (),
            ghosts=after if given and not is_solved else None,
        ),
        hands=question.hands if question else hands_of(game, shown, side, words, own, []),
        lines=_since(game, lesson, number, words) if given is None else [],
    )
    if is_end:
        remember_done(response, request, game.id, lesson.id)
        if who is not None:
            keep_lesson(services_of(request).engine, who.id, game.id, lesson.id)
    return response


@router.get("/{game_id}/{lesson_id}/{number}/preview")
async def preview(
    request: Request, who: Person | None, game_id: str, lesson_id: str, number: int, action: Number
) -> Response:
    """Return the effect of an answer as ghosts for the board."""
    game = _with_course(request, game_id)
    return await run_in_pool(request, partial(_ghosts, request, who, game, lesson_id, number, action))


def _ghosts(request: Request, who: Person | None, game: Game, lesson_id: str, number: int, action: int) -> Response:
    lesson = _lesson(game, lesson_id)
    step = _step(lesson, number)
    decided(game, _offered(game, lesson, step), action, ())
    return ghosts_of(request, who, game, _view(lesson, step), action, lesson.side)


def _with_course(request: Request, game_id: str) -> Game:
    game = game_by_id(request, game_id)
    if not has_lesson(game_id):
        raise NotFoundError("there are no lessons for this game yet")
    return game


def _lesson(game: Game, lesson_id: str) -> Lesson:
    if lesson_id not in course_of(game.id):
        raise NotFoundError(f"there is no such lesson; the lessons are {', '.join(course_of(game.id))}")
    return lesson_of(game, lesson_id)


def _step(lesson: Lesson, number: int) -> LessonStep:
    if not 1 <= number <= len(lesson.steps):
        raise NotFoundError(f"the lesson has {len(lesson.steps)} steps")
    return lesson.steps[number - 1]


def _given(
    request: Request, game: Game, lesson: Lesson, step: LessonStep, action: int | None, answer: str
) -> Answer | None:
    """Return the answer to a step, None before one is given."""
    query = request.query_params
    steps = list(takewhile(bool, (query.get(f"step-{number}", "") for number in count(1))))
    if action is not None or steps:
        answer = decided(game, _offered(game, lesson, step), action, steps).text
    return next((each for each in step.answers if each.text == answer), None)


def _offered(game: Game, lesson: Lesson, step: LessonStep) -> list[Decision]:
    """Return the actions that a step offers, in the order of the rules: the right one is not first."""
    return sorted(Decision(game.parse_action(each.text, lesson.side), each.text) for each in step.answers)


def _asked(game: Game, lesson: Lesson, step: LessonStep, words: Words, own: Words) -> QuestionView:
    """Return the question of a step with its choices, without what would give the answer away."""
    view, side = _view(lesson, step), lesson.side
    shown = shown_of(game, view, side, _offered(game, lesson, step), words, own)

    def plain(choice: OfferedAction) -> OfferedAction:
        """Hide the chance of success, the warning of a lost game, and that a payment is too high."""
        described = game.narrator.describe(view, side, choice.action)
        if (as_question := words.sentence(described, "asked")) != words.sentence(described):
            choice = choice._replace(text=as_question, short=as_question)
        return choice._replace(warning="", is_beyond=False)

    groups = [group._replace(choices=[plain(choice) for choice in group.choices]) for group in shown.groups]
    return shown._replace(groups=groups, answers=answers_of(game, view, side, words, groups))


def _view(lesson: Lesson, step: LessonStep) -> State:
    return lesson.seen.view(step.place)


def _texts(game: Game, lesson: Lesson, step: LessonStep, words: Words) -> dict[str, Any]:
    """Return title, text, question and feedback in pieces; the catalogue texts may refer to cards by id."""
    spoken = _spoken(game, words)
    names: dict[str, Argument] = {card.id: mark(card.name, f"card:{card.id}") for card in cards_of(game, words)}
    parts = ("text", "ask", "right", "wrong") if step.answers else ("text",)
    texts = {part: pieces_of(spoken.sentence(Message(f"{lesson.id}.{step.name}.{part}", names))) for part in parts}
    # Each step of the first game has its own topic; a short lesson has one topic.
    title = f"{lesson.id}.{step.name}.title" if lesson.id == FIRST else f"{lesson.id}.title"
    return {"title": spoken.sentence(Message(title)), **texts}


def _first_game(game: Game, words: Words, own: Words) -> FirstGame:
    """Return the game that a course leads to: at the level for a first game, with the side of the guided one."""
    spoken, player, side = _spoken(game, words), usual_opponent(game), lesson_of(game, FIRST).side
    learned = [spoken.sentence(Message(key)) for key in LEARNED]
    return FirstGame(learned, player, computer_name(player, own), side, words.name("side", game.sides[side]))


def _replay(game: Game, lesson: Lesson, words: Words) -> Replay:
    source = ReplaySource(game, lambda _: lesson.seen, ("",) * len(game.sides), f"/learn/{game.id}/{lesson.id}/1")
    return _replays.replay(source, lesson.side, words)


def _since(game: Game, lesson: Lesson, number: int, words: Words) -> list[Any]:
    """Return the log lines since the previous question, the latest last.

    Before the first question of a short lesson, they show how the position came about.
    """
    if number < 2 and lesson.id == FIRST:
        return []
    first = lesson.steps[number - 2].place if number > 1 else 0
    lines = [
        line for line in _replay(game, lesson, words).lines if first < line.entry <= lesson.steps[number - 1].place
    ]
    return lines[-MAX_LINES:]


@router.get("/{game_id}/{lesson_id}/{number}/replay/{step}")
async def where_it_came_from(game_id: str, lesson_id: str, number: int, step: int) -> Response:  # noqa: ARG001 - same address as for other games
    """Redirect from a table that began from a lesson back to that lesson."""
    return RedirectResponse(f"/learn/{game_id}/{lesson_id}/{number}", 303)


@router.get("/{game_id}/{lesson_id}/{number}/{kind}/{card_id}")
async def card_of_lesson(
    request: Request,
    who: Person | None,
    game_id: str,
    lesson_id: str,  # noqa: ARG001 - same address as for other games
    number: int,  # noqa: ARG001
    kind: str,
    card_id: str,
) -> Response:
    """Show a card or agenda named in a lesson."""
    game = _with_course(request, game_id)
    words = game_words(game, language_of(request, who))
    if FRAGMENT_HEADER in request.headers:
        shown = card_view(game, kind, card_id, words, tells_history(request))
        return page(request, "table/card_view.html", who, view=shown)
    card_picture(game, kind, card_id, words)
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
