"""Salt and Amber, a small game on the layer for card-driven games (`brinkmanship.games.card_driven`)."""
