"""Users, sessions, sign-in and the contact addresses of users."""
