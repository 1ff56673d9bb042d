"""The table: the board, what is asked, the hand, what happened; playing, live updates, chat and notes.

The page is a frame around one fragment, the *state*, that is sent anew whenever the reader's version rises. All of it
is made from the reader's view; on a shared screen a cover without any hand stands between the two sides.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from functools import lru_cache
from typing import Annotated, Any, NamedTuple
from weakref import WeakKeyDictionary

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup
from pydantic import Field

from brinkmanship.draw import dice, drawing_of
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import OBSERVER, Game, State
from brinkmanship.engine.match import Decision
from brinkmanship.engine.message import Message
from brinkmanship.store import repository
from brinkmanship.text import MissingTextError, Words
from brinkmanship.web.away import Step, since
from brinkmanship.web.choices import Group, choices_of
from brinkmanship.web.errors import ForbiddenError, IllegalError, NotFoundError, PartlyDoneError, RequestError
from brinkmanship.web.identity import Protected, Someone, Visitor, language_of, service
from brinkmanship.web.pages.notices import contacts_of
from brinkmanship.web.pages.pictures import board, outlines
from brinkmanship.web.pages.render import (
    computer_name,
    game_words,
    layout_of,
    page,
    page_words,
    public_url,
    render,
    title_of,
)
from brinkmanship.web.pages.series import series_box
from brinkmanship.web.people import Person
from brinkmanship.web.repeat import MOST_TIMES, again_of
from brinkmanship.web.several import MOST, Sent, goals_of, one_by_one
from brinkmanship.web.story import Story, known_length
from brinkmanship.web.stream import NewsResponse
from brinkmanship.web.table import FINISHED, RUNNING, WAITING, LiveTable

router = APIRouter(prefix="/t")

FRAGMENT_HEADER = "x-fragment"
CHAT_LENGTH = 500
NOTE_LENGTH = 5000
MOST_PICKS = 100
"""Choices that may be ticked at once."""

Seat = Annotated[int | None, Query(ge=0, le=1)]
"""On a shared screen: the side that has said that it looks now."""
Side = Annotated[int, Form(ge=0, le=1)]
Version = Annotated[int, Form(ge=0)]


class Eyes(NamedTuple):
    """Who looks at a table."""

    reader: int
    """A side, or `OBSERVER`; also behind the cover of a shared screen."""
    mine: tuple[int, ...]
    cover_for: int | None = None
    """On a shared screen: the side to which the screen is to be passed."""

    @property
    def is_player(self) -> bool:
        """Whether a side looks, and may do something."""
        return self.reader in self.mine


def eyes_of(table: LiveTable, who: Person | None, seat: int | None) -> Eyes:
    """The eyes a person looks with; on a shared screen only the side that is asked and has said so sees its hand."""
    mine = tuple(table.seat_of(who.id if who else None))
    if len(mine) < 2:
        return Eyes(mine[0] if mine else OBSERVER, mine)
    asked = table.asked
    if seat in asked:
        return Eyes(seat, mine)
    return Eyes(OBSERVER, mine, asked[0] if asked else None)


@router.get("/{table_id}")
async def show_table(request: Request, who: Visitor, table_id: str, seat: Seat = None) -> Response:
    """The whole page."""
    table = await service(request).table(table_id)
    return await _whole_page(request, who, table, seat)


async def _whole_page(
    request: Request, who: Person | None, table: LiveTable, seat: int | None, problem: RequestError | None = None
) -> Response:
    engine = request.app.state.engine
    eyes = eyes_of(table, who, seat)
    chat = await asyncio.to_thread(repository.chat_of, engine, table.id)
    note = await asyncio.to_thread(repository.note_of, engine, table.id, who.id) if who and eyes.mine else ""
    language = language_of(request, who)
    context = _state(request, table, eyes, language, problem)
    context["series"] = await series_box(request, table, eyes.mine, language)
    address = f"{public_url(request)}/t/{table.id}"
    return page(
        request,
        "table.html",
        who,
        status=problem.status if problem else 200,
        chat=chat,
        note=note,
        outlines=outlines(table.game),
        faces=Markup(dice.faces()),
        away=await _away(request, who, table, eyes, language),
        told_by=await contacts_of(request, who) if eyes.mine else None,
        seated=[(player.side, player.side_name, player.name) for player in context["players"]],
        ended=result_of(table, language) if table.status == FINISHED else "",
        url=address,
        picture=f"{address}/picture.svg?n={known_length(table.match, OBSERVER)}",
        **context,
    )


async def _away(request: Request, who: Person | None, table: LiveTable, eyes: Eyes, language: str) -> list[Step]:
    """What happened since this player last looked, for one who returns to a game that goes on."""
    if who is None or len(eyes.mine) != 1 or table.status != RUNNING:
        return []
    seen = await asyncio.to_thread(repository.look_of, request.app.state.engine, table.id, who.id)
    story = story_of(table, eyes.reader, game_words(table.game, language))
    return since(seen, story.entries, story.lines, eyes.reader)


@router.post("/{table_id}/seen", dependencies=[Protected])
async def seen(request: Request, who: Someone, table_id: str) -> Response:
    """The player has seen all that happened so far."""
    request.app.state.presence.sign_of_life(who.id)
    table = await service(request).table(table_id)
    mine = table.seat_of(who.id)
    if len(mine) == 1:
        length = known_length(table.match, mine[0])
        await asyncio.to_thread(repository.note_look, request.app.state.engine, table.id, who.id, length)
    if FRAGMENT_HEADER in request.headers:
        return Response(status_code=204)
    return RedirectResponse(f"/t/{table.id}", 303)


@router.get("/{table_id}/state")
async def show_state(request: Request, who: Visitor, table_id: str, seat: Seat = None) -> Response:
    """The fragment that changes."""
    table = await service(request).table(table_id)
    return await _fragment(request, who, table, seat)


async def _fragment(
    request: Request, who: Person | None, table: LiveTable, seat: int | None, problem: RequestError | None = None
) -> Response:
    language = language_of(request, who)
    eyes = eyes_of(table, who, seat)
    context = _state(request, table, eyes, language, problem)
    context["series"] = await series_box(request, table, eyes.mine, language)
    return HTMLResponse(
        render("state.html", request, who, language, **context), problem.status if problem is not None else 200
    )


# What may be done.


@router.post("/{table_id}/act", dependencies=[Protected])
async def act(
    request: Request,
    who: Someone,
    table_id: str,
    side: Side,
    version: Version,
    action: Annotated[int | None, Form(ge=0, le=100_000)] = None,
) -> Response:
    """Take an action, given by its number or, where it is several choices at once, by the fields step-1, step-2 ..."""
    if action is None:
        action = await _by_steps(request, table_id, side)
    return await _do(request, who, table_id, side, service(request).act(table_id, who.id, side, version, action))


@router.post("/{table_id}/again", dependencies=[Protected])
async def again(
    request: Request,
    who: Someone,
    table_id: str,
    side: Side,
    version: Version,
    times: Annotated[int, Form(ge=1, le=MOST_TIMES)],
) -> Response:
    """Do the last deed once more, or several times: the same actions one by one."""
    return await _do(request, who, table_id, side, _repeat(request, who, table_id, side, version, times))


async def _repeat(request: Request, who: Person, table_id: str, side: int, version: int, times: int) -> LiveTable:
    table = await service(request).table(table_id)
    if side not in table.seat_of(who.id) or side not in table.match.pending:
        raise IllegalError("there is nothing to repeat now")
    deed = again_of(table.game, table.view(side), side, table.match.entries, game_words(table.game, "en"))
    if deed is None or times > deed.times:
        raise IllegalError("there is nothing to repeat now")
    for action in deed.actions * times:
        table = await service(request).act(table_id, who.id, side, version, action)
        version = table.version(side)
    return table


@router.post("/{table_id}/several", dependencies=[Protected])
async def several(
    request: Request,
    who: Someone,
    table_id: str,
    side: Side,
    version: Version,
    pick: Annotated[list[Annotated[int, Field(ge=0, le=100_000)]] | None, Form(max_length=MOST_PICKS)] = None,
    goal: Annotated[int | None, Form(ge=0, le=100_000)] = None,
) -> Response:
    """Send several pieces: for each `pick` as many as its field many-ACTION says, all to the same goal."""
    form = await request.form()
    pieces = [Sent(action, _how_many(str(form.get(f"many-{action}", "1")))) for action in pick or ()]
    return await _do(request, who, table_id, side, _send(request, who, table_id, side, version, pieces, goal))


def _how_many(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:4]) <= MOST):
        raise IllegalError(f"of one sort 1 to {MOST} can be sent at once")
    return int(text)


async def _send(
    request: Request, who: Person, table_id: str, side: int, version: int, pieces: list[Sent], goal: int | None
) -> LiveTable:
    """One piece after the other, each decision checked like any other, until all are sent or one is refused."""
    tables = service(request)
    table = await tables.table(table_id)
    wanted = sum(piece.number for piece in pieces)
    if side not in table.seat_of(who.id):
        raise ForbiddenError("that is not your seat")
    if not wanted:
        raise IllegalError("tick what shall go")
    done = 0
    try:
        for action in one_by_one(pieces):
            steps = _steps_of(tables.decisions(table, side), table, side, action, goal)
            for step in steps:
                table = await tables.act(table_id, who.id, side, version, step)
                version = table.version(side)
            done += 1
    except RequestError as refused:
        if done:
            raise PartlyDoneError(done, wanted) from refused
        raise
    return table


def _steps_of(legal: list[Decision], table: LiveTable, side: int, action: int, goal: int | None) -> tuple[int, ...]:
    """The decisions that send one piece; nothing is begun that could not be ended."""
    if action not in {decision.action for decision in legal}:
        raise IllegalError("that is not legal here")
    goals = goals_of(table.game, table.view(side), side, action)
    if not goals:
        return (action,)
    if goal not in goals:
        raise IllegalError("say where they shall go" if goal is None else "this one cannot go there")
    return action, goal


async def _by_steps(request: Request, table_id: str, side: int) -> int:
    """The legal action that makes these choices; -1, which no game has, where there is none."""
    form = await request.form()
    chosen: list[str] = []
    while (step := form.get(f"step-{len(chosen) + 1}")) is not None:
        chosen.append(str(step))
    table = await service(request).table(table_id)
    for decision in table.match.legal(side) if chosen and side in table.match.pending else ():
        if [answer.id for _, answer in table.game.action_parts(decision.action).steps] == chosen:
            return decision.action
    return -1


@router.post("/{table_id}/undo", dependencies=[Protected])
async def undo(
    request: Request,
    who: Someone,
    table_id: str,
    side: Side,
    version: Version,
    whole: Annotated[bool, Form()] = False,
) -> Response:
    """Take back the last step, or the whole turn."""
    return await _do(request, who, table_id, side, service(request).undo(table_id, who.id, side, version, whole))


@router.post("/{table_id}/resign", dependencies=[Protected])
async def resign(
    request: Request,
    who: Someone,
    table_id: str,
    side: Side,
    sure: Annotated[bool, Form()] = False,
    everything: Annotated[bool, Form()] = False,
) -> Response:
    """Give the game up, or the whole series; asked twice."""
    if not sure:
        table = await service(request).table(table_id)
        return await _answer(request, who, table, side, IllegalError("tick the box to confirm"))
    return await _do(request, who, table_id, side, service(request).resign(table_id, who.id, side, everything))


@router.post("/{table_id}/offer", dependencies=[Protected])
async def offer(request: Request, who: Someone, table_id: str, side: Side) -> Response:
    """Offer to end the game without a result."""
    return await _do(request, who, table_id, side, service(request).offer_void(table_id, who.id, side))


@router.post("/{table_id}/answer", dependencies=[Protected])
async def answer(
    request: Request, who: Someone, table_id: str, side: Side, accept: Annotated[bool, Form()]
) -> Response:
    """Answer the other side's offer."""
    return await _do(request, who, table_id, side, service(request).answer_offer(table_id, who.id, side, accept))


