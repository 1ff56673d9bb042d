"""A series of games in the terminal, e.g. a campaign: one `Session` after the other, and the score between them.

Player 0 has side `first_sides[0]` in the first game; against the computer it is the user. Each game is a journal of its
own, ``evening-1.brink``, ``evening-2.brink``; the header "players" lists the side of each player in it. On resignation
the user chooses between the game and the whole campaign (Q49).
"""

from __future__ import annotations

from pathlib import Path

from brinkmanship.engine import journal
from brinkmanship.engine.errors import JournalError, OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.journal import Journal
from brinkmanship.engine.match import Dealer, Match
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.series import Series
from brinkmanship.players import Player
from brinkmanship.terminal.saved_game import SavedGame
from brinkmanship.terminal.screen import Screen
from brinkmanship.terminal.session import Session
from brinkmanship.terminal.words import terminal_words

PLAYERS_HEADER = "players"
GIVEN_UP_HEADER = "campaign"
GIVEN_UP = "given up"
DOMAIN = "series"


def path_of(file: Path, number: int) -> Path:
    """Return the journal path of a game of a campaign, numbered from 1: evening.brink, 2 -> evening-2.brink."""
    return file.with_name(f"{file.stem}-{number}{file.suffix}")


def saved_games(file: Path, game_id: str) -> list[Journal]:
    """Return the games of a saved campaign in order.

    Raises:
        OptionError: there are none.
        JournalError: a journal is damaged, or of another game.
    """
    found: list[Journal] = []
    while (path := path_of(file, len(found) + 1)).exists():
        record = journal.read(path)
        if record.game_id != game_id:
            raise journal.other_game(record, game_id)
        found.append(record)
    if not found:
        names = {"file": str(file), "first": str(path_of(file, 1))}
        raise OptionError(Message("fault.command.no_saved_campaign", names))
    return found


class CampaignSession:
    """A series of games at one screen.

    Args:
        ruleset: the ruleset of all games.
        seats: computer player of each side in the first game, None for a user.
        first_sides: side of each player in the first game.
        deal: decides chance.
        language: language of all output.
        screen: the screen.
        save: path of the journals, one per game (`path_of`).
        saved: the games played so far.

    Raises:
        OptionError: the game has no campaign.
        JournalError: a saved game cannot be replayed.
    """

    def __init__(
        self,
        ruleset: Game,
        seats: list[Player | None],
        first_sides: tuple[int, int],
        deal: Dealer,
        language: str,
        screen: Screen,
        save: Path | None = None,
        saved: list[Journal] | None = None,
    ) -> None:
        series = ruleset.series(first_sides)
        if series is None:
            raise OptionError(Message("fault.command.no_campaign", {"title": ruleset.title}))
        self.series: Series = series
        self.game = ruleset
        self.players = [seats[side] for side in first_sides]
        self.deal = deal
        self.language = language
        self.screen = screen
        self.save = save
        self.words = terminal_words(ruleset, language).with_domain(DOMAIN)
        self.resumed: tuple[Match, tuple[int, int]] | None = None
        for record in saved or []:
            self._resume(record, ruleset)

    def _resume(self, record: Journal, ruleset: Game) -> None:
        match = journal.play(record, ruleset)
        names = record.headers.get(PLAYERS_HEADER, "").split()
        if sorted(names) != sorted(ruleset.sides):
            raise JournalError(record.file, None, Message("fault.journal.no_campaign"))
        sides = (ruleset.sides.index(names[0]), ruleset.sides.index(names[1]))
        if not match.is_over and record.result == "unfinished":
            self.resumed = (match, sides)
        else:
            everything = record.headers.get(GIVEN_UP_HEADER) == GIVEN_UP
            self._count(match, sides, None if match.is_over else record.result, everything)

    def run(self) -> None:
        """Play until the campaign is over or the user leaves."""
        while not self.series.standing.is_over:
            if self.resumed is None and self.series.standing.games and not self._asks("continue"):
                return
            match, sides = self.resumed or (Match(self.game), self._sides())
            self.resumed = None
            saved = self._play(match, sides)
            if saved.result is None and not match.is_over:
                return
            everything = saved.result is not None and self._asks("everything")
            if everything and saved.path is not None:
                saved.headers[GIVEN_UP_HEADER] = GIVEN_UP
                journal.of_match(match, saved.headers, saved.result).write(saved.path)
            self._count(match, sides, saved.result, everything)
            self._show()

    def _play(self, match: Match, sides: tuple[int, int]) -> SavedGame:
        """Play a game until it is over or the user leaves."""
        seats = [self.players[sides.index(side)] for side in range(len(sides))]
        number = self.series.standing.games + 1
        headers = {PLAYERS_HEADER: " ".join(self.game.sides[side] for side in sides)}
        path = None if self.save is None else path_of(self.save, number)
        note = self._note(number, sides)
        saved = SavedGame(match, path, headers)
        Session(saved, seats, self.deal, self.language, self.screen, note).run()
        return saved

    def _note(self, number: int, sides: tuple[int, int]) -> str:
        """Return the number of the game, the players' sides and the score so far."""
        standing = self.series.standing
        mine, other = (Ref("side", self.game.sides[side]) for side in sides)
        numbers = {"n": number, "mine": standing.score[0], "other": standing.score[1], "target": standing.target}
        said = Message(f"series.note{'_two' if self._is_shared else ''}", {**numbers, "side": mine, "opposite": other})
        return self.words.sentence(said)

    def _sides(self) -> tuple[int, int]:
        sides = self.series.sides
        if sides is not None:
            return sides
        return (1, 0) if self._asks("exchange") else (0, 1)

    def _count(self, match: Match, sides: tuple[int, int], result: str | None, everything: bool) -> None:
        series = self.series.choose_sides(sides)
        if result is None:
            self.series = series.after(match.state)
            return
        winner = result.split()[0]
        if winner in self.game.sides:
            loser = 1 - sides.index(self.game.sides.index(winner))
            self.series = series.after_concession(loser, everything)
        else:
            self.series = series.without_result()

    def _show(self) -> None:
        standing = self.series.standing
        key = "score_two" if self._is_shared else "score"
        numbers = {"n": standing.games, "mine": standing.score[0], "other": standing.score[1]}
        self.screen.tell(self.words.sentence(Message(f"series.{key}", {**numbers, "target": standing.target})))
        if not standing.is_over:
            return
        loser = self._name(1 - standing.winners[0]) if standing.winners else ""
        reason = self.words.text(Message(f"series.reason.{standing.reason}", {"loser": loser}))
        if not standing.winners:
            self.screen.tell(self.words.sentence(Message("series.nobody", {"reason": reason})))
            return
        who = " · ".join(self._name(player) for player in standing.winners)
        key = "won" if len(standing.winners) == 1 else "shared"
        self.screen.tell(self.words.sentence(Message(f"series.{key}", {"who": who, "reason": reason})))

    @property
    def _is_shared(self) -> bool:
        return self.players == [None, None]

    def _name(self, player: int) -> str:
        if self._is_shared:
            return self.words.text(Message("series.player", {"n": player + 1}))
        return self.words.text(Message("series.you" if self.players[player] is None else "series.opponent"))

    def _asks(self, key: str) -> bool:
        yes, no = self.words.text(Message("yes")), self.words.text(Message("no"))
        otherwise = self.words.text(Message("series.yes_or_no", {"yes": yes, "no": no}))
        try:
            return self.screen.confirm(self.words.sentence(Message(f"series.{key}")), yes, no, otherwise)
        except EOFError:
            return False
