"""Deals of the day: one deal for everyone, sealed until the day is over, and compared without luck."""
