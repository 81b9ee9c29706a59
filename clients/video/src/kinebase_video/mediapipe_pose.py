"""MediaPipe Pose, whose wheel of version 0.10.14 carries its models."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import types
from dataclasses import replace
from typing import Any, Callable, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from .estimator import Person, Refused
from .follow import same
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


# Around the person who was seen last, so much of the person's size on each side is looked at.
_AROUND = 0.4


class MediaPipePose:
    """One person a picture by MediaPipe Pose: the most prominent one, and from then on the same one as long as that one is seen."""

    names = NAMES

    def __init__(self) -> None:
        pose = _pose()
        # Its own smoothing would delay what is seen; what is smoothed is smoothed afterwards, in both directions.
        self._pose = pose.Pose(static_image_mode=False, model_complexity=1, smooth_landmarks=False)
        self._again: Callable[[], Any] = lambda: pose.Pose(static_image_mode=True, model_complexity=1)
        self._close_up: Any = None  # made when it is needed
        self._last: Optional[Tuple[Person, float]] = None

    def people(self, picture: npt.NDArray[np.uint8], seconds: float) -> List[Person]:
        person = _person(self._pose.process(np.ascontiguousarray(picture[:, :, ::-1])), picture)
        if self._last is not None and (person is None or not same(self._last[0], person, seconds - self._last[1])):
            # It has lost the person, or has found another one: the same may still be there.
            person = self._near(picture, seconds) or person
        if person is None:
            return []
        self._last = person, seconds
        return [person]

    def _near(self, picture: npt.NDArray[np.uint8], seconds: float) -> Optional[Person]:
        """Look for the person who was seen last where that was."""
        assert self._last is not None
        before, when = self._last
        size = np.ptp(before.places, axis=0).max() * _AROUND
        height, width = picture.shape[:2]
        left, top = np.clip((before.places.min(axis=0) - size).astype(int), 0, (width - 2, height - 2))
        right, bottom = np.clip((before.places.max(axis=0) + size).astype(int) + 1, (left + 2, top + 2), (width, height))
        self._close_up = self._close_up or self._again()
        part = picture[top:bottom, left:right]
        person = _person(self._close_up.process(np.ascontiguousarray(part[:, :, ::-1])), part)
        if person is None:
            return None
        person = replace(person, places=person.places + (left, top))
        return person if same(before, person, seconds - when) else None

    def close(self) -> None:
        self._pose.close()
        if self._close_up is not None:
            self._close_up.close()


def _person(found: Any, picture: npt.NDArray[np.uint8]) -> Optional[Person]:
    if found.pose_landmarks is None:
        return None
    height, width = picture.shape[:2]
    seen = found.pose_landmarks.landmark
    return Person(
        places=np.array([(p.x * width - 0.5, p.y * height - 0.5) for p in seen]),
        confidence=np.clip(np.array([p.visibility for p in seen]), 0, 1),
        body=np.array([(p.x, p.y, p.z) for p in found.pose_world_landmarks.landmark]),
    )
