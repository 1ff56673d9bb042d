"""The moments for which the learned value of 13 Days is fitted; see `lab.calibration.sampling`."""

from brinkmanship.games.thirteen_days.players.value import moment

__all__ = ["moment"]
