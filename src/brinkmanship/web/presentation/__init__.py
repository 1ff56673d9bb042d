"""What pages and API show of a table: choices, previews, logs, replays."""
