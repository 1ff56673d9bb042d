"""View model of the table page for one viewer, built from the viewer's view."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

from babel.dates import format_timedelta
from markupsafe import Markup

from brinkmanship.drawing import LayoutName, dice, drawing_of
from brinkmanship.drawing.overview import Overview
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.game_log import LogEntry
from brinkmanship.engine.message import Message
from brinkmanship.engine.record import State
from brinkmanship.lessons import has_lesson
from brinkmanship.players import levels_for, thinks_less
from brinkmanship.text import MissingTextError, Words, section_of
from brinkmanship.text.score import ScoreText
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.library.library import Part, rule_in_words
from brinkmanship.web.pages.shared.board_text import BoardText, TextMode, board_text
from brinkmanship.web.pages.shared.pictures import board, changed_between, marked, overview
from brinkmanship.web.pages.shared.results import ResultText, result_for, result_text, score_of
from brinkmanship.web.pages.table.card_text import (
    Aim,
    CardView,
    Hand,
    aim_of,
    answers_of,
    card_view_for,
    hands_of,
    subject_of,
)
from brinkmanship.web.presentation.choice_groups import Group, choices_of
from brinkmanship.web.presentation.level_cookie import proposed_at
from brinkmanship.web.presentation.log_view import Hinted, LogView, Throw
from brinkmanship.web.presentation.page_words import computer_name, game_words, page_words, player_name, title_of
from brinkmanship.web.presentation.repeat_action import RepeatAction, repeatable
from brinkmanship.web.presentation.shortcuts import kind_of_name, name_of
from brinkmanship.web.support import time_control
from brinkmanship.web.support.table_terms import NONE
from brinkmanship.web.tables.deal import owed
from brinkmanship.web.tables.hints import has_hints
from brinkmanship.web.tables.live_table import CLOSED, DEALING, FINISHED, RUNNING, WAITING, LiveTable, Origin

FEW = 18
"""Maximum choices shown beside a card."""


class Viewer(NamedTuple):
    """The viewer of a table."""

    side: int
    """A side, or `OBSERVER`, also behind the cover of a shared screen."""
    mine: tuple[int, ...]
    cover_for: int | None = None
    """On a shared screen: the side to pass the screen to."""

    @property
    def is_player(self) -> bool:
        """True if the viewer plays a side and may act."""
        return self.side in self.mine


def viewer_for(table: LiveTable, who: Person | None, seat: int | None) -> Viewer:
    """Return the viewer for a user; on a shared screen only a side to decide that has confirmed sees its hand."""
    mine = tuple(table.seat_of(who.id if who else None))
    if len(mine) < 2:
        return Viewer(mine[0] if mine else OBSERVER, mine)
    asked = table.to_move
    if seat in asked:
        return Viewer(seat, mine)
    return Viewer(OBSERVER, mine, asked[0] if asked else None)


class OrderText(NamedTuple):
    """A standing order in words."""

    text: str
    """Its stored form."""
    said: str


class Orders(NamedTuple):
    """The viewer's standing orders."""

    given: list[OrderText]
    offered: list[OrderText]


class Played(NamedTuple):
    """The card played last, face up on the table."""

    side: int | None
    side_name: str
    face: CardView


class Seated(NamedTuple):
    """The player of a side."""

    side: int
    side_name: str
    name: str
    is_computer: bool
    is_person: bool
    is_you: bool
    is_asked: bool
    seconds_left: float | None
    """Time left on the side's clock, as far as the viewer may know; None without clocks."""
    clock_runs: bool
    person_id: str | None


class NextLevel(NamedTuple):
    """A level proposed for the next game."""

    player: str
    name: str
    is_higher: bool


_stories: WeakKeyDictionary[LiveTable, dict[tuple[int, str], LogView]] = WeakKeyDictionary()


def story_of(table: LiveTable, viewer: int, words: Words) -> LogView:
    """Return the up-to-date log of a table for a viewer."""
    stories = _stories.setdefault(table, {})
    key = (viewer, words.language)
    if key not in stories:
        stories[key] = LogView(drawing_of(table.game), words, f"/t/{table.id}/card/")
    story = stories[key]
    story.follow(table.seen_by(viewer))
    return story


