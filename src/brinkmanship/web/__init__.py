"""The table: play in the browser, alone, together, far apart.

Core, authority and redaction are three things: `engine` and `games` are the core; `services` is the authority that
checks seat, version and legality and makes every action safe before it is shown; what a reader gets is always made
from that reader's *view*. `routes` and `pages` are two faces of the same authority.
"""
