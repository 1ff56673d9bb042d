"""The learned weights of the value of Ukrainian Crisis, with the parameters of their training.

Written by `brinkmanship.games.ukrainian_crisis.training.value`: change nothing below by hand.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

UNITS = 1000
"""Unit of the weights: they are stored in thousandths."""

MANIFEST: dict[str, Any] = {
    "made_by": "python -m brinkmanship.games.ukrainian_crisis.training.value --games 30000 --seed 12",
    "rules": 1,
    "sources": "327538ae3f48df0b",
    "data": [
        "41d8e2a7ce3e53a50aae58244e93ca784631c4616d9aacd61515f1307ebbe034",
        "a33d3abbe59f8731261020671b648c8d29b1dc2e03f9a48ebd239382e5154f25",
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
        "reconstructed": [0.621, 0.606, 0.577, 0.534, 0.474, 0.401, 0.35],
        "balanced": [0.693, 0.693, 0.693, 0.69, 0.68, 0.656, 0.634],
        "other": [0.676, 0.672, 0.661, 0.645, 0.613, 0.563, 0.525],
    },
    "log_loss": {
        "reconstructed": [0.441, 0.376, 0.331, 0.299, 0.253, 0.201, 0.139],
        "balanced": [0.529, 0.477, 0.438, 0.41, 0.378, 0.33, 0.266],
        "other": [0.511, 0.452, 0.406, 0.373, 0.328, 0.271, 0.201],
    },
    "miscalibration": {
        "reconstructed": [0.022, 0.02, 0.023, 0.014, 0.025, 0.015, 0.031],
        "balanced": [0.035, 0.021, 0.038, 0.027, 0.026, 0.028, 0.04],
        "other": [0.03, 0.012, 0.028, 0.019, 0.017, 0.016, 0.024],
    },
}

ZONE_POINTS = [
    [3, 2, 1, 2, 1, 1, 1, 1, 1, 3, 1, 1, 3, 0, 3, 2, 3, 6, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [3, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 3, 0, 0, 2, 3, 6, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0],
]

_CODE = """
FQoAANgDAAAx/Aj+lgCD/Z0CkwQKAAAAmgP6BKv/g/EwA5v8TQQAAED/Pf/J/ZgAigAAAFAA9wgF/8oEWARo/j8ADgLAAKsCQQYAALoDAQHyBToFsvTaAn
b8CgG59ZAALQAk/sP/ewEF/5wAHwmH/LEGAgXE/TgE8ABH/CwD6AfLAG4EBQDjBecDaPXGAX7+5gFH9WEAlQCd/f0AsAFNAXkA0Qt7/F0HRgU+/ycDvf+V
/3MDBwmAAQMF1f8jBhwDg/Z3AQf9vgDn9wMAUP/3/owB7gHvAecAcQlI/IAGFgUW/qgCswC4/3cE7wkpAj0Gwv9gBj8CuvjHAaP9OgAe+RYAwP///VICrv
+uAeUB6QcR/U0E/QRJ/TMChAG3/7kGDApxAhcIIwB0Bx8B7fthAWv9hgMI/T//CwD0/BkDMABiATgCbAaL/ioESQX1/g0CTgDuAHQJYgnLAD0JYwAdCL4A
uv1gAj/9AQR3/BP/vv/l/L0EAADu/6ECKwQAAE0FAACM/2ADS/9dATkDAACX/gAAzgDGBXUCQfOgA4v41AEAAM7/PwDw/cwAtQAAAN7/+wNG/7EFiwQAAX
kBy/8z/oEDAAC1/sgBeQG6BmYCkPZsAnP7awUo91MAeQAF/sj/0wBG/+wAbwU9+ooGxgXj/8cCzADn/DcEAACh/70DPgDPBvkB9/bBACz9JAeM9poAxwAf
/iwAPwEvA6QArgZS+HQEJQay/3wCrAH5/EoFAADq//4Exf/5BkkB0/eXABX+LgeN+SQBMwFL/mkBCAH+Ad8BjQTO+i0GTQYV/5gCnP8q/1IGAAA9Aq4Glf
9BBwMBOvmzADP+OQXe+dcANQFe/pkCpQCxAVYCqwWZ+w8GOQf9/QwCcQFqAMMHAABgBVsJ5P9ACFMBVfuCADP+yAJB/WEAYQBq/vYD7P+cAfMC5gX8+p4D
zQfQ+yYDVwSuAJwLLQAVBgUOHQDjCZEADf11AbL+zAEEAFAAAwC7/q4DAAC7ACEEpAEAACIEAAAS/dUCqP/v/mkDJAXU/wAA1QKhBO762fKFBAT7CgQAAH
8A1v9B/c8APwAAAFL/5//n/yoFVgQ5/+UCSAHg/tYD4QYRAeUCEwGSBSj9ZvUeBEj9VgXs9VYBZADt/BEA/wDn/+b/AADj/MgGmwX5/ToFIgFR+3YEPgn2
AfUE7P+6BdH+m/agAgj/CgYJ9YMB3QDX/LwAlgGtAon/owBX/YcGTAbW/gYD9wBg/TcFkArmAj0Gkv8FBiz/wfc4Agj/vwWF+MEBaQB//agBhAFSAv//aA
Ab/VsHbgYP/nECmgBs/3kGLgyTA9IHf/+YBrT/aPk/AiX/HwQu+Y0BsQBJ/bgCHQAsAu8AjwMz+0EHPgdA/QQCsgE3APUIlAyKA2sK+f/zB+P/Gvy9AQT/
BAK+/eIAUAAA/QAEJQAmAh8B5wNW+14G1wdx/MYCtQOyAJ8NuQmZAesNUgCsCcb/7f1MAhb/fgEF/7EAEACd/ccEAAD0AHoC
"""

VALUE_WEIGHTS = np.frombuffer(base64.b64decode(_CODE), "<i2").reshape(MANIFEST["shape"]) / UNITS
"""float64[scenario, turn - 1, feature], of the odds that Ukraine wins; the last scenario stands for any other."""
