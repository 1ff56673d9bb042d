"""13 Minutes: The Cuban Missile Crisis."""
