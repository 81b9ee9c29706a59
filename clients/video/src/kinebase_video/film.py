"""What the cameras have seen: the people of each picture, and of moments between pictures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import List, Optional, Sequence, Tuple

import numpy as np

from .decode import Video
from .estimator import Estimator, Floats, Person, Refused
from .follow import same
from .warn import Warnings
from .watch import Progress, watch


@dataclass
class Film:
    """What one camera has seen: the people of each picture, and when it was."""

    name: str
    size: Tuple[int, int]
    times: Floats
    seen: List[List[Person]]


def film(
    path: Path,
    name: str,
    estimator: Estimator,
    warnings: Warnings,
    most: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Film:
    """Look at a video."""
    video = Video(path, warnings)
    seen = watch(video, estimator, most, progress)
    return Film(name, video.size, np.array(video.times), seen)


def common(films: Sequence[Film], off: Floats) -> Tuple[Floats, float]:
    """Give even moments that all cameras have seen, on the clock of the first, at the rate of the slowest."""
    if any(len(f.times) < 2 for f in films):
        raise Refused("A video has a single picture.")
    pace = max(float(np.median(np.diff(f.times))) for f in films)
    start, end = max(f.times[0] - o for f, o in zip(films, off)), min(f.times[-1] - o for f, o in zip(films, off))
    if end - start < 2 * pace:
        raise Refused("The videos have no time in common.")
    count = int(np.floor((end - start) / pace + 1e-6)) + 1
    return start + pace * np.arange(count), 1 / pace


def around(f: Film, moment: float) -> Tuple[int, int, float]:
    """Give the pictures before and after a moment of the camera's own clock, and the share of the way between them."""
    after = int(np.clip(np.searchsorted(f.times, moment), 1, len(f.times) - 1))
    before = after - 1
    return before, after, float(np.clip((moment - f.times[before]) / (f.times[after] - f.times[before]), 0, 1))


def people_at(f: Film, moment: float) -> List[Person]:
    """Give the people at a moment of the camera's own clock, in the order of the nearer picture.

    Whoever is in the picture before and in the one after is between both places.
    """
    before, after, share = around(f, moment)
    near, far = (before, after) if share < 0.5 else (after, before)
    weight = min(share, 1 - share)
    if weight < 1e-3:
        return f.seen[near]
    partner = _pairs(f.seen[near], f.seen[far], abs(float(f.times[far] - f.times[near])))
    out = []
    for i, one in enumerate(f.seen[near]):
        if i in partner:
            other = f.seen[far][partner[i]]
            mix = (1 - weight) * one.places + weight * other.places
            one = Person(mix, np.minimum(one.confidence, other.confidence))
        out.append(one)
    return out


def _pairs(ones: Sequence[Person], others: Sequence[Person], seconds: float) -> "dict[int, int]":
    """Give who of two pictures that follow one another is whom: those who are nearest to each other as a whole."""
    from scipy.optimize import linear_sum_assignment

    if not ones or not others:
        return {}
    if len(ones) == len(others) == 1:
        return {0: 0}
    apart = np.array([[np.linalg.norm(a.places - b.places, axis=1).mean() for b in others] for a in ones])
    rows, columns = linear_sum_assignment(apart)
    return {int(i): int(k) for i, k in zip(rows, columns) if same(ones[i], others[k], seconds)}
