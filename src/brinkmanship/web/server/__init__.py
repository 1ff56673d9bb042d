"""The server process: application, middleware, health, metrics, housekeeping."""
