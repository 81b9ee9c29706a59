"""Where the cameras are, corrected by what they see of people: a bundle adjustment of their poses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Sequence

import numpy as np

from .cameras import Camera, seen_at
from .estimator import Floats
from .triangulate import errors, linear, robust

# How far a calibration is believed to be off: rad and m. The landmarks of each camera are biased by some
# pixels, which must not move the cameras much.
_TURN, _SHIFT = 0.01, 0.02
_TRUST = 60.0  # by how many times the calibration counts against the places of one landmark
_SCALE = 6.0  # pixels from which an error counts less than its square
_FRAMES = 30  # that are looked at
# It is done when the error becomes smaller by this part.
WORTH = 0.15


@dataclass
class Refined:
    cameras: List[Camera]
    turned: float  # degrees, of the camera that was turned most
    shifted: float  # m
    before: float  # median error in pixels
    after: float


def refine(cameras: Sequence[Camera], rays: Floats, confidence: Floats) -> Refined:
    """Move cameras so that (cameras, frames, landmarks, 2) fit better; points are eliminated by triangulation."""
    from scipy.optimize import least_squares

    frames = np.unique(np.linspace(0, rays.shape[1] - 1, min(_FRAMES, rays.shape[1])).astype(int))
    seen, weights = rays[:, frames], confidence[:, frames] ** 2
    count = len(cameras)

    def moved(x: Floats) -> List[Camera]:
        each = x.reshape(count, 6)
        return [c.moved(m[:3], m[3:]) for c, m in zip(cameras, each)]

    def residuals(x: Floats) -> Floats:
        now = moved(x)
        focal = np.array([c.focal for c in now]).reshape(-1, 1, 1, 1)
        away = np.nan_to_num((seen_at(now, linear(now, seen, weights)) - seen) * focal * np.sqrt(weights)[..., None])
        damped = np.sign(away) * _SCALE * np.sqrt(2 * (np.sqrt(1 + (away / _SCALE) ** 2) - 1))
        each = x.reshape(count, 6)
        trust = _TRUST * np.concatenate([(each[:, :3] / _TURN).ravel(), (each[:, 3:] / _SHIFT).ravel()])
        return np.concatenate([damped.ravel(), trust])

    found = least_squares(residuals, np.zeros(6 * count), max_nfev=15, diff_step=1e-5)
    better = moved(found.x)
    each = found.x.reshape(count, 6)
    return Refined(
        better,
        float(np.degrees(np.linalg.norm(each[:, :3], axis=1).max())),
        float(np.linalg.norm(each[:, 3:], axis=1).max()),
        median(cameras, seen, confidence[:, frames]),
        median(better, seen, confidence[:, frames]),
    )


def median(cameras: Sequence[Camera], rays: Floats, confidence: Floats) -> float:
    """Give the median distance, in pixels, of the places that count from where their points are seen."""
    solved = robust(cameras, rays, confidence)
    distance = errors(cameras, solved.points, rays)[solved.used]
    return float(np.median(distance)) if distance.size else float("nan")
