"""The size of a body by the lengths between its landmarks."""

from __future__ import annotations

from typing import Sequence

import numpy as np

from .estimator import Floats

# Shank, thigh and trunk from the hips to the shoulders, as parts of stature (Drillis and Contini, 1966).
_SHARE = 0.246 + 0.245 + 0.288


def middle(points: Floats, names: Sequence[str], part: str) -> Floats:
    """Give (frames, dimensions): the middle of a landmark's left and right side."""
    left, right = (points[:, list(names).index(f"{side}_{part}")] for side in ("left", "right"))
    return np.asarray((left + right) / 2)


def stature(points: Floats, names: Sequence[str]) -> float:
    """Estimate how tall a person is, by (frames, landmarks, 3); NaN where nothing tells."""
    at = {name: i for i, name in enumerate(names)}
    total = np.linalg.norm(middle(points, names, "shoulder") - middle(points, names, "hip"), axis=1)
    for a, b in (("hip", "knee"), ("knee", "ankle")):
        sides = [
            np.linalg.norm(points[:, at[f"{s}_{a}"]] - points[:, at[f"{s}_{b}"]], axis=1) for s in ("left", "right")
        ]
        total = total + (sides[0] + sides[1]) / 2
    known = total[np.isfinite(total)]
    return float(np.median(known)) / _SHARE if len(known) else float("nan")
