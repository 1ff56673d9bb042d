"""Registry entry of Sealed Bids: its id and its computer players; everything else is found by name."""

from brinkmanship.games.registry import Kit

KIT = Kit("sealed-bids", __package__, players={"fair_share": "fair_share.FairSharePlayer"}, zero_sum=True)
