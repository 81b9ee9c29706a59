"""The low-pass of Kinebase's library of movements: a Butterworth filter forwards and backwards, between gaps."""

from __future__ import annotations

import math
from typing import Any, Iterator

import numpy as np
import numpy.typing as npt

from .estimator import Floats

_PAD = 15  # samples by which a stretch is continued at both ends, turned about its last value


def stretches(known: npt.NDArray[np.bool_]) -> Iterator[slice]:
    """Give the runs of what is known."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], known.astype(np.int8), [0]])))
    for a, b in zip(edges[::2], edges[1::2]):
        yield slice(int(a), int(b))


def low_pass(values: Floats, cutoff: float, rate: float) -> Floats:
    """Smooth the courses of (frames, …), each stretch between gaps for itself; -3 dB at the cut-off in Hz.

    Stretches that are no longer than what they are continued by stay as they are.
    """
    if cutoff >= rate / 2:
        return values.copy()
    flat = values.reshape(len(values), -1).copy()
    for column in flat.T:
        for part in stretches(np.isfinite(column)):
            if part.stop - part.start > _PAD:
                column[part] = _both_ways(column[part], cutoff, rate)
    return flat.reshape(values.shape)


def _both_ways(x: Floats, cutoff: float, rate: float) -> Floats:
    from scipy.signal import lfilter

    # Each of the two passes has its cut-off higher, so that both together have -3 dB there (Winter).
    w = math.tan(math.pi * cutoff / rate) / (math.sqrt(2) - 1) ** 0.25
    norm = 1 + math.sqrt(2) * w + w * w
    b = np.array([w * w, 2 * w * w, w * w]) / norm
    a = np.array([norm, 2 * (w * w - 1), 1 - math.sqrt(2) * w + w * w]) / norm
    long = np.concatenate([2 * x[0] - x[_PAD:0:-1], x, 2 * x[-1] - x[-2 : -_PAD - 2 : -1]])
    for _ in range(2):
        state = np.array([(1 - b[0]) * long[0], (b[2] - a[2]) * long[0]])  # as if the first value had always been there
        passed: Any = lfilter(b, a, long, zi=state)
        long = passed[0][::-1]
    return np.asarray(long[_PAD:-_PAD], dtype=np.float64)
