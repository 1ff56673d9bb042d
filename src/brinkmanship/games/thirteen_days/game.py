"""13 Days: The Cuban Missile Crisis, as a `brinkmanship.engine.game.Game`.

Rules: ``docs/rules/13-days.md`` (numbers R1 to R55 in the code point there).

==============================  ============================================  =====================
option                          values (the default first)                    ruling
==============================  ============================================  =====================
agenda_icon_order               score_then_escalate, escalate_then_score      R1
letter_declared                 with_card, with_command                       R23
letter_on_event_command         false, true                                   R24
brink_floor                     total, before_letter                          R27
modifiers_on_event_command      true, false                                   R28
command_onto                    place_only, place_or_remove                   R31
deflation_ban_scope             own_plays, all_events                         R32
bay_of_pigs_short               needs_two, as_many_as_possible                R33
moscow_filter                   has_cubes, has_no_cubes                       R42
initiative_chosen               after_draw, before_draw                       R48
==============================  ============================================  =====================

Two sides, ``us`` and ``ussr``; hidden information; chance by deals and one random card. Utility 1 for the winner, -1
for the loser, -1 for both after a mutual nuclear war. A game has some 70 decisions; the position of a cube is decided
by one action for each battleground (see `actions`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import ActionParts, Line, Message
from brinkmanship.engine.options import OptionValue
from brinkmanship.games.thirteen_days import actions, flow, knowledge, narration, questions
from brinkmanship.games.thirteen_days.data import BATTLEGROUNDS, TRACKS, GameData
from brinkmanship.games.thirteen_days.loading import load
from brinkmanship.games.thirteen_days.state import (
    DISCARDED,
    DRAWN,
    DTYPE,
    IN_AFTERMATH,
    IN_HAND,
    IN_PLAY,
    LAST_STEP_OF_RULES,
    REASONS,
    REVEALED,
    STATE,
    TAKEN,
    State,
)
from brinkmanship.games.thirteen_days.tables import OPTION_VALUES, RULES, apply_options, build, choose_options

SIDES = actions.SIDES


class ThirteenDays(Game):
    """A ruleset of 13 Days; see `Game` for what its functions do."""

    id = "13-days"
    version = 1
    title = "13 Days: The Cuban Missile Crisis"
    sides = SIDES
    reasons = REASONS
    span = "round"
    dtype = DTYPE
    n_actions = actions.N_ACTIONS
    max_legal = actions.MAX_LEGAL

    rules_type = RULES
    state_type = STATE

    start = staticmethod(flow.start)
    actor = staticmethod(flow.actor)
    pending = staticmethod(flow.pending)
    legal = staticmethod(flow.legal)
    apply = staticmethod(flow.apply)
    outcomes = staticmethod(flow.outcomes)
    sample = staticmethod(flow.sample)
    result = staticmethod(flow.result)
    view = staticmethod(knowledge.view)
    redeal = staticmethod(knowledge.redeal)
    audience = staticmethod(knowledge.audience)

    def __init__(self, data: GameData, options: Mapping[str, OptionValue]) -> None:
        self.data = apply_options(data, options)
        self.options = options
        self.default_options = {name: option.default for name, option in data.options.items()}
        self.rules = build(data, options)
        self.data_file = data.file
        self.data_sha256 = data.sha256
        self.action_texts = actions.action_texts(data)
        self.action_reader = actions.reader(self.action_texts)

    @classmethod
    def load(
        cls, data_file: str | Path | None = None, options: Mapping[str, OptionValue] | None = None
    ) -> ThirteenDays:
        """See `Game.load`."""
        data = load(data_file)
        return cls(data, choose_options(data, options or {}))

    def is_rules_step(self, state: State) -> bool:
        """See `Game.is_rules_step`."""
        return bool(state.node <= LAST_STEP_OF_RULES)

    def public_state(self, state: State) -> dict[str, Any]:
        """Cubes, markers, Prestige, letter, round and the sizes of the piles."""
        return {
            "influence": _by_side(state.influence, BATTLEGROUNDS),
            "defcon": _by_side(state.defcon, TRACKS),
            "prestige": int(state.prestige),
            "letter": SIDES[state.letter],
            "round": int(state.round_number),
            "deck": int(state.deck),
            "discard": int(state.discard),
            "aftermath": int(state.aftermath.sum()),
        }

    def known_state(self, view: State, side: int) -> dict[str, Any]:
        """The public state; flags, modifiers and bans; the ids of all cards the side knows, by where they are."""
        piles = {DISCARDED: "discard", IN_PLAY: "in_play", TAKEN: "taken", REVEALED: "revealed"}
        if side < len(SIDES):
            piles |= {IN_HAND + side: "hand", IN_AFTERMATH + side: "own_aftermath", DRAWN + side: "drawn"}
        cards: dict[str, list[str]] = {name: [] for name in piles.values()}
        for card, place in zip(self.data.card, view.card.tolist(), strict=False):
            if place in piles:
                cards[piles[place]].append(card.id)
        agendas = [agenda.id for agenda in self.data.agenda]
        return {
            **self.public_state(view),
            "turn": int(view.turn),
            "hand_sizes": dict(zip(SIDES, view.hand.tolist(), strict=True)),
            "modifier": dict(zip(SIDES, view.modifier.tolist(), strict=True)),
            "least": dict(zip(SIDES, view.least.tolist(), strict=True)),
            "deflation_ban": dict(zip(SIDES, map(bool, view.ban.tolist()), strict=True)),
            "flags": {
                side_id: [agenda for agenda, copies in zip(agendas, dealt, strict=False) for _ in range(copies)]
                for side_id, dealt in zip(SIDES, view.agenda_dealt.tolist(), strict=True)
            },
            "agenda": {
                side_id: agendas[chosen] if chosen >= 0 else None
                for side_id, chosen in zip(SIDES, view.chosen.tolist(), strict=True)
            },
            "cards": cards,
        }

    def option_values(self) -> Mapping[str, Sequence[OptionValue]]:
        """See `Game.option_values`."""
        return OPTION_VALUES

    def action_parts(self, action: int) -> ActionParts:
        """See `Game.action_parts`; the kinds are listed in `actions`."""
        return actions.parts(self.data, action)

    def prompt(self, view: State, side: int) -> Message:
        """See `Game.prompt`."""
        return questions.prompt(self, view, side)

    def describe(self, view: State, side: int, action: int) -> Message:
        """See `Game.describe`."""
        return questions.describe(self, view, side, action)

    def narrate(self, before: State, action: int, after: State, reader: int) -> Iterator[Line]:
        """See `Game.narrate`."""
        return narration.narrate(self, before, action, after, reader)


def _by_side(numbers: npt.NDArray[np.int8], ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """A table of the state, [side, ...], with the names of its rows and columns."""
    return {side: dict(zip(ids, row, strict=True)) for side, row in zip(SIDES, numbers.tolist(), strict=True)}
