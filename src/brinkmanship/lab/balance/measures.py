"""The measures: each plays the games of a `Trial` and counts the results.

The docstring of each measure lists its keys. A score is that of side 0: 1 for a win and 1/2 without a winner; a worth
is a difference of scores from the view of the side named, from -1 to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import count, pairwise
from typing import Any, NamedTuple

import numpy as np

from brinkmanship.engine.chance import below, generators
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.record import State
from brinkmanship.games.registry import load_game
from brinkmanship.lab.balance.accumulator import Tally
from brinkmanship.lab.balance.counterfactual import SALT, Branches, PlayedGame, Trial, played_out
from brinkmanship.lab.balance.profile import BalanceProfile, Beginning
from brinkmanship.lab.balance.wars import War, way_out
from brinkmanship.lab.diagnostics.card_value import exchanges
from brinkmanship.players.self_play import play

CHUNK = 512
LEADS = 0.55
"""Minimum chance of winning for a side to count as ahead."""
BEHIND = 0.25
"""A winner whose chance was once at most this counts as having come back."""
BAND = 10
"""Width of a bin of game lengths, in decisions."""
OWN_DATA = "data"
"""Used in place of an option: the package's own data against the measured file."""


class Found(NamedTuple):
    """Result of a measure."""

    tally: Tally
    rows: list[list[int]]
    """One row per game for measures that need single games; the measure's docstring names the columns."""


def games(trial: Trial) -> Found:
    """Count results, endings, causes of wars and lengths.

    Keys: ``score``; ``end/SPAN/REASON/WINNER``; ``cause/SIDE/CAUSE`` of wars; ``length`` and ``length/BAND``:
    decisions.
    """
    tally = Tally()
    profile, sides = trial.profile, (*trial.game.sides, "nobody")
    for batch in play(trial.game, trial.first, trial.games, trial.seed, (trial.player, trial.player), CHUNK):
        for state, reason, winner, decisions in zip(
            batch.states, batch.reasons.tolist(), batch.winners.tolist(), batch.decisions.tolist(), strict=True
        ):
            tally.add("score", 0.5 if winner < 0 else float(winner == 0))
            tally.add(f"end/{profile.span(state)}/{trial.game.reasons[reason]}/{sides[winner]}", 1.0)
            tally.add("length", decisions)
            tally.add(f"length/{decisions // BAND * BAND:05}", 1.0)
            if trial.game.reasons[reason] in profile.wars:
                for side, cause in profile.causes(state):
                    tally.add(f"cause/{sides[side]}/{cause}", 1.0)
    return Found(tally, [])


class _Course:
    """The lead in a game over time, and what led to its war."""

    def __init__(self, profile: BalanceProfile) -> None:
        self._profile = profile
        self.led: dict[int, int] = {}
        """The side ahead at each moment, -1 for neither."""
        self.lowest = [1.0, 1.0]
        self.causes = ["", ""]
        """The action that last put each side in danger of war."""
        self._was = [False, False]

    def look(self, state: State, actor: int, kind: str) -> None:
        """Update after an action."""
        number = self._profile.moment(state)
        if number >= 0 and number not in self.led:
            chance = self._profile.chance(state)
            self.led[number] = 0 if chance >= LEADS else 1 if chance <= 1 - LEADS else -1
            self.lowest = [min(self.lowest[0], chance), min(self.lowest[1], 1 - chance)]
        if self._profile.wars and int(self._profile.game.actor(self._profile.game.rules, state)) != OVER:
            for side in range(2):
                now = self._profile.at_war(state, side)
                if now and not self._was[side]:
                    self.causes[side] = kind if actor == CHANCE else "own" if actor == side else "other"
                self._was[side] = now


