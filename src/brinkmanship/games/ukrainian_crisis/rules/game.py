"""Ukrainian Crisis, as a `brinkmanship.engine.game.Game`.

Rules: ``docs/rules/ukrainian-crisis.md`` (numbers R1 to R54 in the code point there).

================================  ============================================  =====================
option                            values (the default first)                    ruling
================================  ============================================  =====================
scenario                          reconstructed, balanced                       R52
resource_selection                choose, random_draw                           R1
resolve_turn1                     discard, reshuffle_and_redraw                 R5
first_turn_combat                 false, true                                   R7
declaration                       simultaneous, leader_first_open               R8
ceasefire_keeps_diplomacy         false, true                                   R9
show_unused_diplomatic            true, false                                   R11
information_roll                  after_choice, at_reveal                       R15
reduce_rolls                      two_own, one_each                             R16
ally_rp_in_information            true, false                                   R17
critical_on_segment_rolls         true, false                                   R18
critical_zone_chooser             russia, roller, random                        R20
union_is_russian_home             true, false                                   R22
end_check_after_income            false, true                                   R26
own_zone                          home, controlled                              R27
relocation_cures                  false, true                                   R29
neutralise_sf                     false, true                                   R30
romania_open_to_sf                false, true                                   R31
spontaneous_source                reserve_or_mobilisation, reserve_only         R33
rally_mode                        once, per_unit                                R34
amphibious_units                  all_regulars, naval_only                      R36
azov_is_black_sea                 false, true                                   R37
casualty_choice                   scorer, owner                                 R39
nonrandom_low_odds_defender_hits  1, 0                                          R47
ordinary_cards                    false, true                                   10.1
no_randomness                     false, true; needs ordinary_cards             10.2, R47, R49
prestige_ua, prestige_ru          1 to 99; default: the scenario's              3.0
box_us ... box_by                 neutrality, support, intervention; likewise   3.0
================================  ============================================  =====================

Two sides, ``ua`` and ``ru``; hidden information; chance by cards and dice. Utility 1 for the side with more Victory
Points, -1 for the other, 0 for a draw; the reason is the level of the victory. A game of people has some 300
decisions: units, payments and hits are decided one by one (see `action_numbers`).
"""

from brinkmanship.games.ukrainian_crisis.rules.narrator import UkrainianCrisisNarrator
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset


class UkrainianCrisis(UkrainianCrisisRuleset, narrator=UkrainianCrisisNarrator):
    """A ruleset of Ukrainian Crisis, with its narrator; see `Game` for its functions."""
