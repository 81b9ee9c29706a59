"""Segments of a body keep their lengths while it moves: points are moved to where that and the pictures agree best."""

from __future__ import annotations

from typing import List, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from .cameras import Camera
from .estimator import Floats

# Segments between joints of limbs, whose ends are near the bones' own.
_LIMBS = tuple(
    (f"{side}_{near}", f"{side}_{far}")
    for side in ("left", "right")
    for near, far in (("hip", "knee"), ("knee", "ankle"), ("shoulder", "elbow"), ("elbow", "wrist"))
)
# A landmark keeps its place on the body to so many m, so the length between two of them is known no better.
_TRUST = 0.01
# Places in pictures are taken to be wrong by so many pixels at least.
_LEAST_ERROR = 2.0
# A length is only known where so many frames have it.
_FRAMES = 20
_ROUNDS = 4


def kept(
    cameras: Sequence[Camera],
    rays: Floats,
    weights: Floats,
    points: Floats,
    distance: Floats,
    names: Sequence[str],
) -> Floats:
    """Give (frames, points, 3) in which each limb has its median length as far as the pictures allow.

    rays are (cameras, frames, points, 2) directions that count by their weights, and distance is how far they pass the
    points, in pixels. Points that no limb has, and gaps, stay as they are.
    """
    limbs = [(names.index(a), names.index(b)) for a, b in _LIMBS if a in names and b in names]
    lengths = [_length(points, limb) for limb in limbs]
    known = [(limb, length) for limb, length in zip(limbs, lengths) if length > 0]
    if not known:
        return points
    joints = sorted({joint for limb, _ in known for joint in limb})
    place = {joint: i for i, joint in enumerate(joints)}
    part = [((place[a], place[b]), length) for (a, b), length in known]
    moved = points.copy()
    moved[:, joints] = _solved(
        cameras, rays[:, :, joints], weights[:, :, joints], points[:, joints], distance[:, :, joints], part
    )
    return moved


def _length(points: Floats, limb: Tuple[int, int]) -> float:
    """Give the median length of a limb in m; 0 where too few frames have it."""
    apart = np.linalg.norm(points[:, limb[0]] - points[:, limb[1]], axis=1)
    apart = apart[np.isfinite(apart)]
    return float(np.median(apart)) if len(apart) >= _FRAMES else 0.0


def _solved(
    cameras: Sequence[Camera],
    rays: Floats,
    weights: Floats,
    points: Floats,
    distance: Floats,
    limbs: Sequence[Tuple[Tuple[int, int], float]],
) -> Floats:
    """Solve frames by Gauss and Newton: errors in the pictures beside those of the lengths, each by what is known of it."""
    frames, joints = points.shape[:2]
    there = np.isfinite(points).all(axis=2)
    error = np.maximum(_LEAST_ERROR, _middle(distance, weights))  # (joints,) pixels
    x = np.nan_to_num(points)
    for _ in range(_ROUNDS):
        left = np.zeros((frames, joints, 3, joints, 3))
        right = np.zeros((frames, joints, 3))
        for camera, seen, weight in zip(cameras, rays, weights):
            slope, miss = _missed(camera, x, seen)
            counts = (np.where(np.isfinite(miss).all(axis=2) & there, weight, 0.0) / error**2)[..., None]
            slope, miss = np.nan_to_num(slope), np.nan_to_num(miss)
            gram = np.einsum("fjki,fjkl->fjil", slope * counts[..., None], slope)
            for j in range(joints):
                left[:, j, :, j] += gram[:, j]
            right += np.einsum("fjki,fjk->fji", slope * counts[..., None], miss)
        for (a, b), length in limbs:
            both = there[:, a] & there[:, b]
            way = x[:, a] - x[:, b]
            long = np.linalg.norm(way, axis=1)
            way = way / np.where(long > 0, long, 1.0)[:, None]
            counts = np.where(both, 1 / _TRUST**2, 0.0)
            gram = np.einsum("f,fi,fj->fij", counts, way, way)
            pull = (counts * (length - long))[:, None] * way
            left[:, a, :, a] += gram
            left[:, b, :, b] += gram
            left[:, a, :, b] -= gram
            left[:, b, :, a] -= gram
            right[:, a] += pull
            right[:, b] -= pull
        flat = left.reshape(frames, 3 * joints, 3 * joints) + 1e-6 * np.eye(3 * joints)
        step = np.linalg.solve(flat, right.reshape(frames, 3 * joints, 1))[..., 0]
        x = x + step.reshape(frames, joints, 3)
    return np.where(there[..., None], x, points)


def _middle(distance: Floats, weights: Floats) -> Floats:
    """Give the median error of each joint in the pictures that count."""
    out: List[float] = []
    for j in range(distance.shape[2]):
        seen = distance[:, :, j][(weights[:, :, j] > 0) & np.isfinite(distance[:, :, j])]
        out.append(float(np.median(seen)) if seen.size else _LEAST_ERROR)
    return np.array(out)


def _missed(camera: Camera, x: Floats, seen: Floats) -> Tuple[Floats, Floats]:
    """Give by how many pixels a point is seen elsewhere (…, 2), and how that changes with the point (…, 2, 3)."""
    ahead = x @ camera.rotation.T + camera.translation
    depth = np.where(ahead[..., 2:] > 0.1, ahead[..., 2:], np.nan)
    flat = ahead[..., :2] / depth
    turned: npt.NDArray[np.float64] = (
        camera.rotation[None, None, :2] - flat[..., None] * camera.rotation[None, None, 2:]
    )
    return camera.focal * turned / depth[..., None], camera.focal * (seen - flat)
