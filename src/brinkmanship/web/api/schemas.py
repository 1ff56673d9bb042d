"""Request and response structs of the API, as decoded and encoded by `routes` and described in the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from brinkmanship.engine.options import OptionValue
from brinkmanship.web.support.table_terms import FREE, UndoPolicy

MAX_SIDE_LENGTH = 12
MAX_ACTION_LENGTH = 80
MAX_VERSION = 100_000

SideName = Annotated[str, Meta(max_length=MAX_SIDE_LENGTH)]
Version = Annotated[int, Meta(ge=0, le=MAX_VERSION)]


# Query strings.


class AsSide(msgspec.Struct):
    """The side whose view is requested."""

    side: Annotated[SideName | None, Meta(description="The side to view as, if you play several.")] = None


class Seen(AsSide):
    """A version already seen; with several server machines it saves a database query."""

    at_least: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="A version you have seen: the response is not older.")
    ] = None


class InLanguage(msgspec.Struct):
    """The language of sentences."""

    lang: Annotated[str, Meta(max_length=2, description="en, ru, de or pl.")] = "en"


class WhichTables(msgspec.Struct):
    """Selects the tables to list."""

    mine: Annotated[bool, Meta(description="Your own tables; otherwise open ones.")] = False
    after: Annotated[str, Meta(max_length=12, description="List open tables after this table id.")] = ""


class Resignation(msgspec.Struct):
    """Extent of a resignation."""

    side: SideName
    everything: Annotated[bool, Meta(description="Resign the whole series, not only this game.")] = False


class Next(msgspec.Struct):
    """Options of the next game of a series."""

    swapped: Annotated[
        bool | None,
        Meta(description="If the players agree on the sides: true to swap them relative to the first game."),
    ] = None
    contributes: Annotated[
        bool, Meta(description="Add random bytes to the deal; also done if you did so in the last game.")
    ] = False


# Request bodies (unknown fields are rejected) and responses.


class NewToken(msgspec.Struct, forbid_unknown_fields=True):
    """The name that the program plays under."""

    name: Annotated[str, Meta(min_length=1, max_length=30)]


class Token(msgspec.Struct):
    """The token; send it as "Authorization: Bearer TOKEN". It is shown only once."""

    token: str
    person: str


class GameInfo(msgspec.Struct):
    """A game that can be played here."""

    id: str
    title: str
    rules_version: int
    sides: list[str]
    options: dict[str, list[OptionValue]]
    """Values of each option, the default first; for those in `option_ranges` only common values."""
    option_ranges: dict[str, tuple[int, int]]
    """Options that accept any integer from the first to the second number."""
    presets: dict[str, dict[str, OptionValue]]
    """Named combinations of options, as differences from the defaults; selected with the option "preset"."""
    players: list[str]
    levels: list[str]
    """Computer levels, the weakest first; a seat takes them as "computer:level:3"."""
    series: bool
    """True if games can be played in a series, e.g. a campaign."""


class WhichRatings(msgspec.Struct):
    """Selects a page of a leaderboard."""

    game: Annotated[str, Meta(max_length=40, description="Id of the game.")]
    after: Annotated[str, Meta(max_length=16, description="List people after this person id.")] = ""


class RatingInfo(msgspec.Struct):
    """Your rating in a game."""

    game: str
    rating: float
    deviation: float
    """Standard deviation of `rating`, in points."""
    games: int
    """Number of rated games that counted."""
    provisional: bool
    """True after only a few games."""


class RankedInfo(msgspec.Struct):
    """A person on a leaderboard."""

    rank: int
    person: str
    name: str
    rating: float
    deviation: float
    games: int


class OutlookInfo(msgspec.Struct):
    """Effect that a rated game would have on your rating."""

    side: str
    win_chance: float
    """Your expected score, 0 to 1, with a draw as half."""
    win: float
    """Change of your rating for a win (points)."""
    draw: float
    loss: float
    even: bool
    """True if your opponent is not known yet and is taken to be of equal strength."""


class RatingChange(msgspec.Struct):
    """A player's rating before and after a rated game."""

    side: str
    before: float
    after: float
    counts: bool
    """False for a computer player, and for more games against a level than count on one day."""


