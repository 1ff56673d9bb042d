"""Turn notices: tell absent players, by e-mail or webhook, that it is their turn.

`accounts.contacts` stores their addresses, `presence` knows who is looking, `notifier` decides which notices are due
and delivers them by `email` and `webhook`. Due notices follow from the records in the database: a restart loses none.
"""
