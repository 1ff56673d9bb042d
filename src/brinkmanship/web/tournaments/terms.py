"""Terms of a new tournament, and their checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from brinkmanship.engine.options import OptionValue
from brinkmanship.store.tournaments import Tournament
from brinkmanship.tournament.arbiter import CUP_SIZE
from brinkmanship.tournament.event import CUP, KINDS, KNOCKOUT, LEAGUE, OPEN, SWISS, Kind
from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.support.table_terms import FREE, Terms
from brinkmanship.web.support.time_control import LIVE, Clock
from brinkmanship.web.tables.rating_conditions import rated_terms

MAX_NAME = 60
MAX_ABOUT = 1000
MAX_ENTRIES = 64
"""Maximum entries of a tournament; of a league in all divisions together."""
SIZES: Mapping[Kind, tuple[int, int]] = {
    CUP: (CUP_SIZE, CUP_SIZE),
    LEAGUE: (4, 12),
    SWISS: (4, MAX_ENTRIES),
    KNOCKOUT: (4, MAX_ENTRIES),
}
"""Range of the size: entries, in a league those of a division."""
ROUND_DAYS = (3, 120)
"""Range of the time for a round (days)."""
MAX_AHEAD_SECONDS = 90 * 24 * 3600.0
"""Maximum time before the start."""


@dataclass(frozen=True)
class TournamentSettings:
    """A tournament to start."""

    kind: str
    name: str
    game: str
    clock: Clock | None
    size: int
    about: str = ""
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    rated: bool = False
    round_days: int | None = None
    """Time for a round (days); None for live games, whose clocks end a round."""
    starts_at: float | None = None
    """End of entries (Unix time, s); None to start once the tournament is full."""


def checked(plan: TournamentSettings, organiser_id: str, now: float) -> Tournament:
    """Return the new tournament of a plan.

    Raises:
        IllegalError: A value of the plan is not possible; game and options are checked elsewhere.
    """
    kind = next((kind for kind in KINDS if kind == plan.kind), None)
    if kind is None:
        raise IllegalError(f"a tournament is one of {', '.join(KINDS)}", key="refused.form_fields")
    name = " ".join("".join(each for each in plan.name if each.isprintable()).split())
    if not 0 < len(name) <= MAX_NAME:
        raise IllegalError(f"a name has 1 to {MAX_NAME} characters", key="tournament.refused.name")
    if len(plan.about) > MAX_ABOUT:
        raise IllegalError(f"a description has at most {MAX_ABOUT} characters", key="tournament.refused.about")
    if plan.clock is None:
        raise IllegalError("a tournament needs a clock", key="tournament.refused.clock")
    _check_size(kind, plan.size)
    _check_times(kind, plan, plan.clock.kind == LIVE, now)
    return Tournament(
        id=new_id(),
        kind=kind,
        name=name,
        about=_clean_lines(plan.about),
        game=plan.game,
        options=dict(plan.options),
        clock=plan.clock.as_json(),
        rated=plan.rated,
        organiser_id=organiser_id,
        is_listed=False,
        size=plan.size,
        round_days=plan.round_days,
        status=OPEN,
        created_at=now,
        starts_at=plan.starts_at,
        begun_at=None,
        finished_at=None,
        season=1,
        previous=None,
        changes=0,
    )


def table_terms(tournament: Tournament) -> Terms:
    """Return the terms of the tables of a tournament: no hints, and no take-back if it is rated."""
    clock = Clock.from_json(tournament.clock)
    return rated_terms(clock) if tournament.rated else Terms(clock, FREE, False)


def _check_size(kind: Kind, size: int) -> None:
    least, most = SIZES[kind]
    if not least <= size <= most:
        raise IllegalError(f"the size of a {kind} is {least} to {most}", key="tournament.refused.size")


def _check_times(kind: Kind, plan: TournamentSettings, is_live: bool, now: float) -> None:
    if is_live and kind == LEAGUE:
        raise IllegalError("a league is played by days", key="tournament.refused.live_league")
    if is_live != (plan.round_days is None):
        raise IllegalError(
            "rounds by days need a length in days; rounds of live games have none", key="tournament.refused.days"
        )
    if plan.round_days is not None and not ROUND_DAYS[0] <= plan.round_days <= ROUND_DAYS[1]:
        raise IllegalError(f"a round has {ROUND_DAYS[0]} to {ROUND_DAYS[1]} days", key="tournament.refused.days")
    if plan.starts_at is None and kind == LEAGUE:
        raise IllegalError("a league needs a time of its start", key="tournament.refused.start")
    if plan.starts_at is not None and not now < plan.starts_at <= now + MAX_AHEAD_SECONDS:
        raise IllegalError("the start is within the next 90 days", key="tournament.refused.start")


def _clean_lines(text: str) -> str:
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("".join(each for each in line if each.isprintable()).rstrip() for line in lines).strip("\n")
