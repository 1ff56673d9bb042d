"""13 Days: The Cuban Missile Crisis."""
