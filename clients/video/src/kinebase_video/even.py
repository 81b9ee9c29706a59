"""Numbers at even times out of numbers at the times of pictures."""

from __future__ import annotations

from typing import Tuple

import numpy as np

from .estimator import Floats

# Pictures whose times are further than this part of a picture from an even grid are not even.
_TOLERANCE = 0.1
# Across more than so many pictures nothing is made up.
_GAP = 2.5


def even(times: Floats) -> bool:
    """Say whether the times lie on a grid."""
    n = len(times)
    if n < 3:
        return True
    pace = (times[-1] - times[0]) / (n - 1)
    return bool(np.max(np.abs(times - times[0] - pace * np.arange(n))) <= _TOLERANCE * pace)


def at(times: Floats, values: Floats, wanted: Floats) -> Floats:
    """Interpolate (frames, …) on straight lines; NaN outside, beside what is missing, and across long pauses."""
    flat = values.reshape(len(times), -1)
    pace = float(np.median(np.diff(times))) if len(times) > 1 else 1.0
    before = np.clip(np.searchsorted(times, wanted, side="right") - 1, 0, max(0, len(times) - 2))
    after = np.minimum(before + 1, len(times) - 1)
    span = np.where(after > before, times[after] - times[before], 1.0)
    share = (wanted - times[before]) / span
    share = np.where(np.abs(share) < 1e-6, 0.0, np.where(np.abs(share - 1) < 1e-6, 1.0, share))
    out = np.where(
        share[:, None] == 0,
        flat[before],
        np.where(share[:, None] == 1, flat[after], flat[before] * (1 - share[:, None]) + flat[after] * share[:, None]),
    )
    exact = (share == 0) | (share == 1)
    out[((span > _GAP * pace) & ~exact) | (share < 0) | (share > 1)] = np.nan
    return out.reshape(len(wanted), *values.shape[1:])


def grid(times: Floats) -> Tuple[Floats, float]:
    """Give even times of the same span, at the median pace, and their rate."""
    pace = float(np.median(np.diff(times)))
    n = int(np.floor((times[-1] - times[0]) / pace + 1e-6)) + 1
    return times[0] + pace * np.arange(n), 1 / pace
