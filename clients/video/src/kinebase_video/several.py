"""Motion in metres of the videos of several calibrated cameras."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import calibration, lengths, people, refine, sides, sync
from .cameras import Camera, rays
from .decode import Video
from .estimator import Estimator, Floats, Person, Refused
from .even import at
from .motion import Motion
from .smooth import low_pass
from .triangulate import errors, robust
from .warn import Warnings
from .watch import Progress, watch

# Points are smoothed at so many Hz, as the library of movements smooths places.
CUTOFF = 6.0
# Someone who is there in fewer of the frames than the first person, by this part, passes by.
_PASSES = 0.5


@dataclass
class Film:
    """What one camera has seen: the people of each picture, and when it was."""

    name: str
    size: Tuple[int, int]
    times: Floats
    seen: List[List[Person]]


def film(
    path: Path,
    name: str,
    estimator: Estimator,
    warnings: Warnings,
    most: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Film:
    """Look at a video."""
    video = Video(path, warnings)
    seen = watch(video, estimator, most, progress)
    return Film(name, video.size, np.array(video.times), seen)


def motion(
    films: Sequence[Film],
    cameras: Sequence[Camera],
    names: Sequence[str],
    warnings: Warnings,
    by: str = "auto",
    corrected: bool = True,
) -> Motion:
    """Make motion of films, each with its camera. by says how clocks are compared: time, speed or auto."""
    cameras = [calibration.fitted(c, f.size, warnings) for c, f in zip(cameras, films)]
    for f in films:
        if not any(f.seen):
            raise Refused(f"In no picture of {f.name} was a person found.")
    off = np.zeros(len(films)) if by == "time" else _offsets(films, cameras, names, by, warnings)
    times, rate = _common(films, off)
    frames = [[_people(f, o, t) for f, o in zip(films, off)] for t in times]
    tracks = people.followed(
        cameras,
        [[[c.rays(p.places) for p in each] for c, each in zip(cameras, frame)] for frame in frames],
        names,
        rate,
    )
    if not tracks:
        raise Refused(
            "In no moment did two cameras see the same person where the calibration says. Check that it is that of these cameras, in the order of the videos, and that nobody else is to be seen."
        )
    others = [t for t in tracks[1:] if len(t.views) > _PASSES * len(tracks[0].views)]
    if others:
        warnings.add(
            "several-people", f"There are {1 + len(others)} people; motion was made of the one who is there longest."
        )
    places = np.full((len(cameras), len(times), len(names), 2), np.nan)
    confidence = np.zeros(places.shape[:-1])
    for i, view in tracks[0].views.items():
        for k, n in view.items():
            places[k, i], confidence[k, i] = frames[i][k][n].places, frames[i][k][n].confidence
    return _located(cameras, places, confidence, times, rate, names, off, [f.name for f in films], warnings, corrected)


def _offsets(
    films: Sequence[Film], cameras: Sequence[Camera], names: Sequence[str], by: str, warnings: Warnings
) -> Floats:
    """Compare the clocks by the most prominent person of each picture."""
    seen, trust = [], []
    for f, c in zip(films, cameras):
        places, confidence = np.full((len(f.times), len(names), 2), np.nan), np.zeros((len(f.times), len(names)))
        for i, each in enumerate(f.seen):
            if each:
                person = max(each, key=lambda p: float(np.prod(np.ptp(p.places, axis=0))))
                places[i], confidence[i] = person.places, person.confidence
        seen.append(c.rays(places))
        trust.append(confidence)
    times = [f.times for f in films]
    compared = sync.compare(cameras, times, seen, trust, names)
    found, together = compared.offsets, np.zeros(len(films))
    before, after = (_meeting(cameras, times, seen, trust, o) for o in (together, found))
    listed = ", ".join(f"{f.name} {o:+.3f} s" for f, o in zip(films, found))
    if by == "auto" and not after < (1 - (sync.FIRM if compared.firm else sync.WORTH)) * before:
        if after < (1 - sync.DOUBTFUL) * before:
            warnings.add(
                "clocks-doubtful",
                f"The clocks of the cameras may differ: the rays would meet {100 * (1 - after / before):.0f} % better with {listed}. The movement does not tell "
                "it for certain, so the videos were taken to begin together. Check that they do, or ask for synchronization by speed.",
            )
        return together
    warnings.add(
        "clocks-differ",
        f"The clocks of the cameras were found to differ and were brought together by how wrists and ankles move: {listed}.",
    )
    return found


def _meeting(
    cameras: Sequence[Camera], times: Sequence[Floats], seen: Sequence[Floats], trust: Sequence[Floats], off: Floats
) -> float:
    start, end = max(t[0] - o for t, o in zip(times, off)), min(t[-1] - o for t, o in zip(times, off))
    if end <= start:
        return float("inf")
    moments = np.linspace(start, end, 60)
    together = np.stack([at(t, r, moments + o) for t, r, o in zip(times, seen, off)])
    weights = np.nan_to_num(np.stack([at(t, c, moments + o) for t, c, o in zip(times, trust, off)]))
    return sync.misfit(cameras, together, weights)


def _common(films: Sequence[Film], off: Floats) -> Tuple[Floats, float]:
    """Give even moments that all cameras have seen, on the clock of the first, at the rate of the slowest."""
    if any(len(f.times) < 2 for f in films):
        raise Refused("A video has a single picture.")
    pace = max(float(np.median(np.diff(f.times))) for f in films)
    start, end = max(f.times[0] - o for f, o in zip(films, off)), min(f.times[-1] - o for f, o in zip(films, off))
    if end - start < 2 * pace:
        raise Refused("The videos have no time in common.")
    count = int(np.floor((end - start) / pace + 1e-6)) + 1
    return start + pace * np.arange(count), 1 / pace


def _people(f: Film, off: float, moment: float) -> List[Person]:
    """Give the people at a moment: between two pictures with one person each in the middle, else those of the nearer one."""
    t = moment + off
    after = int(np.clip(np.searchsorted(f.times, t), 1, len(f.times) - 1))
    before = after - 1
    share = float(np.clip((t - f.times[before]) / (f.times[after] - f.times[before]), 0, 1))
    a, b = f.seen[before], f.seen[after]
    if share < 1e-3 or share > 1 - 1e-3 or len(a) != 1 or len(b) != 1:
        return a if share < 0.5 else b
    mix = (1 - share) * a[0].places + share * b[0].places
    return [Person(mix, np.minimum(a[0].confidence, b[0].confidence))]


def _located(
    cameras: Sequence[Camera],
    places: Floats,
    confidence: Floats,
    times: Floats,
    rate: float,
    names: Sequence[str],
    off: Floats,
    films: Sequence[str],
    warnings: Warnings,
    corrected: bool,
) -> Motion:
    seen = rays(cameras, places)
    seen, confidence, mistaken = sides.settle(cameras, seen, confidence, names)
    if mistaken:
        warnings.add(
            "sides-exchanged",
            f"In {mistaken} pictures left and right were exchanged, by what the other cameras see, and were put right.",
        )
    if corrected:
        better = refine.refine(cameras, seen, confidence)
        if better.after < (1 - refine.WORTH) * better.before:
            warnings.add(
                "cameras-corrected",
                f"The cameras were corrected by what they see of the person, by up to {better.turned:.2f}° and {1000 * better.shifted:.0f} mm: "
                f"the error in the pictures is {better.after:.1f} px in the place of {better.before:.1f} px. Calibrate again if they were moved.",
            )
            cameras = better.cameras
    solved = robust(cameras, seen, confidence)
    distance = np.where(solved.used, errors(cameras, solved.points, seen), np.nan)
    weights: Floats = np.where(solved.used, confidence, 0.0) ** 2.0
    points = lengths.kept(cameras, seen, weights, solved.points, distance, names)
    points = low_pass(points, CUTOFF, rate)
    distance = np.where(solved.used, errors(cameras, points, seen), np.nan)
    used = solved.used.sum(axis=0).astype(np.float64)
    _tell(distance, used, points, warnings)
    channels: Dict[str, Floats] = {"reprojection_error [px]": _median(distance), "cameras_used": used.mean(axis=1)}
    for name, o in zip(films, off):
        channels[f"sync_offset_{name} [s]"] = np.full(len(times), o)
    trust = np.where(solved.used, confidence, np.nan)
    for i, name in enumerate(names):
        channels[f"{name}_confidence"] = np.nan_to_num(_mean(trust[:, :, i]))
        channels[f"{name}_cameras"] = used[:, i]
    channels.update(_pictured(cameras, points, names))
    return Motion(times, names, points, _up(points, names), channels)


def _pictured(cameras: Sequence[Camera], points: Floats, names: Sequence[str]) -> Dict[str, Floats]:
    """Give where the points are in the picture of each camera, so that the skeleton can be drawn over its video."""
    channels: Dict[str, Floats] = {}
    for number, camera in enumerate(cameras, 1):
        places = camera.project(points)
        places[(points @ camera.rotation.T + camera.translation)[..., 2] <= 0] = np.nan  # behind it
        for i, name in enumerate(names):
            channels[f"{name}_u_{number} [px]"], channels[f"{name}_v_{number} [px]"] = places[:, i, 0], places[:, i, 1]
    return channels


def _median(values: Floats) -> Floats:
    """Give the median of what is known, frame by frame."""
    flat = np.moveaxis(values, 1, 0).reshape(values.shape[1], -1)
    return np.array([np.median(c[np.isfinite(c)]) if np.isfinite(c).any() else np.nan for c in flat])


def _mean(values: Floats) -> Floats:
    known = np.isfinite(values)
    return np.asarray(np.where(known, values, 0).sum(axis=0) / np.where(known.any(axis=0), known.sum(axis=0), np.nan))


def _tell(distance: Floats, used: Floats, points: Floats, warnings: Warnings) -> None:
    known = distance[np.isfinite(distance)]
    if not known.size:
        raise Refused("No point of a person could be located by two cameras.")
    warnings.add(
        "reprojection-error",
        f"The points fit the pictures to {np.median(known):.1f} px (median), with {used[used > 0].mean():.1f} cameras a point.",
    )
    gaps = float((~np.isfinite(points).all(axis=2)).mean())
    if gaps > 0.01:
        warnings.add(
            "points-missing", f"{100 * gaps:.0f} % of the points were seen by fewer than two cameras and are gaps."
        )


def _up(points: Floats, names: Sequence[str]) -> str:
    """Say which axis points upwards, where the heads of people are: over the feet, most of the time."""
    at_ = {n: i for i, n in enumerate(names)}
    head = (points[:, at_["left_ear"]] + points[:, at_["right_ear"]]) / 2
    feet = (points[:, at_["left_ankle"]] + points[:, at_["right_ankle"]]) / 2
    way = (head - feet)[np.isfinite(head - feet).all(axis=1)]
    if not len(way):
        return ""
    mean = np.median(way / np.linalg.norm(way, axis=1, keepdims=True), axis=0)
    axis = int(np.argmax(np.abs(mean)))
    return f"{'+' if mean[axis] > 0 else '-'}{'xyz'[axis]}" if abs(mean[axis]) > 0.8 else ""
