"""The steps of a Turn of Ukrainian Crisis (section 3.1), one module each: questions, legal actions and their effects.

`narration` has a module of the same name for the texts of each.
"""
