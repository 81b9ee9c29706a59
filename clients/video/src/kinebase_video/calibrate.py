"""Cameras calibrated by videos of a board: each lens by itself, then where the cameras are to each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Dict, List, Sequence, Tuple

import numpy as np

from .boards import Seen
from .cameras import Camera
from .estimator import Floats, Refused

# So many pictures of the board are needed, and more than the most do not make it better.
FEWEST, MOST = 6, 40
# Boards that two cameras see at the same moment.
_SHARED = 3

Views = Dict[int, Seen]  # of a camera: the board by the number of the moment


@dataclass
class Calibrated:
    cameras: List[Camera]
    lens: List[float]  # of each camera: root mean square of what is left, in pixels, by itself
    together: float  # the same of all cameras and boards together


def lens(name: str, size: Tuple[int, int], views: Views) -> Tuple[Camera, float]:
    """Find matrix and distortions of one camera. The error is Refused."""
    import cv2

    if len(views) < FEWEST:
        raise Refused(
            f"The board is to be seen in {len(views)} pictures of {name}, and {FEWEST} are needed: hold it still in many places, near and far, and tilt it."
        )
    chosen = _spread(views)
    boards = [views[i][0].astype(np.float32) for i in chosen]
    places = [views[i][1].astype(np.float32) for i in chosen]
    start = np.array(
        [[max(size), 0, (size[0] - 1) / 2], [0, max(size), (size[1] - 1) / 2], [0, 0, 1]], dtype=np.float64
    )
    flags = cv2.CALIB_FIX_K3 | cv2.CALIB_USE_INTRINSIC_GUESS
    error, matrix, distortions, _, _ = cv2.calibrateCamera(boards, places, size, start, np.zeros(5), flags=flags)
    if not 0.2 < matrix[0, 0] / max(size) < 20 or not np.isfinite(distortions).all():
        raise Refused(f"The lens of {name} could not be found: the board was held in too few ways.")
    return Camera(
        name,
        np.asarray(matrix, dtype=np.float64),
        np.asarray(distortions, dtype=np.float64).reshape(-1)[:5],
        np.eye(3),
        np.zeros(3),
        size,
    ), float(error)


def _spread(views: Views) -> List[int]:
    moments = sorted(views)
    return [moments[i] for i in np.unique(np.linspace(0, len(moments) - 1, min(MOST, len(moments))).astype(int))]


def together(lenses: Sequence[Camera], errors: Sequence[float], views: Sequence[Views]) -> Calibrated:
    """Find where the cameras are. The room begins at the board as it lies when most cameras see it for the first time: z is away from it, to the cameras."""
    posed = [{i: _pose(c, seen) for i, seen in v.items()} for c, v in zip(lenses, views)]
    order = _order(lenses, posed)
    first = order[0][0]
    found = {first: (np.eye(3), np.zeros(3))}
    for k, by in order[1:]:
        rotation, translation = _relative(posed[by], posed[k])
        found[k] = (rotation @ found[by][0], rotation @ found[by][1] + translation)
    cameras = [replace(c, rotation=found[k][0], translation=found[k][1]) for k, c in enumerate(lenses)]
    cameras, left = _adjusted(cameras, views, posed)
    return Calibrated(_on_board(cameras, views, posed), list(errors), left)


def _pose(camera: Camera, seen: Seen) -> Tuple[Floats, Floats]:
    """Give where the board is before a camera."""
    import cv2

    _, turn, shift = cv2.solvePnP(seen[0], seen[1], camera.matrix, camera.distortions)
    return np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64), np.asarray(shift, dtype=np.float64).reshape(3)


Poses = Dict[int, Tuple[Floats, Floats]]


def _order(cameras: Sequence[Camera], posed: Sequence[Poses]) -> List[Tuple[int, int]]:
    """Give the cameras, each with one before it with which it has seen most boards; the first has seen most of all."""
    first = max(range(len(cameras)), key=lambda k: len(posed[k]))
    order = [(first, first)]
    while len(order) < len(cameras):
        known = [k for k, _ in order]
        shared, k, by = max(
            (len(posed[k].keys() & posed[b].keys()), k, b) for k in range(len(cameras)) if k not in known for b in known
        )
        if shared < _SHARED:
            raise Refused(
                f"{cameras[k].name} sees the board together with another camera in {shared} moments, and {_SHARED} are needed: hold it where several cameras see it."
            )
        order.append((k, by))
    return order


def _relative(one: Poses, other: Poses) -> Tuple[Floats, Floats]:
    """Give how a second camera is turned and shifted, by the boards that both see: the middle of what each says."""
    both = sorted(one.keys() & other.keys())
    turns = [other[i][0] @ one[i][0].T for i in both]
    u, _, v = np.linalg.svd(np.sum(turns, axis=0))
    rotation = u @ np.diag([1, 1, np.linalg.det(u @ v)]) @ v
    return np.asarray(rotation), np.median([other[i][1] - rotation @ one[i][1] for i in both], axis=0)


def _adjusted(cameras: List[Camera], views: Sequence[Views], posed: Sequence[Poses]) -> Tuple[List[Camera], float]:
    """Make what is left in the pictures as small as it can be, by the places of cameras and boards."""
    import cv2
    from scipy.optimize import least_squares

    moments = sorted({i for v in views for i in v})
    moments = [moments[i] for i in np.unique(np.linspace(0, len(moments) - 1, min(MOST, len(moments))).astype(int))]
    boards: List[Floats] = []
    for i in moments:  # where the first camera that sees the board puts it in the room
        k = next(k for k, v in enumerate(views) if i in v)
        rotation, shift = posed[k][i]
        in_room = cameras[k].rotation.T @ rotation
        boards.append(
            np.concatenate(
                [cv2.Rodrigues(in_room)[0].ravel(), cameras[k].rotation.T @ (shift - cameras[k].translation)]
            )
        )
    count = len(cameras)

    def moved(x: Floats) -> List[Camera]:
        steps = np.concatenate([np.zeros(6), x[: 6 * (count - 1)]]).reshape(count, 6)
        return [c.moved(s[:3], s[3:]) for c, s in zip(cameras, steps)]

    def residuals(x: Floats) -> Floats:
        now, out = moved(x), []
        for n, i in enumerate(moments):
            place = x[6 * (count - 1) + 6 * n :][:6]
            turn = cv2.Rodrigues(place[:3])[0]
            for k, v in enumerate(views):
                if i in v:
                    out.append((now[k].project(v[i][0] @ turn.T + place[3:]) - v[i][1]).ravel())
        return np.concatenate(out)

    sparse = _sparsity(count, moments, views)
    found = least_squares(
        residuals,
        np.concatenate([np.zeros(6 * (count - 1)), *boards]),
        jac_sparsity=sparse,
        x_scale="jac",
        loss="soft_l1",
        max_nfev=30,
    )
    left = residuals(found.x)
    return moved(found.x), float(np.sqrt(np.mean(left**2) * 2))


def _sparsity(count: int, moments: Sequence[int], views: Sequence[Views]) -> Floats:
    rows = []
    for n, i in enumerate(moments):
        for k, v in enumerate(views):
            if i in v:
                row = np.zeros(6 * (count - 1) + 6 * len(moments))
                if k > 0:
                    row[6 * (k - 1) : 6 * k] = 1
                row[6 * (count - 1) + 6 * n :][:6] = 1
                rows.append(np.repeat(row[None], 2 * len(v[i][0]), axis=0))
    return np.concatenate(rows)


def _on_board(cameras: List[Camera], views: Sequence[Views], posed: Sequence[Poses]) -> List[Camera]:
    """Begin the room at the board when most cameras see it for the first time."""
    moments = sorted({i for v in views for i in v})
    best = max(moments, key=lambda i: (sum(i in v for v in views), -i))
    k = next(k for k, v in enumerate(views) if best in v)
    turn, shift = posed[k][best]
    board = cameras[k].rotation.T @ turn  # axes of the board, in the room so far
    origin = cameras[k].rotation.T @ (shift - cameras[k].translation)
    heights = [board[:, 2] @ (c.centre - origin) for c in cameras]
    axes = board @ np.diag([1.0, -1.0, -1.0]) if np.mean(heights) < 0 else board
    return [replace(c, rotation=c.rotation @ axes, translation=c.rotation @ origin + c.translation) for c in cameras]
