"""The computer players of Sealed Bids."""
