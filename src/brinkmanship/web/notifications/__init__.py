"""Turn notifications: tell absent players, by e-mail or webhook, that it is their turn.

`accounts.contacts` stores their addresses, `presence` tracks who is online, `notifier` decides which notifications are
due and delivers them by `email` and `webhook`. Due notifications follow from the records in the database: a restart
loses none.
"""
