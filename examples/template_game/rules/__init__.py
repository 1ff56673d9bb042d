"""The rules of Sealed Bids."""