class TableRating(msgspec.Struct):
    """The ratings at a rated table."""

    outlook: OutlookInfo | None
    """Before the game, for a player of the table or a user who may join."""
    changes: list[RatingChange]
    """After the game, by side."""


class NewData(msgspec.Struct, forbid_unknown_fields=True):
    """Custom cards or a custom scenario: a changed copy of the game's data file, as text."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    text: Annotated[str, Meta(max_length=200_000)]


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to create; `seats` has for each side, in order, "me", "open", "friend" or "computer:NAME"."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[Annotated[str, Meta(max_length=50)]], Meta(min_length=2, max_length=2)]
    options: Annotated[dict[str, OptionValue], Meta(max_length=40)] = {}
    clock: dict[str, str | int] | None = None
    """None, {"kind": "live", "minutes": 30, "increment": 20}, {"kind": "days", "days": 3} for each decision, or
    {"kind": "bank", "days": 20, "hours": 12}: days for the game, hours more for each decision."""
    undo: UndoPolicy = FREE
    """Take-back policy: own steps freely, everything only with the other side's consent, or nothing."""
    hints: bool | None = None
    """True to allow hints; None for the default: allowed against a computer and on one screen, not between two players.
    """
    series: bool = False
    """True for the first game of a series, e.g. a campaign; see `series` of the games."""
    contributes: bool = False
    """True to add random bytes to the deal. The game then begins once they have arrived: see `owed` of the table."""
    rated: bool = False
    """True to count the result for the players' ratings: with accounts and a clock; without hints (`hints` may not be
    true), take-backs (`undo` is ignored), custom data and series."""
    data: NewData | None = None
    """None for the game's own cards or scenario, which are at /data/GAME/cards.toml or .../scenario.toml."""


class NewMatch(msgspec.Struct, forbid_unknown_fields=True):
    """A match of two games to create, one with each side; one seat is yours, the other "friend" or "open"."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[Literal["me", "friend", "open"]], Meta(min_length=2, max_length=2)]
    """Seats of the first game, as in `NewTable`."""
    options: Annotated[dict[str, OptionValue], Meta(max_length=40)] = {}
    clock: dict[str, str | int] | None = None
    undo: UndoPolicy = FREE
    hints: bool | None = None
    rated: bool = False
    """True for rated games; both players need an account."""
    simultaneous: bool = False
    """True if both games run at the same time."""


class NewDuplicate(msgspec.Struct, forbid_unknown_fields=True):
    """A duplicate round to create: tables that play the same deal, each seat given away by an invitation."""

    game: Annotated[str, Meta(max_length=40)]
    tables: Annotated[int, Meta(ge=2, le=64)]
    clock: dict[str, str | int]
    """As in `NewTable`; a round needs one, so that every game ends."""
    options: Annotated[dict[str, OptionValue], Meta(max_length=40)] = {}
    undo: UndoPolicy = FREE
    hints: bool | None = None
    join_hours: Annotated[int, Meta(ge=1, le=720)] = 72
    """Hours after which tables with free seats are closed."""


class Action(msgspec.Struct, forbid_unknown_fields=True):
    """An action of a side, as its text; `version` is that of the position it was chosen in."""

    side: SideName
    version: Version
    action: Annotated[str, Meta(min_length=1, max_length=MAX_ACTION_LENGTH)]


class Undo(msgspec.Struct, forbid_unknown_fields=True):
    """Take back the last step, or the whole turn, as far as the policy allows."""

    side: SideName
    version: Version
    whole_turn: bool = False


class HintWanted(msgspec.Struct, forbid_unknown_fields=True):
    """A request for advice on a side's decision at this version."""

    side: SideName
    version: Version


class ReplyInfo(msgspec.Struct):
    """The likely next action of the other side."""

    action: str
    share: float
    """Share of the sampled possible layouts in which it chooses this action."""


