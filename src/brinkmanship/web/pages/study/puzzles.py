"""Puzzles: lists, the daily puzzle, the position of a puzzle, and the evaluation of an answer.

Pages show a position only through the side's own `Perspective`; the other side's hidden cards stay on the server, also
when the user continues from there. Puzzles from a user's own games are visible to that user only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from math import ceil
from typing import Annotated, NamedTuple

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.analysis.explained import ExplainedOptions, explained_options
from brinkmanship.drawing import BoardRequest, drawing_of
from brinkmanship.drawing.link_preview import link_preview
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.message_json import message_of
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.games.registry import kits
from brinkmanship.puzzles.puzzle import (
    MAX_LINES,
    TRAININGS,
    Origin,
    Puzzle,
    PuzzleCollection,
    PuzzleError,
    collection_of,
    done,
    has_puzzles,
    opened,
    posed,
)
from brinkmanship.puzzles.spaced_repetition import PuzzleProgress, day_of, grade, solving_rate
from brinkmanship.store import puzzles as store
from brinkmanship.text import Words
from brinkmanship.web.accounts.authentication import language_of, protected
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.library.library import reading
from brinkmanship.web.pages.shared.board_text import board_text, text_mode_of
from brinkmanship.web.pages.shared.forms import Name, Number, signed_in, somebody
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.pictures import (
    board,
    card_picture,
    card_view,
    outlines,
    preview_of_link,
    tells_history,
)
from brinkmanship.web.pages.shared.rendering import layout_of, page, public_url, run_in_pool
from brinkmanship.web.pages.study.position_form import decided, ghosts_of, shown_of, steps_in
from brinkmanship.web.presentation.level_cookie import player_of
from brinkmanship.web.presentation.page_words import computer_name, game_words, page_words, title_of
from brinkmanship.web.presentation.replay import Replay, ReplayCache, ReplaySource
from brinkmanship.web.services import services_of
from brinkmanship.web.studies.personal_puzzles import Own
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import IllegalError, NotFoundError
from brinkmanship.web.support.lru_cache import LruCache
from brinkmanship.web.tables.continuation import play_on_against

router = PageRouter("/puzzles")

FRAGMENT_HEADER = "x-fragment"
MAX_POSED = 32
"""Maximum cached positions; one of a long game takes about a megabyte."""

_posed: LruCache[str, Perspective] = LruCache(MAX_POSED)
_replays = ReplayCache(MAX_POSED)


class PuzzleEntry(NamedTuple):
    """A puzzle in a list."""

    number: int
    address: str
    mark: str
    """"solved", "failed", "due", or "" if not tried."""
    grade: str


class PuzzleTheme(NamedTuple):
    """A game's puzzles on one theme, or those from the user's own games."""

    name: str
    puzzles: list[PuzzleEntry]

    @property
    def solved(self) -> int:
        """Number of puzzles solved and not due."""
        return sum(one.mark == "solved" for one in self.puzzles)


class ViewedPuzzle(NamedTuple):
    """The puzzle being viewed."""

    game: Game
    origin: Origin
    puzzle: Puzzle
    address: str
    number: int
    among: int
    """Number of puzzles in the list."""
    following: str
    """Address of the next puzzle."""
    own: Own | None = None


@router.get("")
async def overview(request: Request, who: Person | None) -> Response:
    """Show the user's progress with the puzzles of every game, and with those from their own games."""
    games = [game_id for game_id in kits() if has_puzzles(game_id)]
    known = {game_id: await _known(request, who, game_id) for game_id in games}
    own = await _own(request, who)
    left = 0 if who is None else await services_of(request).personal_puzzles.seek(who.id)
    words, now = page_words(language_of(request, who)), time_control.now()
    rows = [
        {
            "id": game_id,
            "title": title_of(game_by_id(request, game_id), words),
            **_progress([puzzle.id for puzzle in collection_of(game_id).puzzles], known[game_id], now),
            "own": _progress([one.puzzle.id for one in own if one.game == game_id], known[game_id], now),
        }
        for game_id in games
    ]
    return page(request, "study/puzzles.html", who, games=rows, left=left, some_own=bool(own))


def _progress(ids: Sequence[str], known: Mapping[str, PuzzleProgress], now: float) -> dict[str, int]:
    """Return the user's progress with some puzzles."""
    tried = [known[id] for id in ids if id in known]
    return {
        "count": len(ids),
        "solved": sum(one.is_solved for one in tried),
        "due": sum(one.is_due(now) for one in tried),
    }