def course(trial: Trial) -> Found:
    """Count changes of the lead, comebacks, and avoidable wars.

    Keys: ``changes`` of the lead; ``ahead/MOMENT``: the score of the side ahead there; ``even/MOMENT``: whether neither
    is; ``back``: whether the winner had come back; ``war/SIDE``: share of the wars begun by a side that were avoidable;
    ``deed/SIDE/DEED``: the actions that led to its wars. A row for each avoidable war: game, side, and its `WayOut`.
    """
    tally, rows = Tally(), []
    for number in trial.numbers:
        table, course, war = PlayedGame(trial, number), _Course(trial.profile), War(trial)
        for step in count():
            if (actor := table.actor) == OVER:
                break
            if actor != CHANCE:
                war.note(table, actor, step)
            _, action = table.step()
            if actor != CHANCE:
                war.took(actor, action)
            course.look(table.state, actor, trial.game.action_text(action).split()[0])
        score = table.score()
        leaders = [side for side in course.led.values() if side >= 0]
        if course.led:
            tally.add("changes", float(sum(a != b for a, b in pairwise(leaders))))
        for moment, side in course.led.items():
            tally.add(f"even/{moment:02}", float(side < 0))
            if side >= 0:
                tally.add(f"ahead/{moment:02}", score if side == 0 else 1 - score)
        if course.led and score != 0.5:
            tally.add("back", float(course.lowest[0 if score == 1 else 1] <= BEHIND))
        for side in sorted(
            {side for side, _ in trial.profile.causes(table.state)} if _is_war(trial, table.state) else ()
        ):
            name = trial.game.sides[side]
            way = way_out(war, side, number)
            tally.add(f"war/{name}", float(way is not None))
            if way is not None:
                rows.append([number, side, *way])
            tally.add(f"deed/{name}/{course.causes[side] or 'scoring'}", 1.0)
    return Found(tally, rows)


def _is_war(trial: Trial, state: State) -> bool:
    reason = int(trial.game.result(trial.game.rules, state, np.zeros(len(trial.game.sides))))
    return trial.game.reasons[reason] in trial.profile.wars


def order(trial: Trial) -> Found:
    """Measure the worth of going first against going second, where a side chooses the order.

    Keys: ``order/SPAN``: of the first such choice in each span; one span per game, drawn at random by its number.
    """
    tally, branches = Tally(), Branches(trial)
    lots = generators(trial.seed + SALT, trial.first, trial.games)
    pairs: list[tuple[int, int, int]] = []
    for number in trial.numbers:
        table, at, seen = PlayedGame(trial, number), [], set[int]()
        while (actor := table.actor) != OVER:
            span = trial.profile.span(table.state)
            if trial.profile.asks_order(table.state) and span not in seen:
                seen.add(span)
                at.append((span, trial.game.copy(table.state), table.chance.copy(), actor))
            table.step()
        if not at:
            continue
        span, state, chance, actor = at[below(lots[number - trial.first], len(at))]
        ends = [0, 0]
        for action in trial.game.legal_actions(state, actor):
            first = trial.game.sides.index(trial.game.action_parts(action).side or "")
            after = trial.game.copy(state)
            trial.game.apply(trial.game.rules, after, action)
            ends[first] = branches.add(after, chance, number)
        pairs.append((span, ends[0], ends[1]))
    scores = branches.scores()
    for span, us_first, other_first in pairs:
        tally.add(f"order/{span}", scores[us_first] - scores[other_first])
    return Found(tally, [])


def cards(trial: Trial) -> Found:
    """Measure the worth of a card of the first hand against a card drawn at random (see `card_value`).

    Keys: ``card/SIDE/CARD``.
    """
    tally = Tally()
    names = [card.id for card in _data(trial).card]
    for piece in exchanges(trial.game, (trial.player, trial.player), trial.first, trial.games, trial.seed):
        for side, held, other, gain in zip(*(part.tolist() for part in piece), strict=True):
            name = trial.game.sides[side]
            tally.add(f"card/{name}/{names[held]}", gain / 2)
            tally.add(f"card/{name}/{names[other]}", -gain / 2)
    return Found(tally, [])


