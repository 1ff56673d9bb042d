"""Puzzles: lists of them, the one of the day, one's position with the usual choosing, and what comes of an answer.

All that a page shows of a position it takes from the side's own `Perspective`; what the other side holds stays on the
server, also when one plays on from there.
"""

from __future__ import annotations

import asyncio
from functools import partial
from math import ceil
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from brinkmanship.engine.game import Game, State
from brinkmanship.engine.kept_message import message_of
from brinkmanship.engine.message import Message
from brinkmanship.kit import kits
from brinkmanship.puzzles.puzzle import MOST_LINES, TRAININGS, Posed, Puzzle, PuzzleError, Shelf, has_puzzles, shelf_of
from brinkmanship.puzzles.schedule import Known, day_of, grade, solving_rate
from brinkmanship.store import puzzles as store
from brinkmanship.text import Words
from brinkmanship.text.hints import why_text
from brinkmanship.web import clock
from brinkmanship.web.authority import authority
from brinkmanship.web.errors import IllegalError, NotFoundError
from brinkmanship.web.identity import Visitor, language_of, protected
from brinkmanship.web.levels import player_of
from brinkmanship.web.pages.asked import decided, ghosts_of, shown_of, steps_in
from brinkmanship.web.pages.home import Name, check_same_site, signed_in, somebody
from brinkmanship.web.pages.library import game_by_id
from brinkmanship.web.pages.pictures import board, card_picture, card_view, outlines, tells_history
from brinkmanship.web.pages.render import aside, computer_name, game_words, layout_of, page, page_words, title_of
from brinkmanship.web.people import Person
from brinkmanship.web.playing_on import play_on_against
from brinkmanship.web.recent import Recent
from brinkmanship.web.recording import Film, Reel, Reels

router = APIRouter(prefix="/puzzles")

FRAGMENT_HEADER = "x-fragment"
MOST_POSED = 32
"""Positions that are kept in memory; one of a long game takes about a megabyte."""

_posed: Recent[tuple[str, int], Posed] = Recent(MOST_POSED)
_reels = Reels(MOST_POSED)


class Marked(NamedTuple):
    """A puzzle in a list."""

    number: int
    mark: str
    """"solved", "failed", "due", or "" for one that was not tried."""
    grade: str


class Listed(NamedTuple):
    """The puzzles of a game that train the same."""

    name: str
    puzzles: list[Marked]
    solved: int


@router.get("")
async def overview(request: Request, who: Visitor) -> Response:
    """How far one is with the puzzles of every game."""
    games = [game_id for game_id in kits() if has_puzzles(game_id)]
    known = {game_id: await _known(request, who, game_id) for game_id in games}
    own, now = page_words(language_of(request, who)), clock.now()
    rows = []
    for game_id in games:
        ids = [puzzle.id for puzzle in shelf_of(game_id).puzzles]
        of_game = [known[game_id][id] for id in ids if id in known[game_id]]
        rows.append(
            {
                "id": game_id,
                "title": title_of(game_by_id(request, game_id), own),
                "count": len(ids),
                "solved": sum(one.is_solved for one in of_game),
                "due": sum(one.is_due(now) for one in of_game),
            }
        )
    return page(request, "puzzles.html", who, games=rows)


@router.get("/{game_id}")
async def of_game(request: Request, who: Visitor, game_id: str) -> Response:
    """The puzzles of a game by what they train, with one's marks."""
    shelf = _shelf(request, game_id)
    known = await _known(request, who, game_id)
    tried = await asyncio.to_thread(store.tried, request.app.state.engine, game_id)
    own, now = page_words(language_of(request, who)), clock.now()
    marked = {
        number: Marked(number, _mark(known.get(one.id), now), grade(solving_rate(one, *tried.get(one.id, (0, 0)))))
        for number, one in enumerate(shelf.puzzles, 1)
    }
    listed = []
    for trains in TRAININGS:
        some = [marked[number] for number, one in enumerate(shelf.puzzles, 1) if one.trains == trains]
        if some:
            solved = sum(one.mark == "solved" for one in some)
            listed.append(Listed(own.sentence(Message(f"puzzle.trains.{trains}")), some, solved))
    return page(
        request,
        "puzzles_of.html",
        who,
        title=title_of(game_by_id(request, game_id), own),
        game_id=game_id,
        games=[(id, title_of(game_by_id(request, id), own)) for id in kits() if has_puzzles(id)],
        count=len(shelf),
        solved=sum(one.mark == "solved" for one in marked.values()),
        due=sum(one.mark == "due" for one in marked.values()),
        listed=listed,
    )


def _mark(known: Known | None, now: float) -> str:
    if known is None:
        return ""
    return "due" if known.is_due(now) else "solved" if known.is_solved else "failed"


