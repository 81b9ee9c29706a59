"""Motion of one camera: a body in metres about its pelvis, and the pelvis' path across the picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Optional, Sequence, Tuple

import numpy as np

from .about import About
from .decode import Video
from .estimator import Estimator, Floats, Person, Refused
from .even import at, even, grid
from .follow import Track, followed
from .motion import Motion
from .sizes import middle, stature
from .smooth import low_pass
from .warn import Warnings
from .watch import Progress, watch

# Landmarks that the estimator sees with less confidence are gaps.
_HIDDEN = 0.1
# The distance to the camera changes slowly: its course is smoothed at so many Hz.
_DISTANCE = 0.5
# So many people at most are told, each of whom is seen for so many seconds.
_MOST, _PASSING = 6, 0.5


@dataclass
class Course:
    """One person's landmarks in the course of a video; missing numbers are NaN."""

    places: Floats  # (frames, landmarks, 2) pixels
    confidence: Floats  # (frames, landmarks)
    body: Floats  # (frames, landmarks, 3) m

    @staticmethod
    def empty(frames: int, landmarks: int) -> "Course":
        nothing = np.full((frames, landmarks, 3), np.nan)
        return Course(nothing[:, :, :2].copy(), np.zeros((frames, landmarks)), nothing.copy())

    def put(self, frame: int, person: Person) -> None:
        self.places[frame], self.confidence[frame] = person.places, person.confidence
        if person.body is not None:
            self.body[frame] = person.body


