"""Finding puzzles: positions in which one answer is far better than the next, judged from what its side could know.

Every legal answer is played on in the same worlds, drawn from what the side cannot tell apart. Answers that fall far
behind drop out early. The best is chosen in one half of the worlds, and has to be `GAP` better than every other in the
other half; then it has to be so again in twice as many fresh worlds. `search`, as it plays, must not think another
answer better. A question put to both in secret is a puzzle only where the balance of both always gives one answer.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from brinkmanship.analysis.report import Analysis, Option
from brinkmanship.analysis.summary import KIND_OF
from brinkmanship.analysis.value import reference_player
from brinkmanship.engine import journal
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.engine.message_json import as_json
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import kit_for
from brinkmanship.players import Budget, load_player, players_for, self_play
from brinkmanship.players.hints import hints
from brinkmanship.players.matrix_game import balance
from brinkmanship.players.player import Player
from brinkmanship.players.search import Playouts, SearchPlayer
from brinkmanship.puzzles.puzzle import FINDERS, TRAININGS, Origin, Puzzle, PuzzleError, Training, read

GAP = 0.10
"""What the answer wins more than every other, in chances to win."""
ERRORS = 2.0
"""A next best answer has to be behind by as many standard errors."""
SCREENED, SIFTED, CONFIRMED = 16, 100, 400
"""Worlds in which all answers, the better ones, and the best few are played on; to confirm, twice the last."""
FAR, BEHIND = 0.35, 0.22
"""An answer that is so far behind the best drops out after the first worlds, and after the second."""
MIN_SEEMING = 0.8
"""The part of `GAP` that an answer has to be ahead by in fewer worlds, to be looked at further."""
OFTEN, ALWAYS = 0.9, 0.98
"""How often the balance of a question put to both gives the answer, in the first worlds and in the end."""
MAX_COMPARED = 6
"""Answers that are left at the end."""
MAX_LEGAL = 60
"""Of a position with more answers no puzzle is made: nobody goes through them."""
MAX_OF_A_GAME = 6
"""Puzzles, from one game."""
HINT_PLAYOUTS = 900
"""By which `search`, as it plays, judges the answer."""

Points = npt.NDArray[np.float64]
"""float64[worlds, answers]: what each answer wins in each world."""


def players_of(game: Game, number: int) -> tuple[str, str]:
    """Who plays game `number`."""
    pairs = kit_for(game).puzzle_players
    first, second = pairs[number % len(pairs)]
    return first, second


def find(game: Game, number: int, seed: int) -> Origin:
    """Play game `number` of a seed, and find the puzzles in it: those that are hard to find, and the widest gaps."""
    names = players_of(game, number)
    players = (load_player(names[0], game, seed), load_player(names[1], game, seed + 1))
    match = Match(game)
    for actor, action in self_play.record(game, number, seed, players):
        match.take([(actor, action)])
    kept = _best_of(match, [one for one, _ in _puzzles_in(match, seed, seed + number)], _is_easy)
    length = kept[-1].at if kept else 0
    record = journal.of_match(match.until(length)).text() if kept else ""
    return Origin(game.id, number, seed, names, record, tuple(kept))


def found_in(match: Match, asked: Collection[tuple[int, int]], seed: int) -> Origin:
    """The puzzles in a finished game that somebody has played: first those that were not solved in it.

    Args:
        match: the game.
        asked: entries before a decision, and the side that decided: those that are looked at, as `worth_a_look` says.
        seed: of the worlds.
    """
    found = _puzzles_in(match, seed, seed, asked)
    solved = {one.id for one, taken in found if one.answer == taken}
    record, kept = journal.of_match(match).text(), list[Puzzle]()
    for side in range(len(match.game.sides)):
        kept += _best_of(match, [one for one, _ in found if one.side == side], lambda one: one.id in solved)
    return Origin(match.game.id, 0, seed, (), record, tuple(sorted(kept, key=lambda one: one.at)))


def worth_a_look(analysis: Analysis) -> Iterator[tuple[int, int]]:
    """Entries before a decision, and the side that decided, where by an analysis one answer seems to be far better than
    any other, or is given nearly always."""
    for one in analysis.judgements:
        best, *others = one.options
        if best.share is not None:
            stands_out = best.share >= OFTEN
        else:
            stands_out = bool(others) and best.win - others[0].win >= MIN_SEEMING * GAP
        if stands_out:
            yield one.first, one.side


def _puzzles_in(
    match: Match, seed: int, worlds: int, asked: Collection[tuple[int, int]] | None = None
) -> list[tuple[Puzzle, str]]:
    """The puzzles in a game, each with what was done. What a side is asked again, with the same answers to choose from,
    is one puzzle of a game and no more.

    Args:
        match: the game.
        seed: of the players that look at it.
        worlds: the seed of the worlds.
        asked: entries before a decision, and the side that decided; None: all decisions are looked at.
    """
    game = match.game
    player = reference_player(game, seed)
    finders = {name: load_player(name, game, 0) for name in FINDERS if name in players_for(game)}
    seen = [Observation.of(match, side) for side in range(len(game.sides))]
    found: dict[object, tuple[Puzzle, str]] = {}
    for at, entry in enumerate(match.entries):
        if entry.actor >= len(game.sides):
            continue
        whole = seen[entry.actor]
        if entry.together and len(game.asked(match.state_after(at))) == 1:
            at -= 1  # both were asked at once: neither knew the other's answer
        if asked is not None and (at, entry.actor) not in asked:
            continue
        known = Observation(game, entry.actor, whole.actions[:at], whole.views[: at + 1])
        question = _question(known)
        if question not in found and (one := judged(player, known, at, worlds, finders)) is not None:
            found[question] = one, entry.text
    return list(found.values())


def _question(seen: Observation) -> object:
    """What a side is asked, and what it may answer."""
    game, view = seen.game, seen.view()
    return seen.side, game.narrator.prompt(view, seen.side).key, tuple(game.legal_actions(view, seen.side))


def _best_of(match: Match, found: Sequence[Puzzle], is_left: Callable[[Puzzle], bool]) -> list[Puzzle]:
    """Of the puzzles of a game `MAX_OF_A_GAME` at most, those with the widest gaps, and of what `is_left` only where
    there are too few others. One in a turn: what follows in the same turn is the same puzzle again."""
    kept: list[Puzzle] = []
    for one in sorted(found, key=lambda one: (is_left(one), -one.gap)):
        turns = [sorted((one.at, other.at)) for other in kept if other.side == one.side]
        if not any(all(entry.actor == one.side for entry in match.entries[first:last]) for first, last in turns):
            kept.append(one)
    return sorted(kept[:MAX_OF_A_GAME], key=lambda one: one.at)


def _is_easy(one: Puzzle) -> bool:
    return set(one.found_by) == set(FINDERS)


def judged(player: SearchPlayer, seen: Observation, at: int, seed: int, finders: Mapping[str, Player]) -> Puzzle | None:
    """The puzzle that a position is, None where it is none.

    Args:
        player: the reference player of the game.
        seen: the game up to there, as the side that is asked saw it; nothing else is looked at.
        at: entries before the decision.
        seed: of the worlds and of chance in them.
        finders: the quick players, by their names.
    """
    game, side, view = seen.game, seen.side, seen.view()
    legal = game.legal_actions(view, side)
    asked = game.narrator.prompt(view, side).key
    trains = KIND_OF.get(asked, "other")
    if not 1 < len(legal) <= MAX_LEGAL or trains not in TRAININGS:
        return None
    if asked in kit_for(game).questions_without_puzzles:
        return None
    asked_players = _Finders(finders, seen)
    if len(game.asked(view)) > 1:
        compared = _secret(player, seen, legal, seed)
    elif player.method.is_exact(view):
        return None  # playouts do not see what can be reckoned, and nobody reckons it in his head
    else:
        compared = _open(player, seen, legal, seed)
    if compared is None:
        return None
    return _puzzle(seen, compared, at, trains, seed, asked_players.who_find(compared.answer))


class _Finders:
    """What the quick players answer, asked only where that matters."""

    def __init__(self, players: Mapping[str, Player], seen: Observation) -> None:
        self._players = players
        self._seen = seen

    @cached_property
    def _answers(self) -> dict[str, int]:
        return {name: player.fresh(0).choose(self._seen).action for name, player in self._players.items()}

    def who_find(self, answer: int) -> tuple[str, ...]:
        """The names of those that give an answer."""
        return tuple(name for name, action in self._answers.items() if action == answer)


class _Compared(NamedTuple):
    """An answer that is far better than any other."""

    answer: int
    gap: float
    error: float
    worlds: int
    options: tuple[Option, ...]
    by_war: bool
    """Whether what the next best answer loses is lost by war."""


class _Lines:
    """Answers played on in worlds that no other call has used."""

    def __init__(self, player: SearchPlayer, seen: Observation, seed: int) -> None:
        self._playouts = Playouts(player, seen, seed)
        self._wars = [player.game.reasons.index(reason) for reason in player.method.war]

    def play(self, actions: Sequence[int], worlds: int) -> tuple[Points, Points]:
        """What each wins, and how often it ends in a war that the side does not win: float64[worlds, answers]."""
        points = self._playouts.play(np.array([[action] for action in actions], np.int64), worlds)
        lost = np.isin(self._playouts.ends, self._wars) & (points < 1.0)
        return points, lost.astype(np.float64)


def _open(player: SearchPlayer, seen: Observation, legal: Sequence[int], seed: int) -> _Compared | None:
    lines = _Lines(player, seen, seed)
    known: dict[int, tuple[Points, Points]] = {}

    def play(actions: Sequence[int], worlds: int) -> Points:
        points, wars = lines.play(actions, worlds)
        for number, action in enumerate(actions):
            known[action] = (points[:, number], wars[:, number])
        return points

    left = list(legal)
    for worlds, far, least in ((SCREENED, FAR, 0.0), (SIFTED, BEHIND, MIN_SEEMING * GAP)):
        means = play(left, worlds).mean(axis=0)
        order = np.argsort(-means)
        if means[order[0]] - means[order[1]] < least or (worlds == SCREENED and not _may_stand_out(means)):
            return None
        kept = [left[number] for number in order if means[order[0]] - means[number] <= far]
        left = kept[:MAX_COMPARED] if len(kept) > 1 else [left[number] for number in order[:2]]
    points = play(left, CONFIRMED)
    best = int(points[: CONFIRMED // 2].mean(axis=0).argmax())
    if _gap(points[CONFIRMED // 2 :], best)[0] <= GAP:
        return None
    points = play(left, 2 * CONFIRMED)
    gap, error, second = _gap(points, best)
    if gap <= GAP or gap <= ERRORS * error:
        return None
    dropped = [action for action in legal if action not in left]
    if dropped and _least_lead(lines, left[best], dropped, known) <= GAP:
        return None
    game, has_war = player.game, bool(player.method.war)
    options = [
        Option(game.action_text(action), float(won.mean()), _error(won), float(war.mean()) if has_war else None)
        for action, (won, war) in known.items()
    ]
    wars = known[left[second]][1].mean() - known[left[best]][1].mean()
    return _Compared(left[best], gap, error, 2 * CONFIRMED, _ordered(options, left[best], game), wars >= 0.5 * gap)


def _least_lead(lines: _Lines, best: int, dropped: Sequence[int], known: dict[int, tuple[Points, Points]]) -> float:
    """By how much an answer is better than the best of those that dropped out early, in worlds of their own; what they
    come to is written to `known`."""
    points, wars = lines.play([best, *dropped], CONFIRMED)
    known.update({action: (points[:, number], wars[:, number]) for number, action in enumerate(dropped, 1)})
    means = points.mean(axis=0)
    return float(means[0] - means[1:].max())


def _may_stand_out(means: Points) -> bool:
    """Whether the best of few worlds may be `GAP` better than the next."""
    best, second = np.sort(means)[::-1][:2]
    return bool(best - second >= 0.25 * GAP)


def _secret(player: SearchPlayer, seen: Observation, legal: Sequence[int], seed: int) -> _Compared | None:
    game = seen.game
    answers = player.method.secret(game, seen.view(), seen.side)
    if answers is None or set(answers.own) != set(legal):
        return None
    own, other = list(answers.own), list(answers.other)
    playouts = Playouts(player, seen, seed)
    pairs = np.array([(mine, theirs) for mine in own for theirs in other], np.int64)

    def play(worlds: int) -> Points:
        return playouts.play(pairs, worlds).reshape(worlds, len(own), len(other))

    chosen = play(SIFTED // 2)
    mixture, others = balance(chosen.mean(axis=0))
    best = int(mixture.argmax())
    if mixture[best] < OFTEN or _gap(chosen @ others, best)[0] < MIN_SEEMING * GAP:
        return None
    for worlds in (CONFIRMED, 2 * CONFIRMED):
        measured = play(worlds)
        mixture, others = balance(measured.mean(axis=0))
        won = measured @ others
        gap, error, _ = _gap(won, best)
        if int(mixture.argmax()) != best or mixture[best] < ALWAYS or gap <= GAP or gap <= ERRORS * error:
            return None
    options = [Option(game.action_text(one), float(won[:, n].mean()), _error(won[:, n])) for n, one in enumerate(own)]
    return _Compared(own[best], gap, error, 2 * CONFIRMED, _ordered(options, own[best], game), False)


def _gap(points: Points, best: int) -> tuple[float, float, int]:
    """By how much an answer is better than the next best, the standard error of that, and which that is."""
    means = points.mean(axis=0)
    means[best] = -np.inf
    second = int(means.argmax())
    ahead = points[:, best] - points[:, second]
    return float(ahead.mean()), _error(ahead), second


def _error(points: npt.NDArray[np.float64]) -> float:
    return float(points.std(ddof=1) / len(points) ** 0.5)


def _ordered(options: Iterable[Option], answer: int, game: Game) -> tuple[Option, ...]:
    """The answer first, then the rest from the best on."""
    text = game.action_text(answer)
    return tuple(sorted(options, key=lambda one: (one.action != text, -one.win)))


def _puzzle(
    seen: Observation, found: _Compared, at: int, trains: str, seed: int, found_by: tuple[str, ...]
) -> Puzzle | None:
    """What is told of a position that stands the test; None where `search` would rather give another answer."""
    game, side = seen.game, seen.side
    advice = hints(seen, Budget(nodes=HINT_PLAYOUTS), seed)
    hinted = next((one for one in advice.hints if one.action == found.answer), None)
    if hinted is not None and not hinted.is_best:
        return None
    text = game.action_text(found.answer)
    training: Training = "danger" if found.by_war else msgspec.convert(trains, Training)
    print_of = hashlib.sha256(seen.views[-1] + f"{game.id} {side} {text}".encode()).hexdigest()
    return Puzzle(
        id=print_of[:12],
        at=at,
        side=side,
        trains=training,
        answer=text,
        options=tuple(_rounded(one) for one in found.options),
        gap=round(found.gap, 4),
        error=round(found.error, 4),
        worlds=found.worlds,
        found_by=found_by,
        reason=None if hinted is None or hinted.reason is None else as_json(hinted.reason),
        reply=None if hinted is None or hinted.reply is None else as_json(hinted.reply.text),
    )


def _rounded(one: Option) -> Option:
    war = None if one.war is None else round(one.war, 3)
    return Option(one.action, round(one.win, 4), round(one.error, 4), war)


def make(
    game: Game, games: int, seed: int, file: Path, told: Callable[[int], None] = lambda _: None, first: int = 0
) -> None:
    """Find the puzzles of games number `first` .. `first + games - 1` and write them to a file, a line for each game
    as it is done; a file that is there already is gone on with.

    Args:
        told: is told how many more games are done.

    Raises:
        PuzzleError: what is there is no such file, or is of another game or seed.
    """
    there = read(file.read_bytes()) if file.exists() else ()
    if any((one.game, one.seed) != (game.id, seed) for one in there):
        raise PuzzleError(Message("fault.puzzles.other", {"file": str(file), "title": game.title}))
    done = {one.number for one in there}
    told(len(done & set(range(first, first + games))))
    with file.open("ab") as out:
        for number in range(first, first + games):
            if number not in done:
                out.write(msgspec.json.encode(find(game, number, seed)) + b"\n")
                out.flush()
                told(1)


# ---- Whether those that were found hold.

CHECKED_BY = "search:3000n"
"""A player that has to give the answer, too: it knows the same policy, but stops its playouts where it always does."""


def held(game: Game, origin: Origin, seed: int) -> Origin:
    """A game with those of its puzzles that stand a second look: in worlds of another seed each is a puzzle again, with
    the same answer, and `CHECKED_BY` gives that answer. They stay as they were found.

    Args:
        game: the ruleset.
        origin: a game with puzzles.
        seed: of the worlds; another one than that by which they were found.
    """
    if not origin.puzzles:
        return origin  # nor has it a journal
    match = journal.play(journal.parse(origin.journal), game)
    player, kept = reference_player(game, seed), []
    for one in origin.puzzles:
        whole = Observation.of(match, one.side)
        seen = Observation(game, one.side, whole.actions[: one.at], whole.views[: one.at + 1])
        again = judged(player, seen, one.at, seed + origin.number, {})
        if again is None or again.answer != one.answer:
            continue
        given = load_player(CHECKED_BY, game, seed + one.at).choose(seen).action
        if game.action_text(given) == one.answer:
            kept.append(one)
    return msgspec.structs.replace(origin, puzzles=tuple(kept))


# ---- Which of those that were found are kept.

MAX_EASY = 0.4
"""The part of the puzzles that all quick players find."""
MAX_ALIKE = 0.1
"""The part of the puzzles that have the same answer of the same side."""
TELLS_APART = 20
"""Two puzzles with the same answers are two only where these win differently: into so many parts chances are cut."""
MAX_OF_TWO = 0.4
"""The part of the puzzles with two answers only."""
MAX_OF_A_TRAINING = 0.4
"""The part of the puzzles that train the same."""


def chosen(origins: Iterable[Origin], count: int) -> Iterator[Origin]:
    """Games with `count` of their puzzles at most: no two that look the same, few that everybody finds, and some of all
    kinds. The same for the same puzzles."""
    all_games = list(origins)
    every = [(origin, puzzle) for origin in all_games for puzzle in origin.puzzles]
    every.sort(key=lambda one: one[1].id)  # by chance, but the same each time
    kept: set[str] = set()
    alike: Counter[object] = Counter()
    pictures: set[object] = set()
    for strict in (True, False):
        for _, puzzle in every:
            if len(kept) == count:
                break
            answers = tuple(sorted(one.action for one in puzzle.options))
            picture = (puzzle.side, puzzle.answer, answers, round(TELLS_APART * puzzle.options[0].win))
            kinds: list[tuple[object, float]] = [((puzzle.side, puzzle.answer), MAX_ALIKE)]
            if strict:
                kinds.append((("trains", puzzle.trains), MAX_OF_A_TRAINING))
                if len(puzzle.options) == 2:
                    kinds.append(("two", MAX_OF_TWO))
            if _is_easy(puzzle):
                kinds.append(("easy", MAX_EASY))
            if puzzle.id in kept or picture in pictures or any(alike[kind] >= part * count for kind, part in kinds):
                continue
            kept.add(puzzle.id)
            pictures.add(picture)
            alike.update(kind for kind, _ in kinds)
    for origin in all_games:
        puzzles = tuple(one for one in origin.puzzles if one.id in kept)
        if puzzles:
            yield msgspec.structs.replace(origin, puzzles=puzzles)
