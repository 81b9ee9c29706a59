"""How far the clocks of cameras are apart: by how fast wrists and ankles move, then by how well the rays meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Sequence

import numpy as np

from .cameras import Camera
from .estimator import Floats
from .even import at
from .smooth import low_pass
from .triangulate import errors, linear

# Clocks differ by no more than this, in s.
LONGEST = 0.75
# Offsets count when the rays then meet so much better, whatever the parts of the recording say.
WORTH = 0.3
# They also count when they are firm, see Found, and the rays meet so much better.
FIRM = 0.05
# What is neither is told from here on.
DOUBTFUL = 0.1
# A mean difference of so many standard errors, over 12 stretches of the recording, comes by chance once in a thousand times.
_ERRORS = 4.0
_FAST = ("left_wrist", "right_wrist", "left_ankle", "right_ankle")
_BODY = (*_FAST, *(f"{side}_{part}" for side in ("left", "right") for part in ("shoulder", "elbow", "hip", "knee")))
_CUTOFF = 8.0  # Hz: what cameras see is smoothed before it is compared
_SCALE = 6.0  # pixels


@dataclass
class Found:
    """How many seconds each camera's clock is ahead of the first one's. It is firm where both halves of the recording say so.

    Each half has offsets of its own, which must be the same to a picture and fit the other half significantly better than none.
    """

    offsets: Floats
    firm: bool


def compare(
    cameras: Sequence[Camera],
    times: Sequence[Floats],
    rays: Sequence[Floats],
    confidence: Sequence[Floats],
    names: Sequence[str],
) -> Found:
    """Find the offsets of the clocks, and whether they are firm. Names of landmarks may have persons as prefixes."""
    from scipy.optimize import least_squares

    rate = min((len(t) - 1) / (t[-1] - t[0]) for t in times)
    body = [i for i, name in enumerate(names) if name.rpartition(":")[2] in _BODY]
    smooth = [low_pass(r[:, body], _CUTOFF, (len(t) - 1) / (t[-1] - t[0])) for r, t in zip(rays, times)]
    weights = [c[:, body] for c in confidence]

    def apart(off: Floats, half: Optional[int] = None) -> Floats:
        """Give (cameras, 60 moments, landmarks): how far places are from each other in pixels, large ones damped."""
        start, end = max(t[0] - o for t, o in zip(times, off)), min(t[-1] - o for t, o in zip(times, off))
        if end - start < 0.2:
            return np.full((len(cameras), 60, len(body)), 10 * _SCALE)
        if half is not None:
            middle = (start + end) / 2
            start, end = (start, middle) if half == 0 else (middle, end)
        moments = np.linspace(start, end, 60)
        seen = np.stack([at(t, r, moments + o) for t, r, o in zip(times, smooth, off)])
        trust = np.nan_to_num(np.stack([at(t, c, moments + o) for t, c, o in zip(times, weights, off)]))
        points = linear(cameras, seen, trust)
        distance = errors(cameras, points, seen)
        damped = _SCALE * np.sqrt(2 * (np.sqrt(1 + (distance / _SCALE) ** 2) - 1))
        known = np.isfinite(damped)
        # What is missing says neither yes nor no.
        return np.asarray(np.where(known, damped, damped[known].mean() if known.any() else 10 * _SCALE))

    def cost(off: Floats) -> float:
        return float(np.mean(apart(off) ** 2))

    def refined(off: Floats, half: Optional[int] = None) -> Floats:
        """Improve offsets by the whole of the recording, or by a half."""
        got = least_squares(
            lambda x: apart(np.concatenate([[0.0], x]), half).ravel(),
            off[1:],
            diff_step=1e-3,
            x_scale=1 / rate,
            max_nfev=25,
        )
        return np.concatenate([[0.0], got.x])

    def firm(off: Floats) -> bool:
        """Say whether each half has the same offsets, and these fit the other half better than none."""
        halves = [refined(off, half) for half in (0, 1)]
        if max(float(np.abs(h - off).max()) for h in halves) > 1 / rate or np.abs(off).max() < 0.5 / rate:
            return False
        gained = [
            (apart(np.zeros(len(cameras)), 1 - k) ** 2 - apart(h, 1 - k) ** 2).mean(axis=(0, 2))
            for k, h in enumerate(halves)
        ]
        stretches = np.concatenate(gained).reshape(12, -1).mean(axis=1)
        error = float(stretches.std(ddof=1)) / np.sqrt(len(stretches))
        return bool(stretches.mean() > _ERRORS * error)

    best = np.zeros(len(cameras))
    speed = np.array(
        [0.0, *(_shift(times[0], rays[0], times[k], rays[k], names, rate) for k in range(1, len(cameras)))]
    )
    candidates = [best, speed]
    for start in list(candidates):  # each camera in turn, on a grid of two pictures
        now = start.copy()
        for k in range(1, len(cameras)):
            tries = []
            for shift in np.arange(-LONGEST, LONGEST + 1e-9, 2 / rate) if start is speed else np.arange(-4, 5) / rate:
                other = now.copy()
                other[k] = (0 if start is speed else now[k]) + shift
                tries.append((_pair(cameras, times, smooth, weights, now, k, other[k]), other))
            now = min(tries, key=lambda one: one[0])[1]
        candidates.append(now)
    best = min(candidates, key=cost)
    better = refined(best)
    best = better if cost(better) < cost(best) else best
    return Found(best, firm(best))


def _pair(
    cameras: Sequence[Camera],
    times: Sequence[Floats],
    rays: Sequence[Floats],
    weights: Sequence[Floats],
    off: Floats,
    k: int,
    shift: float,
) -> float:
    """Give how well a camera fits those before it, when its clock is ahead by so much."""
    start = max(max(times[j][0] - off[j] for j in range(k)), times[k][0] - shift)
    end = min(min(times[j][-1] - off[j] for j in range(k)), times[k][-1] - shift)
    if end - start < 0.3:
        return float("inf")
    moments = np.linspace(start, end, 40)
    shifts = [*(off[j] for j in range(k)), shift]
    seen = np.stack([at(times[j], rays[j], moments + shifts[j]) for j in range(k + 1)])
    trust = np.nan_to_num(np.stack([at(times[j], weights[j], moments + shifts[j]) for j in range(k + 1)]))
    distance = errors(cameras[: k + 1], linear(cameras[: k + 1], seen, trust), seen)
    return _mean(distance)


def _mean(distance: Floats) -> float:
    known = distance[np.isfinite(distance)]
    return float(np.mean(np.sqrt(1 + (known / _SCALE) ** 2) - 1)) if known.size else float("inf")


def misfit(cameras: Sequence[Camera], rays: Floats, confidence: Floats) -> float:
    """Say how badly (cameras, moments, landmarks, 2) fit together, all of them: a camera whose clock is wrong is not to be dropped."""
    return _mean(errors(cameras, linear(cameras, rays, confidence), rays))


def _shift(first: Floats, seen: Floats, second: Floats, also: Floats, names: Sequence[str], rate: float) -> float:
    """Give by how much a second camera's clock is ahead, by how fast wrists and ankles are in both pictures."""
    moments = np.arange(min(first[0], second[0]) - LONGEST, max(first[-1], second[-1]) + LONGEST, 1 / rate)
    one, other = _speed(first, seen, names, moments), _speed(second, also, names, moments)
    most, best = -np.inf, 0.0
    for lag in range(-int(LONGEST * rate), int(LONGEST * rate) + 1):
        a, b = one[max(0, -lag) : len(one) - max(0, lag)], other[max(0, lag) : len(other) + min(0, lag)]
        both = np.isfinite(a) & np.isfinite(b)
        if both.sum() < 0.5 * min(np.isfinite(one).sum(), np.isfinite(other).sum()) or both.sum() < 10:
            continue
        a, b = a[both], b[both]
        spread = a.std() * b.std()
        like = float(((a - a.mean()) * (b - b.mean())).mean() / spread) if spread > 0 else -1.0
        if like > most:
            most, best = like, lag / rate
    return best


def _speed(times: Floats, rays: Floats, names: Sequence[str], moments: Floats) -> Floats:
    """Give how fast wrists and ankles are together, whichever is left and right."""
    fast: List[int] = [list(names).index(n) for n in _FAST]
    pace = (len(times) - 1) / (times[-1] - times[0])
    places = low_pass(rays[:, fast], _CUTOFF, pace)
    speed = np.linalg.norm(np.gradient(places, times, axis=0), axis=2)
    total: Floats = np.where(np.isfinite(speed).all(axis=1), np.nansum(speed, axis=1), np.nan)
    return at(times, total, moments)
