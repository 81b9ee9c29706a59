"""Points of the room out of their places in the pictures of several cameras."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Sequence

import numpy as np
import numpy.typing as npt

from .cameras import Camera, seen_at
from .estimator import Floats

# A landmark that is further than this from where the others put it, in pixels, may be wrong in one camera.
OUTLIER = 15.0
# What is left when a camera is dropped must fit so much better.
_BETTER = 0.6
# Rays that pass each other at more than this, in pixels as a mean over the cameras, are not of one point.
_APART = 60.0
# Rays that meet at a smaller angle, in degrees, do not tell how far away a point is.
_LEAST_ANGLE = 5.0


@dataclass
class Solved:
    """Points in m and what is known of them; missing ones are NaN."""

    points: Floats  # (…, 3)
    used: npt.NDArray[np.bool_]  # (cameras, …) the cameras that count for a point


def linear(cameras: Sequence[Camera], rays: Floats, weights: Floats) -> Floats:
    """Triangulate (cameras, …, 2) directions by weighted least squares; two passes make the distances those in the pictures."""
    rays, weights = np.where(np.isfinite(rays), rays, 0.0), np.where(np.isfinite(rays).all(axis=-1), weights, 0.0)
    places = np.stack([np.column_stack([c.rotation, c.translation]) for c in cameras])  # (cameras, 3, 4)
    shape = (len(cameras),) + (1,) * (rays.ndim - 2)
    first, second, third = (places[:, k].reshape(*shape, 4) for k in range(3))
    depth = np.ones(weights.shape)
    points = np.full((*weights.shape[1:], 3), np.nan)
    for _ in range(2):
        scale = (weights / depth)[..., None]
        rows = np.concatenate([scale * (rays[..., :1] * third - first), scale * (rays[..., 1:] * third - second)])
        gram = np.einsum("k...i,k...j->...ij", rows, rows)
        enough = (weights > 0).sum(axis=0) >= 2
        left, right = gram[..., :3, :3].copy(), -gram[..., :3, 3]
        left[~enough] = np.eye(3)
        singular = np.linalg.det(left) <= 0
        left[singular] = np.eye(3)
        points = np.where((enough & ~singular)[..., None], np.linalg.solve(left, right[..., None])[..., 0], np.nan)
        ahead = (
            np.einsum("...i,k...i->k...", np.nan_to_num(points), np.broadcast_to(third[..., :3], (*depth.shape, 3)))
            + third[..., 3]
        )
        depth = np.where(ahead > 0.1, ahead, 1.0)
    return points


def errors(cameras: Sequence[Camera], points: Floats, rays: Floats) -> Floats:
    """Give (cameras, …): how far each place is from where the point is seen, in pixels of the undistorted picture."""
    focal = np.array([c.focal for c in cameras]).reshape((len(cameras),) + (1,) * (rays.ndim - 2))
    return np.asarray(np.linalg.norm(seen_at(cameras, points) - rays, axis=-1) * focal)


def robust(cameras: Sequence[Camera], rays: Floats, confidence: Floats) -> Solved:
    """Triangulate by confidence, and drop the camera without which a point fits much better."""
    weights: Floats = np.where(np.isfinite(rays).all(axis=-1), confidence, 0.0) ** 2.0
    used = weights > 0
    points = linear(cameras, rays, weights)
    best = _misfit(errors(cameras, points, rays), weights)
    if len(cameras) > 2:
        worst = np.nanmax(np.where(used, errors(cameras, points, rays), np.nan), axis=0, initial=0.0)
        doubtful = (worst > OUTLIER) & (used.sum(axis=0) > 2)
        chosen = np.full(doubtful.shape, -1)
        for kept in combinations(range(len(cameras)), len(cameras) - 1):
            (dropped,) = set(range(len(cameras))) - set(kept)
            part = list(kept)
            subset = [cameras[k] for k in part]
            others = linear(subset, rays[part], weights[part])
            misfit = _misfit(errors(subset, others, rays[part]), weights[part])
            better = doubtful & used[dropped] & (misfit < _BETTER * best)
            points[better], chosen[better] = others[better], dropped
            best = np.where(better, misfit, best)
        for k in range(len(cameras)):
            used[k] &= chosen != k
    used &= np.isfinite(points).all(axis=-1)
    points[_flat(cameras, points, used) | (best > _APART)] = np.nan
    used &= np.isfinite(points).all(axis=-1)
    return Solved(points, used)


def _misfit(distance: Floats, weights: Floats) -> Floats:
    total = weights.sum(axis=0)
    squares = np.where(weights > 0, np.nan_to_num(distance, nan=1e6) ** 2 * weights, 0.0).sum(axis=0)
    return np.asarray(np.sqrt(squares / np.where(total > 0, total, np.nan)))


def _flat(cameras: Sequence[Camera], points: Floats, used: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Say which points are seen from nearly one direction alone."""
    away = np.stack([points - c.centre for c in cameras])
    away = away / np.linalg.norm(away, axis=-1, keepdims=True)
    widest = np.zeros(points.shape[:-1])
    for i, j in combinations(range(len(cameras)), 2):
        angle = np.degrees(np.arccos(np.clip(np.abs((away[i] * away[j]).sum(axis=-1)), 0, 1)))
        widest = np.where(used[i] & used[j], np.fmax(widest, angle), widest)
    return np.asarray(widest < _LEAST_ANGLE)
