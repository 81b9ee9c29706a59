"""Motion in metres of the videos of several calibrated cameras."""

from __future__ import annotations

from typing import Dict, List, Sequence, Tuple

import numpy as np

from . import calibration, clocks, lengths, people, refine, sides
from .cameras import Camera, rays
from .estimator import Floats, Refused
from .film import Film, common, people_at
from .motion import Motion
from .smooth import low_pass
from .triangulate import errors, robust
from .warn import Warnings

# Points are smoothed at so many Hz, as the library of movements smooths places.
CUTOFF = 6.0
# So many people at most are told, and of the others those who are seen for so many s.
_MOST, _PASSING = 6, 0.5
# Somebody who comes within so many s after somebody has gone may be the same.
_AWAY = 60.0


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
    off = clocks.offsets(films, cameras, names, by, corrected, warnings)
    times, rate = common(films, off)
    frames = [[people_at(f, t + o) for f, o in zip(films, off)] for t in times]
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
    stay = [tracks[0], *(t for t in tracks[1:] if len(t.views) >= _PASSING * rate)][:_MOST]
    _tell_people(stay, times, rate, warnings)
    made = []
    for track in stay:
        places = np.full((len(cameras), len(times), len(names), 2), np.nan)
        confidence = np.zeros(places.shape[:-1])
        for i, view in track.views.items():
            for k, n in view.items():
                places[k, i], confidence[k, i] = frames[i][k][n].places, frames[i][k][n].confidence
        made.append((rays(cameras, places), confidence))
    return _located(cameras, made, times, rate, names, off, [f.name for f in films], warnings, corrected)


def _tell_people(stay: Sequence[people.Track], times: Floats, rate: float, warnings: Warnings) -> None:
    """Say who is who, and where that is not known."""
    called = ["the one without a prefix", *(f"person{n}" for n in range(2, len(stay) + 1))]
    if len(stay) > 1:
        warnings.add(
            "several-people",
            f"The videos show {len(stay)} people. The points without a prefix are those of the one who is there longest, in {len(stay[0].views)} of {len(times)} frames; "
            f"those of the others begin with {' and '.join(f'{c}:' for c in called[1:])}.",
        )
    doubts = []
    for i, track in enumerate(stay):
        seen = sorted(track.views)
        for before, after in zip(seen, seen[1:]):
            if after - before > people.LONGEST * rate:
                doubts.append(f"{called[i]} was not seen from {times[before]:.2f} s to {times[after]:.2f} s")
        for j, other in enumerate(stay):
            if i != j and seen[-1] < min(other.views) <= seen[-1] + _AWAY * rate:
                doubts.append(
                    f"{called[i]} was last seen at {times[seen[-1]]:.2f} s and {called[j]} was first seen at {times[min(other.views)]:.2f} s"
                )
    if doubts:
        warnings.add(
            "people-uncertain",
            f"Who is who is not certain: {'; '.join(doubts)}. Whether these are the same people is not known.",
        )


def _located(
    cameras: Sequence[Camera],
    people_: Sequence[Tuple[Floats, Floats]],  # of each the rays and the confidence: (cameras, frames, landmarks, …)
    times: Floats,
    rate: float,
    names: Sequence[str],
    off: Floats,
    films: Sequence[str],
    warnings: Warnings,
    corrected: bool,
) -> Motion:
    settled = [sides.settle(cameras, seen, confidence, names) for seen, confidence in people_]
    if mistaken := sum(each for _, _, each in settled):
        warnings.add(
            "sides-exchanged",
            f"In {mistaken} pictures left and right were exchanged, by what the other cameras see, and were put right.",
        )
    if corrected:
        better = refine.refine(
            cameras, np.concatenate([s for s, _, _ in settled], 2), np.concatenate([c for _, c, _ in settled], 2)
        )
        if better.after < (1 - refine.WORTH) * better.before:
            warnings.add(
                "cameras-corrected",
                f"The cameras were corrected by what they see of people, by up to {better.turned:.2f}° and {1000 * better.shifted:.0f} mm: "
                f"the error in the pictures is {better.after:.1f} px in the place of {better.before:.1f} px. Calibrate again if they were moved.",
            )
            cameras = better.cameras
    made: Motion | None = None
    for number, (seen, confidence, _) in enumerate(settled, 1):
        points, channels = _one(cameras, seen, confidence, rate, names, warnings if number == 1 else Warnings())
        if made is None:
            for name, o in zip(films, off):
                channels[f"sync_offset_{name} [s]"] = np.full(len(times), o)
            made = Motion(times, names, points, _up(points, names), channels)
        else:
            made.beside(Motion(times, names, points, made.up, channels), f"person{number}:")
    assert made is not None  # there is somebody
    return made


def _one(
    cameras: Sequence[Camera],
    seen: Floats,
    confidence: Floats,
    rate: float,
    names: Sequence[str],
    warnings: Warnings,
) -> Tuple[Floats, Dict[str, Floats]]:
    """Give one person's points and what is known of them."""
    solved = robust(cameras, seen, confidence)
    distance = np.where(solved.used, errors(cameras, solved.points, seen), np.nan)
    weights: Floats = np.where(solved.used, confidence, 0.0) ** 2.0
    points = lengths.kept(cameras, seen, weights, solved.points, distance, names)
    points = low_pass(points, CUTOFF, rate)
    distance = np.where(solved.used, errors(cameras, points, seen), np.nan)
    used = solved.used.sum(axis=0).astype(np.float64)
    _tell(distance, used, points, warnings)
    channels: Dict[str, Floats] = {"reprojection_error [px]": _median(distance), "cameras_used": used.mean(axis=1)}
    trust = np.where(solved.used, confidence, np.nan)
    for i, name in enumerate(names):
        channels[f"{name}_confidence"] = np.nan_to_num(_mean(trust[:, :, i]))
        channels[f"{name}_cameras"] = used[:, i]
    channels.update(_pictured(cameras, points, names))
    return points, channels


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
