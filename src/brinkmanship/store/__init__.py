"""What is kept, and how: people, tables, seats, and the append-only records of what happened at each table.

Knows no rules and no web: `schema` names the tables of the database, `database` opens and migrates it, `writer` makes
what is acknowledged safe, `repository` asks for what pages list.
"""