def motion(
    path: Path,
    estimator: Estimator,
    about: About,
    warnings: Warnings,
    most: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Motion:
    """Make motion of a video of one camera. The error is Refused."""
    video = Video(path, warnings)
    seen = watch(video, estimator, most, progress)
    about.compare(video, warnings, whole=most is None)
    people = followed(seen, video.times)
    if not people:
        raise Refused("In no picture of the video was a person found.")
    courses = [_course(track, len(seen), len(estimator.names)) for track in people if _stays(track, video.times)][
        :_MOST
    ]
    courses = courses or [_course(people[0], len(seen), len(estimator.names))]
    gone = [i for i in range(len(seen)) if i not in people[0].seen and seen[i]]
    if len(people) > 1:
        warnings.add(
            "several-people",
            f"The video shows several people. The points without a prefix are those of the one who is seen in most pictures, {len(people[0].seen)} of {len(seen)}"
            + (
                f"; in {len(gone)}, the first at {video.times[gone[0]]:.2f} s, only somebody else was found"
                if gone
                else ""
            )
            + (
                f". Those of the others begin with person2: to person{len(courses)}:."
                if len(courses) > 2
                else ". Those of the other one begin with person2:."
                if len(courses) > 1
                else "."
            ),
        )
    if nobody := sum(not each for each in seen):
        warnings.add("nobody-seen", f"In {nobody} of {len(seen)} pictures nobody was found; they are gaps.")
    if not np.isfinite(courses[0].body).any():
        raise Refused("The estimator tells no depth, so that one camera is not enough for motion.")
    times = np.array(video.times)
    evened = [_evenly(course, times, warnings if n == 0 else Warnings()) for n, course in enumerate(courses)]
    made, origin = _metres(*evened[0], video.size, estimator, about, warnings)
    for number, (course, moments) in enumerate(evened[1:], 2):
        # Nobody says how tall the others are.
        other, _ = _metres(course, moments, video.size, estimator, About(), Warnings(), origin)
        made.beside(other, f"person{number}:")
    return made


def _course(track: Track, frames: int, landmarks: int) -> Course:
    course = Course.empty(frames, landmarks)
    for i, person in track.seen.items():
        course.put(i, person)
    return course


def _stays(track: Track, times: Sequence[float]) -> bool:
    """Say whether somebody is there for longer than a mistake of the estimator lasts."""
    pictures = sorted(track.seen)
    return (
        len(pictures) > 1
        and times[pictures[-1]] - times[pictures[0]] >= _PASSING
        and len(pictures) >= 0.5 * (pictures[-1] - pictures[0] + 1)
    )


def _evenly(course: Course, times: Floats, warnings: Warnings) -> Tuple[Course, Floats]:
    if even(times):
        return course, times
    wanted, rate = grid(times)
    warnings.add(
        "times-evened",
        f"The pictures do not follow one another at an even pace; motion was interpolated between them, at {rate:.2f} frames a second.",
    )
    confidence = np.nan_to_num(at(times, course.confidence, wanted))
    return Course(at(times, course.places, wanted), confidence, at(times, course.body, wanted)), wanted


def _metres(
    course: Course,
    times: Floats,
    size: Tuple[int, int],
    estimator: Estimator,
    about: About,
    warnings: Warnings,
    origin: Optional[Floats] = None,
) -> Tuple[Motion, Floats]:
    """Give somebody's motion, and the origin: where they are in the first picture, on the floor. An origin that is given holds."""
    names = estimator.names
    rate = (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else 1.0
    body = course.body
    told = stature(body, names)
    unknown: Tuple[str, ...] = ("depth",)
    if about.height is not None and np.isfinite(told):
        body = body * (about.height / told)
        warnings.add(
            "scale-estimated", f"Lengths are scaled so that the body is {about.height:.2f} m tall, as the athlete is."
        )
    else:
        unknown = ("scale", "depth")
        warnings.add(
            "scale-unknown",
            "One camera does not show how large a person is, and the athlete's height is not known: lengths are those of a person of average build. "
            "Enter the athlete's height, link the athlete, and have the capture processed again.",
        )
    warnings.add(
        "depth-unknown",
        "One camera does not show how far away things are: movement towards the camera and away from it is missing, and depths within the body are estimates. "
        "Metrics that need them are withheld.",
    )
    path = _pelvis(course, body, times, rate, size, names)
    points = np.stack([body[:, :, 0], -body[:, :, 1], -body[:, :, 2]], axis=2) + path[:, None]
    points[course.confidence < _HIDDEN] = np.nan
    feet = [i for i, name in enumerate(names) if name.endswith(("heel", "foot_index"))]
    if origin is None:
        floor = points[:, feet, 1]
        begin = path[np.isfinite(path[:, 0]), 0][0]
        origin = np.array([begin, np.nanpercentile(floor, 2) if np.isfinite(floor).any() else 0.0, 0.0])
    points -= origin
    channels: Dict[str, Floats] = {f"{name}_confidence": course.confidence[:, i] for i, name in enumerate(names)}
    # Where the landmarks are in the picture, so that the skeleton can be drawn over the video.
    for i, name in enumerate(names):
        channels[f"{name}_u [px]"], channels[f"{name}_v [px]"] = course.places[:, i, 0], course.places[:, i, 1]
    return Motion(times, names, points, "+y", channels, unknown), origin


def _pelvis(
    course: Course, body: Floats, times: Floats, rate: float, size: Tuple[int, int], names: Tuple[str, ...]
) -> Floats:
    """Give where the pelvis is: (frames, 3) m, to the right and upwards from the middle of the picture, in one plane.

    How many metres a pixel is at the person's distance follows from the size of the body in the picture.
    """
    centre = course.places.mean(axis=1, keepdims=True)  # a picture has all landmarks or none
    spread = course.places - centre
    wide = body[:, :, :2] - body[:, :, :2].mean(axis=1, keepdims=True)
    metres = np.sum(spread * wide, axis=(1, 2)) / np.sum(spread * spread, axis=(1, 2))
    metres = low_pass(metres, _DISTANCE, rate)
    hips = middle(course.places, names, "hip") - (np.array(size) - 1) / 2
    path = np.zeros((len(times), 3))
    path[:, 0], path[:, 1] = hips[:, 0] * metres, -hips[:, 1] * metres
    path[~np.isfinite(path[:, 0])] = np.nan
    return path