class HintInfo(msgspec.Struct):
    """One choice, as judged by games simulated from here; docs/develop/players.md."""

    action: str
    win: float
    """Winning chance of the side, 0..1; a draw counts half."""
    error: float
    """Error of `win`, 0 if it is exact: the standard error and the mistakes of simulated games together."""
    best: bool
    """True if it is the best, or cannot be distinguished from the best."""
    war: float | None
    """Share of the games that end in a war which the side does not win; null if the game has no such ending."""
    share: float | None
    """How often to choose it, if both sides choose in secret."""
    reason: str | None
    """Reason in English."""
    reply: ReplyInfo | None
    score: float | None
    """The side's mean lead in points when the games stop, excluding games ended by war; null if there is none."""


class Hints(msgspec.Struct):
    """Advice for a side. The journal records the hint at the decision, visible to both players."""

    side: str
    version: int
    worlds: int
    playouts: int
    hints: list[HintInfo]
    """The best first."""


class Analysis(msgspec.Struct):
    """State of the analysis of a finished game."""

    status: Literal["none", "at_work", "done", "failed"]
    share: float | None
    """Share of the work done, 0 to 1, while it is running."""
    seconds_left: float | None
    """Estimate."""
    analysis: msgspec.Raw | None
    """The report once done, as written by `brink analyse --json` (docs/develop/players.md)."""
    fault: str = ""
    """Reason for a failure; the analysis may be requested again."""


class LineStep(msgspec.Struct, forbid_unknown_fields=True):
    """A further step on an analysis board (docs/play/guide.md)."""

    at: Version
    """The position: after this number of entries of the line."""
    line: Annotated[int, Meta(ge=0)] = 0
    """Number of the line; 0 for the game itself."""
    action: Annotated[str, Meta(max_length=MAX_ACTION_LENGTH)] | None = None
    """Action of the side to decide, or the outcome of chance; without it chance acts by itself."""
    chance: Literal["same", "fresh", "hand"] = "fresh"
    """How chance acts after it: as in the game, drawn again, or waiting for your choice."""


class LineEnd(msgspec.Struct):
    """The position reached by a step."""

    board: str
    """The board: your own, created with the same line if you continued from another user's board."""
    line: int
    """0: the step that the game itself took."""
    at: int


class LineInfo(msgspec.Struct):
    """A line of a board."""

    number: int
    name: str
    base: int
    """Number of entries shared with the beginning of the game."""
    length: int
    steps: list[str]
    """The entries after that."""


class BoardInfo(msgspec.Struct):
    """An analysis board: lines from positions of a finished game."""

    id: str
    game: str
    table: str
    title: str
    is_own: bool
    """True if you may change it."""
    lines: list[LineInfo]


class ListedBoard(msgspec.Struct):
    """One of your boards in a list."""

    id: str
    game: str
    table: str | None
    """None for an uploaded journal, whose boards are available in the browser only."""
    title: str
    lines: int


class Where(msgspec.Struct):
    """A position on a board."""

    line: Annotated[int, Meta(ge=0, description="Number of the line; 0 for the game itself.")] = 0
    at: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="Number of entries; by default the end of the line.")
    ] = None


class OutcomeInfo(msgspec.Struct):
    """A possible outcome of chance."""

    action: str
    share: float
    """Its probability."""


class PositionInfo(msgspec.Struct):
    """A position on a board, all cards open."""

    line: int
    at: int
    asked: str | None
    """The side to decide; of two sides that choose in secret, the first that has not chosen."""
    state: dict[str, Any]
    legal: list[str]
    outcomes: list[OutcomeInfo]
    """Possible outcomes, if chance is to act."""
    is_over: bool


class LineValue(msgspec.Struct):
    """The value of the end of a line, 0 to 1."""

    line: int
    """0 for the game itself, at its next decision after it departed from the last line."""
    at: int
    win: float
    error: float
    """Error of `win`, 0 for a finished game: the standard error and the mistakes of simulated games together."""
    behind: float
    """Difference in winning chance to the best."""
    behind_error: float
    is_best: bool
    """True for the best, and for lines at most two standard errors behind it."""


class LineValues(msgspec.Struct):
    """The ends of the lines compared: simulated with the same random futures, all cards open."""

    side: str
    """The side whose winning chances they are: the side to decide where the first line departs from the game."""
    lines: list[LineValue]