@router.get("/{game_id}/today")
async def today(request: Request, game_id: str) -> Response:
    """The puzzle of the day, by universal time."""
    number = _shelf(request, game_id).today(day_of(clock.now()))
    return RedirectResponse(f"/puzzles/{game_id}/{number}", 303)


@router.get("/{game_id}/next")
async def next_one(request: Request, who: Visitor, game_id: str, after: Annotated[int, Query(ge=0)] = 0) -> Response:
    """The puzzle that is due for longest, else the next that was not tried, else the next."""
    shelf, known = _shelf(request, game_id), await _known(request, who, game_id)
    now = clock.now()
    due = [(one.due_at, number) for id, one in known.items() if one.is_due(now) and (number := shelf.number_of(id))]
    order = [number % len(shelf) + 1 for number in range(after, after + len(shelf))]
    fresh = (number for number in order if shelf.puzzle(number).id not in known)
    number = min(due)[1] if due else next(fresh, order[0])
    return RedirectResponse(f"/puzzles/{game_id}/{number}", 303)


class Candidate(NamedTuple):
    """An answer with what it wins."""

    sentence: str
    is_best: bool
    is_given: bool
    wins: str


@router.get("/{game_id}/{number}")
async def show(
    request: Request, who: Visitor, game_id: str, number: int, answer: Annotated[str, Query(max_length=200)] = ""
) -> Response:
    """A puzzle; with an answer to it, what comes of it."""
    shelf = _shelf(request, game_id)
    puzzle = _puzzle(shelf, number)
    known = (await _known(request, who, game_id)).get(puzzle.id)
    tried = await asyncio.to_thread(store.tried, request.app.state.engine, game_id)
    rate = solving_rate(puzzle, *tried.get(puzzle.id, (0, 0)))
    count = tried.get(puzzle.id, (0, 0))[0]
    return await aside(request, partial(_page, request, who, game_id, number, answer, known, rate, count))


def _page(
    request: Request,
    who: Person | None,
    game_id: str,
    number: int,
    answer: str,
    known: Known | None,
    rate: float,
    tries: int,
) -> Response:
    game = game_by_id(request, game_id)
    posed = _pose(game, number)
    puzzle, seen, side = posed.puzzle, posed.seen, posed.puzzle.side
    language = language_of(request, who)
    words, own, layout = game_words(game, language), page_words(language), layout_of(request)
    reel, view = _reel(posed, game, number, words), seen.view()
    if answer and answer not in seen.legal_texts():
        raise IllegalError("that is no answer here", said="refused.no_choice")
    shown = shown_of(game, view, side, seen.legal(), words, own)
    highlights = set() if answer else {group.id for group in shown.groups if group.kind in ("place", "track")}
    ghosts = game.after(view, puzzle.answer, side) if answer else None
    lines = reel.lines[-MOST_LINES:]
    return page(
        request,
        "puzzle.html",
        who,
        title=title_of(game, own),
        game_id=game_id,
        number=number,
        count=len(shelf_of(game_id)),
        layout=layout,
        outlines=outlines(game),
        side=side,
        side_name=words.name("side", game.sides[side]),
        trains=own.sentence(Message(f"puzzle.trains.{puzzle.trains}")),
        grade=grade(rate),
        percent=round(100 * rate),
        tries=tries,
        known=_mark(known, clock.now()),
        given=answer,
        is_right=answer == puzzle.answer,
        model=shown,
        candidates=_candidates(game, view, puzzle, answer, words, own) if answer else [],
        why=_why(puzzle, words) if answer else "",
        reply=_reply(puzzle, words) if answer else "",
        gap=own.sentence(
            Message("puzzle.gap", {"x": round(100 * puzzle.gap), "error": ceil(100 * puzzle.error), "n": puzzle.worlds})
        ),
        computer=computer_name(player_of(request, game), own),
        lines=lines,
        board=board(
            game, view, side, words, layout, plays=reel.plays_until(reel.length), highlights=highlights, ghosts=ghosts
        ),
    )


def _candidates(game: Game, view: State, puzzle: Puzzle, answer: str, words: Words, own: Words) -> list[Candidate]:
    """The best answers and the one that was given, with what each wins."""
    found = []
    for one in puzzle.told(answer):
        args = {"percent": round(100 * one.win), "error": ceil(100 * one.error)}
        sentence = words.sentence(game.describe(view, puzzle.side, game.parse_action(one.action, puzzle.side)))
        wins = own.sentence(Message("puzzle.wins", args))
        found.append(Candidate(sentence, one.action == puzzle.answer, one.action == answer, wins))
    return found


def _why(puzzle: Puzzle, words: Words) -> str:
    return "" if puzzle.reason is None else why_text(message_of(puzzle.reason), words)