@router.post("/{table_id}/ask-back", dependencies=[Protected])
async def ask_back(
    request: Request,
    who: Someone,
    table_id: str,
    side: Side,
    version: Version,
    keep: Annotated[int, Form(ge=0, le=100_000)],
) -> Response:
    """Ask the other side to go back to before a decision of one's own."""
    return await _do(request, who, table_id, side, service(request).ask_back(table_id, who.id, side, version, keep))


@router.post("/{table_id}/answer-back", dependencies=[Protected])
async def answer_back(
    request: Request, who: Someone, table_id: str, side: Side, accept: Annotated[bool, Form()]
) -> Response:
    """Let the other side take back, or not."""
    return await _do(request, who, table_id, side, service(request).answer_back(table_id, who.id, side, accept))


async def _do(request: Request, who: Person, table_id: str, side: int, deed: Any) -> Response:
    """Do it, and show what came of it; what is refused is said beside the present position."""
    request.app.state.presence.sign_of_life(who.id)
    try:
        table = await deed
    except NotFoundError:
        raise
    except RequestError as error:
        return await _answer(request, who, await service(request).table(table_id), side, error)
    return await _answer(request, who, table, side)


async def _answer(
    request: Request, who: Person, table: LiveTable, side: int, problem: RequestError | None = None
) -> Response:
    if FRAGMENT_HEADER in request.headers:
        return await _fragment(request, who, table, side, problem)
    if problem is not None:
        return await _whole_page(request, who, table, side, problem)
    seat = f"?seat={side}" if len(table.seat_of(who.id)) > 1 else ""
    return RedirectResponse(f"/t/{table.id}{seat}", 303)


