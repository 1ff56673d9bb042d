"""Tables: the event log, live tables and their registry, player commands, clocks, bots, chat."""