def events(trial: Trial) -> Found:
    """Measure the worth of drawing an event card against another card of the deck.

    Keys: ``card/SIDE/EVENT``.
    """
    tally, branches = Tally(), Branches(trial)
    lots = generators(trial.seed + SALT, trial.first, trial.games)
    rows: list[tuple[str, str, str, int, int]] = []
    for number in trial.numbers:
        table, lot, at = PlayedGame(trial, number), lots[number - trial.first], []
        while table.actor != OVER:
            if table.actor == CHANCE and len(drawn := _drawn(trial.game, table.state)) > 1:
                at.append((trial.game.copy(table.state), table.chance.copy(), drawn))
            table.step()
        if not at:
            continue
        state, chance, drawn = at[below(lot, len(at))]
        held = drawn.pop(below(lot, len(drawn)))
        other = drawn[below(lot, len(drawn))]
        side, ends = int(state.drawer), []
        for action in (held, other):
            after = trial.game.copy(state)
            trial.game.apply(trial.game.rules, after, action)
            ends.append(branches.add(after, chance, number))
        ids = [trial.game.action_parts(action).card or "" for action in (held, other)]
        rows.append((trial.game.sides[side], ids[0], ids[1], ends[0], ends[1]))
    scores = branches.scores()
    for name, first, second, one, two in rows:
        sign = 1 if name == trial.game.sides[0] else -1
        tally.add(f"card/{name}/{first}", sign * (scores[one] - scores[two]))
        tally.add(f"card/{name}/{second}", sign * (scores[two] - scores[one]))
    return Found(tally, [])


def _drawn(game: Game, state: State) -> list[int]:
    """Return the event cards that chance may draw now."""
    if game.is_rules_step(state):
        return []
    actions = list(game.distribution(state))
    return actions if game.action_parts(actions[0]).kind == "draw" else []


def uses(trial: Trial) -> Found:
    """Measure the worth of playing a card as its event against playing it as a Command.

    Keys: ``use/SIDE/CARD``, at a randomly drawn turn, for any holder, regardless of what the player would have played.
    """
    tally, branches = Tally(), Branches(trial)
    lots = generators(trial.seed + SALT, trial.first, trial.games)
    rows: list[tuple[int, str, int, int]] = []
    most = _turns(trial)
    for number in trial.numbers:
        table, lot = PlayedGame(trial, number), lots[number - trial.first]
        wanted = below(lot, most)
        plays = 0
        while (actor := table.actor) != OVER:
            if actor != CHANCE:
                ways = _ways(trial, table.state, actor)
                if ways:
                    if plays == wanted:
                        name = sorted(ways)[below(lot, len(ways))]
                        event, command = ways[name]
                        ends = [
                            branches.add(state, table.chance, number) for state in _both(trial, table, event, command)
                        ]
                        rows.append((actor, name, ends[0], ends[1]))
                        break
                    plays += 1
                elif _asks_card(trial, table.state, actor):
                    plays += 1
                    if plays > wanted:
                        break
            table.step()
    scores = branches.scores()
    for side, name, event_end, command_end in rows:
        gain = scores[event_end] - scores[command_end]
        tally.add(f"use/{trial.game.sides[side]}/{name}", gain if side == 0 else -gain)
    return Found(tally, [])


Way = tuple[int, ...]
"""Actions that play a card in one way."""


def _turns(trial: Trial) -> int:
    limits = _data(trial).limits
    return int(limits.turns) if hasattr(limits, "turns") else 2 * int(limits.turns_per_round) * int(limits.rounds)


def _asks_card(trial: Trial, state: State, side: int) -> bool:
    return any(
        trial.game.action_parts(action).kind in ("event", "command", "play")
        and trial.game.action_parts(action).card is not None
        for action in trial.game.legal_actions(state, side)[:1]
    )


def _ways(trial: Trial, state: State, side: int) -> Mapping[str, tuple[Way, Way]]:
    """Return the cards that a side can play now both as an event and as a Command, with the actions for each."""
    game = trial.game
    if not _asks_card(trial, state, side):
        return {}
    found: dict[str, dict[str, Way]] = {}
    for action in game.legal_actions(state, side):
        parts = game.action_parts(action)
        if parts.card is None:
            continue
        ways = found.setdefault(parts.card, {})
        if parts.kind in ("event", "command"):
            ways[parts.kind] = (action,)
        elif parts.kind == "play" and parts.area == "neutral":
            # The use of the card is chosen after it is on the table.
            after = game.copy(state)
            game.apply(game.rules, after, action)
            if int(game.actor(game.rules, after)) == side:
                ways |= {game.action_parts(use).kind: (action, use) for use in game.legal_actions(after, side)}
    return {card: (ways["event"], ways["command"]) for card, ways in found.items() if {"event", "command"} <= set(ways)}