@router.post("/{table_id}/rematch", dependencies=[Protected])
async def rematch(request: Request, who: Someone, table_id: str) -> Response:
    """A new game with the sides swapped; both go there."""
    table = await service(request).table(table_id)
    if table.rematch is None:
        new, _ = await service(request).rematch(table_id, who.id, who.name)
        return RedirectResponse(f"/t/{new.id}", 303)
    return RedirectResponse(f"/t/{table.rematch}", 303)


# Chat and notes.


@router.get("/{table_id}/chat")
async def show_chat(request: Request, who: Visitor, table_id: str) -> Response:
    """What was said at the table."""
    table = await service(request).table(table_id)
    return await _chat(request, who, table)


@router.post("/{table_id}/chat", dependencies=[Protected])
async def say(
    request: Request, who: Someone, table_id: str, text: Annotated[str, Form(max_length=CHAT_LENGTH)] = ""
) -> Response:
    """Say something at the table."""
    table = await service(request).table(table_id)
    said = " ".join(text.split())
    mine = table.seat_of(who.id)
    if said:
        await service(request).say(table_id, who.name, mine[0] if len(mine) == 1 else None, said)
    if FRAGMENT_HEADER in request.headers:
        return await _chat(request, who, table)
    return RedirectResponse(f"/t/{table_id}", 303)


