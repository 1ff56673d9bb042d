"""Where the parts of Kuhn poker are: it brings rules, and the package does the rest."""

from brinkmanship.kit import Kit

KIT = Kit("kuhn-poker", rules="kuhn_poker.game:KuhnPoker")
