"""Finding an opponent: lasting seeks, the matcher that pairs them, challenges, and posts to the operator's channel.

A seek is one row (`store.seeks`). Whoever of the processes runs the matcher first pairs two seeks, in one transaction
with their table; for all others the rows no longer match.
"""