async def _chat(request: Request, who: Person | None, table: LiveTable) -> Response:
    chat = await asyncio.to_thread(repository.chat_of, request.app.state.engine, table.id)
    return page(request, "chat.html", who, chat=chat, table_id=table.id)


@router.post("/{table_id}/note", dependencies=[Protected])
async def write_note(
    request: Request, who: Someone, table_id: str, text: Annotated[str, Form(max_length=NOTE_LENGTH)] = ""
) -> Response:
    """Keep a private note."""
    await service(request).table(table_id)
    await asyncio.to_thread(repository.write_note, request.app.state.engine, table_id, who.id, text)
    if FRAGMENT_HEADER in request.headers:
        return Response(status_code=204)
    return RedirectResponse(f"/t/{table_id}", 303)


# What the page asks for while one plays.


@router.get("/{table_id}/news", response_class=NewsResponse)
async def news(request: Request, who: Visitor, table_id: str, seat: Seat = None) -> NewsResponse:
    """The versions of the table for this reader, as they come."""
    table = await service(request).table(table_id)
    return NewsResponse(table, eyes_of(table, who, seat).reader, who.id if who else None)


@router.get("/{table_id}/preview")
async def preview(
    request: Request,
    who: Someone,
    table_id: str,
    action: Annotated[int, Query(ge=0, le=100_000)],
    version: Annotated[int, Query(ge=0)],
    seat: Seat = None,
) -> Response:
    """What an action would change, as ghosts for the board."""
    table = await service(request).table(table_id)
    eyes = eyes_of(table, who, seat)
    if version != table.version(eyes.reader):
        return Response(status_code=204)  # asked for a moment ago; the page will have changed by now
    legal = service(request).decisions(table, eyes.reader) if eyes.is_player else []
    if action not in {decision.action for decision in legal}:
        raise IllegalError("there is no such choice now")
    game, view = table.game, table.view(eyes.reader)
    after = game.copy(view)
    game.apply(game.rules, after, action)
    words = game_words(game, language_of(request, who))
    ghosts = drawing_of(game).ghost_layer(game, view, after, eyes.reader, words, layout_of(request))
    return Response(ghosts, media_type="image/svg+xml")


