"""The moments at which the learned value of Ukrainian Crisis may be used; see `lab.calibration.sampling`."""

from brinkmanship.games.ukrainian_crisis.players.value import moment

__all__ = ["moment"]
