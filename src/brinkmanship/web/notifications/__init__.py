"""Turn notices: who is told, by mail or webhook, that it has become his turn while he was away.

`contacts` keeps the addresses people gave, `presence` who is looking, `notifier` decides what is due and delivers it
by `email` and `webhook`. What is due follows from the records in the database, so a restart loses nothing.
"""