@router.get("/{table_id}/card/{card_id}")
async def show_card(request: Request, who: Visitor, table_id: str, card_id: str) -> Response:
    """One card of this table's ruleset, as a picture; which it has is no secret."""
    table = await service(request).table(table_id)
    return _picture(request, who, table, "card", card_id)


@router.get("/{table_id}/agenda/{card_id}")
async def show_agenda(request: Request, who: Visitor, table_id: str, card_id: str) -> Response:
    """One agenda of this table's ruleset, as a picture."""
    table = await service(request).table(table_id)
    return _picture(request, who, table, "agenda", card_id)


def _picture(request: Request, who: Person | None, table: LiveTable, kind: str, card_id: str) -> Response:
    alone = FRAGMENT_HEADER not in request.headers
    words = game_words(table.game, language_of(request, who))
    try:
        found = _card(table.game, kind, card_id, words, alone)
    except (StopIteration, KeyError, BrinkError) as error:
        raise NotFoundError(f"there is no {kind} {card_id}") from error
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"} if alone else None
    return Response(found, media_type="image/svg+xml", headers=headers)


@lru_cache(2000)
def _card(game: Game, kind: str, card_id: str, words: Words, alone: bool = False) -> str:
    draw = getattr(drawing_of(game), kind)
    found: str = draw(game, card_id, words, standalone="auto") if alone else draw(game, card_id, words)
    return found


@router.get("/{table_id}/log")
async def show_log(request: Request, who: Visitor, table_id: str, seat: Seat = None) -> Response:
    """Everything that happened, from the start."""
    table = await service(request).table(table_id)
    eyes = eyes_of(table, who, seat)
    words = game_words(table.game, language_of(request, who))
    story = Story(table.game, drawing_of(table.game), eyes.reader, words, f"/t/{table.id}/card/")
    story.follow(table.match, window=100_000)
    return page(request, "log.html", who, lines=story.lines, earlier=False, table_id=table.id)


# What the fragment shows.


class Hand(NamedTuple):
    """Cards that lie before the reader, under a heading."""

    heading: str
    kind: str
    cards: list[tuple[str, Markup]]


class Player(NamedTuple):
    """Who sits on a side."""

    side: int
    side_name: str
    name: str
    is_computer: bool
    is_you: bool
    is_asked: bool
    seconds_left: float | None
    """On the side's clock, as the reader may know it; None without clocks."""
    clock_runs: bool


_stories: WeakKeyDictionary[LiveTable, dict[tuple[int, str], Story]] = WeakKeyDictionary()


def story_of(table: LiveTable, reader: int, words: Words) -> Story:
    """The log of a table for a reader, up to date."""
    stories = _stories.setdefault(table, {})
    key = (reader, words.language)
    if key not in stories:
        stories[key] = Story(table.game, drawing_of(table.game), reader, words, f"/t/{table.id}/card/")
    story = stories[key]
    story.follow(table.match)
    return story