@router.get("/{game_id}")
async def of_game(request: Request, who: Person | None, game_id: str) -> Response:
    """Show the puzzles of a game by theme, with the user's marks; first those from the user's own games."""
    collection = _collection(request, game_id)
    known = await _known(request, who, game_id)
    tried = await asyncio.to_thread(store.tried, services_of(request).engine, game_id)
    words, now = page_words(language_of(request, who)), time_control.now()

    def marked(number: int, address: str, one: Puzzle) -> PuzzleEntry:
        return PuzzleEntry(
            number, address, _mark(known.get(one.id), now), grade(solving_rate(one, *tried.get(one.id, (0, 0))))
        )

    every = list(enumerate(collection.puzzles, 1))
    kinds = [
        PuzzleTheme(
            words.sentence(Message(f"puzzle.trains.{trains}")),
            [marked(number, _address(game_id, number), one) for number, one in every if one.trains == trains],
        )
        for trains in TRAININGS
    ]
    mine = await _own(request, who, game_id)
    own = PuzzleTheme(
        words.sentence(Message("puzzle.own")),
        [marked(number, one.address, one.puzzle) for number, one in enumerate(mine, 1)],
    )
    return reading(
        request,
        who,
        "study/puzzles_of_game.html",
        game_by_id(request, game_id),
        games=[(id, title_of(game_by_id(request, id), words)) for id in kits() if has_puzzles(id)],
        own=own,
        listed=[kind for kind in kinds if kind.puzzles],
        **_progress([one.id for one in collection.puzzles], known, now),
    )


def _address(game_id: str, number: int) -> str:
    return f"/puzzles/{game_id}/{number}"


def _mark(known: PuzzleProgress | None, now: float) -> str:
    if known is None:
        return ""
    return "due" if known.is_due(now) else "solved" if known.is_solved else "failed"


@router.get("/{game_id}/today")
async def today(request: Request, game_id: str) -> Response:
    """Redirect to the puzzle of the day (UTC)."""
    number = _collection(request, game_id).today(day_of(time_control.now()))
    return RedirectResponse(_address(game_id, number), 303)


After = Annotated[int, Meta(ge=0)]


@router.get("/{game_id}/next")
async def next_one(request: Request, who: Person | None, game_id: str, after: After = 0) -> Response:
    """Redirect to the puzzle longest due, otherwise to the next untried one, otherwise to the next one."""
    ids = [one.id for one in _collection(request, game_id).puzzles]
    number = _next(ids, await _known(request, who, game_id), after)
    return RedirectResponse(_address(game_id, number), 303)


@router.get("/{game_id}/own/next")
async def next_own(request: Request, who: Person | None, game_id: str, after: After = 0) -> Response:
    """Redirect to the next puzzle from the user's own games, by the same rule as `next_one`."""
    mine = await _own(request, who, game_id)
    if not mine:
        return RedirectResponse("/puzzles", 303)
    number = _next([one.puzzle.id for one in mine], await _known(request, who, game_id), after)
    return RedirectResponse(mine[number - 1].address, 303)


def _next(ids: Sequence[str], known: Mapping[str, PuzzleProgress], after: int) -> int:
    now = time_control.now()
    due = [(known[id].due_at, number) for number, id in enumerate(ids, 1) if id in known and known[id].is_due(now)]
    order = [number % len(ids) + 1 for number in range(after, after + len(ids))]
    fresh = (number for number in order if ids[number - 1] not in known)
    return min(due)[1] if due else next(fresh, order[0])


# ---- A puzzle.


async def _looked_at(request: Request, who: Person | None) -> ViewedPuzzle:
    """Return the puzzle named by an address."""
    named = request.path_params
    if "table_id" in named:
        return await _own_puzzle(request, who, named["game_id"], named["table_id"], named["at"])
    collection, number = _collection(request, named["game_id"]), named["number"]
    try:
        origin, puzzle = collection.at(number)
    except PuzzleError as error:
        raise NotFoundError(f"the puzzles are numbered 1 to {len(collection)}") from error
    game, address = game_by_id(request, collection.game_id), _address(collection.game_id, number)
    following = f"/puzzles/{collection.game_id}/next?after={number}"
    return ViewedPuzzle(game, origin, puzzle, address, number, len(collection), following)


async def _own_puzzle(request: Request, who: Person | None, game_id: str, table_id: str, at: int) -> ViewedPuzzle:
    mine = await _own(request, who, game_id)
    for number, one in enumerate(mine, 1):
        if (one.table_id, one.puzzle.at) == (table_id, at):
            table = await services_of(request).tables.fresh(table_id)
            if table.is_revealed:
                origin = await services_of(request).personal_puzzles.origin(one)
                puzzle = next(each for each in origin.puzzles if each.id == one.puzzle.id)
                following = f"/puzzles/{game_id}/own/next?after={number}"
                return ViewedPuzzle(table.game, origin, puzzle, one.address, number, len(mine), following, one)
    raise NotFoundError("there is no such puzzle from one of your games")


