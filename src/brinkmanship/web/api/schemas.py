"""What programs send and are sent, as `routes` reads and writes it and as the OpenAPI document tells of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from brinkmanship.engine.options import OptionValue
from brinkmanship.web.support.table_terms import FREE, UndoPolicy

LONGEST_SIDE = 12
LONGEST_ACTION = 80
MAX_VERSION = 100_000

SideName = Annotated[str, Meta(max_length=LONGEST_SIDE)]
Version = Annotated[int, Meta(ge=0, le=MAX_VERSION)]


# What stands in the address behind "?".


class AsSide(msgspec.Struct):
    """As which side one looks."""

    side: Annotated[SideName | None, Meta(description="As which side, if you play several.")] = None


class Seen(AsSide):
    """What one has seen already; where several machines serve it saves a question to the database."""

    at_least: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="A version you know: you are shown no older one.")
    ] = None


class InLanguage(msgspec.Struct):
    """In which language sentences are."""

    lang: Annotated[str, Meta(max_length=2, description="en, ru, de or pl.")] = "en"


class WhichTables(msgspec.Struct):
    """Which tables are listed."""

    mine: Annotated[bool, Meta(description="Yours, else open ones.")] = False
    after: Annotated[str, Meta(max_length=12, description="Of the open ones those after this table's id.")] = ""


class Resignation(msgspec.Struct):
    """What is given up."""

    side: SideName
    everything: Annotated[bool, Meta(description="The whole series, not only this game.")] = False


class Next(msgspec.Struct):
    """How the next game of a series shall be."""

    swapped: Annotated[
        bool | None,
        Meta(description="Where the players agree on the sides: whether they shall be other than in the first game."),
    ] = None
    contributes: Annotated[
        bool, Meta(description="Whether you add random bytes to the deal; as in the last game if you did so there.")
    ] = False


# What is sent as a body; fields that are not known are refused.


class NewToken(msgspec.Struct, forbid_unknown_fields=True):
    """Who a program plays as."""

    name: Annotated[str, Meta(min_length=1, max_length=30)]


class Token(msgspec.Struct):
    """Send it as "Authorization: Bearer TOKEN". It is shown this once."""

    token: str
    person: str


class GameInfo(msgspec.Struct):
    """A game that can be played here."""

    id: str
    title: str
    rules_version: int
    sides: list[str]
    options: dict[str, list[OptionValue]]
    """The values of each, the default first; of those in `option_ranges` the usual ones."""
    option_ranges: dict[str, tuple[int, int]]
    """Options that take any whole number from the one to the other."""
    presets: dict[str, dict[str, OptionValue]]
    """Options that go together, where they differ from the defaults; chosen as the option "preset"."""
    players: list[str]
    levels: list[str]
    """The computer players that people choose from, the weakest first: a seat takes them as "computer:level:3"."""
    series: bool
    """Whether games can be played in a series, as a campaign."""


class NewData(msgspec.Struct, forbid_unknown_fields=True):
    """Cards or a scenario of your own: a changed copy of the game's data file, as its text."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    text: Annotated[str, Meta(max_length=200_000)]


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to set: for each side, in order, "me", "open", "friend" or "computer:NAME"."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[Annotated[str, Meta(max_length=50)]], Meta(min_length=2, max_length=2)]
    options: Annotated[dict[str, OptionValue], Meta(max_length=40)] = {}
    clock: dict[str, str | int] | None = None
    """None, {"kind": "live", "minutes": 30, "increment": 20}, {"kind": "days", "days": 3} for each decision, or
    {"kind": "bank", "days": 20, "hours": 12}: days for the game, hours more for each decision."""
    undo: UndoPolicy = FREE
    """What may be taken back: one's own steps freely, everything only if the other side agrees, nothing."""
    hints: bool | None = None
    """Whether hints may be taken; None: as is usual, against a computer and at one screen, not between two people."""
    series: bool = False
    """Whether it is the first game of a series, as of a campaign; see `series` of the games."""
    contributes: bool = False
    """Whether you add random bytes to the deal. The game then begins when they have come: see `owed` of the table."""
    data: NewData | None = None
    """None: the game's own cards or scenario. Those are at /data/GAME/cards.toml or .../scenario.toml."""


class Action(msgspec.Struct, forbid_unknown_fields=True):
    """An action of a side, as its text; `version` is that of the position it was chosen in."""

    side: SideName
    version: Version
    action: Annotated[str, Meta(min_length=1, max_length=LONGEST_ACTION)]


class Undo(msgspec.Struct, forbid_unknown_fields=True):
    """Take back the last step, or the whole turn, as far as the policy allows."""

    side: SideName
    version: Version
    whole_turn: bool = False


class HintWanted(msgspec.Struct, forbid_unknown_fields=True):
    """What a side wants to be advised about: what it is asked at this version."""

    side: SideName
    version: Version