def _state(
    request: Request, table: LiveTable, eyes: Eyes, language: str, problem: RequestError | None
) -> dict[str, Any]:
    game, reader = table.game, eyes.reader
    words, own = game_words(game, language), page_words(language)
    view = table.view(reader)
    decisions = service(request).decisions(table, reader) if eyes.is_player else []
    groups = choices_of(game, view, reader, decisions, words, own) if decisions else []
    story = story_of(table, reader, words)
    layout = layout_of(request)
    plays = [play for _, play in story.plays]
    players = _players(table, eyes, view, words, own)
    return {
        "table": table,
        "game": game,
        "eyes": eyes,
        "layout": layout,
        "version": table.version(reader),
        "board": board(game, view, reader, words, layout, plays=plays, highlights=_highlights(groups)),
        "sketch": _sketch(game, view, words, layout),
        "prompt": _prompt(table, eyes, view, words, own),
        "groups": groups,
        "again": again_of(game, view, reader, table.match.entries, words) if groups else None,
        "several": any(choice.pick for group in groups for choice in group.choices),
        "goals": _goals(game, groups, words),
        "name_of": lambda group: _name_of(group.kind, group.id, words),
        "hands": _hands(game, view, reader, words, own, groups),
        "undo_count": service(request).undo_count(table, reader) if eyes.is_player else 0,
        "lines": story.lines,
        "line_count": story.count,
        "throws": [(throw, Markup(dice.row(throw.dice))) for throw in story.throws],
        "recap": _recap(story, reader) if eyes.is_player else [],
        "earlier": bool(story.lines) and story.lines[0].number > 0,
        "players": players,
        "thinking": not groups and any(player.is_computer and player.is_asked for player in players),
        "table_id": table.id,
        "title": title_of(game, own),
        "seat_query": f"seat={reader}" if len(eyes.mine) > 1 and eyes.is_player else "",
        "problem": problem,
        "running": table.status == RUNNING,
        "waiting": table.status == WAITING,
        "finished": table.status == FINISHED,
        "offered_to_me": eyes.is_player and table.offer == 1 - reader,
        "offered": table.offer is not None,
        "asks_me_back": _asks_me_back(table, story, eyes),
        "asked_back": table.back is not None,
        "own_deeds": _own_deeds(table, story, eyes),
        "invitation": _invitation(request, table, eyes),
    }


def _sketch(game: Game, view: State, words: Words, layout: str) -> Markup:
    """What the game draws of the moment beside its board, such as a combat."""
    draw = getattr(drawing_of(game), "sketch", None)
    return Markup(draw(game, view, words, layout=layout)) if draw else Markup()


def _goals(game: Game, groups: list[Group], words: Words) -> list[tuple[int, str, str]]:
    """Where pieces may be sent: the action, the place, and its name, in the order of names."""
    actions = {goal for group in groups for choice in group.choices if choice.pick for goal in choice.pick.goals}
    places = [(action, game.action_parts(action).place or "") for action in actions]
    named = [(action, place, _name_of("place", place, words)) for action, place in places]
    return sorted(named, key=lambda goal: goal[2])


MOST_DEEDS = 12
"""So many decisions of one's own are offered to go back to."""


def _asks_me_back(table: LiveTable, story: Story, eyes: Eyes) -> Markup | None:
    """The decision the other side asks to go back to before, as the reader's log tells it; None if it does not ask."""
    if not eyes.is_player or table.back is None or table.back[0] == eyes.reader:
        return None
    entry = table.back[1] + 1
    return next((line.html for line in story.lines if line.entry >= entry), Markup("…"))


def _own_deeds(table: LiveTable, story: Story, eyes: Eyes) -> list[Any]:
    """The reader's latest decisions, as the log tells them, to go back to before one of them."""
    if not eyes.is_player or table.status != RUNNING or table.back or table.match.in_secret:
        return []
    if table.seats[1 - eyes.reader].computer:
        return []
    own = {line.entry: line for line in story.lines[::-1] if story.entries[line.entry - 1].actor == eyes.reader}
    return [own[entry] for entry in sorted(own, reverse=True)][:MOST_DEEDS]


def _recap(story: Story, reader: int) -> list[Any]:
    first = story.since(reader)
    return [line for line in story.lines if line.number >= first]


_PILES = {"draw_top": "deck"}
"""The pile that stands for a kind of choice, where it is not called the same."""