class Order(msgspec.Struct, forbid_unknown_fields=True):
    """A standing order of a side, as listed in `offered` of its orders."""

    side: SideName
    order: Annotated[str, Meta(min_length=1, max_length=80)]


class Orders(msgspec.Struct):
    """The standing orders of a side, visible to that side only."""

    given: list[str]
    offered: list[str]
    """All possible orders, e.g. "decline"; "trigger scramble", about one card, takes precedence over "decline"."""


class Join(msgspec.Struct, forbid_unknown_fields=True):
    """Take a seat: with an invitation's token, or at an open table; `side` only to choose between free seats."""

    invitation: Annotated[str, Meta(max_length=64)] | None = None
    side: SideName | None = None
    contributes: bool = False
    """True to add random bytes to the deal. The game then begins once they have arrived: see `owed` of the table."""


class PlayOn(msgspec.Struct, forbid_unknown_fields=True):
    """Continuation of a finished game from a position."""

    step: Annotated[int, Meta(ge=0, le=MAX_VERSION)]
    """The position: after this number of entries of its journal."""
    side: SideName
    """The side you will play."""
    against: Annotated[str, Meta(max_length=50)]
    """Opponent: "computer:NAME", "friend" (by invitation), or "me"."""
    same_chance: bool = False
    """True to decide chance as in that game; otherwise it is drawn again."""


Hex256 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", max_length=64)]


class Deal(msgspec.Struct, forbid_unknown_fields=True):
    """Your part of the deal: `pledge` or `contribution`, 64 hexadecimal digits; without either you add nothing."""

    side: SideName
    pledge: Hex256 | None = None
    contribution: Hex256 | None = None


class SeatInfo(msgspec.Struct):
    """The player of a side; without a name the seat is free."""

    side: str
    name: str
    is_computer: bool


class DataInfo(msgspec.Struct):
    """The custom cards or scenario of a table; the file is at /t/TABLE/data/file."""

    name: str
    sha256: str


class OriginInfo(msgspec.Struct):
    """The position a game began from. Its players may have seen all cards there, so the game proves nothing."""

    address: str
    """Address of the other game: "/t/ID", or "/u/ID" for an uploaded journal."""
    step: int
    """Number of entries taken from that game; they cannot be taken back."""
    same_chance: bool


class TableInfo(msgspec.Struct):
    """A table as one viewer may know it."""

    id: str
    game: str
    rules_version: int
    options: dict[str, OptionValue]
    data: DataInfo | None
    """None if the game's own cards or scenario are used."""
    status: str
    result: str
    seats: list[SeatInfo]
    you: list[str]
    """The sides you play."""
    version: int
    asked: list[str]
    """The sides that may act, as far as you may know."""
    commitment: str
    """Commitment to the server's secret for the deals."""
    pledges: dict[str, str]
    """Commitments of players to the bytes they add to the deal, by side."""
    owed: dict[str, str]
    """Your contributions that the game is waiting for, by side: "pledge" or "bytes"."""
    offer: str | None
    clock: dict[str, Any] | None
    undo: UndoPolicy
    rated: bool
    """True if the result counts for the players' ratings."""
    hints: bool
    """True if the players may take hints."""
    seconds_left: list[float] | None
    """Time left on each side's clock, as far as you may know."""
    series: str | None
    """Id of the game's series, or None."""
    match: str | None
    """Id of the match of two games that it belongs to, or None."""
    duplicate: str | None
    """Id of the duplicate round whose tables all play this deal, or None."""
    sealed: bool
    """True while other tables may still play the same deal: you see your own side only, also after the game."""
    origin: OriginInfo | None
    """None for a game that began at its own table."""
    invitations: dict[str, str]
    """Invitation tokens by side, for players at a waiting table."""
    suits: str
    """The level that suits you for the next game, after a finished game against a level; "" otherwise."""


class TableView(TableInfo):
    """A table with the position as you know it, and your legal actions."""

    as_side: str
    state: Annotated[msgspec.Raw, Meta(extra_json_schema={"type": "object"})]
    """The position as you know it; `cards` has the ids of the cards by pile."""
    legal: Annotated[msgspec.Raw, Meta(extra_json_schema={"type": "array", "items": {"type": "string"}})]
    can_undo: int


