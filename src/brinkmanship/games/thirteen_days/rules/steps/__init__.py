"""The steps of a round of 13 Days, S1 to S9, a file each: the actions, which change the state and end with what is
asked next, and below them the compiled ``legal_...`` and ``apply_...`` that `flow` hands its nodes to.

`narration` has a file of the same name for what people read of each.
"""