def _both(trial: Trial, table: PlayedGame, *ways: Way) -> list[State]:
    states = []
    for way in ways:
        state = trial.game.copy(table.state)
        for action in way:
            trial.game.apply(trial.game.rules, state, action)
        states.append(state)
    return states


def agendas(trial: Trial) -> Found:
    """Measure the worth of keeping an agenda in the first round against the average of the agendas dealt.

    Keys: ``agenda/SIDE/AGENDA``.
    """
    tally, branches = Tally(), Branches(trial)
    rows: list[tuple[int, list[str], list[int]]] = []
    for number in trial.numbers:
        table, kept = _before_agendas(trial, number)
        if table is None:
            continue
        for side in range(2):
            options = trial.game.legal_actions(table.state, side)
            ends = []
            for action in options:
                state = trial.game.copy(table.state)
                for each in (action, kept[1]) if side == 0 else (kept[0], action):
                    trial.game.apply(trial.game.rules, state, each)
                ends.append(branches.add(state, table.chance, number))
            rows.append((side, [trial.game.action_parts(action).agenda or "" for action in options], ends))
    scores = branches.scores()
    for side, names, ends in rows:
        own = [scores[end] if side == 0 else 1 - scores[end] for end in ends]
        for name, score in zip(names, own, strict=True):
            tally.add(f"agenda/{trial.game.sides[side]}/{name}", score - sum(own) / len(own))
    return Found(tally, [])


def hiding(trial: Trial) -> Found:
    """Measure the worth of hiding the agenda kept in the first round from the other side, for the sides in turn.

    Keys: ``hide/SIDE`` and ``hide/SIDE/AGENDA``.
    """
    tally = Tally()
    for number in trial.numbers:
        table, kept = _before_agendas(trial, number)
        if table is None:
            continue
        for action in kept:
            table.apply(action)
        side = number % 2
        scores = []
        for shown in (-1, side):
            again = PlayedGame(trial, number, trial.game.copy(table.state), table.chance.copy())
            again.shown = shown
            scores.append(played_out(again))
        gain = scores[0] - scores[1] if side == 0 else scores[1] - scores[0]
        name = trial.game.sides[side]
        tally.add(f"hide/{name}", gain)
        tally.add(f"hide/{name}/{trial.game.action_parts(kept[side]).agenda}", gain)
    return Found(tally, [])


def _before_agendas(trial: Trial, number: int) -> tuple[PlayedGame | None, list[int]]:
    """Return a game at the choice of both agendas and each side's choice; None and [] if it has no such choice."""
    table = PlayedGame(trial, number)
    while (actor := table.actor) != OVER:
        if actor != CHANCE and trial.game.to_move(table.state) == {0, 1}:
            return table, [table.decision(side) for side in range(2)]
        table.step()
    return None, []


def bids(trial: Trial) -> Found:
    """Collect games with random bids for `bidding`.

    Rows: both hands, two cards each; both bids; the side going last; twice the score. The bids are never equal and are
    drawn uniformly from all possible ones.
    """
    branches, rows = Branches(trial), []
    lots = generators(trial.seed + SALT, trial.first, trial.games)
    ends = []
    for number in trial.numbers:
        table, lot = PlayedGame(trial, number), lots[number - trial.first]
        while (actor := table.actor) == CHANCE:
            table.step()
        if actor == OVER or trial.game.to_move(table.state) != {0, 1}:
            continue
        most = int(table.state["supply"].min())
        made = [below(lot, most + 1), below(lot, most)]
        made[1] += made[1] >= made[0]
        hands = [np.flatnonzero(table.state["card"] == 1 + side).tolist() for side in range(2)]
        for side, cubes in enumerate(made):
            table.apply(trial.game.parse_action(f"bid {cubes}", side))
        while table.state["first"] < 0:
            table.step()
        rows.append([*hands[0], *hands[1], *made, 1 - int(table.state["first"])])
        ends.append(branches.add(table.state, table.chance, number))
    scores = branches.scores()
    return Found(Tally(), [[*row, round(2 * scores[end])] for row, end in zip(rows, ends, strict=True)])