class Warnings(msgspec.Struct):
    """Legal actions that could lose the game at the next check."""

    version: int
    """Version of the table that they belong to."""
    warnings: dict[str, str]
    """The danger of each such action in English, as far as you know."""


class WhyInfo(msgspec.Struct):
    """The reason of a computer player for an action."""

    entry: int
    """Number of the journal entry."""
    side: str
    key: str
    """Message key in the catalogue of the computer players."""
    args: dict[str, Any]
    text: str
    """The reason as a sentence."""


class SeriesGameInfo(msgspec.Struct):
    """A game of a series; lists are in the players' order."""

    table: str
    sides: list[str]
    status: str
    result: str
    points: list[int] | None
    """Points it added to each player's score, None while it is running."""


class SeriesInfo(msgspec.Struct):
    """A series of games, e.g. a campaign. Lists begin with the player who had the first side in game 1."""

    id: str
    game: str
    options: dict[str, OptionValue]
    players: list[str]
    score: list[int]
    target: int
    is_over: bool
    winners: list[int]
    """Numbers of the winning players; several, or none, where the rules say so."""
    reason: str
    can_go_on: bool
    """True if the next game can begin."""
    next_sides: list[str] | None
    """Side of each player in the next game; None if it cannot begin, or if the players agree on the sides."""
    games: list[SeriesGameInfo]


class MatchGameInfo(msgspec.Struct):
    """A game of a match. Lists begin with the player who has the first side in game 1."""

    table: str
    sides: list[str]
    """Side of each player."""
    status: str
    result: str
    points: list[float] | None
    """Points of each player; None while it is being played."""
    luck: list[float] | None
    """Luck of each player, as part of a game; None before the game is over and analysed."""


class MatchInfo(msgspec.Struct):
    """A match of two games. Lists begin with the player who has the first side in game 1."""

    id: str
    game: str
    simultaneous: bool
    players: list[str]
    score: list[float]
    """A win is 1 point, a draw half a point."""
    is_over: bool
    ready: list[bool]
    """True for each player who has asked for game 2, between the two games."""
    score_without_luck: list[float] | None
    """None before both games are over and analysed."""
    games: list[MatchGameInfo]


class DuplicateTableInfo(msgspec.Struct):
    """A table of a duplicate round; lists have an entry for each side."""

    table: str
    status: str
    players: list[str]
    """Player names; "" for a free seat."""
    invitations: dict[str, str]
    """Invitation tokens of the free seats by side, for the organiser only."""
    result: str
    """These four are empty or None before the round is over."""
    points: list[float] | None
    difference: list[float] | None
    """Points minus the average of the same side at all tables."""
    matchpoints: list[float] | None
    """Share of the other tables whose result on the same side it beats, a tie counting half; None for one table."""


class DuplicateInfo(msgspec.Struct):
    """A duplicate round: tables that play the same deal, compared once all are finished."""

    id: str
    game: str
    sides: list[str]
    commitment: str
    """Commitment to the secret of all its tables."""
    is_over: bool
    unfinished: int
    """Number of tables that are not finished."""
    join_until: float | None
    """Server time in seconds since 1970 at which tables with free seats are closed."""
    averages: list[float] | None
    """Average points of each side; None before the round is over."""
    tables: list[DuplicateTableInfo]


class DailyResult(msgspec.Struct):
    """A result of a deal of the day."""

    place: int | None
    """Place from 1, the best result without luck first; None before its analysis, for an abandoned game, and for
    guests."""
    player: str
    """"" for a player whose profile is private."""
    is_you: bool
    is_guest: bool
    """True for a player without an account; guests are not ranked."""
    score: int
    """1 for a win, 0 without a winner, -1 for a loss."""
    is_abandoned: bool
    """True if the game was not finished when the day ended; it counts as lost."""
    score_without_luck: float | None
    """About 0 to 1; None before its analysis, and for an abandoned game."""
    table: str | None
    """Table of the game; None as long as you may not look at it."""


