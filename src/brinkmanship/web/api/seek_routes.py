"""Routes of the API for finding an opponent: seeks and challenges."""

from __future__ import annotations

from brinkmanship.games.registry import game_class, kits
from brinkmanship.store import seeks
from brinkmanship.store.challenges import Challenge
from brinkmanship.store.seeks import Seek, Want
from brinkmanship.web.api.router import ApiRequest
from brinkmanship.web.api.schemas import (
    ChallengeInfo,
    Declined,
    NewChallenge,
    NewSeek,
    SeekInfo,
    SoughtGame,
    TableInfo,
    WhichSeeks,
)
from brinkmanship.web.api.table_view import table_info
from brinkmanship.web.api.v1 import api
from brinkmanship.web.presentation.seek_wishes import checked_wish
from brinkmanship.web.seeks.challenge_service import Proposal
from brinkmanship.web.support.errors import IllegalError, NotFoundError


@api.post("seeks", 201)
async def place_seek(request: ApiRequest, body: NewSeek) -> SeekInfo:
    """Look for an opponent; a live seek ends if you do not ask for it (GET) for a minute."""
    wants: list[Want] = []
    for sought in body.games:
        if sought.game not in kits():
            raise NotFoundError(f"there is no game {sought.game!r}; the games are {', '.join(kits())}")
        sides = game_class(sought.game).sides
        if not set(sought.sides) <= set(sides):
            raise IllegalError(f"the sides of {sought.game} are {' and '.join(sides)}")
        wants += [Want(sought.game, side) for side, name in enumerate(sides) if name in (sought.sides or sides)]
    wish = checked_wish(wants, body.clocks, body.rated)
    return _seek_info(await request.services.seeks.place(request.who, wish), request.who.id)


@api.get("seeks")
async def list_seeks(request: ApiRequest, query: WhichSeeks) -> list[SeekInfo]:
    """List open seeks, the longest waiting first."""
    service, viewer_id = request.services.seeks, request.who.id
    found = await (service.of_person(request.who) if query.mine else service.listed(request.who.id))
    return [_seek_info(one, viewer_id) for one in found if (one.person_id == viewer_id) == query.mine]


@api.get("seeks/{seek_id}")
async def own_seek(request: ApiRequest) -> SeekInfo:
    """Return your seek, with the table once an opponent is found; this keeps a live seek open."""
    return _seek_info(await request.services.seeks.own(request.who, request.id), request.who.id)


@api.post("seeks/{seek_id}/withdraw")
async def withdraw_seek(request: ApiRequest) -> SeekInfo:
    """Stop looking; if an opponent was found before, the response has the table."""
    return _seek_info(await request.services.seeks.withdraw(request.who, request.id), request.who.id)


@api.post("seeks/{seek_id}/answer", 201)
async def answer_seek(request: ApiRequest) -> SeekInfo:
    """Place a seek that fits another user's open one."""
    return _seek_info(await request.services.seeks.answer(request.who, request.id), request.who.id)


@api.post("challenges", 201)
async def challenge(request: ApiRequest, body: NewChallenge) -> ChallengeInfo:
    """Challenge another user; you both need accounts."""
    if body.game not in kits():
        raise NotFoundError(f"there is no game {body.game!r}; the games are {', '.join(kits())}")
    sides = game_class(body.game).sides
    if body.side is not None and body.side not in sides:
        raise IllegalError(f"the sides of {body.game} are {' and '.join(sides)}")
    side = None if body.side is None else sides.index(body.side)
    proposal = Proposal(body.game, side, body.clock, body.rated)
    return _challenge_info(await request.services.challenges.challenge(request.who, body.to, proposal), request.who.id)


@api.get("challenges")
async def list_challenges(request: ApiRequest) -> list[ChallengeInfo]:
    """List the open challenges to and from you, and yours that were declined in the last week, newest first."""
    return await _challenges(request)


@api.post("challenges/{challenge_id}/accept", 201)
async def accept_challenge(request: ApiRequest) -> TableInfo:
    """Accept a challenge: the game starts at once."""
    return table_info(await request.services.challenges.accept(request.who, request.id), request.who.id)


@api.post("challenges/{challenge_id}/decline")
async def decline_challenge(request: ApiRequest, body: Declined) -> list[ChallengeInfo]:
    """Decline a challenge; return what is left."""
    await request.services.challenges.decline(request.who, request.id, body.reason)
    return await _challenges(request)


@api.post("challenges/{challenge_id}/withdraw")
async def withdraw_challenge(request: ApiRequest) -> list[ChallengeInfo]:
    """Withdraw your challenge; return what is left."""
    await request.services.challenges.withdraw(request.who, request.id)
    return await _challenges(request)


def _seek_info(found: Seek, viewer_id: str) -> SeekInfo:
    sides_of: dict[str, list[str]] = {}
    for want in found.wants:
        sides_of.setdefault(want.game, []).append(game_class(want.game).sides[want.side])
    return SeekInfo(
        id=found.id,
        name=found.name,
        mine=found.person_id == viewer_id,
        games=[SoughtGame(game, sides) for game, sides in sides_of.items()],
        clocks=list(found.clocks),
        rated=found.rated,
        since=found.created_at,
        expires_at=found.expires_at,
        is_open=found.state == seeks.OPEN,
        table=found.table_id,
    )


async def _challenges(request: ApiRequest) -> list[ChallengeInfo]:
    return [_challenge_info(one, request.who.id) for one in await request.services.challenges.of(request.who)]


def _challenge_info(found: Challenge, viewer_id: str) -> ChallengeInfo:
    return ChallengeInfo(
        id=found.id,
        challenger=found.from_name,
        challenged=found.to_name,
        mine=found.from_id == viewer_id,
        game=found.game,
        side=None if found.side is None else game_class(found.game).sides[found.side],
        clock=found.clock,
        rated=found.rated,
        expires_at=found.expires_at,
        is_open=found.state == seeks.OPEN,
        declined=found.reason or None,
    )
