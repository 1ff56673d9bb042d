"""View models of tables for pages and API: grouped choices, previews, logs, replays."""
