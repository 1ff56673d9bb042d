"""The moments at which the learned value of Ukrainian Crisis is meant to be asked; see `lab.calibration.sampling`."""

from brinkmanship.games.ukrainian_crisis.players.value import moment

__all__ = ["moment"]