@router.get("/{game_id}/own/{table_id}/{at:int}", "/{game_id}/{number:int}")
async def show(request: Request, who: Person | None, answer: Annotated[str, Meta(max_length=200)] = "") -> Response:
    """Show a puzzle; with an answer, its evaluation."""
    viewed = await _looked_at(request, who)
    puzzle = viewed.puzzle
    known = (await _known(request, who, viewed.game.id)).get(puzzle.id)
    tried = await asyncio.to_thread(store.tried, services_of(request).engine, viewed.game.id)
    return await run_in_pool(request, partial(_page, request, who, viewed, answer, known, tried.get(puzzle.id, (0, 0))))


def _page(
    request: Request,
    who: Person | None,
    viewed: ViewedPuzzle,
    answer: str,
    known: PuzzleProgress | None,
    tried: tuple[int, int],
) -> Response:
    game, puzzle, side, seen = viewed.game, viewed.puzzle, viewed.puzzle.side, _seen(viewed)
    language = language_of(request, who)
    words, own, layout = game_words(game, language), page_words(language), layout_of(request)
    replay, view = _replay(viewed, words), seen.view()
    if answer and answer not in seen.legal_texts():
        raise IllegalError("that is not a legal action here", key="refused.no_choice")
    shown = shown_of(game, view, side, seen.legal(), words, own)
    highlights = set() if answer else {group.id for group in shown.groups if group.kind in ("place", "track")}
    ghosts = game.after(view, puzzle.answer, side) if answer else None
    rate = solving_rate(puzzle, *tried)
    return page(
        request,
        "study/puzzle.html",
        who,
        title=title_of(game, own),
        game_id=game.id,
        viewed=viewed,
        url=f"{public_url(request)}{viewed.address}",
        picture=f"{public_url(request)}{viewed.address}/picture.png",
        layout=layout,
        outlines=outlines(game),
        side=side,
        side_name=words.name("side", game.sides[side]),
        trains=own.sentence(Message(f"puzzle.trains.{puzzle.trains}")),
        grade=grade(rate),
        percent=round(100 * rate),
        tries=tried[0],
        known=_mark(known, time_control.now()),
        given=answer,
        is_right=answer == puzzle.answer,
        question=shown,
        table=_explained(game, view, puzzle, answer, words) if answer else None,
        done=_done(viewed, view, words) if answer and viewed.own else "",
        gap=own.sentence(
            Message("puzzle.gap", {"x": round(100 * puzzle.gap), "error": ceil(100 * puzzle.error), "n": puzzle.worlds})
        ),
        computer=computer_name(player_of(request, game), own),
        lines=replay.lines[-MAX_LINES:],
        board_text=board_text(game, view, side, words, text_mode_of(request)),
        board=board(
            game,
            view,
            side,
            words,
            layout,
            plays=replay.plays_until(replay.length),
            highlights=highlights,
            ghosts=ghosts,
        ),
    )


@router.get("/{game_id}/{number:int}/picture.png")
async def picture(request: Request, who: Person | None) -> Response:
    """Return the preview of a link to a puzzle: its board as spectators would see it."""
    return await preview_of_link(request, partial(_picture, await _looked_at(request, who), language_of(request, who)))


def _picture(viewed: ViewedPuzzle, language: str) -> str:
    game = viewed.game
    words, own = game_words(game, language), page_words(language)
    replay = _replay(viewed, words)
    view = game.view_of(_seen(viewed).view(), OBSERVER)
    drawn = drawing_of(game).board(game, view, OBSERVER, words, BoardRequest(plays=replay.plays_until(replay.length)))
    called = own.sentence(Message("puzzle.of", {"n": viewed.number, "count": viewed.among}))
    side = words.name("side", game.sides[viewed.puzzle.side])
    told = own.sentence(Message("puzzle.you", {"side": side}))
    return link_preview(f"{title_of(game, own)} · {called}", told, [drawn])


def _explained(game: Game, view: State, puzzle: Puzzle, answer: str, words: Words) -> ExplainedOptions:
    """Return the best answers and the one given, explained."""
    return explained_options(
        game,
        view,
        puzzle.side,
        puzzle.told(answer),
        puzzle.answer,
        answer,
        words,
        None if puzzle.reason is None else message_of(puzzle.reason),
        {} if puzzle.reply is None else {puzzle.answer: message_of(puzzle.reply)},
    )


def _sentence(game: Game, view: State, side: int, action: str, words: Words) -> str:
    return words.sentence(game.narrator.describe(view, side, game.parse_action(action, side)))


def _done(viewed: ViewedPuzzle, view: State, words: Words) -> str:
    """Return the action that the user took in their own game."""
    taken = done(viewed.game, viewed.origin, viewed.puzzle)
    return _sentence(viewed.game, view, viewed.puzzle.side, taken, words)


