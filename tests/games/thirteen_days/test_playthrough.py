"""G55: the play-through of the rulebook, replayed; after each of its 62 steps the whole public state is compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, TRACKS
from brinkmanship.games.thirteen_days.rules.state import CardIs
from support.thirteen_days.builders import Options, Position, new_game
from support.thirteen_days.playthrough import Entry, playthrough, playthrough_entries

STEPS = playthrough()["step"]


def replayed(options: Options | None = None) -> Iterator[tuple[Entry | None, Position]]:
    """The position after set-up and after every entry."""
    position = new_game(options)
    yield None, position
    for entry in playthrough_entries():
        actor = "chance" if entry.actor == "rules" else entry.actor
        assert position.game.is_rules_step(position.state) == (entry.actor == "rules")
        position.act(f"{actor}: {entry.text}")
        yield entry, position


def as_expected(position: Position) -> dict[str, Any]:
    """The public state as the file writes it."""
    public = position.game.public_state(position.state)
    return {
        **{side: [public["influence"][side][place] for place in BATTLEGROUNDS] for side in ("us", "ussr")},
        **{f"defcon_{side}": [public["defcon"][side][track] for track in TRACKS] for side in ("us", "ussr")},
        **{name: public[name] for name in ("prestige", "letter", "deck", "discard", "aftermath")},
    }


def test_every_step_leads_to_the_state_the_rulebook_tells() -> None:
    compared = 0
    for entry, position in replayed():
        reached = 0 if entry is None else entry.reaches
        for step in STEPS[compared : compared if reached is None else reached + 1]:
            assert as_expected(position) == step["expect"], f"step {step['seq']}"
            assert position.state.round_number == step["round"] or step["kind"] == "advance_round"
            compared += 1
    assert compared == len(STEPS) == 62


def test_the_ussr_wins_by_the_personal_letter() -> None:
    *_, (_, position) = replayed()
    result = playthrough()["result"]
    assert (position.to_move(), position.prestige) == ("over", result["prestige"])
    assert position.outcome() == (result["reason"], result["winner"])
    assert position.cards_in(CardIs.REVEALED) == set(STEPS[-1]["aftermath"])


def test_the_flags_are_those_the_rulebook_tells() -> None:
    """The flags of a side are the agendas it was dealt; see `knowledge`."""
    deals = {index: step for index, step in enumerate(STEPS) if step["kind"] == "deal_agendas"}
    seen = 0
    for entry, position in replayed():
        if entry is None or entry.reaches not in deals:
            continue
        step = deals[entry.reaches]
        for number, side in enumerate(("us", "ussr")):
            dealt = position.state.agenda_dealt[number]
            flags = [agenda.flag for agenda, copies in zip(position.game.data.agenda, dealt, strict=False) if copies]
            assert sorted(flags) == sorted(step[f"flags_{side}"])
        seen += 1
    assert seen == 3


def test_with_the_icons_before_the_distance_the_us_wins_by_one() -> None:
    *_, (_, position) = replayed({"agenda_icon_order": "escalate_then_score"})
    assert (position.prestige, position.outcome()) == (1, ("prestige", "us"))


def test_the_first_player_may_be_chosen_before_the_draw() -> None:
    """With the option of R48 the record holds too, its deals and choices of the first player exchanged."""
    position = new_game({"initiative_chosen": "before_draw"})
    waiting: list[Entry] = []
    for entry in playthrough_entries():
        if position.to_move() != "chance" and entry.text.startswith("draw ") and entry.actor == "chance":
            waiting.append(entry)
            continue
        position.act(entry.text)
        if entry.text.startswith("first "):
            for dealt in waiting:
                position.act(f"chance: {dealt.text}")
            waiting.clear()
    assert position.outcome() == ("personal_letter", "ussr")
