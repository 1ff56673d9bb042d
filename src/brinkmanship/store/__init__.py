"""Persistence: users, tables, seats, and the append-only event records of each table.

Knows neither rules nor web: `schema` defines the database tables, `database` opens and migrates the database,
`writer` makes acknowledged events durable, `repository` runs the queries behind the pages.
"""
