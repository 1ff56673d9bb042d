"""Where the parts of Sealed Bids are: it brings rules, and the package does the rest."""

from brinkmanship.kit import Kit

KIT = Kit("sealed-bids", rules="template_game.game:SealedBids")
