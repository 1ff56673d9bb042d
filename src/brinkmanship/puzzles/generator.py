"""Puzzle generator: finds positions in which one choice is far better than the next, given its side's knowledge.

Every legal choice is simulated in the same sampled deals, which are consistent with the side's view. Choices that fall
far behind are dropped early. The best is chosen in one half of the deals, and must be `GAP` better than every other in
the other half; then again in twice as many fresh deals. What playouts promise too much (`SearchConfig.optimism`) is
taken off win probabilities and leads, as in hints. `search`, at its playing strength, must not prefer another choice. A
simultaneous choice is a puzzle only if the equilibrium always makes the same choice.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from brinkmanship.analysis.report import Analysis, ComparedOption
from brinkmanship.analysis.summary import KIND_OF
from brinkmanship.analysis.value import reference_player
from brinkmanship.engine import journal
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.engine.message_json import as_json
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import kit_for, load_game
from brinkmanship.players import Budget, load_player, players_for, self_play
from brinkmanship.players.hints import hints
from brinkmanship.players.matrix_game import equilibrium
from brinkmanship.players.player import Player
from brinkmanship.players.search import Playouts, SearchPlayer
from brinkmanship.puzzles.puzzle import FINDERS, TRAININGS, Origin, Puzzle, PuzzleError, Training, is_packed, read

GAP = 0.10
"""Minimum lead of the solution over every other choice, in win probability."""
ERRORS = 2.0
"""Minimum lead over the next best choice, in standard errors."""
SCREENED, SIFTED, CONFIRMED = 16, 100, 400
"""Sampled deals for all choices, the better ones, and the best few; the confirmation uses twice the last."""
SECONDED = 100
"""Sampled deals of the second opinion."""
FAR, BEHIND = 0.35, 0.22
"""Deficits at which a choice is dropped after the first deals, and after the second."""
MIN_SEEMING = 0.8
"""Minimum lead in smaller samples, as a fraction of `GAP`, to continue."""
OFTEN, ALWAYS = 0.9, 0.98
"""Minimum probability of the choice in the equilibrium of a simultaneous choice, in the first deals and in the end."""
MAX_COMPARED = 6
"""Maximum choices compared in the end."""
MAX_LEGAL = 60
"""Maximum legal choices of a puzzle: users would not go through more."""
MAX_OF_A_GAME = 6
"""Maximum puzzles from one game."""
HINT_PLAYOUTS = 900
"""Playouts of `search` at its playing strength."""

Points = npt.NDArray[np.float64]
"""float64[worlds, answers]: the result of each choice in each sampled deal."""


def players_of(game: Game, number: int) -> tuple[str, str]:
    """Return the players of game `number`."""
    pairs = kit_for(game).puzzle_players
    first, second = pairs[number % len(pairs)]
    return first, second


def find(game: Game, number: int, seed: int) -> Origin:
    """Play game `number` of a seed and return its puzzles: those that are hard to find, and the widest gaps."""
    names = players_of(game, number)
    players = (load_player(names[0], game, seed), load_player(names[1], game, seed + 1))
    match = Match(game)
    for actor, action in self_play.record(game, number, seed, players):
        match.take([(actor, action)])
    kept = _best_of(match, [one for one, _ in _puzzles_in(match, seed, seed + number)], _is_easy)
    length = kept[-1].at if kept else 0
    record = journal.of_match(match.until(length)).text() if kept else ""
    return Origin(game.id, number, seed, names, record, tuple(kept))


def found_in(match: Match, decisions: Collection[tuple[int, int]], seed: int) -> Origin:
    """Return the puzzles in a finished game between people, those not solved in it first.

    Args:
        match: the game.
        decisions: pairs of the entries before a decision and the deciding side, from `worth_a_look`.
        seed: seed of the sampled deals.
    """
    found = _puzzles_in(match, seed, seed, decisions)
    solved = {one.id for one, taken in found if one.answer == taken}
    record, kept = journal.of_match(match).text(), list[Puzzle]()
    for side in range(len(match.game.sides)):
        kept += _best_of(match, [one for one, _ in found if one.side == side], lambda one: one.id in solved)
    return Origin(match.game.id, 0, seed, (), record, tuple(sorted(kept, key=lambda one: one.at)))


def worth_a_look(analysis: Analysis) -> Iterator[tuple[int, int]]:
    """Yield decisions in which, by an analysis, one choice seems far better than any other, or is nearly always made.

    Each is a pair of the entries before it and the deciding side.
    """
    for one in analysis.judgements:
        best, *others = one.options
        if best.share is not None:
            stands_out = best.share >= OFTEN
        else:
            stands_out = bool(others) and best.win - others[0].win >= MIN_SEEMING * GAP
        if stands_out:
            yield one.first, one.side


def _puzzles_in(
    match: Match, seed: int, worlds: int, decisions: Collection[tuple[int, int]] | None = None
) -> list[tuple[Puzzle, str]]:
    """Return the puzzles in a game, each with the action taken.

    A repeated question to the same side with the same choices gives only one puzzle per game.

    Args:
        match: the game.
        seed: seed of the players that examine it.
        worlds: seed of the sampled deals.
        decisions: pairs of the entries before a decision and the deciding side; None: all decisions.
    """
    game = match.game
    player = reference_player(game, seed)
    finders = {name: load_player(name, game, 0) for name in FINDERS if name in players_for(game)}
    seen = [Observation.of(match, side) for side in range(len(game.sides))]
    found: dict[object, tuple[Puzzle, str]] = {}
    for at, entry in enumerate(match.entries):
        if entry.actor >= len(game.sides):
            continue
        if entry.together and len(game.to_move(match.state_after(at))) == 1:
            at -= 1  # a simultaneous choice: neither side knew the other's
        if decisions is not None and (at, entry.actor) not in decisions:
            continue
        known = seen[entry.actor].before(at)
        question = _question(known)
        if question not in found and (one := judged(player, known, at, worlds, finders)) is not None:
            found[question] = one, entry.text
    return list(found.values())


def _question(seen: Observation) -> object:
    """Return a key for the question to a side and its legal choices."""
    game, view = seen.game, seen.view()
    return seen.side, game.narrator.prompt(view, seen.side).key, tuple(game.legal_actions(view, seen.side))


def _best_of(match: Match, found: Sequence[Puzzle], is_left: Callable[[Puzzle], bool]) -> list[Puzzle]:
    """Return at most `MAX_OF_A_GAME` puzzles of a game, those with the widest gaps; `is_left` marks the reserve.

    There is at most one per turn: further ones in the same turn are the same puzzle again.
    """
    kept: list[Puzzle] = []
    for one in sorted(found, key=lambda one: (is_left(one), -one.gap)):
        turns = [sorted((one.at, other.at)) for other in kept if other.side == one.side]
        if not any(all(entry.actor == one.side for entry in match.entries[first:last]) for first, last in turns):
            kept.append(one)
    return sorted(kept[:MAX_OF_A_GAME], key=lambda one: one.at)


def _is_easy(one: Puzzle) -> bool:
    return set(one.found_by) == set(FINDERS)


def judged(player: SearchPlayer, seen: Observation, at: int, seed: int, finders: Mapping[str, Player]) -> Puzzle | None:
    """Return the puzzle at a position, None if it is not a puzzle.

    Args:
        player: the reference player of the game.
        seen: the game up to there, as the side to act saw it; no other information is used.
        at: entries before the decision.
        seed: seed of the sampled deals and of chance in them.
        finders: the quick players, by their names.
    """
    game, side, view = seen.game, seen.side, seen.view()
    legal = game.legal_actions(view, side)
    question = game.narrator.prompt(view, side).key
    trains = KIND_OF.get(question, "other")
    if not 1 < len(legal) <= MAX_LEGAL or trains not in TRAININGS:
        return None
    if question in kit_for(game).questions_without_puzzles:
        return None
    players = _Finders(finders, seen)
    if len(game.to_move(view)) > 1:
        compared = _secret(player, seen, legal, seed)
    elif player.method.solve(game, view, side, player.method.prior(game, seed).choose(seen), 1):
        return None  # the exact values are a calculation that playouts miss and people cannot do in their heads
    else:
        compared = _open(player, seen, legal, seed)
    if compared is None:
        return None
    return _puzzle(seen, compared, at, trains, seed, players.who_find(compared.answer))


class _Finders:
    """The choices of the quick players, computed on demand."""

    def __init__(self, players: Mapping[str, Player], seen: Observation) -> None:
        self._players = players
        self._seen = seen

    @cached_property
    def _answers(self) -> dict[str, int]:
        return {name: player.fresh(0).choose(self._seen).action for name, player in self._players.items()}

    def who_find(self, answer: int) -> tuple[str, ...]:
        """Return the names of those that make a choice."""
        return tuple(name for name, action in self._answers.items() if action == answer)


class _Compared(NamedTuple):
    """A choice that is far better than any other."""

    answer: int
    gap: float
    error: float
    worlds: int
    options: tuple[ComparedOption, ...]
    by_war: bool
    """True if the next best choice loses because of a war."""


class _Lines:
    """Playouts of choices; every call uses new sampled deals."""

    def __init__(self, player: SearchPlayer, seen: Observation, seed: int) -> None:
        self._playouts = Playouts(player, seen, seed)
        self._wars = [player.game.reasons.index(reason) for reason in player.method.war]

    def play(self, actions: Sequence[int], worlds: int) -> tuple[Points, Points]:
        """Return the results, and the wars that the side does not win, of each action: float64[worlds, answers]."""
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
    if _gap(player, points[CONFIRMED // 2 :], best)[0] <= GAP:
        return None
    points = play(left, 2 * CONFIRMED)
    gap, error, second = _gap(player, points, best)
    if gap <= GAP or gap <= ERRORS * error:
        return None
    dropped = [action for action in legal if action not in left]
    if dropped and _least_lead(player, lines, left[best], dropped, known) <= GAP:
        return None
    if not _is_seconded(player, seen, left[best], [action for action in left if action != left[best]], seed):
        return None
    game, has_war = player.game, bool(player.method.war)
    options = [
        ComparedOption(
            game.action_text(action),
            player.said(float(won.mean())),
            player.error(_error(won)),
            float(war.mean()) if has_war else None,
        )
        for action, (won, war) in known.items()
    ]
    wars = known[left[second]][1].mean() - known[left[best]][1].mean()
    return _Compared(left[best], gap, error, 2 * CONFIRMED, _ordered(options, left[best], game), wars >= 0.5 * gap)


def _least_lead(
    player: SearchPlayer,
    lines: _Lines,
    best: int,
    dropped: Sequence[int],
    known: dict[int, tuple[Points, Points]],
) -> float:
    """Return the lead of a choice over the best of those that were dropped early, in separate deals.

    The results are added to `known`.
    """
    points, wars = lines.play([best, *dropped], CONFIRMED)
    known.update({action: (points[:, number], wars[:, number]) for number, action in enumerate(dropped, 1)})
    return _gap(player, points, 0)[0]


def _is_seconded(player: SearchPlayer, seen: Observation, best: int, others: Sequence[int], seed: int) -> bool:
    """Return True if a choice also wins more than others by the policy of a second opinion, or there is none."""
    if not player.has_second_opinion(seen.view()):
        return True
    points, _ = _Lines(player.for_second_opinion(), seen, seed + 1).play([best, *others], SECONDED)
    means = points.mean(axis=0)
    return bool(means[0] > means[1:].max())


def _may_stand_out(means: Points) -> bool:
    """Return True if the best of few deals may be `GAP` better than the next."""
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
    mixture, others = equilibrium(chosen.mean(axis=0))
    best = int(mixture.argmax())
    if mixture[best] < OFTEN or _gap(player, chosen @ others, best)[0] < MIN_SEEMING * GAP:
        return None
    for worlds in (CONFIRMED, 2 * CONFIRMED):
        measured = play(worlds)
        mixture, others = equilibrium(measured.mean(axis=0))
        won = measured @ others
        gap, error, _ = _gap(player, won, best)
        if int(mixture.argmax()) != best or mixture[best] < ALWAYS or gap <= GAP or gap <= ERRORS * error:
            return None
    options = [
        ComparedOption(game.action_text(one), player.said(float(won[:, n].mean())), player.error(_error(won[:, n])))
        for n, one in enumerate(own)
    ]
    return _Compared(own[best], gap, error, 2 * CONFIRMED, _ordered(options, own[best], game), False)


def _gap(player: SearchPlayer, points: Points, best: int) -> tuple[float, float, int]:
    """Return the lead to be said of a choice over the next best, its standard error, and the index of the next best."""
    means = points.mean(axis=0)
    others = means.copy()
    others[best] = -np.inf
    second = int(others.argmax())
    factor = player.said_factor(float(means[best]), float(means[second]))
    ahead = points[:, best] - points[:, second]
    return factor * float(ahead.mean()), factor * _error(ahead), second


def _error(points: npt.NDArray[np.float64]) -> float:
    return float(points.std(ddof=1) / len(points) ** 0.5)


def _ordered(options: Iterable[ComparedOption], answer: int, game: Game) -> tuple[ComparedOption, ...]:
    """Return the solution first, then the rest from the best on."""
    text = game.action_text(answer)
    return tuple(sorted(options, key=lambda one: (one.action != text, -one.win)))


def _puzzle(
    seen: Observation, found: _Compared, at: int, trains: str, seed: int, found_by: tuple[str, ...]
) -> Puzzle | None:
    """Return the data of a confirmed puzzle; None if `search` prefers another choice."""
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


def _rounded(one: ComparedOption) -> ComparedOption:
    war = None if one.war is None else round(one.war, 3)
    return ComparedOption(one.action, round(one.win, 4), round(one.error, 4), war)


def make(
    game: Game,
    games: int,
    seed: int,
    file: Path,
    report_progress: Callable[[int], None] = lambda _: None,
    first: int = 0,
) -> None:
    """Find the puzzles of games number `first` .. `first + games - 1` and write them to a file.

    It appends one line for each finished game; an existing file is continued.

    Args:
        game: the ruleset.
        games: number of games.
        seed: seed of the games.
        file: the file to write.
        report_progress: callback with the number of newly finished games.
        first: number of the first game.

    Raises:
        PuzzleError: the existing file is not such a file, or is of another game or seed.
    """
    wanted = {number: partial(find, game, number, seed) for number in range(first, first + games)}

    def key_of(_line: int, one: Origin) -> int | None:
        return one.number if (one.game, one.seed) == (game.id, seed) else None

    _complete(file, wanted, key_of, game.title, report_progress)


def _complete(
    file: Path,
    wanted: Mapping[int, Callable[[], Origin]],
    key_of: Callable[[int, Origin], int | None],
    title: str,
    report_progress: Callable[[int], None],
) -> tuple[Origin, ...]:
    """Append the games that a file lacks, each when it is finished, and return all that it has.

    Args:
        file: the file, not compressed; created if it does not exist.
        wanted: the work for each game, by its key.
        key_of: returns the key of the game in a line, from 0; None if the same command has not written it.
        title: what the file must hold, for the error.
        report_progress: callback with the number of newly finished games.

    Raises:
        PuzzleError: the existing file is not such a file, or of another command.
    """
    raw = file.read_bytes() if file.is_file() else b""
    there = list(read(raw))
    done = {key_of(line, one) for line, one in enumerate(there)}
    if is_packed(raw) or None in done:
        raise PuzzleError(Message("fault.puzzles.other", {"file": str(file), "title": title}))
    report_progress(len(done & wanted.keys()))
    with file.open("ab") as out:
        for key, work in wanted.items():
            if key not in done:
                there.append(work())
                out.write(msgspec.json.encode(there[-1]) + b"\n")
                out.flush()
                report_progress(1)
    return tuple(there)


# ---- Verification of found puzzles.

CHECKED_BY = "search:3000n"
"""A player that must also find the solution: it has the same policy, but its usual cut of playouts."""


def check(
    found: Iterable[Origin],
    seed: int,
    file: Path,
    report_progress: Callable[[int], None] = lambda _: None,
) -> tuple[Origin, ...]:
    """Write games with those of their puzzles that pass a second test to a file, and return them.

    It appends one line for each finished game; an existing file is continued. A game of which nothing passes has a line
    without a journal.

    Args:
        found: games with puzzles, of one ruleset.
        seed: seed of the sampled deals; not the one by which the puzzles were found.
        file: the file to write.
        report_progress: callback with the number of newly finished games.

    Raises:
        PuzzleError: the existing file is not such a file, or is of other games or another seed.
    """
    games = list(found)
    expected = [(one.game, one.seed, one.number, seed) for one in games]

    def key_of(line: int, one: Origin) -> int | None:
        # Games have no other key: two versions of the program play different games of the same number and seed.
        return line if expected[line : line + 1] == [(one.game, one.seed, one.number, one.checked)] else None

    wanted = {line: partial(_held, one, seed) for line, one in enumerate(games)}
    title = load_game(games[0].game).title if games else ""
    return _complete(file, wanted, key_of, title, report_progress)


def _held(origin: Origin, seed: int) -> Origin:
    """Return a game with those of its puzzles that pass a second test; their data stays as found.

    In deals sampled with another seed each must be a puzzle again, with the same solution, and `CHECKED_BY` must make
    that choice.
    """
    kept: list[Puzzle] = []
    if origin.puzzles:  # otherwise it has no journal
        game = load_game(origin.game)
        match = journal.play(journal.parse(origin.journal), game)
        player = reference_player(game, seed)
        kept = [one for one in origin.puzzles if _holds(one, match, player, seed, seed + origin.number)]
    record = origin.journal if kept else ""
    return msgspec.structs.replace(origin, journal=record, puzzles=tuple(kept), checked=seed)


def _holds(puzzle: Puzzle, match: Match, player: SearchPlayer, seed: int, worlds: int) -> bool:
    game, seen = match.game, Observation.of(match, puzzle.side).before(puzzle.at)
    again = judged(player, seen, puzzle.at, worlds, {})
    if again is None or again.answer != puzzle.answer:
        return False
    given = load_player(CHECKED_BY, game, seed + puzzle.at).choose(seen).action
    return game.action_text(given) == puzzle.answer


# ---- Selection of found puzzles.

MAX_EASY = 0.4
"""Maximum fraction of puzzles that all quick players find."""
MAX_ALIKE = 0.1
"""Maximum fraction of puzzles with the same solution of the same side."""
TELLS_APART = 20
"""Two puzzles with equal choices are different only if their solutions' win probabilities differ by one part in this
many.
"""
MAX_OF_TWO = 0.4
"""Maximum fraction of puzzles with only two choices."""
MAX_OF_A_TRAINING = 0.4
"""Maximum fraction of puzzles with the same training."""


def chosen(origins: Iterable[Origin], count: int) -> Iterator[Origin]:
    """Yield games with at most `count` of their puzzles in total: no two alike, few easy ones, and some of all kinds.

    The same puzzles always give the same selection.
    """
    all_games = list(origins)
    every = [(origin, puzzle) for origin in all_games for puzzle in origin.puzzles]
    every.sort(key=lambda one: one[1].id)  # a random but reproducible order
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
        kept -= {one.id for one in puzzles}  # the same game may come twice
        if puzzles:
            yield msgspec.structs.replace(origin, puzzles=puzzles)
