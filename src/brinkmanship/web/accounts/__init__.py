"""Users, sessions, sign-in and the addresses of a user."""
