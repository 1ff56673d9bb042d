"""Texts of a game of Ukrainian Crisis for people, a file for each step of the rules: prompt, choices, and log.

A step is a `Node`, or several that belong together (``NODES``). Its file has the functions of `StepTexts`, and those of
`DecisionTexts` if a side has a choice; `steps` has a file of the same name for the rules. These modules never see the
state: views blank the cards that a viewer may not know, and the texts then say "a card". Sentences are in the
catalogues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import lower_die
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA
from brinkmanship.games.ukrainian_crisis.rules.narration import (
    allies,
    areas,
    battle,
    ceasefire,
    combat,
    declaration,
    diplomatic,
    event,
    event_draw,
    final_phase,
    information,
    military,
    operations,
    placement,
    rolls,
    window,
)
from brinkmanship.games.ukrainian_crisis.rules.narration.information import aims, is_attempt
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.narration.rolls import rolls_critically
from brinkmanship.games.ukrainian_crisis.rules.phrases import (
    box_changes,
    ending,
    prestige_changes,
    score,
    the_critical,
    the_side,
    unit_changes,
    zone_changes,
)
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Level, Node, State


class StepTexts(Protocol):
    """Texts of a step."""

    @property
    def NODES(self) -> tuple[Node, ...]:  # noqa: N802 - a constant of the module
        """Nodes of the step."""

    def prompt(self, game: UkrainianCrisisRuleset, view: State) -> Message:
        """Return the prompt, in the imperative, or a text for the coming step."""

    def narrate(self, log: Log) -> LogLine:
        """Return the log line of the action."""


class DecisionTexts(StepTexts, Protocol):
    """Texts of a step in which a side has a choice."""

    def describe(self, game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
        """Return the text of a legal choice of a side."""


DECISIONS: Sequence[DecisionTexts] = (
    *(allies, placement, declaration, areas, rolls, window, event),
    *(military, diplomatic, information, operations, battle, combat),
)
STEPS: Sequence[StepTexts] = (event_draw, *DECISIONS, ceasefire, final_phase)
_STEP_OF = {node: step for step in STEPS for node in step.NODES}
_DECISION_OF = {node: step for step in DECISIONS for node in step.NODES}

_GOES_ON = {Node.DEPLOY_TO, Node.MOVE_TO, Node.PAY_RP, Node.PAY_PRESTIGE}
"""Nodes whose choice continues the action that led to them; the line of that choice covers all of it."""
_UNITS_CHANGE = {Node.DIE, Node.HITS, Node.HIT, Node.FIGHT, Node.TARGETS, Node.CRITICAL_ZONE, Node.ANY_ZONE}
"""Nodes after which units may have been neutralised or eliminated; elsewhere the action's line reports it."""


def prompt(game: UkrainianCrisisRuleset, view: State, side: int) -> Message:
    """Return the prompt; where both sides choose at once, neither learns whether the other has (S4, S5)."""
    node = Node(view.node)
    question = _STEP_OF[node].prompt(game, view)
    if view.mover in (CHANCE, OVER):
        return question
    if side in (UA, RU):
        if game.pending(game.rules, view) >> side & 1:
            return question
        return Message("wait", {"who": the_side(1 - side), "what": question})
    if node == Node.PLACE or (node == Node.DECLARE and not game.rules.options.open_declaration):
        return Message("wait.both", {"what": question})
    return Message("wait", {"who": the_side(int(view.mover)), "what": question})


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Implement `Narrator.describe`."""
    return _DECISION_OF[Node(view.node)].describe(game, view, side, action)


def narrate(game: UkrainianCrisisRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:
    """Implement `Narrator.narrate`."""
    log = Log(game, before, action, after, viewer)
    line = _STEP_OF[Node(before.node)].narrate(log)
    yield line._replace(begins=Node(after.node) in _GOES_ON or aims(log))
    for change in _changes(log):
        yield LogLine(change)
    if after.level != Level.NOT_OVER and before.level == Level.NOT_OVER:
        yield LogLine(ending(after))
        for side in (UA, RU):
            yield LogLine(score(game, after, side))


def _changes(log: Log) -> Iterator[Message]:
    """Yield the consequences of the action."""
    if rolls_critically(log.game, log.before, log.action):
        yield Message("change.critical", {"event": the_critical(lower_die(log.action))})
    yield from prestige_changes(log.before, log.after)
    yield from box_changes(log.before, log.after)
    yield from zone_changes(log.game, log.before, log.after)
    if Node(log.before.node) in _UNITS_CHANGE and not is_attempt(log):
        yield from unit_changes(log.game, log.before, log.after)
