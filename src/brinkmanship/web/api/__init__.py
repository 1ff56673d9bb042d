"""The HTTP API for programs: router, routes and schemas."""
