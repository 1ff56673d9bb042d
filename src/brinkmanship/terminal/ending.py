"""The end of a session: the last page with the result, and the level that suits the user for the next game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from brinkmanship.engine import journal
from brinkmanship.engine.game import FULL_INFORMATION, OBSERVER
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.perspective import Perspective
from brinkmanship.players import Player, level_that_suits, levels_for
from brinkmanship.terminal.log import game_log, reasoned
from brinkmanship.terminal.presenter import Presenter
from brinkmanship.terminal.saved_game import SavedGame
from brinkmanship.terminal.score import score_lines
from brinkmanship.text.reasons import reason_text

MAX_REASONS = 5
"""Maximum decisions of computer players explained on the last page."""


def show_ending(
    saved: SavedGame, presenter: Presenter, seats: Sequence[Player | None], entries_seen: Sequence[int], note: str
) -> None:
    """Show the result, everything revealed at the end and the computer's last reasons; suggest a level, offer to save.

    Args:
        saved: the finished game.
        presenter: shows it.
        seats: computer player of each side, None for a user.
        entries_seen: number of entries that each side has read.
        note: the standing of a campaign; no level is suggested within one.
    """
    people = [side for side, seat in enumerate(seats) if seat is None]
    viewer = people[0] if len(people) == 1 else OBSERVER
    seen = Perspective(saved.match, viewer)
    read = min(entries_seen) if viewer == OBSERVER else entries_seen[viewer]
    page = presenter.page(seen, read, saved.forced, [note] if note else [])
    score = [*score_lines(Perspective(saved.match, FULL_INFORMATION), presenter.words, presenter.screen.width)]
    ending = [*presenter.table.ending(seen.view()), *score, *_last_reasons(saved, seen, presenter)]
    presenter.screen.page(replace(page, ending=ending, result=_result(saved, presenter, people, explained=bool(score))))
    if (level := _next_level(saved, seats, people)) and not note:
        name = presenter.words.with_domain("players").text(Message(f"player.{level}"))
        presenter.tell("next_level", name=name, game=presenter.game.id, level=level)
    saved.offer_to_save("save_journal", presenter)


def _last_reasons(saved: SavedGame, seen: Perspective, presenter: Presenter) -> Iterator[RenderableType]:
    """Yield the last decisions of computer players with their reasons, under a heading; a saved game has all."""
    said = {number: reason_text(reason, presenter.words) for number, reason in saved.reasons.items()}
    lines = [*reasoned(game_log(seen, presenter.words), said)]
    if lines:
        yield Text()
        yield Padding(Text(presenter.say("reasons"), "bold"), (0, 0, 0, 1))
        yield from lines[-2 * MAX_REASONS :]


def _next_level(saved: SavedGame, seats: Sequence[Player | None], people: Sequence[int]) -> str:
    """Return the level that suits the user for the next game, "" if it is unchanged."""
    game = saved.match.game
    names = [seat.name for seat in seats if seat is not None]
    if len(people) != 1 or names[0] not in levels_for(game):
        return ""
    score = game.narrator.score(list(Perspective(saved.match, FULL_INFORMATION).seen()))
    level = level_that_suits(game, names[0], people[0], saved.result or journal.result_text(saved.match), score)
    return level if level != names[0] else ""


def _result(saved: SavedGame, presenter: Presenter, people: Sequence[int], *, explained: bool) -> str:
    """Return the result in words, with its reason unless a score on the same page explains it."""
    sides = presenter.game.sides
    if saved.result is not None:
        side = saved.result.split()[0]
        if side not in sides:
            return saved.result
        loser = sides[1 - sides.index(side)]
        return presenter.say("result.resignation", side=Ref("side", side), loser=Ref("side", loser))
    outcome = saved.match.outcome()
    if outcome is None:
        return presenter.say("result.nobody")
    if outcome.winner is None:
        result = presenter.say("result.nobody")
    elif len(people) == 1:
        result = presenter.say("result.you_win" if outcome.winner == people[0] else "result.you_lose")
    else:
        result = presenter.say_with_side("result.winner", outcome.winner)
    if explained:
        return result
    return f"{result} {presenter.words.sentence(Message(f'reason.{outcome.reason}'))}"
