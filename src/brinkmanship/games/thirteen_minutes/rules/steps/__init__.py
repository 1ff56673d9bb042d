"""The steps of a game of 13 Minutes, one module each.

A step has actions, which change the state and end with the next question, and the compiled ``legal_...`` and
``apply_...``, to which `flow` dispatches its nodes. `narration` has a module of the same name for the texts of each.
"""
