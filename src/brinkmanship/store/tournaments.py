"""Stored tournaments: entries, matches and games; blocking, called in threads.

Every change of entries and matches raises `changes` of the tournament's row, and fails if another change came first
(compare-and-swap). The rows of games are written together with their tables; their primary key makes each game once.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, RowMapping, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.engine.message import Message
from brinkmanship.games.registry import game_class
from brinkmanship.store import notices
from brinkmanship.store.database import snapshot
from brinkmanship.store.schema import (
    people,
    ratings,
    records,
    tables,
    tournament_entries,
    tournament_games,
    tournament_matches,
    tournaments,
)
from brinkmanship.tournament.arbiter import Substitute
from brinkmanship.tournament.event import (
    CANCELLED,
    LEAGUE,
    OPEN,
    OVER,
    RUNNING,
    Entry,
    Event,
    Game,
    Kind,
    Match,
    MatchPlace,
    Points,
    Status,
)
from brinkmanship.tournament.results import loser_on_time, points_of
from brinkmanship.tournament.standings import Standing

DAY_SECONDS = 24 * 3600.0
UNFINISHED = (OPEN, RUNNING)
ACTION = "action"
"""Kind of the records of decisions."""

insert_game = insert(tournament_games)
"""Statement for a row of a game, for the transaction that creates its table."""


class Tournament(NamedTuple):
    """The terms and the progress of a tournament."""

    id: str
    kind: Kind
    name: str
    about: str
    """Description by the organiser."""
    game: str
    options: dict[str, Any]
    clock: dict[str, Any]
    """Time control in the form of `web.support.time_control`."""
    rated: bool
    organiser_id: str | None
    is_listed: bool
    size: int
    """Maximum entries; of a league: entries of a division."""
    round_days: int | None
    """Time for a round (days); None if the clocks alone end the games."""
    status: Status
    created_at: float
    starts_at: float | None
    """End of entries; None if it starts once it is full."""
    begun_at: float | None
    finished_at: float | None
    season: int
    """Season of a league, from 1."""
    previous: str | None
    """The season before."""
    changes: int


class ListedTournament(NamedTuple):
    """A tournament in a list."""

    tournament: Tournament
    entries: int


class Record(NamedTuple):
    """A tournament with everything that belongs to it."""

    tournament: Tournament
    event: Event
    names: dict[str, str]
    """Names of organiser and players; "" for deleted accounts."""
    tables: dict[tuple[MatchPlace, int], str]
    """Tables of the games by match and number."""
    decided: dict[tuple[MatchPlace, int], float]
    """Time at which the games were decided."""
    following: str | None
    """The next season."""


_columns = [tournaments.c[name] for name in Tournament._fields]
_count = (
    select(func.count())
    .where(tournament_entries.c.tournament_id == tournaments.c.id, tournament_entries.c.withdrawn_at.is_(None))
    .scalar_subquery()
)


def create(engine: Engine, new: Tournament, due_at: float) -> None:
    """Store a new tournament."""
    with engine.begin() as connection:
        connection.execute(insert(tournaments).values(**new._asdict(), due_at=due_at))


def read(engine: Engine, tournament_id: str) -> Record | None:
    """Return a tournament with its entries and matches, or None if there is none with this id."""
    with snapshot(engine) as connection:
        row = connection.execute(select(*_columns).where(tournaments.c.id == tournament_id)).mappings().first()
        if row is None:
            return None
        tournament = Tournament(**row)
        entries, names = _entries(connection, tournament_id)
        if tournament.organiser_id is not None and tournament.organiser_id not in names:
            wanted = select(people.c.name).where(people.c.id == tournament.organiser_id)
            names[tournament.organiser_id] = connection.execute(wanted).scalar() or ""
        games = connection.execute(
            select(tournament_games).where(tournament_games.c.tournament_id == tournament_id)
        ).mappings()
        by_match: dict[MatchPlace, list[RowMapping]] = {}
        for game in games:
            by_match.setdefault(MatchPlace(game["division"], game["round"], game["number"]), []).append(game)
        matches = connection.execute(
            select(tournament_matches).where(tournament_matches.c.tournament_id == tournament_id)
        ).mappings()
        is_open = tournament.status == OPEN
        following = connection.execute(select(tournaments.c.id).where(tournaments.c.previous == tournament_id)).scalar()
        event = Event(
            id=tournament_id,
            kind=tournament.kind,
            status=tournament.status,
            size=tournament.size,
            created_at=tournament.created_at,
            starts_at=tournament.starts_at,
            round_seconds=None if tournament.round_days is None else tournament.round_days * DAY_SECONDS,
            entries=tuple(entries),
            matches=tuple(sorted(_match(match, by_match) for match in matches)),
            before=_final_order(connection, tournament.previous) if is_open else (),
            ratings=_ratings(connection, tournament) if is_open else {},
        )
    rows = [(place, game) for place, games in by_match.items() for game in games]
    return Record(
        tournament,
        event,
        names,
        {(place, game["game"]): game["table_id"] for place, game in rows if game["table_id"]},
        {(place, game["game"]): game["decided_at"] for place, game in rows if game["decided_at"]},
        following,
    )


def _entries(connection: Connection, tournament_id: str) -> tuple[list[Entry], dict[str, str]]:
    columns = [tournament_entries.c[name] for name in Entry._fields if name != "person"]
    rows = connection.execute(
        select(tournament_entries.c.person_id, people.c.name, *columns)
        .join(people, people.c.id == tournament_entries.c.person_id)
        .where(tournament_entries.c.tournament_id == tournament_id)
        .order_by(tournament_entries.c.entered_at, tournament_entries.c.person_id)
    ).all()
    return [Entry(row[0], *row[2:]) for row in rows], {row[0]: row[1] for row in rows}


def _match(row: RowMapping, games: Mapping[MatchPlace, Sequence[RowMapping]]) -> Match:
    place = MatchPlace(row["division"], row["round"], row["number"])
    own = sorted(games.get(place, ()), key=lambda game: int(game["game"]))
    return Match(
        place,
        row["first_id"],
        row["second_id"],
        row["starts_at"],
        row["ends_at"],
        row["is_struck"],
        tuple(Game(game["game"], game["first_side"], _points(game), game["no_show"]) for game in own),
    )


def _points(game: RowMapping) -> Points | None:
    return None if game["decided_at"] is None else (game["first_points"], game["second_points"])


def _final_order(connection: Connection, tournament_id: str | None) -> tuple[tuple[str, ...], ...]:
    """Return the players of each division by rank, those of the season before."""
    if tournament_id is None:
        return ()
    wanted = (
        select(tournament_entries.c.division, tournament_entries.c.person_id)
        .where(tournament_entries.c.tournament_id == tournament_id, tournament_entries.c.rank.is_not(None))
        .order_by(tournament_entries.c.division, tournament_entries.c.rank)
    )
    divisions: dict[int, list[str]] = {}
    for division, person in connection.execute(wanted):
        divisions.setdefault(division, []).append(person)
    return tuple(tuple(order) for order in divisions.values())


def _ratings(connection: Connection, tournament: Tournament) -> dict[str, float]:
    """Return the ratings in the tournament's game of those who have entered and have one."""
    wanted = (
        select(ratings.c.person_id, ratings.c.rating)
        .join(tournament_entries, tournament_entries.c.person_id == ratings.c.person_id)
        .where(tournament_entries.c.tournament_id == tournament.id, ratings.c.game == tournament.game)
    )
    return {row.person_id: row.rating for row in connection.execute(wanted)}