class ReplyInfo(msgspec.Struct):
    """What the other side would likely do next."""

    action: str
    share: float
    """Of the worlds looked at, those in which it does so."""


class HintInfo(msgspec.Struct):
    """One answer, as games played on from here judge it; docs/develop/analysis.md."""

    action: str
    win: float
    """How often the side wins, 0..1; a draw counts half."""
    error: float
    """The standard error of `win`."""
    best: bool
    """Whether it is the best, or cannot be told from the best."""
    war: float | None
    """The part of the games that end in a war that the side does not win; null where the game knows no such end."""
    share: float | None
    """How often to give it, where both sides answer in secret."""
    reason: str | None
    """Why, in English."""
    reply: ReplyInfo | None
    score: float | None
    """The side's mean lead in points where the games stop, those aside that a war ends; null where there is none."""


class Hints(msgspec.Struct):
    """What a side is advised. That it was advised stands in the journal at the decision, for both players."""

    side: str
    version: int
    worlds: int
    playouts: int
    hints: list[HintInfo]
    """The best first."""


class Analysis(msgspec.Struct):
    """How the analysis of a finished game stands."""

    status: Literal["none", "at_work", "done", "failed"]
    share: float | None
    """Of the work that is done, 0 to 1, while it is under way."""
    seconds_left: float | None
    """About."""
    analysis: msgspec.Raw | None
    """When it is done: as `brink analyse --json` writes it (docs/develop/analysis.md)."""
    fault: str = ""
    """Why it has failed; it may be asked for again."""


class LineStep(msgspec.Struct, forbid_unknown_fields=True):
    """One more step on a board of analysis (docs/play/guide.md)."""

    at: Version
    """The position: after so many entries of the line."""
    line: Annotated[int, Meta(ge=0)] = 0
    """Its number; 0: the game itself."""
    action: Annotated[str, Meta(max_length=LONGEST_ACTION)] | None = None
    """What the side does that is asked, or what chance is to do there; without it chance acts by itself."""
    chance: Literal["same", "fresh", "hand"] = "fresh"
    """What it does then: as in the game, drawn anew, or wait for what you say."""


class LineEnd(msgspec.Struct):
    """Where a step has led."""

    board: str
    """The board: your own, begun with the same line where you went on from somebody else's."""
    line: int
    """0: what the game itself did."""
    at: int


class LineInfo(msgspec.Struct):
    """A line of a board."""

    number: int
    name: str
    base: int
    """How many entries of the game it begins with."""
    length: int
    steps: list[str]
    """What happened then."""


class BoardInfo(msgspec.Struct):
    """A board of analysis: lines from positions of a finished game."""

    id: str
    game: str
    table: str
    title: str
    is_own: bool
    """Whether you may change it."""
    lines: list[LineInfo]


class ListedBoard(msgspec.Struct):
    """A board of yours in a list."""

    id: str
    game: str
    table: str | None
    """None: of a journal that was uploaded, which is for the browser only."""
    title: str
    lines: int


class Where(msgspec.Struct):
    """A position on a board."""

    line: Annotated[int, Meta(ge=0, description="Its number; 0: the game itself.")] = 0
    at: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="After so many entries; without it the end of the line.")
    ] = None


class OutcomeInfo(msgspec.Struct):
    """What chance may do."""

    action: str
    share: float
    """How likely it is."""


class PositionInfo(msgspec.Struct):
    """A position on a board, all cards open."""

    line: int
    at: int
    asked: str | None
    """The side that is asked; of two that are asked in secret the first that has not answered."""
    state: dict[str, Any]
    legal: list[str]
    outcomes: list[OutcomeInfo]
    """What chance may do, where it is to act."""
    is_over: bool


class LineValue(msgspec.Struct):
    """How good the end of a line is, 0 to 1."""

    line: int
    """0: the game itself, at its next question after it went another way than the last line."""
    at: int
    win: float
    error: float
    behind: float
    """What it wins less than the best."""
    behind_error: float
    is_best: bool
    """The best, or no more than two standard errors behind it."""


class LineValues(msgspec.Struct):
    """The ends of the lines beside one another: played on in the same futures, all cards open."""

    side: str
    """Whose chances they are: the side that is asked where the first line leaves the game."""
    lines: list[LineValue]


class Order(msgspec.Struct, forbid_unknown_fields=True):
    """A standing order of a side, as `offered` of its orders names it."""

    side: SideName
    order: Annotated[str, Meta(min_length=1, max_length=80)]


class Orders(msgspec.Struct):
    """The standing orders of a side, which only it knows of."""

    given: list[str]
    offered: list[str]
    """All it may give: "decline"; "trigger scramble", about one card, counts before "decline"."""