@router.post("/{game_id}/own/{table_id}/{at:int}", "/{game_id}/{number:int}", is_open=True)
async def answered(
    request: Request,
    who: Person | None,
    action: Number | None = None,
) -> Response:
    """Record an answer to a puzzle, as at a table; the result counts only for known users."""
    viewed = await _looked_at(request, who)
    if who is not None:
        await protected(request)
    steps = await steps_in(request)
    text = await run_in_pool(request, lambda: decided(viewed.game, _seen(viewed).legal(), action, steps).text)
    if who is not None:
        puzzle, now = viewed.puzzle, time_control.now()
        keep = partial(store.answered, services_of(request).engine, who.id, viewed.game.id, puzzle.id)
        await asyncio.to_thread(keep, text == puzzle.answer, now)
    return RedirectResponse(str(request.url.replace(query="").include_query_params(answer=text)), 303)


@router.get("/{game_id}/own/{table_id}/{at:int}/preview", "/{game_id}/{number:int}/preview")
async def preview(request: Request, who: Person | None, action: Number) -> Response:
    """Return the effect of an answer as ghosts for the board."""
    viewed = await _looked_at(request, who)
    return await run_in_pool(request, partial(_ghosts, request, who, viewed, action))


def _ghosts(request: Request, who: Person | None, viewed: ViewedPuzzle, action: int) -> Response:
    seen = _seen(viewed)
    decided(viewed.game, seen.legal(), action, ())
    return ghosts_of(request, who, viewed.game, seen.view(), action, viewed.puzzle.side)


@router.get("/{game_id}/own/{table_id}/{at:int}/replay/{step}", "/{game_id}/{number:int}/replay/{step}")
async def where_it_came_from(request: Request, step: int) -> Response:  # noqa: ARG001 - same address as for other games
    """Redirect from a table that began from a puzzle back to that puzzle."""
    return RedirectResponse(request.url.path.partition("/replay/")[0], 303)


@router.get("/{game_id}/own/{table_id}/{at:int}/{kind}/{card_id}", "/{game_id}/{number:int}/{kind}/{card_id}")
async def card(request: Request, who: Person | None, kind: str, card_id: str) -> Response:
    """Show a card or agenda named in a puzzle."""
    viewed = await _looked_at(request, who)
    game = viewed.game
    words = game_words(game, language_of(request, who))
    if FRAGMENT_HEADER in request.headers:
        return page(
            request, "table/card_view.html", who, view=card_view(game, kind, card_id, words, tells_history(request))
        )
    card_picture(game, kind, card_id, words)
    return RedirectResponse(f"/cards/{game.id}#{card_id}", 303)


@router.post("/{game_id}/own/{table_id}/{at:int}/play-on", "/{game_id}/{number:int}/play-on", is_open=True)
async def play_on(request: Request, who: Person | None, name: Name = "") -> Response:
    """Continue from a puzzle as its side against the computer; hidden cards stay hidden, chance is drawn again."""
    viewed = await _looked_at(request, who)
    me, token = await somebody(request, who, name)
    game, puzzle = viewed.game, viewed.puzzle
    whole = await run_in_pool(request, partial(opened, game, viewed.origin, puzzle))
    seating, computer = services_of(request).seating, player_of(request, game)
    table = await play_on_against(seating, whole, puzzle.at, puzzle.side, viewed.address, computer, me)
    return signed_in(RedirectResponse(f"/t/{table.id}", 303), request, token)


def _collection(request: Request, game_id: str) -> PuzzleCollection:
    game_by_id(request, game_id)
    if not has_puzzles(game_id):
        raise NotFoundError("there are no puzzles for this game")
    return collection_of(game_id)


def _seen(viewed: ViewedPuzzle) -> Perspective:
    """Return the game up to the decision, as the side saw it."""
    kept = _posed.get(viewed.address)
    return kept or _posed.keep(viewed.address, posed(viewed.game, viewed.origin, viewed.puzzle).seen)


def _replay(viewed: ViewedPuzzle, words: Words) -> Replay:
    source = ReplaySource(viewed.game, lambda _: _seen(viewed), ("",) * len(viewed.game.sides), viewed.address)
    return _replays.replay(source, viewed.puzzle.side, words)


async def _known(request: Request, who: Person | None, game_id: str) -> dict[str, PuzzleProgress]:
    if who is None:
        return {}
    return await asyncio.to_thread(store.known_by, services_of(request).engine, who.id, game_id)


async def _own(request: Request, who: Person | None, game_id: str | None = None) -> list[Own]:
    """Return the puzzles from the user's own games, of one game or of all, in list order."""
    return [] if who is None else await services_of(request).personal_puzzles.listed(who.id, game_id)