# Lists.


def listed(engine: Engine, status: Status, limit: int) -> list[ListedTournament]:
    """Return the listed tournaments with this status, newest first."""
    return _listed(engine, tournaments.c.is_listed.is_(True) & (tournaments.c.status == status), limit)


def of_person(engine: Engine, person_id: str, limit: int) -> list[ListedTournament]:
    """Return the tournaments that a user has entered or organises, newest first."""
    entered = select(tournament_entries.c.tournament_id).where(tournament_entries.c.person_id == person_id)
    return _listed(engine, tournaments.c.id.in_(entered) | (tournaments.c.organiser_id == person_id), limit)


def _listed(engine: Engine, wanted: Any, limit: int) -> list[ListedTournament]:
    query = select(*_columns, _count.label("entries")).where(wanted)
    with engine.connect() as connection:
        rows = connection.execute(query.order_by(tournaments.c.created_at.desc(), tournaments.c.id.desc()).limit(limit))
        return [ListedTournament(Tournament(*row[:-1]), row[-1]) for row in rows]


def organised_count(engine: Engine, person_id: str) -> int:
    """Return the number of unfinished tournaments that a user organises."""
    wanted = (tournaments.c.organiser_id == person_id) & tournaments.c.status.in_(UNFINISHED)
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(tournaments).where(wanted)).scalar_one()


