"""Events of the two Cuban games: one vocabulary, one interpreter.

An event is a list of effects (`data`), compiled to rows of integers (`tables`), executed by `choices` and
`interpreter`, and checked in a designer's file by `checks`. Everything that means the same in both games is written
here once: placing, removing and relocating cubes, Commands, either-or, conditions, the order of effects. Parts of only
one game (13 Days: DEFCON markers, Prestige, cards taken and exchanged; 13 Minutes: battlegrounds that move) are in that
game's ``effects.py``, behind the hooks of `hooks`.

**How one source serves two records.** Numba compiles a function for the types of its arguments, and the two games have
different records of rules and state. Three designs were considered:

* a union record that both games use: one compiled copy, but 13 Minutes would carry the markers, agendas and card
  stack of 13 Days, twice its size;
* functions over loose arrays instead of records: one copy, but ten arguments each, and arrays cost more to pass;
* **templates**, chosen: the functions here take ``(rules, state, ...)`` like all rules. `engine.jit.compile.template`
  holds their signature with the two records left open, and a game fills them in once, with `instantiate`, after it
  has given its own version of each hook (`implements`). This corresponds to explicit template instantiation in C++:
  it is compiled per game, found in the on-disk cache, and inlined as if the game had written it; 13 Days is as fast
  as with its own copy. Interpreted, a template is the plain function and a hook finds the game by the type of record.

The fields that both records must have: in the state ``influence``, ``stack``, ``depth``, ``node``, ``mover``; in the
rules ``cards`` (with ``side``, ``cubes``, ``event``, ``event_end``) and those of `tables.event_tables`.
No other fields are used here.
"""