def options(trial: Trial) -> Found:
    """Measure the effect of each option and starting number on the score.

    Keys: ``option/NAME=VALUE``: the change in score; ``level/NAME=VALUE``: the score with it, both also for the
    package's own data against another file, as ``data=package``; ``number/NAME/VALUE``: the score with another
    starting number.
    """
    tally = Tally()
    base = _scores(trial, trial.game, None)
    for name, value in variants(trial.game):
        others = _scores(trial, _with(trial.game, name, value), None)
        for mine, other in zip(base, others, strict=True):
            tally.add(f"option/{name}={_text(value)}", other - mine)
            tally.add(f"level/{name}={_text(value)}", other)
    for name, values in trial.profile.numbers().items():
        for number, beginning in values.items():
            for score in _begun(trial, beginning, base):
                tally.add(f"number/{name}/{number}", score)
    return Found(tally, [])


def variants(game: Game) -> list[tuple[str, OptionValue]]:
    """Return every option with every value but the current one, except table and campaign options and numbers."""
    found: list[tuple[str, OptionValue]] = []
    if game.data_file:
        found.append((OWN_DATA, "package"))
    for name, values in game.option_values().items():
        if name.startswith(("campaign_", "box_")):
            continue
        if name == "scenario" and game.data_file:
            continue
        found += [(name, value) for value in values if value != game.options[name] and _can_be(game, name, value)]
    return found


def _can_be(game: Game, name: str, value: OptionValue) -> bool:
    """Return True if the option can be changed alone."""
    try:
        _with(game, name, value)
    except OptionError:
        return False
    return True


def countries(trial: Trial) -> Found:
    """Measure the effect on the score of a country starting in a box instead of Neutrality.

    Keys: ``country/COUNTRY/BOX``.
    """
    tally = Tally()
    for name, boxes in trial.profile.countries().items():
        scores = {box: _begun(trial, beginning, None) for box, beginning in boxes.items()}
        least, *more = scores
        for box in more:
            for low, high in zip(scores[least], scores[box], strict=True):
                tally.add(f"country/{name}/{box}", high - low)
    return Found(tally, [])


def zones(trial: Trial) -> Found:
    """Measure the effect on the score of a zone starting with an Irregular of side 0 instead of one of side 1.

    Keys: ``zone/ZONE``.
    """
    tally = Tally()
    for name, beginnings in trial.profile.zones().items():
        own, other = (_begun(trial, beginning, None) for beginning in beginnings)
        for mine, theirs in zip(own, other, strict=True):
            tally.add(f"zone/{name}", mine - theirs)
    return Found(tally, [])


def _begun(trial: Trial, beginning: Beginning, base: Sequence[float] | None) -> Sequence[float]:
    if not beginning.change and all(trial.game.options[name] == value for name, value in beginning.options.items()):
        return base if base is not None else _scores(trial, trial.game, None)
    game = trial.game
    for name, value in beginning.options.items():
        game = _with(game, name, value)
    return _scores(trial, game, beginning.change)


def _scores(trial: Trial, game: Game, change: Callable[[State], None] | None) -> Sequence[float]:
    """Return the score of each game of a trial with other rules or another starting state."""
    other = trial if game is trial.game else trial.with_game(game)
    branches = Branches(other)
    chance = other.chance()
    for row, number in enumerate(other.numbers):
        state: Any = game.new_states(1)[0]
        game.start(game.rules, state)
        if change is not None:
            change(state)
        branches.add(state, chance[row], number)
    return branches.scores()


@cache
def _with(game: Game, name: str, value: OptionValue) -> Game:
    if name == OWN_DATA:
        return load_game(game.id, None, {k: v for k, v in game.options.items() if k != "scenario"})
    # Drop options implied by the scenario: the other scenario sets its own.
    kept = {k: v for k, v in game.options.items() if v != game.default_options[k] and k != name}
    if game.data_file:
        kept.pop("scenario", None)
    return load_game(game.id, game.source, {**kept, name: value})


def _text(value: OptionValue) -> str:
    return str(value).lower()


def _data(trial: Trial) -> Any:
    game: Any = trial.game
    return game.data


KINDS: Mapping[str, Callable[[Trial], Found]] = {
    measure.__name__: measure
    for measure in (
        games,
        course,
        order,
        cards,
        events,
        uses,
        agendas,
        hiding,
        bids,
        options,
        countries,
        zones,
    )
}
"""The measures by name."""

EVERY_GAME = ("games", "course", "options")
"""Measures that apply to every game."""
