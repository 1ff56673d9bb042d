"""Pages of blocks and reports, and the pages of moderators."""
