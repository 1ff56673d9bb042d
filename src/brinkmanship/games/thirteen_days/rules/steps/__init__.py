"""The steps of a round of 13 Days, S1 to S9, a file each.

Each file has the actions, which change the state and end by setting the next question, and below them the compiled
``legal_...`` and ``apply_...`` functions to which `flow` dispatches its nodes.

`narration` has a file of the same name for the texts of each.
"""
