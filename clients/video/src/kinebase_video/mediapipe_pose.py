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
# Others are looked for in every so many pictures, and given up after so many seconds.
_EVERY, _GONE = 5, 1.0
# Of those whom nobody has seen before the landmarks are seen with this confidence, as a mean: what is no body has less.
_BODY = 0.5
# Two who cover each other by this part are one.
_ONE = 0.3


class MediaPipePose:
    """People by MediaPipe Pose, which finds one: the most prominent one, and from then on the same one as long as that one is seen.

    Others are found where those who are known are covered, and then looked for where they were seen last.
    """

    names = NAMES

    def __init__(self) -> None:
        pose = _pose()
        # Its own smoothing would delay what is seen; what is smoothed is smoothed afterwards, in both directions.
        self._pose = pose.Pose(static_image_mode=False, model_complexity=1, smooth_landmarks=False)
        self._again: Callable[[], Any] = lambda: pose.Pose(static_image_mode=True, model_complexity=1)
        self._close_up: Any = None  # made when it is needed
        self._last: Optional[Tuple[Person, float]] = None
        self._others: List[Tuple[Person, float]] = []  # when they were seen last
        self._count = 0

    def people(self, picture: npt.NDArray[np.uint8], seconds: float) -> List[Person]:
        person = _person(self._pose.process(np.ascontiguousarray(picture[:, :, ::-1])), picture)
        if self._last is not None and (person is None or not same(self._last[0], person, seconds - self._last[1])):
            # It has lost the person, or has found another one: the same may still be there.
            person = self._near(picture, self._last, seconds) or person
        found = [] if person is None else [person]
        if person is not None:
            self._last = person, seconds
        known: List[Tuple[Person, float]] = []
        for last in self._others:
            other = self._near(picture, last, seconds)
            if other is not None and not any(_overlap(other, each) > _ONE for each in found):
                found.append(other)
                known.append((other, seconds))
            elif seconds - last[1] <= _GONE:
                known.append(last)
        if found and self._count % _EVERY == 0:
            other = self._uncovered(picture, found)
            if other is not None:
                found.append(other)
                known = [last for last in known if not same(last[0], other, seconds - last[1])]
                known.append((other, seconds))
        # Whoever is followed as the first one is no other.
        self._others = [last for last in known if person is None or _overlap(last[0], person) <= _ONE]
        self._count += 1
        return found

    def _near(self, picture: npt.NDArray[np.uint8], last: Tuple[Person, float], seconds: float) -> Optional[Person]:
        """Look for a person where that one was seen last."""
        before, when = last
        size = np.ptp(before.places, axis=0).max() * _AROUND
        height, width = picture.shape[:2]
        left, top = np.clip((before.places.min(axis=0) - size).astype(int), 0, (width - 2, height - 2))
        right, bottom = np.clip(
            (before.places.max(axis=0) + size).astype(int) + 1, (left + 2, top + 2), (width, height)
        )
        part = picture[top:bottom, left:right]
        person = self._alone(part)
        if person is None:
            return None
        person = replace(person, places=person.places + (left, top))
        return person if same(before, person, seconds - when) else None

    def _uncovered(self, picture: npt.NDArray[np.uint8], known: List[Person]) -> Optional[Person]:
        """Look for somebody else than those who are known, whom a grey area covers."""
        rest = picture.copy()
        for each in known:
            (left, top), (right, bottom) = _box(each)
            rest[max(0, top) : max(0, bottom), max(0, left) : max(0, right)] = 128
        person = self._alone(rest)
        if person is None or person.confidence.mean() < _BODY or any(_overlap(person, each) > _ONE for each in known):
            return None
        return person

    def _alone(self, picture: npt.NDArray[np.uint8]) -> Optional[Person]:
        """Find somebody in a picture without regard to those before."""
        self._close_up = self._close_up or self._again()
        return _person(self._close_up.process(np.ascontiguousarray(picture[:, :, ::-1])), picture)

    def close(self) -> None:
        self._pose.close()
        if self._close_up is not None:
            self._close_up.close()


def _box(person: Person) -> Tuple[Tuple[int, int], Tuple[int, int]]:
    """Give the upper left and the lower right corner of what a person takes in the picture, with some room."""
    low, high = person.places.min(axis=0), person.places.max(axis=0)
    room = 0.1 * (high - low).max()
    (left, top), (right, bottom) = (low - room).astype(int), (high + room).astype(int) + 1
    return (int(left), int(top)), (int(right), int(bottom))


def _overlap(one: Person, other: Person) -> float:
    """Give which part of the smaller one's area both take."""
    (a, b), (c, d) = _box(one)
    (e, f), (g, h) = _box(other)
    both = max(0, min(c, g) - max(a, e)) * max(0, min(d, h) - max(b, f))
    return both / max(1, min((c - a) * (d - b), (g - e) * (h - f)))


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
