"""The journal: the record of a game as a text file to read, write and compare. See ``docs/develop/formats.md``.

A `Journal` is the content of a file, entry by entry; `play` replays it by the rules of its game and returns a
`Match`. Writing goes the other way: `of_match`, then `Journal.text` or `Journal.write`.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, NamedTuple

from brinkmanship.engine.entry import Entry
from brinkmanship.engine.errors import BrinkError, JournalError, LocalizedError
from brinkmanship.engine.game import CHANCE, FULL_INFORMATION, OVER, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Argument, Message
from brinkmanship.engine.message_json import as_json, message_of
from brinkmanship.engine.options import any_of
from brinkmanship.engine.perspective import Perspective

FORMAT = 1
"""The version of the format; programs refuse any other."""

MAX_BYTES = 1_000_000
"""Maximum file size; messages call it 1 MB."""
LAST_LINE = b"end"
MAX_LINES = 10_000
MAX_LINE_LENGTH = 2_000
"""Maximum characters of a line. No game comes near any of the three limits; a larger file is not a journal."""

# Each pattern is one repeated character class, so matching takes linear time; other syntax is split at its delimiters.
_KEY = re.compile(r"[a-z][a-z0-9_.-]*")
_ACTOR = re.compile(r"[a-z_]+")
_DRAW_NOTE = re.compile(r"drawn \d+ of \d+")
_UNFINISHED = "unfinished"
HINT_TAKEN = "hint taken"
"""The comment of an entry that was decided after a hint."""
WHY = "why "
"""Prefix of the comment at a computer player's action, followed by its reason, a message as JSON."""
END = "done"
"""The action that ends an action which may be taken several times."""
GIVEN_HEADER = "given"
"""Header of a game continued from a position of another one: the number of entries up to that position."""
GIVEN_FROM_HEADER = "given-from"
"""Header that names that other game."""


@dataclass(frozen=True)
class JournalEntry:
    """One line of a journal."""

    actor: str
    """A side, "chance", or "rules"."""
    text: str
    """The action; with "?" in place of the parts a viewer may not know."""
    audience: tuple[str, ...] | None = None
    """The viewers who may know the action; None: all."""
    comment: str = ""
    above: tuple[str, ...] = ()
    """Comment lines above the entry."""
    line: int = 0
    """Its line in the file, from 1; 0 if it was not read from one."""

    @property
    def is_hidden(self) -> bool:
        """True if the journal was filtered for a viewer who may not know this action."""
        return self.text.endswith("?")


@dataclass
class Journal:
    """The record of a game."""

    game_id: str
    rules_version: int
    options: dict[str, str] = field(default_factory=dict)
    """Options that differ from the default of the data file."""
    headers: dict[str, str] = field(default_factory=dict)
    """All other headers: us, ussr, date, seed, ..."""
    cards: str = ""
    """Name of the data file, "" for the one of the package."""
    cards_sha256: str = ""
    """SHA-256 of that data file."""
    result: str = _UNFINISHED
    """"<side> by <reason>", "nobody by <reason>", or "unfinished"."""
    entries: list[JournalEntry] = field(default_factory=list)
    below: tuple[str, ...] = ()
    """Comment lines after the last entry."""
    file: str = "journal"

    def text(self) -> str:
        """Return the journal as text."""
        lines = [f"brinkmanship-journal: {FORMAT}", f"game: {self.game_id}", f"rules: {self.rules_version}"]
        lines += [f"option.{name}: {value}" for name, value in self.options.items()]
        if self.cards:
            lines.append(f"cards: {self.cards} sha256:{self.cards_sha256}")
        lines += [f"{key}: {_one_line(value)}" for key, value in self.headers.items()]
        lines += [f"result: {self.result}", ""]
        width = len(str(len(self.entries))) + 1
        for number, entry in enumerate(self.entries, 1):
            lines += [f"; {line}".rstrip() for line in entry.above]
            audience = "" if entry.audience is None else f" {{{', '.join(entry.audience)}}}"
            comment = f"  ; {_one_line(entry.comment)}" if entry.comment else ""
            lines.append(f"{f'{number}.':>{width}} {entry.actor:<6} {entry.text}{audience}{comment}")
        lines += [f"; {line}".rstrip() for line in self.below]
        return "\n".join([*lines, "end", ""])

    def write(self, path: str | Path) -> None:
        """Write the journal atomically."""
        target = Path(path)
        # Not `tempfile`: its files have mode 0600, and a journal should have the default mode.
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        try:
            with open(temporary, "x", encoding="utf-8", newline="\n") as stream:
                stream.write(self.text())
                stream.flush()
                os.fsync(stream.fileno())
            if target.exists():
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def _one_line(text: str) -> str:
    return " ".join(str(text).split())


