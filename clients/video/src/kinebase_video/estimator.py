"""What finds people in a picture: the interface, and how one is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, List, Optional, Protocol, Tuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

GROUP = "kinebase_video.estimators"


class Refused(Exception):
    """Says to people why no motion is made of a video, in one sentence."""


@dataclass(frozen=True)
class Person:
    """One person in one picture, a row a landmark in the order of the estimator's names."""

    places: Floats  # (n, 2) pixels of the upright picture, from the middle of its upper left pixel
    confidence: Floats  # (n,) from 0 to 1
    body: Optional[Floats] = (
        None  # (n, 3) m, from the middle of the hips: x to the right, y down, z away; None: not known
    )


class Estimator(Protocol):
    """Finds people. Pictures come one after another, in the order of their times."""

    names: Tuple[str, ...]  # of the landmarks

    def people(self, picture: npt.NDArray[np.uint8], seconds: float) -> List[Person]:
        """Give the people in a picture: rows, columns, blue-green-red."""
        ...

    def close(self) -> None: ...


def make(name: str) -> Estimator:
    """Make an estimator by the name of its entry point."""
    known = {point.name: point for point in entry_points(group=GROUP)}
    if name not in known:
        raise Refused(f"There is no estimator {name}; there are: {', '.join(sorted(known)) or 'none'}.")
    found: Any = known[name].load()
    estimator: Estimator = found()
    return estimator