def _reply(puzzle: Puzzle, words: Words) -> str:
    return "" if puzzle.reply is None else words.sentence(message_of(puzzle.reply))


@router.post("/{game_id}/{number}")
async def answered(
    request: Request,
    who: Visitor,
    game_id: str,
    number: int,
    action: Annotated[int | None, Form(ge=0, le=100_000)] = None,
) -> Response:
    """Answer a puzzle, as at a table; what counts is kept for who has a name here."""
    if who is not None:
        await protected(request)
    else:
        check_same_site(request)
    puzzle = _puzzle(_shelf(request, game_id), number)
    steps = await steps_in(request)
    text = await aside(request, partial(_text_of, request, game_id, number, action, steps))
    if who is not None:
        keep = partial(store.answered, request.app.state.engine, who.id, game_id, puzzle.id)
        await asyncio.to_thread(keep, text == puzzle.answer, clock.now())
    return RedirectResponse(str(request.url.replace(query="").include_query_params(answer=text)), 303)


def _text_of(request: Request, game_id: str, number: int, action: int | None, steps: list[str]) -> str:
    game = game_by_id(request, game_id)
    return decided(game, _pose(game, number).seen.legal(), action, steps).text


@router.get("/{game_id}/{number}/preview")
async def preview(
    request: Request, who: Visitor, game_id: str, number: int, action: Annotated[int, Query(ge=0, le=100_000)]
) -> Response:
    """What an answer would change, as ghosts for the board."""
    return await aside(request, partial(_ghosts, request, who, game_id, number, action))


def _ghosts(request: Request, who: Person | None, game_id: str, number: int, action: int) -> Response:
    game = game_by_id(request, game_id)
    posed = _pose(game, number)
    decided(game, posed.seen.legal(), action, ())
    return ghosts_of(request, who, game, posed.seen.view(), action, posed.puzzle.side)


@router.get("/{game_id}/{number}/replay/{step}")
async def where_it_came_from(game_id: str, number: int, step: int) -> Response:  # noqa: ARG001 - as other games have it
    """Where a table that was played on from a puzzle leads back to."""
    return RedirectResponse(f"/puzzles/{game_id}/{number}", 303)


@router.get("/{game_id}/{number}/{kind}/{card_id}")
async def card(request: Request, who: Visitor, game_id: str, number: int, kind: str, card_id: str) -> Response:  # noqa: ARG001
    """A card or agenda that is named in a puzzle."""
    game, words = game_by_id(request, game_id), game_words(game_by_id(request, game_id), language_of(request, who))
    if FRAGMENT_HEADER in request.headers:
        return page(request, "card_view.html", who, view=card_view(game, kind, card_id, words, tells_history(request)))
    card_picture(game, kind, card_id, words)
    return RedirectResponse(f"/cards/{game_id}#{card_id}", 303)


@router.post("/{game_id}/{number}/play-on")
async def play_on(request: Request, who: Visitor, game_id: str, number: int, name: Name = "") -> Response:
    """Play on from a puzzle as its side, against the computer: what is hidden stays so, and chance is drawn anew."""
    _puzzle(_shelf(request, game_id), number)
    me, token = await somebody(request, who, name)
    game = game_by_id(request, game_id)
    shelf = shelf_of(game_id)
    opened = await aside(request, lambda: shelf.open(game, number))
    puzzle = shelf.puzzle(number)
    seating, address = authority(request).seating, f"/puzzles/{game_id}/{number}"
    table = await play_on_against(seating, opened, puzzle.at, puzzle.side, address, player_of(request, game), me)
    return signed_in(RedirectResponse(f"/t/{table.id}", 303), request, token)


def _shelf(request: Request, game_id: str) -> Shelf:
    game_by_id(request, game_id)
    if not has_puzzles(game_id):
        raise NotFoundError("there are no puzzles of this game")
    return shelf_of(game_id)


def _puzzle(shelf: Shelf, number: int) -> Puzzle:
    try:
        return shelf.puzzle(number)
    except PuzzleError as error:
        raise NotFoundError(f"there are {len(shelf)} puzzles") from error


def _pose(game: Game, number: int) -> Posed:
    posed = _posed.get((game.id, number))
    return posed or _posed.keep((game.id, number), shelf_of(game.id).pose(game, number))


def _reel(posed: Posed, game: Game, number: int, words: Words) -> Reel:
    film = Film(game, lambda _: posed.seen, ("",) * len(game.sides), f"/puzzles/{game.id}/{number}")
    return _reels.reel(film, posed.puzzle.side, words)


async def _known(request: Request, who: Person | None, game_id: str) -> dict[str, Known]:
    if who is None:
        return {}
    return await asyncio.to_thread(store.known_by, request.app.state.engine, who.id, game_id)