@dataclass(frozen=True)
class TableModel:
    """The contents of the *state* fragment for one viewer; templates read its attributes."""

    id: str
    game_id: str
    title: str
    """Title of the game."""
    commitment: str
    """Commitment to the server's secret for the deals."""
    has_dice: bool
    viewer: Viewer
    seat_query: str
    """On a shared screen, the query string naming the viewing side: "seat=0"."""
    version: int
    seating: str
    """See `LiveTable.seating`."""
    now: float
    """Server time in seconds since 1970."""
    layout: LayoutName
    players: list[Seated]
    pause: str
    """Duration for which the clocks were just paused, "" if they were not."""
    thinking: bool
    """True while a computer player is to decide."""
    thinks_less: bool
    """True if a computer player has less than its full budget because the engine is not compiled yet."""

    waiting: bool
    dealing: bool
    running: bool
    finished: bool
    closed: bool
    is_open: bool
    """True if any user may join."""
    invitation: str
    """Link for the free seat, "" for viewers who may not share it."""
    shares: Shares | None
    """Contributions to the deal; None after it."""
    origin: Origin | None
    """Position the game began from; None for the initial one."""

    board: Markup
    text: BoardText
    """The board in words."""
    overview: Overview | None
    """The board as lines and lists, for a small screen."""
    sketch: Markup
    """The game's drawing of the current situation beside the board."""
    throws: list[tuple[Throw, Markup]]
    """The latest throws of dice, each with its picture."""
    hands: list[Hand]
    """Cards in front of the viewer that are not among the choices."""

    prompt: str
    section: str
    """Id of the rules section the question comes from, "" if there is none."""
    rule: Part | None
    """That section, shown if there is room beside few choices or while waiting; None if cards take the room."""
    aim: Aim | None
    subject: CardView | None
    """The card that the question is about, if the choice is made neither on the board nor with other cards."""
    aside: CardView | None
    """The same if the choice is made on the board and has few options; shown if there is room."""
    answers: list[CardView]
    """Cards and agendas to choose from."""
    groups: list[Group]
    """All choices of the viewer."""
    names: Mapping[tuple[str, str], str]
    """Names of the things that groups concern, by kind and id."""
    tap: str
    """Kinds of things on the board that are the choices, for a small screen; "" if there are none."""
    again: RepeatAction | None
    several: bool
    """True if several pieces may be sent at once."""
    goals: list[tuple[int, str, str]]
    """Targets: action, place, and name of the place."""
    undo_count: int
    can_hint: bool
    """True if the viewer may request a hint."""

    lines: list[LogEntry[Markup]]
    line_count: int
    earlier: bool
    """True if there are earlier lines."""
    hinted: Hinted
    """The decisions made after a hint."""
    recap: list[LogEntry[Markup]]
    """Log lines since the viewer's own last decision."""
    gist: str
    """Events since the last play, or since then, in one line."""
    played: Played | None
    recent: Collection[str]
    """Changes on the board since then, by `Row.mark`."""

    offered: bool
    offered_to_me: bool
    asked_back: bool
    asks_me_back: Markup | None
    """The decision the other side asks to take back, as a log line; None if it does not ask."""
    orders: Orders | None
    """None if the viewer cannot give any."""
    own_actions: list[LogEntry[Markup]]
    """The viewer's decisions that they may ask to take back."""

    result: ResultText | None
    """Result of a finished game; None before the end."""
    score: list[ScoreText]
    """Breakdown of the score; empty before the end."""
    next_level: NextLevel | None
    """A computer level that suits the viewer better than the one of a finished game."""
    proposes_course: bool
    """True if the viewer has lost a game that has a course."""

    def name_of(self, group: Group) -> str:
        """Return the name of the thing a group concerns."""
        return self.names[group.kind, group.id]

    def steps_of(self, action: int) -> tuple[str, ...]:
        """Return the successive answers that make up an action; empty if it is a single choice."""
        choices = (choice for group in self.groups for choice in group.choices)
        return next((choice.steps for choice in choices if choice.action == action), ())


