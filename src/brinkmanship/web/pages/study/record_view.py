"""The page of an open record: the question, what has been entered, and what was not seen.

Unseen cards are never shown: for them the record holds a card that was only chosen to agree with what was seen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.engine.game import CHANCE, FULL_INFORMATION, OBSERVER, Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.open_record import OpenRecord, RecordStep, UnseenSteps
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.text import Words
from brinkmanship.text.record_steps import Possible, possible_steps, thing_of
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.pictures import board, card_picture, card_view, outlines
from brinkmanship.web.pages.shared.rendering import layout_of, page
from brinkmanship.web.pages.study.position_form import shown_of
from brinkmanship.web.pages.study.replay import FRAGMENT_HEADER, SVG_POLICY, Hand, hands_open_to
from brinkmanship.web.pages.table.question import QuestionView
from brinkmanship.web.presentation.page_words import game_words, page_words, title_of
from brinkmanship.web.studies.open_records import OpenedRecord

BUTTONS = 8
"""Outcomes of chance up to this number are buttons; more are a list that can be searched."""


class StepLine(NamedTuple):
    """A step in the list of steps."""

    number: int
    """Number from 0."""
    text: str
    side: int | None
    is_seen: bool


class Gap(NamedTuple):
    """Unseen steps, for the form that reveals one of them."""

    side: int
    step: int
    text: str
    possible: list[Possible]
    is_shown: bool


class _Texts(NamedTuple):
    """A game with its texts and those of the pages."""

    game: Game
    words: Words
    own: Words


def question_of(request: Request, who: Person | None, opened: OpenedRecord, here: OpenRecord) -> dict[str, Any]:
    """Return the context of the page of a record.

    Args:
        request: the request.
        who: the owner.
        opened: the record.
        here: the record where the question is asked, at its end or before a step that is corrected.
    """
    language, game = language_of(request, who), here.game
    texts = _Texts(game, game_words(game, language), page_words(language))
    words, own = texts.words, texts.own
    view = _view(here)
    question = _asked(here, words, own) if here.side is not None else None
    marked = set() if question is None else {group.id for group in question.groups if group.kind in ("place", "track")}
    corrects = len(here.steps) < len(opened.record.steps)
    return {
        "title": title_of(game, own),
        "game_id": game.id,
        "record_id": opened.stored.id,
        "called": opened.stored.title,
        "changes": opened.stored.changes,
        "at": len(here.steps),
        "count": len(opened.record.steps),
        "address": f"/record/{opened.stored.id}",
        "here": f"/record/{opened.stored.id}/at/{len(here.steps)}",
        "corrects": corrects,
        "corrected": _written(texts, opened.record.steps[len(here.steps)], here.match.state) if corrects else "",
        "misfit": _written(texts, here.rest[0], None) if here.rest and not corrects else "",
        "left": len(here.rest),
        "layout": layout_of(request),
        "outlines": outlines(game),
        "board": board(game, view, OBSERVER, words, layout_of(request), highlights=marked),
        "now": words.sentence(game.narrator.prompt(view, OBSERVER)),
        "is_over": here.is_over,
        "side": here.side,
        "side_name": "" if here.side is None else words.name("side", game.sides[here.side]),
        "question": question,
        "hands": _hands(here, texts),
        "may_be_unseen": here.may_be_unseen,
        **_chance(here, texts),
        "lines": _lines(here, texts),
        "gaps": [] if corrects or here.rest else [_gap(here, one, texts) for one in here.unseen()],
        "sides": [(side, words.name("side", side)) for side in game.sides],
    }


def _view(here: OpenRecord) -> State:
    """Return the position with all cards open, or as everyone sees it if some are unseen."""
    viewer = OBSERVER if any(not step.is_seen for step in here.steps) else FULL_INFORMATION
    return Perspective(here.match, viewer).view()


def _asked(here: OpenRecord, words: Words, own: Words) -> QuestionView:
    assert here.side is not None
    view = Perspective(here.match, here.side).view()
    shown = shown_of(here.game, view, here.side, here.choices(), words, own)
    hides_aim = any(not step.is_seen and step.actor == here.side for step in here.steps)
    return shown._replace(aim=None) if hides_aim else shown


def _hands(here: OpenRecord, texts: _Texts) -> list[Hand]:
    """Return the cards in front of the sides, without unseen ones."""
    state, hidden = here.match.state, here.hidden_cards
    agendas = {texts.game.action_parts(step.action).agenda for step in here.steps if not step.is_seen}
    found = []
    for hand in hands_open_to(FULL_INFORMATION, texts.game, state, texts.words, texts.own):
        secret = agendas if hand.kind == "agenda" else hidden
        if cards := [card for card in hand.cards if card[0] not in secret]:
            found.append(hand._replace(cards=cards))
    return found


def _chance(here: OpenRecord, texts: _Texts) -> dict[str, Any]:
    """Return the outcomes of chance, and how many are chosen at once."""
    most = 1 if here.rest else here.draws_in_a_row
    outcomes = possible_steps(
        here.match, [one for one in here.outcomes() for _ in range(min(most, here.copies(one.action)))], texts.words
    )
    return {
        "outcomes": outcomes,
        "most": most,
        "drawer": _drawer(here, texts),
        "has_buttons": most == 1 and len(outcomes) <= BUTTONS,
    }


def _drawer(here: OpenRecord, texts: _Texts) -> str:
    """Return the name of the side that alone sees the card that is drawn, "" for other chance."""
    if not (here.asks_chance and here.may_be_unseen):
        return ""
    game, state = here.game, here.match.state
    known = int(game.audience(game.rules, state, next(iter(game.distribution(state)))))
    sees = [side for number, side in enumerate(game.sides) if known >> number & 1]
    return texts.words.name("side", sees[0]) if len(sees) == 1 else ""


def _lines(here: OpenRecord, texts: _Texts) -> list[StepLine]:
    """Return the steps so far, each with its first log line."""
    open_, public = (Perspective(here.match, viewer) for viewer in (FULL_INFORMATION, OBSERVER))
    places = [place for place, entry in enumerate(here.match.entries) if not entry.by_rules]
    seen = {True: list(open_.seen()), False: list(public.seen())}
    lines = []
    for number, (step, place) in enumerate(zip(here.steps, places, strict=True)):
        perspective = open_ if step.is_seen else public
        entry = seen[step.is_seen][place] if place < len(seen[step.is_seen]) else None
        log_lines = list(perspective.lines(entry))[:1] if entry else []
        text = (
            texts.words.sentence(log_lines[0].message)
            if log_lines
            else _written(texts, step, here.match.state_after(place))
        )
        lines.append(StepLine(number, text, None if step.actor == CHANCE else step.actor, step.is_seen))
    return lines


def _written(texts: _Texts, step: RecordStep, before: State | None) -> str:
    """Return a step as text, without what was not seen; `before` is None if it is not legal."""
    game = texts.game
    if not step.is_seen:
        return texts.own.sentence(Message("record.not_seen"))
    said = thing_of(game, step.action, texts.words)
    if step.actor == CHANCE:
        return said or game.action_text(step.action)
    if before is not None:
        said = texts.words.sentence(game.narrator.describe(before, step.actor, step.action))
    return f"{texts.words.name('side', game.sides[step.actor])}: {said or game.action_text(step.action)}"


def _gap(here: OpenRecord, unseen: UnseenSteps, texts: _Texts) -> Gap:
    who = texts.words.name("side", here.game.sides[unseen.side]) if unseen.side < OBSERVER else ""
    kind = "cards" if here.steps[unseen.steps[0]].actor == CHANCE else "choice"
    text = texts.own.sentence(Message(f"record.gap.{kind}", {"side": who, "n": len(unseen.steps)}))
    before = here.before(unseen.steps[-1])
    return Gap(
        unseen.side, unseen.steps[-1], text, possible_steps(before, unseen.possible, texts.words), unseen.is_shown
    )


def card_of_record(request: Request, who: Person | None, game: Game, kind: str, card_id: str) -> Response:
    """Return a card or agenda of a ruleset: for the page as text, else as a picture."""
    words = game_words(game, language_of(request, who))
    if FRAGMENT_HEADER in request.headers:
        return page(request, "table/card_view.html", who, view=card_view(game, kind, card_id, words, False))
    alone = card_picture(game, kind, card_id, words, alone=True)
    return Response(alone, media_type="image/svg+xml", headers=SVG_POLICY)
