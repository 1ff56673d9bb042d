"""Computer players: what they get, that they are strong enough, and that the greedy one never starts a war needlessly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from brinkmanship.engine.chance import Random, generator
from brinkmanship.engine.game import CHANCE, OVER, Game, State
from brinkmanship.games import load_game
from brinkmanship.games.thirteen_days.state import BY_MUTUAL_WAR, BY_NUCLEAR_WAR, NOT_CHOSEN
from brinkmanship.lab.match import paired_match
from brinkmanship.players import Choice, Player, UnknownPlayerError, load_player, players_for


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("13-days")


@pytest.fixture(scope="module")
def greedy(game: Game) -> Player:
    return load_player("greedy", game, 1)


# ---- a plain second opinion on danger


def could_start_war(game: Game, view: State, side: int) -> bool:
    """Whether the side would start the war if the round were resolved now, with some agendas both may have chosen."""
    return any(war_with(game, view, side, icons) for icons in product(icons_of(game, view, 0), icons_of(game, view, 1)))


def icons_of(game: Game, view: State, side: int) -> set[str | None]:
    """The tracks the icon of a side's agenda may act on, as the view tells; None: its agenda may have no icon."""
    agendas = game.data.agenda  # type: ignore[attr-defined]
    possible = [view.chosen[side]] if view.chosen[side] >= 0 else np.flatnonzero(view.agenda_dealt[side])
    return {agendas[agenda].track if agendas[agenda].defcon_icon else None for agenda in possible} or {None}


def war_with(game: Game, view: State, side: int, icons: tuple[str | None, ...]) -> bool:
    steps = {track: int(view.defcon[side, number]) for number, track in enumerate(TRACKS)}
    for track in icons:
        if track is not None and 4 <= steps[track] <= 6:
            steps[track] += 1
    return max(steps.values()) >= 7 or min(steps.values()) >= 4


TRACKS = ("military", "political", "world_opinion")


def can_end_in_safety(game: Game, state: State, side: int, known: dict[bytes, bool]) -> bool:
    """Whether the side can see to it, whatever the other does, that the card in play leaves it no danger of war."""
    if state.depth == 0 or state.mover >= CHANCE:
        return not could_start_war(game, state, side)
    key = state.tobytes()
    if key not in known:
        mover = int(state.mover)
        actions = reversed(game.legal_actions(state, mover))
        answers = (can_end_in_safety(game, after(game, state, action), side, known) for action in actions)
        known[key] = any(answers) if mover == side else all(answers)
    return known[key]


def after(game: Game, state: State, action: int) -> State:
    child = game.copy(state)
    game.apply(game.rules, child, action)
    return child


def needless_risks(game: Game, view: State, side: int, action: int) -> list[int]:
    """The actions that would have left the side in safety, where `action` does not."""
    known: dict[bytes, bool] = {}
    if can_end_in_safety(game, after(game, view, action), side, known):
        return []
    actions = game.legal_actions(view, side)
    return [other for other in actions if can_end_in_safety(game, after(game, view, other), side, known)]


# ---- games, decision by decision


def decisions(game: Game, players: tuple[Player, Player], random: Random) -> Iterator[tuple[State, int, Choice]]:
    """Play a game; at each decision the view, the side, and the choice. Returns the final state."""
    state = game.new_state()
    while (side := game.actor(game.rules, state)) != OVER:
        if side == CHANCE:
            action = game.sample(game.rules, state, random)
        else:
            view = game.view_of(state, side)
            choice = players[side].choose(view, side)
            yield view, side, choice
            action = choice.action
        game.apply(game.rules, state, action)
    return state


def check_safety(game: Game, greedy: Player, opponent: Player, games: int, seed: int) -> tuple[int, int]:
    """Play games and check the rule at each decision of greedy; returns decisions, and wars greedy started itself."""
    count = wars = 0
    for number in range(games):
        own = number % 2
        players = (greedy, opponent) if own == 0 else (opponent, greedy)
        course = decisions(game, players, generator(seed, number))
        while True:
            try:
                view, side, choice = next(course)
            except StopIteration as end:
                final = end.value
                break
            if players[side] is greedy:
                count += 1
                assert not needless_risks(game, view, side, choice.action), game.action_text(choice.action)
        wars += final.reason == BY_MUTUAL_WAR or (final.reason == BY_NUCLEAR_WAR and final.winner != own)
    return count, wars
