"""MediaPipe Pose, whose wheel of version 0.10.14 carries its models."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import types
from typing import Any, List

import numpy as np
import numpy.typing as npt

from .estimator import Person, Refused
from .landmarks import NAMES

INSTALL = "MediaPipe is not installed: it needs Python 3.11, and `make video` sets it up with all else that it needs."


def _bare(name: str, folder: str) -> None:
    """Make a package whose own beginning does not run: MediaPipe's loads drawing, sound and learning, which nothing here needs."""
    if name not in sys.modules:
        package = types.ModuleType(name)
        package.__path__ = [folder]
        sys.modules[name] = package


def _pose() -> Any:
    found = importlib.util.find_spec("mediapipe") if "mediapipe" not in sys.modules else None
    if found is not None and found.submodule_search_locations:
        folder = found.submodule_search_locations[0]
        _bare("mediapipe", folder)
        _bare("mediapipe.python.solutions", os.path.join(folder, "python", "solutions"))
    try:
        return importlib.import_module("mediapipe.python.solutions.pose")
    except ImportError as missing:
        raise Refused(INSTALL) from missing


class MediaPipePose:
    """One person a picture, the most prominent one, by MediaPipe Pose."""

    names = NAMES

    def __init__(self) -> None:
        # Its own smoothing would delay what is seen; what is smoothed is smoothed afterwards, in both directions.
        self._pose = _pose().Pose(static_image_mode=False, model_complexity=1, smooth_landmarks=False)

    def people(self, picture: npt.NDArray[np.uint8], seconds: float) -> List[Person]:
        height, width = picture.shape[:2]
        found = self._pose.process(np.ascontiguousarray(picture[:, :, ::-1]))
        if found.pose_landmarks is None:
            return []
        seen = found.pose_landmarks.landmark
        body = found.pose_world_landmarks.landmark
        return [
            Person(
                places=np.array([(p.x * width - 0.5, p.y * height - 0.5) for p in seen]),
                confidence=np.clip(np.array([p.visibility for p in seen]), 0, 1),
                body=np.array([(p.x, p.y, p.z) for p in body]),
            )
        ]

    def close(self) -> None:
        self._pose.close()