class DailyInfo(msgspec.Struct):
    """A deal of the day: everyone plays it once, with the same side and against the same level."""

    game: str
    date: str
    """Day (UTC), such as "2026-01-31"."""
    side: str
    level: str
    players: int
    """Number of players who have begun it."""
    is_over: bool
    """True if the day has ended."""
    table: str | None
    """Your own table, None if you have not begun."""
    results: list[DailyResult] | None
    """The best results, first of accounts, then of guests; None before the day is over, unless you have finished your
    own game."""


class ListedTable(msgspec.Struct):
    """A table in a list."""

    id: str
    game: str
    status: str
    seats: list[str]
    """Player names by side; "" for a free seat."""


class ResultCounts(msgspec.Struct):
    """Number of games by result."""

    games: int
    won: int
    drawn: int
    """Games without a winner."""
    lost: int


class GameRecordInfo(msgspec.Struct):
    """A person's results in one game."""

    game: str
    total: ResultCounts
    sides: dict[str, ResultCounts]
    people: ResultCounts
    """Results against people."""
    computers: dict[str, ResultCounts]
    agendas: dict[str, ResultCounts]
    """Results by the agenda kept first."""


class PersonRatingInfo(msgspec.Struct):
    """A person's rating in one game."""

    game: str
    rating: float
    deviation: float
    games: int


class AnalysedInfo(msgspec.Struct):
    """A person's analysed games in one game."""

    game: str
    games: int
    result: float
    """Mean result, 0..1."""
    luck_adjusted: float
    """The same without luck; may lie outside of 0..1."""


class RivalInfo(msgspec.Struct):
    """A frequent opponent of a person."""

    person: str
    name: str
    games: int
    won: int
    lost: int


class AgainstYou(msgspec.Struct):
    """A person's games against the caller in one game."""

    game: str
    games: int
    won: int
    lost: int


class PersonInfo(msgspec.Struct):
    """A person's profile."""

    id: str
    name: str
    since: float
    public: bool
    """False if only you can see it."""
    games: list[GameRecordInfo]
    ratings: list[PersonRatingInfo]
    analysed: list[AnalysedInfo]
    puzzles: dict[str, int]
    """Solved puzzles by game."""
    lessons: dict[str, int]
    """Completed lessons by game."""
    opponents: list[RivalInfo]
    """The most frequent opponents, of other people only those with a public profile."""
    against_you: list[AgainstYou]


class HistoryGameInfo(msgspec.Struct):
    """A finished game in a person's history."""

    table: str | None
    """null if the opponent is not named."""
    game: str
    side: str
    outcome: Literal["won", "drawn", "lost"]
    result: str
    ending: str
    rated: bool
    opponent: str | None
    """Name of the opponent or of the computer player; null if their profile is private."""
    opponent_person: str | None
    """Id of an opponent with a public profile."""
    agenda: str | None
    decisions: int | None
    finished_at: float


class HistoryInfo(msgspec.Struct):
    """A page of a person's history, newest first."""

    games: list[HistoryGameInfo]
    next: str | None
    """Value of `after` for the next page; null on the last one."""


# Finding an opponent.


Reason = Literal["busy", "clock", "game", "not_now"]
ClockName = Annotated[str, Meta(max_length=20)]


class SoughtGame(msgspec.Struct, forbid_unknown_fields=True):
    """A game of a seek."""

    game: Annotated[str, Meta(max_length=40)]
    sides: Annotated[list[SideName], Meta(max_length=2)] = []
    """Sides that you would play; none: any."""


class NewSeek(msgspec.Struct, forbid_unknown_fields=True):
    """A seek to place."""

    games: Annotated[list[SoughtGame], Meta(min_length=1, max_length=20)]
    clocks: Annotated[list[ClockName], Meta(min_length=1, max_length=20)]
    """Acceptable clocks: all of "live 10 5", "live 20 10", "live 45 20", or of "days 1", "days 3", "days 7",
    "bank 10 12", "bank 30 24"."""
    rated: bool = False
    """True for a rated game; needs an account."""


class WhichSeeks(msgspec.Struct):
    """Selects the seeks to list."""

    mine: Annotated[bool, Meta(description="Your own open seeks; otherwise those of others.")] = False


