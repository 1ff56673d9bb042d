"""Stand-alone HTML reports: one file to look at, print and send, which loads nothing from elsewhere."""
