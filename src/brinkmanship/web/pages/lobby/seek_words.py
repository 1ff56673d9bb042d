"""Seeks and challenges in words, and the choices of their forms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from starlette.requests import Request

from brinkmanship.engine.message import Message
from brinkmanship.games.registry import game_class, kits
from brinkmanship.store.challenges import Challenge
from brinkmanship.store.seeks import DAYS, LIVE, Seek, Want
from brinkmanship.text import Words
from brinkmanship.web.pages.lobby.lists import Other, TableEntry
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.presentation.clock_forms import clock_choices, clock_in, clock_words
from brinkmanship.web.presentation.page_words import game_words, page_words, title_of
from brinkmanship.web.presentation.seek_wishes import PACE_OF_KIND


class GameChoice(NamedTuple):
    """A game in a form, with its sides."""

    id: str
    title: str
    sides: list[tuple[str, str]]
    """Form value and name of each side."""


class ClockChoice(NamedTuple):
    """The clocks of a kind in a form."""

    kind: str
    pace: str
    clocks: list[tuple[str, str]]
    """Form value and text of each clock."""


def game_choices(request: Request, language: str) -> list[GameChoice]:
    """Return the games of the server with their sides."""
    own, found = page_words(language), []
    for game_id in kits():
        game = game_by_id(request, game_id)
        words = game_words(game, language)
        sides = [(f"{game_id}:{side}", words.name("side", name)) for side, name in enumerate(game.sides)]
        found.append(GameChoice(game_id, title_of(game, own), sides))
    return found


def clock_groups(own: Words) -> list[ClockChoice]:
    """Return the offered clocks by kind."""
    return [
        ClockChoice(
            kind,
            PACE_OF_KIND[kind],
            [(name, own.sentence(Message(f"clock.short.{kind}", numbers))) for name, numbers in choices.items()],
        )
        for kind, choices in clock_choices().items()
    ]


def games_said(request: Request, wants: Iterable[Want], language: str) -> list[str]:
    """Return the games of a seek in words, each with the side if only one is acceptable."""
    own, said = page_words(language), []
    chosen = set(wants)
    for game_id in dict.fromkeys(want.game for want in wants):
        if game_id not in kits():
            continue
        game = game_by_id(request, game_id)
        sides = [side for side in range(len(game.sides)) if Want(game_id, side) in chosen]
        title = title_of(game, own)
        if len(sides) == len(game.sides):
            said.append(title)
        else:
            names = ", ".join(game_words(game, language).name("side", game.sides[side]) for side in sides)
            said.append(own.text(Message("seeks.game_as", {"game": title, "side": names})))
    return said


def clock_said(clock: str, own: Words) -> str:
    """Return a clock in words."""
    chosen = clock_in(clock)
    if chosen is None:
        return own.text(Message("seeks.no_clock"))
    key, numbers = clock_words(chosen.as_json())
    return own.sentence(Message(key, numbers))


def terms_of_seek(clocks: Iterable[str], rated: bool, own: Words) -> list[str]:
    """Return the clocks of a seek in words, and whether the game is rated."""
    said = [clock_said(clock, own) for clock in clocks]
    return [*said, own.sentence(Message("rated.terms"))] if rated else said


def seek_row(request: Request, seek: Seek, language: str, is_own: bool) -> TableEntry:
    """Return the list row of an open seek."""
    own = page_words(language)
    wants = seek.wants if is_own else tuple(Want(game, 1 - side) for game, side in seek.wants)
    return TableEntry(
        seek.id,
        seek.wants[0].game,
        " / ".join(games_said(request, wants, language)),
        () if is_own else (Other(seek.name, seek.person_id),),
        "",
        own.sentence(Message("seeks.pace." + seek.pace)),
        False,
        seek.created_at,
        terms_of_seek(seek.clocks, seek.rated, own),
        "wait" if is_own else "answer",
    )


class ChallengeRow(NamedTuple):
    """A challenge for display."""

    id: str
    other: str
    """Name of the other user."""
    other_id: str
    text: str
    """Game, the viewer's side, clock."""
    is_mine: bool
    """True if the viewer is the challenger."""
    reason: str
    """Why it was declined; "" while it is open."""
    at: float


def challenge_row(request: Request, challenge: Challenge, viewer_id: str, language: str) -> ChallengeRow:
    """Return a challenge as one of both users sees it."""
    own = page_words(language)
    is_mine = challenge.from_id == viewer_id
    sides = range(len(game_class(challenge.game).sides)) if challenge.game in kits() else ()
    if challenge.side is not None:
        sides = range(challenge.side, challenge.side + 1)
    wants = [Want(challenge.game, side if is_mine else 1 - side) for side in sides]
    terms = [*games_said(request, wants, language), *terms_of_seek([challenge.clock], challenge.rated, own)]
    return ChallengeRow(
        challenge.id,
        challenge.to_name if is_mine else challenge.from_name,
        challenge.to_id if is_mine else challenge.from_id,
        " · ".join(terms),
        is_mine,
        challenge.reason,
        challenge.created_at,
    )


PACES = (LIVE, DAYS)