def entered_count(engine: Engine, person_id: str) -> int:
    """Return the number of unfinished tournaments that a user has entered."""
    wanted = (
        select(func.count())
        .select_from(tournament_entries.join(tournaments, tournaments.c.id == tournament_entries.c.tournament_id))
        .where(tournament_entries.c.person_id == person_id, tournament_entries.c.withdrawn_at.is_(None))
        .where(func.coalesce(tournaments.c.status, "").in_(UNFINISHED))
    )
    with engine.connect() as connection:
        return connection.execute(wanted).scalar_one()


def set_listed(engine: Engine, tournament_id: str, is_listed: bool) -> bool:
    """Show a tournament on the public list, or not; return False if there is none with this id."""
    change = update(tournaments).where(tournaments.c.id == tournament_id).values(is_listed=is_listed)
    with engine.begin() as connection:
        return connection.execute(change).rowcount > 0


# What people do.


def enter(engine: Engine, known: Tournament, person_id: str, is_substitute: bool, now: float) -> bool:
    """Add an entry; return False if the tournament has changed since it was read, or the person has entered."""
    row = {"tournament_id": known.id, "person_id": person_id, "entered_at": now, "is_substitute": is_substitute}
    try:
        with engine.begin() as connection:
            if not _changed(connection, known, due_at=now):
                return False
            connection.execute(insert(tournament_entries).values(**row, division=0, is_struck=False))
    except IntegrityError:
        return False
    return True


def remove_entry(engine: Engine, known: Tournament, person_id: str, now: float) -> bool:
    """Remove an entry before the start; return False if the tournament has changed since it was read."""
    with engine.begin() as connection:
        if not _changed(connection, known, due_at=now):
            return False
        connection.execute(delete(tournament_entries).where(_of(known.id, person_id)))
    return True


def withdraw(engine: Engine, known: Tournament, person_id: str, is_struck: bool, now: float) -> bool:
    """Withdraw a player; return False if the tournament has changed since it was read."""
    values = {"withdrawn_at": now, "is_struck": is_struck}
    with engine.begin() as connection:
        if not _changed(connection, known, due_at=now):
            return False
        connection.execute(update(tournament_entries).where(_of(known.id, person_id)).values(**values))
    return True


def stay_away(
    engine: Engine, known: Tournament, person_id: str, times: tuple[float, float], later: Iterable[Match], now: float
) -> bool:
    """Store an announced absence; return False if the tournament has changed since it was read.

    Args:
        engine: the database.
        known: the tournament as it was read.
        person_id: the player.
        times: beginning and end of the absence.
        later: matches with their new times.
        now: Unix time (s).
    """
    values = {"away_from": times[0], "away_until": times[1]}
    with engine.begin() as connection:
        if not _changed(connection, known, due_at=now):
            return False
        connection.execute(update(tournament_entries).where(_of(known.id, person_id)).values(**values))
        for match in later:
            moved = {"starts_at": match.starts_at, "ends_at": match.ends_at}
            connection.execute(update(tournament_matches).where(_at(known.id, match.place)).values(**moved))
    return True


def _of(tournament_id: str, person_id: str) -> Any:
    return (tournament_entries.c.tournament_id == tournament_id) & (tournament_entries.c.person_id == person_id)