def table_model(
    table: LiveTable,
    viewer: Viewer,
    language: str,
    layout: LayoutName,
    server: str,
    *,
    warns: bool = True,
    text_mode: TextMode = "off",
) -> TableModel:
    """Return the current table for a viewer.

    Args:
        table: the table.
        viewer: the viewer.
        language: the language of all texts.
        layout: the layout of the board.
        server: the server's public address without a trailing slash.
        warns: False for a user who wants no warnings of choices that lose.
        text_mode: how the user wants the board in words.
    """
    game, side, seen = table.game, viewer.side, table.seen_by(viewer.side)
    words, own = game_words(game, language), page_words(language)
    view = seen.view()
    decisions = table.decisions(side) if viewer.is_player else []
    story = story_of(table, side, words)
    groups = choices_of(game, view, side, decisions, words, own, story.slots.now, warns=warns) if decisions else []
    plays = [play for _, play in story.plays]
    now = time_control.now()
    players = _players(table, viewer, view, words, own, now)
    highlights = highlights_of(groups)
    subject = subject_of(game, game.narrator.prompt(view, side), words) if groups else None
    aside = subject if _is_on_board(groups) and sum(len(group.choices) for group in groups) <= FEW else None
    hands, answers = hands_of(game, view, side, words, own, groups), answers_of(game, view, side, words, groups)
    section = section_of(game, game.narrator.prompt(view, side))
    result = result_for(table, viewer.mine, language) if table.status == FINISHED else None
    held = sum(len(hand.cards) for hand in hands)
    cards_take_it = answers[1:] or aside or held > (0 if groups else 1)
    recap = _recap(story, side) if viewer.is_player else []
    recent = _changed_since(table, story, side, words) if viewer.is_player else frozenset()
    drawn = board(game, view, side, words, layout, plays=plays, highlights=highlights)
    has_room = layout == "wide" and table.status not in (FINISHED, CLOSED) and not cards_take_it
    return TableModel(
        id=table.id,
        game_id=game.id,
        title=title_of(game, own),
        commitment=table.commitment,
        has_dice=game.narrator.has_dice,
        viewer=viewer,
        seat_query=f"seat={side}" if len(viewer.mine) > 1 and viewer.is_player else "",
        version=table.version(side),
        seating=table.seating,
        now=now,
        layout=layout,
        players=players,
        pause=_pause(table, side, language),
        thinking=not groups and any(player.is_computer and player.is_asked for player in players),
        thinks_less=table.status == RUNNING
        and any(thinks_less(seat.computer, game) for seat in table.seats if seat.computer),
        waiting=table.status == WAITING,
        dealing=table.status == DEALING,
        running=table.status == RUNNING,
        finished=table.status == FINISHED,
        closed=table.status == CLOSED,
        is_open=table.is_open,
        invitation=_invitation(table, viewer, server),
        shares=_shares(table, viewer),
        origin=table.origin,
        board=marked(drawn, recent, own.sentence(Message("table.recent"))),
        text=board_text(game, view, side, words, text_mode),
        overview=overview(game, view, side, words, layout, plays=plays, highlights=highlights),
        sketch=_sketch(game, view, words, layout),
        throws=[(throw, Markup(dice.row(throw.dice))) for throw in story.throws],
        hands=hands,
        prompt=_prompt(table, viewer, view, words, own),
        section=section,
        rule=rule_in_words(game, words, section) if has_room else None,
        aim=aim_of(game, view, side, words) if viewer.is_player and table.status != FINISHED else None,
        subject=None if _is_on_board(groups) else subject,
        aside=aside,
        answers=answers,
        groups=groups,
        names={(group.kind, group.id): name_of(game, group.kind, group.id, words) for group in groups},
        tap=_tap(game, groups, words, own) if layout == "narrow" else "",
        again=repeatable(seen, words) if groups else None,
        several=any(choice.pick for group in groups for choice in group.choices),
        goals=_goals(game, groups, words),
        undo_count=table.undo_count(side) if viewer.is_player else 0,
        can_hint=len(decisions) > 1 and table.allows_hints and has_hints(game),
        lines=story.lines,
        line_count=story.count,
        earlier=bool(story.lines) and story.lines[0].number > 0,
        hinted=Hinted(story.entries, table.hinted_entries(side), [words.name("side", side) for side in game.sides]),
        recap=recap,
        gist=_gist(story, recap),
        played=_played(game, story, words),
        recent=recent,
        offered=table.offer is not None,
        offered_to_me=viewer.is_player and table.offer == 1 - side,
        asked_back=table.back is not None,
        asks_me_back=_asks_me_back(table, story, viewer),
        orders=_orders(table, viewer, words),
        own_actions=_own_actions(table, story, viewer),
        result=result,
        score=score_of(table, words) if table.is_revealed else [],
        next_level=_next_level(table, viewer, own) if table.is_revealed else None,
        proposes_course=result is not None and result.has_lost and has_lesson(game.id),
    )


