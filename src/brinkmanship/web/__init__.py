"""The table server: play in the browser, alone or together.

Core, authority and redaction are separate: `engine` and `games` are the core; `tables` is the authority, which checks
seat, version and legality and stores every action before it is shown; a viewer only gets content that is made from
their own view. `pages` (for people) and `api` (for programs) are two interfaces to the same `services`.
"""