def _at(tournament_id: str, place: MatchPlace) -> Any:
    return (
        (tournament_matches.c.tournament_id == tournament_id)
        & (tournament_matches.c.division == place.division)
        & (tournament_matches.c.round == place.round)
        & (tournament_matches.c.number == place.number)
    )


def _changed(connection: Connection, known: Tournament, **values: object) -> bool:
    """Raise the change counter and set columns; return False if another change came first."""
    is_known = (tournaments.c.id == known.id) & (tournaments.c.changes == known.changes)
    change = update(tournaments).where(is_known).values(changes=known.changes + 1, **values)
    return connection.execute(change).rowcount > 0


# What the ticks do.


def due(engine: Engine, now: float) -> list[str]:
    """Return the tournaments in which something may be to be done."""
    by_time = select(tournaments.c.id).where(tournaments.c.due_at <= now)
    by_result = (
        select(tournament_games.c.tournament_id)
        .join(tables, tables.c.id == tournament_games.c.table_id)
        .where(tournament_games.c.decided_at.is_(None), func.coalesce(tables.c.status, "") == "over")
    )
    with engine.connect() as connection:
        return sorted(connection.execute(by_time.union(by_result)).scalars())


def note_results(engine: Engine, tournament_id: str, now: float) -> None:
    """Store the results of the games whose tables have finished."""
    wanted = (
        select(tournament_games, tables.c.game.label("rules"), tables.c.result, tables.c.finished_at)
        .join(tables, tables.c.id == tournament_games.c.table_id)
        .where(tournament_games.c.tournament_id == tournament_id, tournament_games.c.decided_at.is_(None))
        .where(func.coalesce(tables.c.status, "") == "over")
    )
    with engine.connect() as connection:
        results = [(row, _result(connection, row)) for row in connection.execute(wanted).mappings()]
    if not results:
        return
    # In the same transaction: otherwise nobody would look at the new results if this process was stopped now.
    note_change = update(tournaments).where(tournaments.c.id == tournament_id)
    with engine.begin() as connection:
        connection.execute(note_change.values(changes=tournaments.c.changes + 1, due_at=now))
        for row, values in results:
            is_it = (tournament_games.c.table_id == row["table_id"]) & tournament_games.c.decided_at.is_(None)
            connection.execute(update(tournament_games).where(is_it).values(**values))


def _result(connection: Connection, row: RowMapping) -> dict[str, Any]:
    sides, side = game_class(row["rules"]).sides, int(row["first_side"])
    points = points_of(sides, row["result"])
    loser = loser_on_time(sides, row["result"])
    no_show = None
    if loser is not None:
        decisions = select(func.count()).where(
            records.c.table_id == row["table_id"], records.c.actor == loser, records.c.kind == ACTION
        )
        if connection.execute(decisions).scalar_one() == 0:
            no_show = 0 if loser == side else 1
    return {
        "first_points": points[side],
        "second_points": points[1 - side],
        "no_show": no_show,
        "decided_at": row["finished_at"] or time.time(),
    }


def gone(engine: Engine, tournament_id: str) -> list[str]:
    """Return the players of a tournament who have deleted their account or were banned, but are not withdrawn."""
    wanted = (
        select(people.c.id)
        .join(tournament_entries, tournament_entries.c.person_id == people.c.id)
        .where(tournament_entries.c.tournament_id == tournament_id, tournament_entries.c.withdrawn_at.is_(None))
        .where(people.c.left_at.is_not(None) | people.c.banned_at.is_not(None))
        .order_by(people.c.id)
    )
    with engine.connect() as connection:
        return list(connection.execute(wanted).scalars())


def cancel(engine: Engine, known: Tournament, now: float) -> bool:
    """Cancel a tournament that has not begun; this and the functions below return False after another change."""
    with engine.begin() as connection:
        return _changed(connection, known, status=CANCELLED, finished_at=now, due_at=None)


def begin(engine: Engine, known: Tournament, divisions: Sequence[Sequence[str]], now: float) -> bool:
    """Close the entries and store the draw."""
    with engine.begin() as connection:
        if not _changed(connection, known, status=RUNNING, begun_at=now, due_at=now):
            return False
        for division, order in enumerate(divisions):
            for seed, person in enumerate(order):
                values = {"division": division, "seed": seed}
                connection.execute(update(tournament_entries).where(_of(known.id, person)).values(**values))
    return True


