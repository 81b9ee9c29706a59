"""Left and right, which estimators exchange: from behind, or where legs cross."""

from __future__ import annotations

from itertools import product
from typing import List, Sequence, Tuple

import numpy as np

from .cameras import Camera
from .estimator import Floats
from .triangulate import errors, linear

# Landmarks by which sides are told; those of hands and the face are too near to each other.
_PARTS = ("hip", "knee", "ankle", "heel", "foot_index", "shoulder", "elbow", "wrist")
_SCALE = 10.0  # pixels from which an error counts less than its square
# What it costs that an estimator changes its mind from one picture to the next, and that it is mistaken.
_CHANGE, _MISTAKE = 30.0, 0.5
# So many cameras are judged together; more of them one by one.
_TOGETHER = 6


def mirrored(names: Sequence[str]) -> List[int]:
    """Give, for each landmark, the number of that of the other side."""
    other = {"left": "right", "right": "left"}
    out = []
    for i, name in enumerate(names):
        side, _, rest = name.partition("_")
        out.append(
            list(names).index(f"{other[side]}_{rest}") if side in other and f"{other[side]}_{rest}" in names else i
        )
    return out


def settle(
    cameras: Sequence[Camera], rays: Floats, confidence: Floats, names: Sequence[str]
) -> Tuple[Floats, Floats, int]:
    """Give (cameras, frames, landmarks, …) with the sides that fit together, and how many pictures were mistaken."""
    swap = mirrored(names)
    body = [list(names).index(f"{side}_{part}") for side in ("left", "right") for part in _PARTS]
    several = min(len(cameras), _TOGETHER)
    states = list(product((0, 1), repeat=several))
    cost = {}
    for state in states:
        if state[0] == 0:  # both sides of all cameras exchanged fit as well
            cost[state] = cost[tuple(1 - s for s in state)] = _cost(
                cameras[:several], rays[:several], confidence[:several], state, swap, body
            )
    told = np.array([cost[s] + _MISTAKE * sum(s) for s in states])
    change = _CHANGE * np.array([[sum(a != b for a, b in zip(x, y)) for x in states] for y in states])
    path = _cheapest(told, change)
    rays, confidence = rays.copy(), confidence.copy()
    mistaken = 0
    for frame, number in enumerate(path):
        for k, exchanged in enumerate(states[number]):
            if exchanged:
                rays[k, frame], confidence[k, frame] = rays[k, frame][swap], confidence[k, frame][swap]
                mistaken += 1
    for k in range(several, len(cameras)):
        mistaken += _one(cameras, rays, confidence, k, several, swap, body)
    return rays, confidence, mistaken


def _cost(
    cameras: Sequence[Camera], rays: Floats, confidence: Floats, state: Sequence[int], swap: List[int], body: List[int]
) -> Floats:
    """Give how badly the pictures fit together, frame by frame, when some are mistaken."""
    orders = [[swap[i] for i in body] if exchanged else body for exchanged in state]
    turned = np.stack([r[:, order] for r, order in zip(rays, orders)])
    weights = np.stack([c[:, order] for c, order in zip(confidence, orders)])
    distance = errors(cameras, linear(cameras, turned, weights), turned)
    return np.asarray(np.nansum(np.sqrt(1 + (distance / _SCALE) ** 2) - 1, axis=(0, 2)))


def _one(
    cameras: Sequence[Camera], rays: Floats, confidence: Floats, k: int, several: int, swap: List[int], body: List[int]
) -> int:
    """Settle one camera by what the first ones see."""
    points = linear(cameras[:several], rays[:several], confidence[:several])
    told = []
    for order in (body, [swap[i] for i in body]):
        distance = errors([cameras[k]], points[:, body], rays[k : k + 1, :][:, :, order])[0]
        told.append(np.nansum(np.sqrt(1 + (distance / _SCALE) ** 2) - 1, axis=1))
    path = _cheapest(np.array(told) + np.array([[0.0], [_MISTAKE]]), _CHANGE * np.array([[0.0, 1.0], [1.0, 0.0]]))
    for frame in np.flatnonzero(path):
        rays[k, frame], confidence[k, frame] = rays[k, frame][swap], confidence[k, frame][swap]
    return int(np.sum(path))


def _cheapest(cost: Floats, change: Floats) -> List[int]:
    """Give the cheapest course of states, with what they cost in each frame and what each change costs (to, from)."""
    total, before = cost[:, 0], []
    for frame in range(1, cost.shape[1]):
        ways = total[None, :] + change
        best = ways.argmin(axis=1)
        before.append(best)
        total = ways[np.arange(len(total)), best] + cost[:, frame]
    path = [int(total.argmin())]
    for best in reversed(before):
        path.append(int(best[path[-1]]))
    return path[::-1]
