"""Pictures of a video one after another, upright, each with its time."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import container
from .estimator import Refused
from .warn import Warnings

Picture = npt.NDArray[np.uint8]

# A decoder's clock may differ by this part of a picture from the file's.
_NEAR = 0.5


@dataclass
class Video:
    """A video that is being decoded. times grows with the pictures, in seconds from the first one shown."""

    path: Path
    warnings: Warnings
    size: Tuple[int, int] = (0, 0)  # width and height of the upright picture
    times: List[float] = field(default_factory=list)
    index: Optional[container.Index] = None

    def pictures(self, most: Optional[int] = None) -> Iterator[Tuple[Picture, float]]:
        """Decode; at most so many pictures."""
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "8")  # what it says is none of the answer
        import cv2

        self.index = container.read(self.path)
        capture = cv2.VideoCapture(str(self.path), cv2.CAP_FFMPEG)
        if not capture.isOpened():
            raise Refused("The video cannot be decoded. Save it again as MP4 with H.264.")
        capture.set(cv2.CAP_PROP_ORIENTATION_AUTO, 1)
        raw: List[float] = []
        try:
            while most is None or len(raw) < most:
                there, picture = capture.read()
                if not there:
                    break
                raw.append(capture.get(cv2.CAP_PROP_POS_MSEC) / 1000)
                self.size = (picture.shape[1], picture.shape[0])
                yield np.asarray(picture, dtype=np.uint8), raw[-1] - raw[0]
        finally:
            capture.release()
        if not raw:
            raise Refused("The video has no picture that can be decoded. Save it again as MP4 with H.264.")
        self.times = self._settle([t - raw[0] for t in raw], cut=most is not None)

    def _settle(self, decoded: List[float], cut: bool) -> List[float]:
        """Take the times of the file's index where its pictures are those that were decoded."""
        if self.index is None:
            self.warnings.add(
                "times-unchecked",
                "The file's index could not be compared; the times of the pictures are the decoder's.",
            )
            return _rising(decoded, self.warnings)
        told = list(self.index.times)
        if self.index.cut:
            self.warnings.add(
                "edits-honoured",
                f"Players show {len(told)} of the {self.index.pictures} pictures in the file; motion was made of those alone.",
            )
        if self.index.pause > 0:
            self.warnings.add(
                "edits-honoured",
                f"Players show nothing for {self.index.pause:.2f} s first; times count from the first picture.",
            )
        if cut:
            told = told[: len(decoded)]
        pace = told[-1] / (len(told) - 1) if len(told) > 1 else 0.0
        if len(told) == len(decoded):
            if max((abs(a - b) for a, b in zip(told, decoded)), default=0.0) > _NEAR * pace:
                self.warnings.add(
                    "times-disagree",
                    "The decoder's times of the pictures differ from those of the file's index, which count.",
                )
            return _rising(told, self.warnings)
        self.warnings.add(
            "pictures-missing",
            f"{len(decoded)} pictures could be decoded of the {len(told)} that the file announces; their times are the decoder's.",
        )
        return _rising(decoded, self.warnings)


def _rising(times: List[float], warnings: Warnings) -> List[float]:
    if any(b <= a for a, b in zip(times, times[1:])):
        raise Refused(
            "The times of the pictures do not rise from one to the next, so the file is damaged. Save it again as MP4."
        )
    return times