class SeekInfo(msgspec.Struct):
    """A seek."""

    id: str
    name: str
    """Name of the user who looks for an opponent."""
    mine: bool
    games: list[SoughtGame]
    """Games with the sides that this user would play."""
    clocks: list[str]
    rated: bool
    since: float
    """Start of the wait: Unix time in seconds."""
    expires_at: float
    is_open: bool
    table: str | None
    """The table, once an opponent is found."""


class NewChallenge(msgspec.Struct, forbid_unknown_fields=True):
    """A challenge to another user."""

    to: Annotated[str, Meta(max_length=60)]
    """Login name or id of the user."""
    game: Annotated[str, Meta(max_length=40)]
    side: SideName | None = None
    """Your side; None for a random one."""
    clock: ClockName = ""
    """Clock, named as in a seek; "" for none."""
    rated: bool = False


class ChallengeInfo(msgspec.Struct):
    """A challenge to or from you."""

    id: str
    challenger: str
    challenged: str
    """Names of both users."""
    mine: bool
    """True if you are the challenger."""
    game: str
    side: str | None
    """Side of the challenger; None for a random one."""
    clock: str
    rated: bool
    expires_at: float
    is_open: bool
    declined: str | None
    """Reason for declining."""


class Declined(msgspec.Struct, forbid_unknown_fields=True):
    """Why a challenge is declined."""

    reason: Reason


class WhichTournaments(msgspec.Struct):
    """Selects the tournaments to list."""

    mine: Annotated[bool, Meta(description="Those you have entered or organise; otherwise listed ones.")] = False


class NewTournament(msgspec.Struct, forbid_unknown_fields=True):
    """A tournament to start; `kind` is "cup", "league", "swiss" or "knockout"."""

    kind: Annotated[str, Meta(max_length=10)]
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    game: Annotated[str, Meta(max_length=40)]
    clock: dict[str, str | int]
    """As for a new table. A league needs a clock with days."""
    size: Annotated[int, Meta(ge=4, le=64)]
    """Maximum entries; of a league, entries of a division (at most 12). A cup has 4."""
    about: Annotated[str, Meta(max_length=1000)] = ""
    options: Annotated[dict[str, OptionValue], Meta(max_length=40)] = {}
    rated: bool = False
    round_days: Annotated[int, Meta(ge=3, le=120)] | None = None
    """Time for a round in days; required with a clock of days, None for live games."""
    starts_at: float | None = None
    """End of entries (Unix time in seconds); None to start once it is full. A league needs it."""


class Entering(msgspec.Struct, forbid_unknown_fields=True):
    """Terms of entering a tournament."""

    substitute: bool = False
    """True to take over the place of a player of a league who leaves early."""


class TournamentSummary(msgspec.Struct):
    """A tournament; times as Unix time in seconds."""

    id: str
    kind: str
    name: str
    game: str
    status: str
    """One of open, running, over and cancelled."""
    size: int
    rated: bool
    starts_at: float | None
    season: int


class TournamentGameInfo(msgspec.Struct):
    """A game of a match."""

    table: str | None
    """Table of the game; None if it was removed."""
    points: tuple[float, float] | None
    """Points of the first and the second player; None while it is played."""


class TournamentMatchInfo(msgspec.Struct):
    """A match of two games; `second` is None for a bye."""

    division: int
    round: int
    first: str
    second: str | None
    starts_at: float
    ends_at: float | None
    """Deadline; None if the clocks alone end the games."""
    games: list[TournamentGameInfo]


class TournamentInfo(TournamentSummary):
    """A tournament with its players and matches."""

    about: str
    options: dict[str, OptionValue]
    clock: dict[str, str | int]
    round_days: int | None
    begun_at: float | None
    finished_at: float | None
    previous: str | None
    """The season before."""
    following: str | None
    """The next season."""
    players: list[str]
    substitutes: list[str]
    matches: list[TournamentMatchInfo]


class StandingInfo(msgspec.Struct):
    """A line of the standings."""

    rank: int
    name: str
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    head_to_head: float
    """Points against those with equal points; 0 if not all of them have met."""
    tie_break: float
    """Sonneborn-Berger or Buchholz number; in a knock-out the number of rounds won."""
    withdrawn: bool