def read(path: str | Path) -> Journal:
    """Read a journal file.

    Raises:
        JournalError: it cannot be read, or is not a journal of this format; the message names file and line.
    """
    try:
        with open(path, "rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise JournalError(path, None, _message("unreadable", why=str(error.strerror or error))) from error
    return from_bytes(raw, str(path))


def read_all(path: str | Path) -> Iterator[Journal]:
    """Yield the journals of a file that has any number of them, one after another, as a game database has.

    Raises:
        JournalError: the file cannot be read, or one of them is not a journal of this format; the message names the
            file, the number of the journal in it, and the line of that journal.
    """
    try:
        with open(path, "rb") as stream:
            for number, raw in enumerate(_pieces(stream), 1):
                yield from_bytes(raw, f"{path}, journal {number}")
    except OSError as error:
        raise JournalError(path, None, _message("unreadable", why=str(error.strerror or error))) from error


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the bytes of each journal, up to its last line; one that is too large is cut off, and refused later."""
    lines: list[bytes] = []
    size = 0
    for line in stream:
        lines.append(line[: MAX_BYTES + 1])
        size += len(lines[-1])
        if line.strip() == LAST_LINE or size > MAX_BYTES:
            yield b"".join(lines)
            lines, size = [], 0
    if any(line.strip() for line in lines):
        yield b"".join(lines)


def from_bytes(raw: bytes, file: str) -> Journal:
    """Read a journal from the bytes of an untrusted file.

    Raises:
        JournalError: it is too large, not UTF-8, or not a journal of this format; the message names the line.
    """
    if len(raw) > MAX_BYTES:
        raise JournalError(file, None, _message("too_long"))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise JournalError(file, line, _message("not_utf8", byte=f"{raw[error.start]:#04x}")) from error
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        raise JournalError(file, None, _message("too_many_lines", lines=len(lines), most=MAX_LINES))
    for number, line_text in enumerate(lines, 1):
        if len(line_text) > MAX_LINE_LENGTH:
            length = {"characters": len(line_text), "most": MAX_LINE_LENGTH}
            raise JournalError(file, number, Message("fault.long_line", length))
    return parse(text, file)


def parse(text: str, file: str = "journal") -> Journal:
    """Read a journal from its text; `file` is its name in errors.

    Raises:
        JournalError: it is not a journal of this format; the message names the line.
    """
    return _Reader(text, file).read()


def _message(key: str, **arguments: Argument) -> Message:
    return Message(f"fault.journal.{key}", arguments)


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self.lines = text.splitlines()
        self.file = file
        self.at = 0

    def fail(self, message: Message) -> JournalError:
        return JournalError(self.file, self.at or None, message)

    def read(self) -> Journal:
        header = self.header()
        journal = self.journal(header)
        comments: list[str] = []
        while self.at < len(self.lines):
            line = self.next()
            if line == "end":
                self.nothing_follows()
                journal.below = tuple(comments)
                return journal
            if line.startswith(";"):
                comments.append(line[1:].strip())
            elif line:
                journal.entries.append(self.entry(line, len(journal.entries) + 1, tuple(comments)))
                comments = []
        raise self.fail(_message("no_end"))

    def next(self) -> str:
        line = self.lines[self.at].strip()
        self.at += 1
        return line

    def header(self) -> dict[str, str]:
        header: dict[str, str] = {}
        while self.at < len(self.lines):
            line = self.next()
            if not line and header:
                return header
            if not line or line.startswith(";"):
                continue
            key, colon, value = line.partition(":")
            if not colon or not _KEY.fullmatch(key) or value[:1].strip():
                raise self.fail(_message("no_header_line", line=_brief(line)))
            if not header and key != "brinkmanship-journal":
                raise self.fail(_message("no_journal"))
            if key in header:
                raise self.fail(_message("header_twice", name=_brief(key)))
            header[key] = value.strip()
            if key == "brinkmanship-journal" and header[key] != str(FORMAT):
                raise self.fail(_message("format", format=_brief(header[key]), known=str(FORMAT)))
        if not header:
            raise self.fail(_message("empty"))
        raise self.fail(_message("cut_in_header"))

    def journal(self, header: dict[str, str]) -> Journal:
        header.pop("brinkmanship-journal")
        if not header.get("game"):
            raise self.fail(_message("no_game"))
        rules = header.pop("rules", "")
        if not rules.isdecimal() or len(rules) > _MAX_DIGITS:
            raise self.fail(_message("no_rules", value=_brief(rules)))
        cards, _, sha256 = header.pop("cards", "").rpartition(" sha256:")
        return Journal(
            game_id=header.pop("game"),
            rules_version=int(rules),
            options={key.removeprefix("option."): header.pop(key) for key in list(header) if key.startswith("option.")},
            cards=cards,
            cards_sha256=sha256 if cards else "",
            result=header.pop("result", _UNFINISHED),
            headers=header,
            file=self.file,
        )

    def entry(self, line: str, number: int, above: tuple[str, ...]) -> JournalEntry:
        said, _, comment = line.partition(";")
        said, opening, inside = said.partition("{")
        viewers, closing, rest = inside.partition("}")
        given, actor, text = _number_actor_text(said)
        if not _ACTOR.fullmatch(actor) or not text or (opening and not closing) or rest.strip():
            raise self.fail(_message("no_entry", line=_brief(line)))
        if given and (len(given) > _MAX_DIGITS or int(given) != number):
            raise self.fail(_message("entry_number", given=_brief(given), due=str(number)))
        return JournalEntry(
            actor=actor,
            text=text,
            audience=tuple(name.strip() for name in viewers.split(",")) if opening else None,
            comment=comment.strip(),
            above=above,
            line=self.at,
        )

    def nothing_follows(self) -> None:
        while self.at < len(self.lines):
            if self.next():
                raise self.fail(_message("after_end"))


_MAX_DIGITS = 9


def _number_actor_text(said: str) -> tuple[str, str, str]:
    """Return the parts of an entry; "" for a missing part."""
    words = said.split()
    number = words.pop(0)[:-1] if words and words[0].endswith(".") and words[0][:-1].isdecimal() else ""
    return number, "".join(words[:1]), " ".join(words[1:])


def _brief(text: str) -> str:
    """Return the beginning of a text of any length, for a message."""
    return text[:60]


def of_match(match: Match, headers: Mapping[str, str] | None = None, result: str | None = None) -> Journal:
    """Return the complete journal of a match; `result` is for games ended outside the rules ("us by resignation")."""
    return known_to(Perspective(match, FULL_INFORMATION), headers, result)


def known_to(perspective: Perspective, headers: Mapping[str, str] | None = None, result: str | None = None) -> Journal:
    """Return the journal as a viewer may know it; its header names the viewer.

    Hidden actions are shown only by their kind, for example "draw ?".
    """
    game = perspective.game
    filtered_for = {} if perspective.viewer == FULL_INFORMATION else {"known-to": viewers(game)[perspective.viewer]}
    return Journal(
        game_id=game.id,
        rules_version=game.version,
        options={
            name: str(value).lower() for name, value in game.options.items() if game.default_options[name] != value
        },
        headers={**(headers or {}), **filtered_for},
        cards=Path(game.data_file).name if game.data_file else "",
        cards_sha256=game.data_sha256 if game.data_file else "",
        result=result or result_text(perspective),
        entries=[_journal_entry(game, entry) for entry in perspective.entries],
    )


def result_text(match: Match | Perspective) -> str:
    """Return the result of a match for the header."""
    outcome = match.outcome()
    if outcome is None:
        return _UNFINISHED
    winner = "nobody" if outcome.winner is None else match.game.sides[outcome.winner]
    return f"{winner} by {outcome.reason}"


class Ending(NamedTuple):
    """The result of a game, as in the header of a journal."""

    winner: int | None
    """The side that won; None without a winner."""
    reason: str
    """One of `Game.reasons`, or another one for a game that ended outside its rules; "" if it is not over."""


def ending_of(game: Game, result: str) -> Ending:
    """Parse a result written by `result_text`."""
    winner, _, reason = result.partition(" by ")
    return Ending(game.sides.index(winner) if winner in game.sides else None, reason)


def viewers(game: Game) -> tuple[str, ...]:
    """Return the names of the possible viewers of a journal, in the order of the audience bits."""
    return (*game.sides, "public")


def _journal_entry(game: Game, entry: Entry) -> JournalEntry:
    known = tuple(name for bit, name in enumerate(viewers(game)) if entry.is_known_to(bit))
    return JournalEntry(
        actor=actor_name(game, entry),
        text=entry.text,
        audience=None if len(known) == len(viewers(game)) else known,
    )


def actor_name(game: Game, entry: Entry) -> str:
    """Return the actor of an entry, as in journals: a side, "chance" or "rules"."""
    if entry.actor == CHANCE:
        return "rules" if entry.by_rules else "chance"
    return game.sides[entry.actor]


def play(journal: Journal, game: Game) -> Match:
    """Replay a journal by the rules, checking every entry; `game` is the ruleset its header names.

    A journal may leave out steps the rules take themselves, and a `done` that the next entry implies: they are filled
    in.

    Raises:
        JournalError: an entry breaks the rules, hides information needed to check it, or the result is wrong.
    """
    match = Match(game)
    _check_ruleset(journal, game)
    for entry in journal.entries:
        if entry.actor != "rules":
            _take_rules_steps(match)
        _supply_end(match, entry)
        _push(journal, match, entry)
    _take_rules_steps(match)
    _check_result(journal, match)
    return match


def _check_ruleset(journal: Journal, game: Game) -> None:
    if journal.game_id != game.id:
        raise other_game(journal, game.id)
    if not game.can_play(journal.rules_version):
        versions = {"played": str(journal.rules_version), "known": str(game.version)}
        raise JournalError(journal.file, None, Message("fault.journal.rules_version", versions))
    if journal.cards_sha256 and journal.cards_sha256 != game.data_sha256:
        raise JournalError(
            journal.file, None, _message("other_data", file=_brief(journal.cards), option=f"--{game.data_name}")
        )
    if not journal.cards_sha256 and game.data_file:
        raise JournalError(journal.file, None, _message("own_data", file=game.data_file))


def other_game(journal: Journal, wanted: str) -> JournalError:
    """Return the error for a journal of another game than the one wanted."""
    return JournalError(journal.file, None, _message("other_game", game=_brief(journal.game_id), wanted=wanted))


def _take_rules_steps(match: Match) -> None:
    while match.actor == CHANCE and match.game.is_rules_step(match.state):
        match.push_chance(lambda _: 0)


def _supply_end(match: Match, entry: JournalEntry) -> None:
    """Insert a `done` that the next entry implies: the entry is legal only after it."""
    if entry.is_hidden or _fits(match, entry):
        return
    tried = match.copy()
    while tried.actor < CHANCE and not tried.in_secret and END in [decision.text for decision in tried.legal()]:
        tried.push(END)
        if entry.actor != "rules":
            _take_rules_steps(tried)
        if _fits(tried, entry):
            for supplied in tried.entries[len(match.entries) :]:
                match.push(supplied.text, side=None if supplied.actor == CHANCE else supplied.actor)
            return


def _fits(match: Match, entry: JournalEntry) -> bool:
    """Return True if an entry is legal now, or names the chance event or the step of the rules that is due."""
    if match.actor == CHANCE:
        return entry.actor == ("rules" if match.game.is_rules_step(match.state) else "chance")
    if match.actor > CHANCE or entry.actor not in match.game.sides:
        return False
    try:
        match.checked(entry.text, match.game.sides.index(entry.actor))
    except BrinkError:
        return False
    return True


def _push(journal: Journal, match: Match, entry: JournalEntry) -> None:
    def fail(message: Message) -> JournalError:
        return JournalError(journal.file, entry.line or None, message)

    game = match.game
    if entry.is_hidden:
        raise fail(_message("hidden", who=_brief(entry.actor)))
    actors = _actors(game)
    if entry.actor not in actors:
        raise fail(_message("nobody", name=_brief(entry.actor), known=", ".join(actors)))
    actor = actors[entry.actor]
    due = match.pending or {match.actor}
    if actor not in due:
        said = f"{entry.actor} {entry.text}"
        if OVER in due:
            raise fail(Message("fault.action.over", {"action": _brief(said)}))
        raise fail(_message("not_due", entry=_brief(said), who=any_of(game.actor_name(side) for side in sorted(due))))
    try:
        match.push(entry.text, side=actor if actor != CHANCE else None)
    except LocalizedError as error:
        raise fail(error.reason) from error
    known = _journal_entry(game, match.entries[-1]).audience
    if entry.audience is not None and set(entry.audience) != set(known or ()):
        said = ", ".join(entry.audience)
        raise fail(_message("audience", given=_brief(said), known=", ".join(known or viewers(game))))


def _actors(game: Game) -> dict[str, int]:
    """Return the actors that may occur in a journal."""
    return {**{name: side for side, name in enumerate(game.sides)}, "chance": CHANCE, "rules": CHANCE}


def _check_result(journal: Journal, match: Match) -> None:
    by_rules = result_text(match)
    if by_rules == journal.result:
        return
    if by_rules == _UNFINISHED:
        if ending_of(match.game, journal.result).reason in match.game.reasons:
            raise JournalError(journal.file, None, _message("not_over", result=_brief(journal.result)))
        return
    raise JournalError(journal.file, None, _message("result", result=_brief(journal.result), by_rules=by_rules))


def given_in(journal: Journal, match: Match) -> int:
    """Return how many entries of a match were taken over from another game that it continues; 0 if none.

    Raises:
        JournalError: the header has no valid number.
    """
    said = journal.headers.get(GIVEN_HEADER, "0")
    if not said.isdecimal() or len(said) > _MAX_DIGITS or int(said) > len(match.entries):
        given = _message("given", value=_brief(said), entries=str(len(match.entries)))
        raise JournalError(journal.file, None, given)
    return int(said)


def places_of(journal: Journal, match: Match) -> list[int]:
    """Return for each entry of a journal how many entries of the match come before it.

    A journal may leave out steps of the rules, and list the sides of a secret choice in any order.
    """
    actors, entries = _actors(match.game), match.entries
    places: list[int] = []
    taken: set[int] = set()
    at = 0
    for written in journal.entries:
        actor = actors[written.actor]
        wanted = actor, match.game.parse_action(written.text, actor)
        place = next(n for n in range(at, len(entries)) if n not in taken and entries[n][:2] == wanted)
        places.append(place)
        taken.add(place)
        # The match lists the sides of a secret choice in a fixed order; the journal may list the other choice later.
        other = place - 1
        is_first = at <= other not in taken and entries[place].together and entries[other].together
        at = other if is_first else place + 1
    return places


def is_draw_note(comment: str) -> bool:
    """Return True if a comment is only the note of a draw, as tables write it (``docs/develop/formats.md``)."""
    return _DRAW_NOTE.fullmatch(comment) is not None


def with_reasons(record: Journal, reasons: Mapping[int, Message]) -> Journal:
    """Return the journal of a finished game with the reasons of computer players as comments, by entry number.

    During the game this would be a leak: a reason may mention information that only its side knows.
    """
    entries = [
        replace(entry, comment=WHY + json.dumps(as_json(said), ensure_ascii=False, separators=(",", ":")))
        if (said := reasons.get(number)) is not None and not entry.comment
        else entry
        for number, entry in enumerate(record.entries, 1)
    ]
    return replace(record, entries=entries)


def reasons_of(journal: Journal, match: Match) -> dict[int, Message]:
    """Return the reasons of computer players in a journal, by the number of the entry in the match.

    The file is untrusted, so there may be no text for a reason.
    """
    found = zip(journal.entries, places_of(journal, match), strict=True)
    return {place + 1: said for written, place in found if (said := _reason_in(written.comment)) is not None}


def _reason_in(comment: str) -> Message | None:
    if not comment.startswith(WHY):
        return None
    try:
        said = message_of(json.loads(comment.removeprefix(WHY)))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None  # a comment by a person
    return said if isinstance(said.key, str) else None


def comments_of(journal: Journal, match: Match) -> dict[int, str]:
    """Return the comments of a journal by the number of the entry in the match, without those that programs write."""
    comments = {}
    for written, place in zip(journal.entries, places_of(journal, match), strict=True):
        is_note = is_draw_note(written.comment) or _reason_in(written.comment) is not None
        comment = "" if is_note else written.comment
        if said := " ".join([*written.above, comment]).strip():
            comments[place + 1] = said
    return comments


def with_notes_of_hints(record: Journal, hinted: Collection[int]) -> Journal:
    """Mark decisions made after a hint in a journal; `hinted` counts the entries before each."""
    count = len(record.entries)
    record.entries = [
        replace(entry, comment=HINT_TAKEN) if number in hinted else entry for number, entry in enumerate(record.entries)
    ]
    if count in hinted:
        record.below = (HINT_TAKEN,)
    return record


def hinted_in(record: Journal, match: Match) -> set[int]:
    """Return the decisions that a journal marks as made after a hint; `match` is the game that it records."""
    hinted = {number - 1 for number, said in comments_of(record, match).items() if HINT_TAKEN in said}
    return hinted | ({len(match.entries)} if HINT_TAKEN in record.below else set())
