"""People in the pictures of a video, and which part of all the pictures was looked at."""

from __future__ import annotations

import sys
import time
from typing import Callable, List, Optional, TextIO

from .decode import Video
from .estimator import Estimator, Person

# Looking at pictures takes this part of the time; the rest is spent on what was seen.
_LOOKING = 0.95


class Progress:
    """Says which part of the work is done in lines such as ``done 0.250``, one a second at most.

    Kinebase reads them from the standard output of its video processor.
    """

    def __init__(
        self, videos: int = 1, out: Optional[TextIO] = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._videos, self._out, self._clock = videos, out or sys.stdout, clock
        self._before, self._told = 0, float("-inf")

    def looked(self, part: float) -> None:
        """Note which part of the video was looked at that is the present one."""
        if self._clock() - self._told < 1:
            return
        self._told = self._clock()
        print(f"done {_LOOKING * (self._before + part) / self._videos:.3f}", file=self._out, flush=True)

    def next(self) -> None:
        """Note that the present video was looked at."""
        self._before += 1


def watch(
    video: Video, estimator: Estimator, most: Optional[int] = None, progress: Optional[Progress] = None
) -> List[List[Person]]:
    """Give the people in each picture, of so many pictures at most."""
    seen: List[List[Person]] = []
    for picture, seconds in video.pictures(most):
        seen.append(estimator.people(picture, seconds))
        if progress and video.index:  # which tells how many there are
            progress.looked(min(1.0, len(seen) / max(1, len(video.index.times))))
    if progress:
        progress.next()
    return seen
