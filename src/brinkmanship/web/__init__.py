"""The table server: play in the browser, alone or with others.

Core, authority and redaction are separate. `engine` and `games` are the core. `tables` is the authority: it checks
seat, version and legality and stores every action before publishing it. Viewers only get content generated from
their own view. `pages` (HTML) and `api` (JSON) are two interfaces to the same `services`.
"""
