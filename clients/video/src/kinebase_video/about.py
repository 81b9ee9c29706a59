"""What Kinebase tells of a video beside its bytes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Optional

from .decode import Video
from .estimator import Refused
from .warn import Warnings


@dataclass(frozen=True)
class About:
    """The athlete's height in m, and what the server has read of the file."""

    height: Optional[float] = None
    pictures: Optional[int] = None
    duration: Optional[float] = None

    @staticmethod
    def read(path: Optional[Path]) -> "About":
        """Read the file of the word {about}; without one nothing is known."""
        if path is None:
            return About()
        try:
            told: Dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as wrong:
            raise Refused(f"What is said about the video cannot be read: {wrong}") from wrong
        video, athlete = told.get("video") or {}, told.get("athlete") or {}
        return About(athlete.get("height"), video.get("frames"), video.get("duration"))

    def compare(self, video: Video, warnings: Warnings, whole: bool) -> None:
        """Hold the decoded pictures against what the server has read of the container."""
        if not whole or self.pictures is None:
            return
        mine = video.index.pictures if video.index is not None else len(video.times)
        if mine != self.pictures:
            warnings.add(
                "pictures-missing",
                f"The server counts {self.pictures} pictures in the file, and here there are {mine}.",
            )
        cut = video.index is not None and video.index.cut
        if self.duration and not cut and len(video.times) > 1:
            lasted = video.times[-1] * len(video.times) / (len(video.times) - 1)
            if abs(lasted - self.duration) > 1.5 * self.duration / self.pictures + 0.001 * self.duration:
                warnings.add(
                    "times-disagree",
                    f"The server reads {self.duration:.3f} s of pictures, and here they last {lasted:.3f} s.",
                )
