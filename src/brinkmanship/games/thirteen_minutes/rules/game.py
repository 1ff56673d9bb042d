"""13 Minutes: The Cuban Missile Crisis, 1962, as a `brinkmanship.engine.game.Game`.

Rules: ``docs/rules/13-minutes.md`` (F1 to F19 and Q1 to Q50 in the code point there).

==============================  ====================================================  ===============
option                          values (the default first)                            rule
==============================  ====================================================  ===============
cuba_timing                     after_hands, before_hands                             section 3
first_player                    auction, beginner                                     section 3
bid_tie_cap                     0 (none) to 1000                                      Q4
tiebreak                        own_sphere, none                                      Q43
cube_limit                      0 (none), 5                                           Q31
command_zero                    true, false                                           Q15
foreign_push                    actor, owner, none                                    Q21
campaign_target                 13, any from 1 to 1000                                section 5.6
campaign_double_war             no_winner, void_game                                  Q46
campaign_both_13                higher_else_continue, shared                          Q45
campaign_sides                  alternate, keep, agree                                section 1
==============================  ====================================================  ===============

Presets: ``de2018`` (the default) and ``en2017``, the two editions. The options ``campaign_*`` are those of `campaign`;
they change nothing within a game.

Two sides, ``us`` and ``ussr``; hidden information; chance by deals, at times a coin. Utility 1 for the winner, -1 for
the loser, 0 for a draw, -1 for both when both have triggered the war. A game has some 25 decisions.
"""

from brinkmanship.games.thirteen_minutes.rules.narrator import ThirteenMinutesNarrator
from brinkmanship.games.thirteen_minutes.rules.ruleset import ThirteenMinutesRuleset


class ThirteenMinutes(ThirteenMinutesRuleset, narrator=ThirteenMinutesNarrator):
    """A ruleset of 13 Minutes, with its narrator; see `Game` for its functions."""
