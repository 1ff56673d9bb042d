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
by one action for each battleground (see `action_numbers`).
"""

from brinkmanship.games.thirteen_days.rules.narrator import ThirteenDaysNarrator
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset


class ThirteenDays(ThirteenDaysRuleset, narrator=ThirteenDaysNarrator):
    """A ruleset of 13 Days, with its narrator; see `Game` for its functions."""