def _highlights(groups: list[Group]) -> set[str]:
    found = set()
    for group in groups:
        if group.kind in ("place", "track"):
            found.add(group.id)
        found.update(_PILES.get(choice.kind, choice.kind) for choice in group.choices)
        found.update(f"area:{choice.area}" for choice in group.choices if choice.area)
    return found


_NAME_KINDS = {"place": ("battleground", "zone", "place"), "track": ("track", "country", "area")}
"""What the games call their places, and what stands on tracks."""


def _name_of(kind: str, id: str, words: Words) -> str:
    for called in _NAME_KINDS.get(kind, (kind,)):
        with suppress(MissingTextError):
            return words.name(called, id)
    return id


def _prompt(table: LiveTable, eyes: Eyes, view: State, words: Words, own: Words) -> str:
    if table.status == WAITING:
        return own.sentence(Message("table.waiting"))
    if table.status == FINISHED and not table.match.is_over:
        return result_text(table.game, table.result, words, own)
    return words.sentence(table.game.prompt(view, eyes.reader))


def result_of(table: LiveTable, language: str) -> str:
    """How a finished game at a table ended and why."""
    return result_text(table.game, table.result, game_words(table.game, language), page_words(language))


def result_text(game: Game, result: str, words: Words, own: Words) -> str:
    """How a game ended and why, from the result as it is kept ("us by resignation")."""
    winner, _, reason = result.partition(" by ")
    ending = ""
    with suppress(MissingTextError):  # a journal from elsewhere may give any reason
        if reason in game.reasons:
            ending = own.text(Message("result.by_rules", {"reason": words.text(Message(f"reason.{reason}"))}))
        else:
            ending = own.text(Message(f"result.{reason}"))
    if winner not in game.sides:
        return own.sentence(Message("result.nobody", {"reason": ending}))
    return own.sentence(Message("result.won", {"who": words.name("side", winner), "reason": ending}))


def _players(table: LiveTable, eyes: Eyes, view: State, words: Words, own: Words) -> list[Player]:
    bits = int(table.game.pending(table.game.rules, view)) if table.status == RUNNING else 0
    left = table.seconds_left(eyes.reader, time.time())
    clocks_run = table.timer is not None and table.timer.since is not None and table.status == RUNNING
    found = []
    for seat in table.seats:
        name = computer_name(seat.computer, own) if seat.computer else seat.name
        found.append(
            Player(
                seat.side,
                words.name("side", table.game.sides[seat.side]),
                name or own.sentence(Message("table.free_seat")),
                seat.computer is not None,
                seat.side in eyes.mine,
                bool(bits >> seat.side & 1),
                left[seat.side] if left is not None else None,
                clocks_run and bool(bits >> seat.side & 1),
            )
        )
    return found


_LYING = ("drawn", "revealed", "taken", "hand", "held", "own_aftermath")
"""Where cards may lie before a reader, in the order they are shown; each game uses what it has."""


def _hands(game: Game, view: State, reader: int, words: Words, own: Words, groups: list[Group]) -> list[Hand]:
    found = []
    offered = [group.id for group in groups if group.kind == "agenda"]
    known = game.known_state(view, reader)
    chosen = known.get("agenda", {}).get(game.sides[reader]) if reader < len(game.sides) else None
    agendas = offered or ([chosen] if chosen else [])
    if agendas:
        heading = own.sentence(Message("hand.agendas" if offered else "hand.agenda"))
        cards = [(id, Markup(_card(game, "agenda", id, words))) for id in dict.fromkeys(agendas)]
        found.append(Hand(heading, "agenda", cards))
    for place in _LYING:
        if ids := known["cards"].get(place):
            heading = own.sentence(Message(f"hand.{place}"))
            found.append(Hand(heading, "card", [(id, Markup(_card(game, "card", id, words))) for id in ids]))
    return found


def _invitation(request: Request, table: LiveTable, eyes: Eyes) -> str:
    """The link for the free seat, as long as the inviter's browser remembers it."""
    token = request.cookies.get(f"invite-{table.id}", "")
    if table.status != WAITING or not eyes.mine or not token.replace("-", "").replace("_", "").isalnum():
        return ""
    return f"{public_url(request)}/join/{table.id}/{token}"
