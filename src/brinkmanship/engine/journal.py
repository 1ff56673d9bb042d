"""The journal: the record of a game as a text a person can read, write by hand and compare. See ``docs/journal.md``.

A `Journal` is what a file says, entry by entry; `play` carries it out by the rules of its game and gives back a
`Match`. Writing goes the other way: `of_match`, then `Journal.text` or `Journal.write`.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from brinkmanship.engine.errors import BrinkError, JournalError
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Entry, Match

FORMAT = 1
"""The version of the format; readers refuse any other."""

MAX_BYTES = 4_000_000
"""No game comes near it; a longer file is not a journal."""

_HEADER = re.compile(r"(?P<key>[a-z][a-z0-9_.-]*):(?:\s+(?P<value>.*))?")
_ENTRY = re.compile(
    r"(?:(?P<number>\d+)\.\s+)?(?P<actor>[a-z_]+)\s+(?P<text>[^;{]*[^;{\s])\s*(?:\{(?P<audience>[^}]*)\})?\s*"
    r"(?:;\s*(?P<comment>.*))?"
)
_UNFINISHED = "unfinished"


@dataclass(frozen=True)
class JournalEntry:
    """One line of a journal."""

    actor: str
    """A side, "chance", or "rules"."""
    text: str
    """The action; with "?" in place of what a reader may not know."""
    audience: tuple[str, ...] | None = None
    """Who may know the action; None: everybody."""
    comment: str = ""
    above: tuple[str, ...] = ()
    """Comment lines that stand above the entry."""
    line: int = 0
    """Where it stood in the file, from 1; 0 if it was not read from one."""

    @property
    def is_hidden(self) -> bool:
        """Whether the journal was filtered for a reader who may not know this action."""
        return self.text.endswith("?")


@dataclass
class Journal:
    """The record of a game."""

    game_id: str
    rules_version: int
    options: dict[str, str] = field(default_factory=dict)
    """Options that differ from the default of the data file."""
    headers: dict[str, str] = field(default_factory=dict)
    """Everything else in the header: us, ussr, date, seed, ..."""
    cards: str = ""
    """Name of the data file, "" for the one of the package."""
    cards_sha256: str = ""
    """Fingerprint of that data file."""
    result: str = _UNFINISHED
    """"<side> by <reason>", "nobody by <reason>", or "unfinished"."""
    entries: list[JournalEntry] = field(default_factory=list)
    below: tuple[str, ...] = ()
    """Comment lines after the last entry."""
    file: str = "journal"

    def text(self) -> str:
        """The journal as its text."""
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
        """Write the journal whole or not at all."""
        target = Path(path)
        # Not `tempfile`: its files are 0600, and a journal is a file like others.
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

    def filtered(self, reader: str) -> Journal:
        """What a side ("us") or the "public" may know of it: other actions only by their kind, as "draw ?".

        What one side has already chosen in a secret choice that waits for the other is left out whole, since even
        that it has chosen is secret.
        """
        entries = [
            entry
            if entry.audience is None or reader in entry.audience
            else JournalEntry(entry.actor, entry.text.split()[0] + " ?", entry.audience, line=entry.line)
            for entry in self.entries
        ]
        if entries and entries[-1].is_hidden and entries[-1].actor not in ("chance", "rules"):
            entries.pop()
        return Journal(
            game_id=self.game_id,
            rules_version=self.rules_version,
            options=dict(self.options),
            headers={**self.headers, "known-to": reader},
            cards=self.cards,
            cards_sha256=self.cards_sha256,
            result=self.result,
            entries=entries,
            file=self.file,
        )


def _one_line(text: str) -> str:
    return " ".join(str(text).split())


def read(path: str | Path) -> Journal:
    """Read a journal file.

    Raises:
        JournalError: it cannot be read, or is no journal of this format; the message names file and line.
    """
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise JournalError(path, None, f"cannot be read: {error.strerror or error}") from error
    if len(raw) > MAX_BYTES:
        raise JournalError(path, None, f"is longer than any journal ({len(raw)} bytes)")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise JournalError(path, line, f"is not UTF-8 text: byte {raw[error.start]:#04x}") from error
    return parse(text, str(path))


def parse(text: str, file: str = "journal") -> Journal:
    """Read a journal from its text; `file` is what errors call it.

    Raises:
        JournalError: it is no journal of this format; the message names the line.
    """
    return _Reader(text, file).read()


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self.lines = text.splitlines()
        self.file = file
        self.at = 0

    def fail(self, message: str) -> JournalError:
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
        raise self.fail('the line "end" is missing: the file has been cut off')

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
            match = _HEADER.fullmatch(line)
            if not match:
                raise self.fail(f'"{line[:60]}" is no header line; one looks like "us: Anna"')
            if not header and match["key"] != "brinkmanship-journal":
                raise self.fail('is not a journal: it must begin with "brinkmanship-journal: 1"')
            if match["key"] in header:
                raise self.fail(f"the header says {match['key']} twice")
            header[match["key"]] = match["value"] or ""
            if match["key"] == "brinkmanship-journal" and header[match["key"]] != str(FORMAT):
                raise self.fail(f"is a journal of format {header[match['key']]!r}; this program reads format {FORMAT}")
        if not header:
            raise self.fail('is empty: a journal begins with "brinkmanship-journal: 1"')
        raise self.fail("ends within its header: the file has been cut off")

    def journal(self, header: dict[str, str]) -> Journal:
        header.pop("brinkmanship-journal")
        if not header.get("game"):
            raise self.fail('the header does not say which game: "game: 13-days"')
        rules = header.pop("rules", "")
        if not rules.isdecimal():
            raise self.fail(f'the header needs the version of the rules, like "rules: 1", not {rules!r}')
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
        match = _ENTRY.fullmatch(line)
        if not match:
            raise self.fail(f'"{line[:60]}" is no entry; one looks like "12. us event scramble"')
        if match["number"] and int(match["number"]) != number:
            raise self.fail(f"entry {match['number']} stands where entry {number} is due")
        audience = match["audience"]
        return JournalEntry(
            actor=match["actor"],
            text=" ".join(match["text"].split()),
            audience=None if audience is None else tuple(name.strip() for name in audience.split(",")),
            comment=(match["comment"] or "").strip(),
            above=above,
            line=self.at,
        )

    def nothing_follows(self) -> None:
        while self.at < len(self.lines):
            if self.next():
                raise self.fail('something follows after "end"')


def of_match(match: Match, headers: Mapping[str, str] | None = None, result: str | None = None) -> Journal:
    """The journal of a match. `result` is for games that ended outside their rules ("us by resignation")."""
    game = match.game
    return Journal(
        game_id=game.id,
        rules_version=game.version,
        options={
            name: str(value).lower() for name, value in game.options.items() if game.default_options[name] != value
        },
        headers=dict(headers or {}),
        cards=Path(game.data_file).name if game.data_file else "",
        cards_sha256=game.data_sha256 if game.data_file else "",
        result=result or result_text(match),
        entries=[_journal_entry(game, entry) for entry in match.entries],
    )


def result_text(match: Match) -> str:
    """The result of a match as the header writes it."""
    outcome = match.outcome()
    if outcome is None:
        return _UNFINISHED
    winner = "nobody" if outcome.winner is None else match.game.sides[outcome.winner]
    return f"{winner} by {outcome.reason}"


def readers(game: Game) -> tuple[str, ...]:
    """The names of those a journal can be filtered for, in the order of the audience bits."""
    return (*game.sides, "public")


def _journal_entry(game: Game, entry: Entry) -> JournalEntry:
    known = tuple(name for bit, name in enumerate(readers(game)) if entry.is_known_to(bit))
    return JournalEntry(
        actor=_actor_name(game, entry),
        text=entry.text,
        audience=None if len(known) == len(readers(game)) else known,
    )


def _actor_name(game: Game, entry: Entry) -> str:
    if entry.actor == CHANCE:
        return "rules" if entry.by_rules else "chance"
    return game.sides[entry.actor]


def play(journal: Journal, game: Game) -> Match:
    """Carry a journal out by the rules, checking every entry; `game` is the ruleset its header names.

    Steps the rules take themselves may be left out of a journal; they are filled in.

    Raises:
        JournalError: an entry breaks the rules, hides what is needed to check it, or the result is wrong.
    """
    match = Match(game)
    _check_ruleset(journal, game)
    for entry in journal.entries:
        if entry.actor != "rules":
            _take_rules_steps(match)
        _push(journal, match, entry)
    _take_rules_steps(match)
    _check_result(journal, match)
    return match


def _check_ruleset(journal: Journal, game: Game) -> None:
    if journal.game_id != game.id:
        raise JournalError(journal.file, None, f"is a game of {journal.game_id}, not of {game.id}")
    if journal.rules_version != game.version:
        raise JournalError(
            journal.file, None, f"was played by version {journal.rules_version} of the rules; this is {game.version}"
        )
    if journal.cards_sha256 and journal.cards_sha256 != game.data_sha256:
        raise JournalError(
            journal.file,
            None,
            f"was played with other {game.data_name}: name the data file {journal.cards} with --{game.data_name}",
        )
    if not journal.cards_sha256 and game.data_file:
        raise JournalError(
            journal.file, None, f"was played with the game's own {game.data_name}, not with {game.data_file}"
        )


def _take_rules_steps(match: Match) -> None:
    while match.actor == CHANCE and match.game.is_rules_step(match.state):
        match.push_chance(lambda _: 0)


def _push(journal: Journal, match: Match, entry: JournalEntry) -> None:
    def fail(message: str) -> JournalError:
        return JournalError(journal.file, entry.line or None, message)

    game = match.game
    if entry.is_hidden:
        raise fail(
            f"hides what {entry.actor} did: a journal filtered for one reader shows a game but cannot be checked"
        )
    names = {**{name: side for side, name in enumerate(game.sides)}, "chance": CHANCE, "rules": CHANCE}
    if entry.actor not in names:
        raise fail(f"nobody is called {entry.actor!r} here; entries are by {', '.join(names)}")
    actor = names[entry.actor]
    due = match.pending or {match.actor}
    if actor not in due:
        who = " or ".join((*game.sides, "chance", "nobody: the game is over")[side] for side in sorted(due))
        raise fail(f'"{entry.actor} {entry.text}" is not possible: {who} is to act')
    try:
        match.push(entry.text, side=actor if actor != CHANCE else None)
    except BrinkError as error:
        raise fail(str(error)) from error
    known = _journal_entry(game, match.entries[-1]).audience
    if entry.audience is not None and set(entry.audience) != set(known or ()):
        raise fail(f"says {', '.join(entry.audience)} may know it; by the rules it is {', '.join(known or ('all',))}")


def _check_result(journal: Journal, match: Match) -> None:
    by_rules = result_text(match)
    if by_rules == journal.result:
        return
    reason = journal.result.rpartition(" by ")[2]
    if by_rules == _UNFINISHED:
        if reason in match.game.reasons:
            raise JournalError(
                journal.file, None, f'says "{journal.result}" but the game is not over after its last entry'
            )
        return
    raise JournalError(journal.file, None, f'says "{journal.result}" but by its entries the result is "{by_rules}"')


def places_of(journal: Journal, match: Match) -> list[int]:
    """For each entry of a journal how many of the match come before it: a journal may leave out steps of the rules."""
    places = []
    at = 0
    for written in journal.entries:
        at = next((n for n in range(at, len(match.entries)) if match.entries[n].text == written.text), at)
        places.append(at)
        at += 1
    return places


def comments_of(journal: Journal, match: Match) -> dict[int, str]:
    """The comments of a journal by the number of the entry in the match."""
    comments = {}
    for written, place in zip(journal.entries, places_of(journal, match), strict=True):
        if said := " ".join([*written.above, written.comment]).strip():
            comments[place + 1] = said
    return comments
