"""The steps of a Turn of Ukrainian Crisis (section 3.1), a file each: what is asked, what is legal, what actions do.

`narration` has a file of the same name for what people read of each.
"""
