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
    "sources": "8e9df2a759af30a4",
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
        "reconstructed": [0.621, 0.606, 0.577, 0.534, 0.474, 0.401, 0.35],
        "balanced": [0.518, 0.522, 0.539, 0.563, 0.597, 0.635, 0.657],
        "other": [0.688, 0.69, 0.692, 0.693, 0.69, 0.679, 0.67],
    },
    "log_loss": {
        "reconstructed": [0.441, 0.376, 0.331, 0.299, 0.253, 0.201, 0.139],
        "balanced": [0.395, 0.356, 0.343, 0.338, 0.336, 0.34, 0.273],
        "other": [0.448, 0.395, 0.361, 0.338, 0.31, 0.28, 0.213],
    },
    "miscalibration": {
        "reconstructed": [0.022, 0.02, 0.023, 0.014, 0.025, 0.015, 0.031],
        "balanced": [0.025, 0.017, 0.025, 0.025, 0.019, 0.025, 0.041],
        "other": [0.013, 0.015, 0.018, 0.02, 0.015, 0.016, 0.029],
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
uv1gAj/9AQR3/BP/vv/l/L0EAADu/6ECpAUAAKYEAAD2/fkA1f8gAD4DAACv/QAAl/7WBjwCwvDCA8f3XgIAAMP/NwBz/uQBNAEAAFEAawaL/nQE5wJBAB
IChAHcAEcDAAAA//AABwLyBmUBUfQkAgj8uAfO90cANgB9/mkA8ACL/jIBPgS9/cwFDwXI/JYBbgFkAEAEAAB4ACoCgAGEB2oBAfYYARD+IQzL95AA0wDR
/hMBjQHOApUA2QjH+lAGKwaY/00CBgEw/9MEAACi/2YDIAHWBxkBXPenAEr+DwqY+rMAiwDZ/YoBVALOAnYAogm7+hkHygZ//nkA5ABd/4QFAADlARYFbg
A4CDUBrPjw/4D+lQb1+cYA3gD1/UsC5wCrAYAAlAU1/RAHWgev/yQEJv+a/fIGAABAApQIrQDcCKYAM/yH/1b/1wKd/NkAjQDB/vwDPv+uAvYA9QCY/rcE
lgjr/nsC+/8AA8UJHwHQANUMgwDMCTIAbf3pANn/bAHD/48B8gAfAGUCAABbAUcBrgYAAAIGAADkAg/9oPzk/McDfAXB/gAARAH8BFf31O/HBaP4EwQAAF
gAyP9t/G0BKQIAAF0AjwJMAAoGiAVuBKz/3/65ANcDOwcgAWACJwGTBVf7IvOTBPD85QUF9ZEBUABl/FMAKAJMAL8AgP+g/8UGZAb0AOoDbv8t/GEEnAlR
AhkEXQDHBdT9DfXRA1z/Dghy9R4CAAGa/F4BwwLpAYoA1gAb/0AHvwZmAVUDTP/Q/r8EaQvTAmgFIgAjBt3+6fZJA2X/VgZK+R4CGwDl/NABNAPcAr0A6A
HJ/JsH2AZC/3EDqgDY/ssFMg01AxMHwv+bBqr/2vjPAqj/mwOL+TACfQCv/HwCEQFaAhwBCP9+/oIHAgdp/9wD+P/l/d4HMw46AygKVQDwB1D/qPzbATEA
MwFT/c8BiwBA/dcDmP8YA6UBKP0t/+YH2Ada/1cDYQBUAasLXwwaAYMNgQA0CUj/Tv5hAmUAaABM/wACuADi/okDAACZAREC
"""

VALUE_WEIGHTS = np.frombuffer(base64.b64decode(_CODE), "<i2").reshape(MANIFEST["shape"]) / UNITS
"""float64[scenario, turn - 1, feature], of the odds that Ukraine wins; the last scenario is any other."""