def add_matches(engine: Engine, known: Tournament, matches: Iterable[Match], now: float) -> bool:
    """Store the matches of a round, or of all rounds of a cup, and announce the first one to its players."""
    added = sorted(matches, key=lambda match: match.place, reverse=True)
    first_round = {person: match.place.round for match in added for person in match.people}
    with engine.begin() as connection:
        if not _changed(connection, known, due_at=now):
            return False
        connection.execute(insert(tournament_matches), [_row(known.id, match) for match in added])
        for person, number in first_round.items():
            said = Message("tournament.round.begins", {"name": known.name, "number": number})
            notices.tell(connection, person, "tournament", said, f"/tournaments/{known.id}", f"{known.id}/{number}")
    return True


def substitute(engine: Engine, known: Tournament, step: Substitute, now: float) -> bool:
    """Give a place to a substitute, strike the matches of the player before and store those played again."""
    values = {"division": step.division, "seed": step.seed, "replaces": step.replaces, "is_substitute": False}
    with engine.begin() as connection:
        if not _changed(connection, known, due_at=now):
            return False
        connection.execute(update(tournament_entries).where(_of(known.id, step.person)).values(**values))
        for place in step.struck:
            connection.execute(update(tournament_matches).where(_at(known.id, place)).values(is_struck=True))
        if step.matches:
            connection.execute(insert(tournament_matches), [_row(known.id, match) for match in step.matches])
    return True


def finish(
    engine: Engine,
    known: Tournament,
    divisions: Sequence[Sequence[Standing]],
    following: Tournament | None,
    now: float,
) -> bool:
    """Store the final standings, end the tournament and open the entries of the next season of a league."""
    with engine.begin() as connection:
        if not _changed(connection, known, status=OVER, finished_at=now, due_at=None):
            return False
        for standing in (line for division in divisions for line in division):
            values = {"rank": standing.rank, "points": standing.points}
            connection.execute(update(tournament_entries).where(_of(known.id, standing.person)).values(**values))
        if following is not None:
            connection.execute(insert(tournaments).values(**following._asdict(), due_at=following.starts_at))
    return True


def final_standings(engine: Engine, tournament_id: str) -> list[list[tuple[str, float]]]:
    """Return the stored final standings: player and points of each division, best first."""
    wanted = (
        select(tournament_entries.c.division, tournament_entries.c.person_id, tournament_entries.c.points)
        .where(tournament_entries.c.tournament_id == tournament_id, tournament_entries.c.rank.is_not(None))
        .order_by(tournament_entries.c.division, tournament_entries.c.rank)
    )
    divisions: dict[int, list[tuple[str, float]]] = {}
    with engine.connect() as connection:
        for division, person, points in connection.execute(wanted):
            divisions.setdefault(division, []).append((person, points))
    return list(divisions.values())


def wait_until(engine: Engine, known: Tournament, at: float | None) -> None:
    """Store when something is to be done next, unless the tournament has changed."""
    is_known = (tournaments.c.id == known.id) & (tournaments.c.changes == known.changes)
    with engine.begin() as connection:
        connection.execute(update(tournaments).where(is_known).values(due_at=at))


def next_season(known: Tournament, tournament_id: str, now: float, starts_at: float) -> Tournament | None:
    """Return the next season of a league, open for entries; None for other tournaments."""
    if known.kind != LEAGUE:
        return None
    return known._replace(
        id=tournament_id,
        status=OPEN,
        created_at=now,
        starts_at=starts_at,
        begun_at=None,
        finished_at=None,
        season=known.season + 1,
        previous=known.id,
        changes=0,
    )


def _row(tournament_id: str, match: Match) -> dict[str, Any]:
    return {
        "tournament_id": tournament_id,
        **match.place._asdict(),
        "first_id": match.first,
        "second_id": match.second,
        "starts_at": match.starts_at,
        "ends_at": match.ends_at,
        "is_struck": match.is_struck,
    }