def _next_level(table: LiveTable, viewer: Viewer, own: Words) -> NextLevel | None:
    played = [seat.computer for seat in table.seats if seat.computer]
    found = proposed_at(table, viewer.mine)
    if not found or found in played:
        return None
    levels = levels_for(table.game)
    return NextLevel(found, computer_name(found, own), levels.index(found) > levels.index(played[0]))


def _pause(table: LiveTable, viewer: int, language: str) -> str:
    """Return the duration for which the clocks were just paused, e.g. "12 minutes", or ""."""
    pause = table.pause_before(viewer) if table.status == RUNNING else None
    return format_timedelta(pause.value, locale=language) if pause else ""


class Shares(NamedTuple):
    """The players' contributions to the deal, for the script that sends them."""

    owed: dict[int, str]
    """Contributions that the viewer's sides have to send (`deal.owed`)."""
    awaited: list[int]
    """The viewer's sides whose bytes are still missing."""
    data: str
    """JSON list by side: name, whether it is the viewer's, whether it contributes, and its pledge."""


def _shares(table: LiveTable, viewer: Viewer) -> Shares | None:
    if table.status not in (WAITING, DEALING):
        return None
    sides = [
        {
            "side": table.game.sides[seat.side],
            "mine": seat.side in viewer.mine,
            "contributes": seat.contributes,
            "pledge": seat.pledge or "",
        }
        for seat in table.seats
    ]
    return Shares(
        {side: what for side in viewer.mine if (what := owed(table, side))},
        [side for side in viewer.mine if table.seats[side].is_awaited],
        json.dumps(sides),
    )


def _sketch(game: Game, view: State, words: Words, layout: LayoutName) -> Markup:
    """Return the game's drawing of the current situation beside the board, e.g. a combat."""
    return Markup(drawing_of(game).sketch(game, view, words, layout=layout))


def _goals(game: Game, groups: list[Group], words: Words) -> list[tuple[int, str, str]]:
    """Return the possible targets of pieces: action, place and name, ordered by name."""
    actions = {goal for group in groups for choice in group.choices if choice.pick for goal in choice.pick.goals}
    places = [(action, game.action_parts(action).place or "") for action in actions]
    named = [(action, place, name_of(game, "place", place, words)) for action, place in places]
    return sorted(named, key=lambda goal: goal[2])


MAX_OWN_ACTIONS = 12
"""Maximum decisions of the viewer offered for a take-back."""


def _asks_me_back(table: LiveTable, story: LogView, viewer: Viewer) -> Markup | None:
    """Return the decision the other side asks to take back, as a log line; None if it does not ask."""
    if not viewer.is_player or table.back is None or table.back[0] == viewer.side:
        return None
    entry = table.back[1] + 1
    return next((line.shown for line in story.lines if line.entry >= entry), Markup("…"))


def _orders(table: LiveTable, viewer: Viewer, words: Words) -> Orders | None:
    """Return the viewer's standing orders; None on a shared screen, where they could not be secret."""
    if not viewer.is_player or table.status != RUNNING or table.is_hot_seat:
        return None
    orders = [OrderText(order.text, words.sentence(order.message)) for order in table.game.orders(viewer.side)]
    given = table.orders.get(viewer.side, frozenset())
    if not orders or (not given and any(seat.computer for seat in table.seats)):
        return None
    return Orders([order for order in orders if order.text in given], [o for o in orders if o.text not in given])


def _own_actions(table: LiveTable, story: LogView, viewer: Viewer) -> list[LogEntry[Markup]]:
    """Return the log lines of the viewer's latest decisions, for choosing one to take back."""
    if not viewer.is_player or table.status != RUNNING or table.back or table.seen_by(viewer.side).in_secret:
        return []
    if table.seats[1 - viewer.side].computer or table.terms.undo == NONE:
        return []
    own = {
        line.entry: line
        for line in story.lines[::-1]
        if line.entry > table.given and story.entries[line.entry - 1].actor == viewer.side
    }
    return [own[entry] for entry in sorted(own, reverse=True)][:MAX_OWN_ACTIONS]


