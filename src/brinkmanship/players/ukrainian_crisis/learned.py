"""The learned weights of the value of Ukrainian Crisis, and what they were made of. Written by
`brinkmanship.train.ukrainian_crisis_value`: change nothing below by hand."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

UNITS = 1000
"""Of a weight: they are kept in thousandths."""

MANIFEST: dict[str, Any] = {
    "made_by": "python -m brinkmanship.train.ukrainian_crisis_value --games 30000 --seed 12",
    "rules": 1,
    "sources": "b4bc8b200a31311e",
    "data": [
        "41d8e2a7ce3e53a50aae58244e93ca784631c4616d9aacd61515f1307ebbe034",
        "c9ad76f012bfe486bae8e4cc0767610e2bb1715e24672fef6f110db3cb246b28",
    ],
    "turns": 8,
    "features": [
        "one",
        "war",
        "prestige_in_peace",
        "prestige_at_war",
        "low_prestige",
        "very_low_prestige",
        "ally_prestige",
        "ally_points",
        "safe_in_peace",
        "safe_at_war",
        "contested",
        "unions",
        "regulars",
        "militia",
        "neutralised",
        "mobilised",
        "special",
        "medium_cards",
        "maximum_cards",
        "combat_turn",
        "prestige_squared",
    ],
    "shape": [3, 7, 27],
    "of_constant": {
        "reconstructed": [0.63, 0.621, 0.602, 0.565, 0.516, 0.411, 0.359],
        "balanced": [0.48, 0.483, 0.499, 0.521, 0.558, 0.618, 0.643],
        "other": [0.683, 0.685, 0.688, 0.692, 0.693, 0.682, 0.672],
    },
    "log_loss": {
        "reconstructed": [0.445, 0.395, 0.373, 0.331, 0.277, 0.213, 0.159],
        "balanced": [0.365, 0.328, 0.317, 0.317, 0.311, 0.31, 0.263],
        "other": [0.429, 0.385, 0.366, 0.342, 0.307, 0.271, 0.214],
    },
    "miscalibration": {
        "reconstructed": [0.027, 0.017, 0.036, 0.019, 0.025, 0.044, 0.032],
        "balanced": [0.022, 0.02, 0.015, 0.01, 0.023, 0.025, 0.038],
        "other": [0.023, 0.018, 0.018, 0.011, 0.012, 0.015, 0.032],
    },
}

ZONE_POINTS = [
    [3, 2, 1, 2, 1, 1, 1, 1, 1, 3, 1, 1, 3, 0, 3, 2, 3, 6, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [3, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 3, 0, 0, 2, 3, 6, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0],
]

_CODE = """
6wkAAGQFAACQ/EECDAQfEI4C4ASHAQAAAADeBEwBv+56Ag0A8QYAABUAm//m/TlA9QoAAMn/bAw6/1cFlgSl/60Ayv9+AyYDlwaYAJcEvgAxBsQEG/RwAu
j/G/9g8uIAUf/I/ToGhuA6/98Angk7/MUGIwW//rkDOwHvBcwCrwhwARcFJQA2BokC4fTuAZz/6v36+HoACwAW/+X/fuN7AqcAOAvd+U4HSwW0/8QCf//d
/u8CUgp0ATAGlf8YBhUCcvbAAQP/iv/A+wIBy//c/9IAAAAFAgABrg2095IDlgXH/wwBcv/L/icE2goXAlcHtP+gBr4BqPiQAUYAH/5h+0EAGwA2/yMEAA
CnAacBVQy8+IgBBQXT/V4ApP8gAu0FhwlYAioJEACcB84AbfzvABAAPAIW+kT/pv9hAbX4AAB3AY8CFghq+5sBgAXQ/OMAJgGBAjILXA59AeMJKAA/CP4A
Gf2WAuP+rwQu/+H+Sv/7AP//AACMAD4CsQMAACgEAABCAEYUAu5Z/U8DAACB/gAAAABdB40Ceu9sA7f4ywYAACoAcACz/yn/8gAAAKMAmAfN/iYFdAKD+3
krMwMFAP4DAADa/4MBPgIrB2oCLPRkAXP8KQt59BsAlP9Y/s0CTfXN/pkB9gTX/DwGbwWB+/ABowIAACIEAAA5AFED2gHpB6cCN/fwAGv9dw6c+RABov9R
/+X/AADqA4YASghY+mQIgQar/isMKAHvC+0EAABNAHQE4AAJCB0C3vdJAEL+Owu0/UUB3//O/aMAAAA+A2kAxQrf+RELswer/lEE9gBa/BoGAABQAZkGQw
BDCA4CMfmf/2P+Uwfv/EABo/+c/DEDAADXAkYA+gqD9kIQDwjb/Zn+KgKTBjsIAAAuBd4JSgAHCbAANvx1/4sA1gMIAmkBkACc/GsWAADpAbkAGAon9bYG
8QhH/4UG4P+Y+AgKdvZtBeANRwDJCQkAfP2vAKoAdgJAAIgBGAF5/aTmAAAlAVEBaAUAABQHAAAgBrUBYPnLDNgD1gWWAAAAAADPBGn2be2iBD796AcAAB
QBOwB3/GAb6AgAAPX/3QTqAHQGsgUIBsQAj/xWAXsEeQfmATgDJQHCBfX6X/IqBCH/hAZN8Y0BhP/H+6AEJt/qACQBpQAQ/7YGcAaBAdQBhAAdCDQESQpp
Ag0FuwANBkL9MPXwA/D/YQjR+EMCMgAx/cMA/OADAwMBbAGS/HYIuQZ2AbICZf9u/pwE3AxLAmgG+f8dBqX+xvasAxgAEgdL/O8CDgBX/X4BAAAGAyEBBA
TD+sYHiAd1AP8B7v/v/foFQA6bAm8Irf+hBtT/1PizAtkAOwT/+58CGgB+/GMEAADeAhgB1gUg93IEUwe8/uAAGgG3AoYIRg7vAo0LTgD4B73+Tf2zAekB
YAHD/xICSgA7/ZAHAACoAuUBtQQ393ACEAhK/20DHQDO/xkMaRekAWkORwAeCeH+D/57AmgBkwHfAOUBoQD+/dDpAAB4ATIC
"""

VALUE_WEIGHTS = np.frombuffer(base64.b64decode(_CODE), "<i2").reshape(MANIFEST["shape"]) / UNITS
"""float64[scenario, turn - 1, feature], of the odds that Ukraine wins; the last scenario is any other."""
