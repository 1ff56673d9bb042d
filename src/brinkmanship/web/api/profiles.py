"""Profiles and histories of people as the API returns them; blocking, called in threads."""

from __future__ import annotations

from sqlalchemy import Engine

from brinkmanship.games.registry import game_class, kits
from brinkmanship.store import profiles
from brinkmanship.store.profiles import PlayedGame
from brinkmanship.web.api.schemas import (
    AgainstYou,
    AnalysedInfo,
    GameRecordInfo,
    HistoryGameInfo,
    HistoryInfo,
    PersonInfo,
    PersonRatingInfo,
    ResultCounts,
    RivalInfo,
)
from brinkmanship.web.profiles.history import OUTCOMES, History
from brinkmanship.web.profiles.ratings import ratings_of
from brinkmanship.web.profiles.tallies import GameRecord, Tally, records_of, shown_person

MAX_RIVALS = 5


def person_info(engine: Engine, person_id: str, viewer_id: str) -> PersonInfo:
    """Return the profile of a person.

    Raises:
        NotFoundError: There is no such person, or their profile is private.
    """
    shown = shown_person(engine, person_id, viewer_id)
    is_own = person_id == viewer_id
    met = [] if is_own else profiles.head_to_head(engine, person_id, viewer_id)
    return PersonInfo(
        shown.id,
        shown.name,
        shown.created_at,
        shown.is_public,
        [_record(record) for record in records_of(profiles.counts_of(engine, person_id)) if record.game in kits()],
        [PersonRatingInfo(*each[:4]) for each in ratings_of(engine, person_id)],
        [AnalysedInfo(*each) for each in profiles.adjusted_of(engine, person_id)],
        profiles.puzzles_of(engine, person_id),
        {game_id: len(lessons) for game_id, lessons in profiles.lessons_of(engine, person_id).items()},
        [
            RivalInfo(each.id, each.name or "somebody", each.games, each.won, each.lost)
            for each in profiles.rivals_of(engine, person_id, is_own, MAX_RIVALS)
        ],
        [AgainstYou(*each) for each in met],
    )


def _record(record: GameRecord) -> GameRecordInfo:
    sides = game_class(record.game).sides
    return GameRecordInfo(
        record.game,
        _counts(record.total),
        {sides[side]: _counts(tally) for side, tally in record.sides.items()},
        _counts(record.people),
        {player: _counts(tally) for player, tally in record.computers.items()},
        {agenda: _counts(tally) for agenda, tally in record.agendas.items()},
    )


def _counts(tally: Tally) -> ResultCounts:
    return ResultCounts(tally.games, tally.won, tally.no_winner, tally.lost)


def history_info(engine: Engine, person_id: str, viewer_id: str, wanted: History) -> HistoryInfo:
    """Return a page of a person's finished games.

    Raises:
        NotFoundError: There is no such person, or their profile is private.
        RequestError: A filter is invalid.
    """
    shown_person(engine, person_id, viewer_id)
    games = profiles.games_of(engine, person_id, viewer_id, wanted.filter(), profiles.PAGE + 1)
    shown = games[: profiles.PAGE]
    further = shown[-1].table_id if len(games) > len(shown) else None
    return HistoryInfo([_game(game) for game in shown if game.game in kits()], further)


def _game(game: PlayedGame) -> HistoryGameInfo:
    return HistoryGameInfo(
        game.table_id if game.is_named else None,
        game.game,
        game_class(game.game).sides[game.side],
        OUTCOMES[game.score],
        game.result,
        game.ending,
        game.rated,
        (game.opponent_computer or game.opponent or "somebody") if game.is_named else None,
        game.opponent_id if game.is_linked else None,
        game.agenda,
        game.turns,
        game.finished_at,
    )