def _recap(story: LogView, viewer: int) -> list[LogEntry[Markup]]:
    first = story.since(viewer)
    return [line for line in story.lines if line.number >= first]


def _gist(story: LogView, recap: list[LogEntry[Markup]]) -> str:
    """Return what has happened since the last play, or since the viewer acted if that is later, in one line."""
    starts = [line.number for line in (story.last_played, *recap[:1]) if line is not None]
    happened = [line for line in story.lines if starts and line.number >= max(starts)]
    return " · ".join(line.shown.striptags() for line in happened)


def _played(game: Game, story: LogView, words: Words) -> Played | None:
    """Return the card played last by either side."""
    line = story.last_played
    if line is None or line.line.card is None:
        return None
    side_name = words.name("side", game.sides[line.side]) if line.side is not None else ""
    return Played(line.side, side_name, card_view_for(game, "card", line.line.card, words))


def _changed_since(table: LiveTable, story: LogView, side: int, words: Words) -> frozenset[str]:
    """Return what has changed on the board since a side's last decision; nothing before its first."""
    own = max((number for number, entry in enumerate(story.entries, 1) if entry.actor == side), default=0)
    if not own:
        return frozenset()
    seen = table.seen_by(side)
    return changed_between(table.game, seen.view(own), seen.view(), side, words)


def _tap(game: Game, groups: list[Group], words: Words, own: Words) -> str:
    """Return the sentence that says what to tap; the choices on the board have no buttons on a small screen."""
    found = {kind_of_name(game, group.kind, group.id, words) for group in groups if group.kind in ("place", "track")}
    in_order = [called for kind in ("place", "track") for called in game.narrator.named_as.get(kind, (kind,))]
    named = []
    for kind in in_order:
        with suppress(MissingTextError):
            named += [words.text(Message(f"tap.{kind}"))] if kind in found else []
    return own.sentence(Message("table.tap", {"what": words.join(named, by_or=True)})) if named else ""


_PILES = {"draw_top": "deck"}
"""Pile to highlight for a kind of choice, if its name differs."""


def highlights_of(groups: list[Group]) -> set[str]:
    """Return what the board shows as choosable, as `BoardRequest.highlights` takes it."""
    found = set()
    for group in groups:
        if group.kind in ("place", "track"):
            found.add(group.id)
        found.update(_PILES.get(choice.kind, choice.kind) for choice in group.choices)
        found.update(f"area:{choice.area}" for choice in group.choices if choice.area)
    return found


def _is_on_board(groups: list[Group]) -> bool:
    """Return True if a choice is made on the board."""
    return any(group.kind in ("place", "track") for group in groups)


def _prompt(table: LiveTable, viewer: Viewer, view: State, words: Words, own: Words) -> str:
    if table.status in (WAITING, DEALING, CLOSED):
        return own.sentence(Message("open.closed" if table.status == CLOSED else f"table.{table.status}"))
    if table.status == FINISHED and table.seen_by(viewer.side).outcome() is None:
        return result_text(table.game, table.result, words, own)
    return words.sentence(table.game.narrator.prompt(view, viewer.side))


def _players(table: LiveTable, viewer: Viewer, view: State, words: Words, own: Words, now: float) -> list[Seated]:
    bits = int(table.game.pending(table.game.rules, view)) if table.status == RUNNING else 0
    left = table.seconds_left(viewer.side, now)
    clocks_run = table.timer is not None and table.timer.since is not None and table.status == RUNNING
    found = []
    for seat in table.seats:
        name = player_name(seat, own)
        found.append(
            Seated(
                seat.side,
                words.name("side", table.game.sides[seat.side]),
                name or own.sentence(Message("table.free_seat")),
                seat.computer is not None,
                seat.person_id is not None,
                seat.side == viewer.side if len(viewer.mine) > 1 else seat.side in viewer.mine,
                bool(bits >> seat.side & 1),
                left[seat.side] if left is not None else None,
                clocks_run and bool(bits >> seat.side & 1),
                seat.person_id,
            )
        )
    return found


def _invitation(table: LiveTable, viewer: Viewer, server: str) -> str:
    """Return the link for the free seat, for viewers seated at the table."""
    if table.status != WAITING or not viewer.mine:
        return ""
    tokens = (seat.invitation for seat in table.seats if seat.is_free and seat.invitation)
    return next((f"{server}/join/{table.id}/{token}" for token in tokens), "")