class Join(msgspec.Struct, forbid_unknown_fields=True):
    """Sit down: with an invitation's token, or at an open table; `side` only to choose between free seats."""

    invitation: Annotated[str, Meta(max_length=64)] | None = None
    side: SideName | None = None
    contributes: bool = False
    """Whether you add random bytes to the deal. The game then begins when they have come: see `owed` of the table."""


class PlayOn(msgspec.Struct, forbid_unknown_fields=True):
    """How a position of a finished game shall be played on."""

    step: Annotated[int, Meta(ge=0, le=MAX_VERSION)]
    """The position: after so many entries of its journal."""
    side: SideName
    """The side you will play."""
    against: Annotated[str, Meta(max_length=50)]
    """Who plays the other one: "computer:NAME", "friend" (by invitation), or "me"."""
    same_chance: bool = False
    """Whether chance is decided as in that game; it is drawn anew where not."""


Hex256 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", max_length=64)]


class Deal(msgspec.Struct, forbid_unknown_fields=True):
    """What you owe to the deal: `pledge` or `contribution`, 64 hexadecimal digits. Neither: you add nothing after all.

    Make 32 random bytes after you have seen the table's `commitment`. The pledge is SHA-256 over lines of text; see
    docs/develop/fair.md.
    """

    side: SideName
    pledge: Hex256 | None = None
    contribution: Hex256 | None = None


class SeatInfo(msgspec.Struct):
    """Who plays a side; no name: the seat is free."""

    side: str
    name: str
    is_computer: bool


class DataInfo(msgspec.Struct):
    """The cards or scenario of somebody's own that a table is played with; the file is at /t/TABLE/data/file."""

    name: str
    sha256: str


class OriginInfo(msgspec.Struct):
    """From where a game was played on. Who plays it may have seen all cards there: it proves nothing."""

    address: str
    """Of the other game: "/t/ID", or "/u/ID" for a journal that was uploaded."""
    step: int
    """How many entries were given; nobody takes these back."""
    same_chance: bool


class TableInfo(msgspec.Struct):
    """A table as one reader may know it."""

    id: str
    game: str
    rules_version: int
    options: dict[str, OptionValue]
    data: DataInfo | None
    """None where the game's own cards or scenario are played."""
    status: str
    result: str
    seats: list[SeatInfo]
    you: list[str]
    """The sides you play."""
    version: int
    asked: list[str]
    """The sides that may act now, as far as you may know."""
    commitment: str
    """To the server's secret of the deals."""
    pledges: dict[str, str]
    """What binds players to the bytes they add to the deal, by side."""
    owed: dict[str, str]
    """What you have to send before the game can begin, by side: "pledge" or "bytes"."""
    offer: str | None
    clock: dict[str, Any] | None
    undo: UndoPolicy
    hints: bool
    """Whether the players may take hints."""
    seconds_left: list[float] | None
    """On each side's clock, as far as you may know."""
    series: str | None
    """The series the game belongs to, None if to none."""
    origin: OriginInfo | None
    """None of a game that was begun at its table."""
    invitations: dict[str, str]
    """For you who sit at a table that waits: the tokens of its invitations, by side."""
    suits: str
    """The level that suits you for the next game, when this one against a level is over; "" at other tables."""


class TableView(TableInfo):
    """A table with the position as you know it, and what you may do."""

    as_side: str
    state: Annotated[msgspec.Raw, Meta(extra_json_schema={"type": "object"})]
    """What you know of the position; `cards` has the ids of the cards, by where they lie."""
    legal: Annotated[msgspec.Raw, Meta(extra_json_schema={"type": "array", "items": {"type": "string"}})]
    can_undo: int


class WhyInfo(msgspec.Struct):
    """Why a computer player did what it did."""

    entry: int
    """The number of the entry in the journal."""
    side: str
    key: str
    """What it says, in the catalogue of the computer players."""
    args: dict[str, Any]
    text: str
    """The same as a sentence."""


class SeriesGameInfo(msgspec.Struct):
    """A game of a series; lists have the players' order."""

    table: str
    sides: list[str]
    status: str
    result: str
    points: list[int] | None
    """What it added to each player's score, None while it is played."""


class SeriesInfo(msgspec.Struct):
    """A series of games, as a campaign. Lists have the players' order: first who had the first side in game 1."""

    id: str
    game: str
    options: dict[str, OptionValue]
    players: list[str]
    score: list[int]
    target: int
    is_over: bool
    winners: list[int]
    """The numbers of the players that have won; several, or none, where the rules say so."""
    reason: str
    can_go_on: bool
    """Whether the next game can begin."""
    next_sides: list[str] | None
    """Of each player in the next game; None: it cannot begin, or the players agree on them."""
    games: list[SeriesGameInfo]


class ListedTable(msgspec.Struct):
    """A table in a list."""

    id: str
    game: str
    status: str
    seats: list[str]
    """Who sits there, by side; "" where a seat is free."""
