"""Who is who: people in the pictures of several cameras at a moment, and from one moment to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Dict, List, Sequence, Tuple

import numpy as np

from .cameras import Camera
from .estimator import Floats
from .sides import mirrored
from .triangulate import errors, linear

# The rays to one person meet within so many pixels, as the median over the middles of landmarks.
_NEAR = 40.0
# A person is found again within so many m of where they were last, and within so many s.
_STEP, _LONGEST = 0.8, 1.0

View = Dict[int, int]  # of a person: which of the people in the picture of each camera


def middles(places: Floats, names: Sequence[str]) -> Floats:
    """Give the middles of both sides of landmarks, which do not change when an estimator takes left for right."""
    return np.asarray((places + places[..., mirrored(names), :]) / 2)


def matched(cameras: Sequence[Camera], rays: Sequence[Sequence[Floats]], names: Sequence[str]) -> List[View]:
    """Match the people of one moment: rays[camera][person] are (landmarks, 2) directions. Each is in one group at most."""
    halves = [[middles(person, names) for person in people] for people in rays]
    left = {(k, i) for k, people in enumerate(halves) for i in range(len(people))}
    pairs = sorted(
        (distance, (a, i), (b, j))
        for a, b in combinations(range(len(cameras)), 2)
        for i in range(len(halves[a]))
        for j in range(len(halves[b]))
        if (distance := _distance(cameras, halves, {a: i, b: j})) < _NEAR
    )
    found: List[View] = []
    best: Dict[Tuple[Tuple[int, int], Tuple[int, int]], float] = {}
    for distance, one, other in pairs:
        best[one, other] = distance
    # The group in which most cameras agree comes first: two cameras alone may agree by accident.
    while True:
        groups = []
        for one, other in best:
            if one in left and other in left:
                groups.append(_grown(cameras, halves, {one[0]: one[1], other[0]: other[1]}, left))
        if not groups:
            return found
        view = min(groups, key=lambda g: (-len(g), _distance(cameras, halves, g)))
        found.append(view)
        left -= set(view.items())


def _grown(
    cameras: Sequence[Camera], halves: Sequence[Sequence[Floats]], view: View, left: "set[Tuple[int, int]]"
) -> View:
    for k in range(len(cameras)):
        if k not in view:
            ways = [(d, i) for kk, i in left if kk == k and (d := _distance(cameras, halves, {**view, k: i})) < _NEAR]
            if ways:
                view = {**view, k: min(ways)[1]}
    return view


def _distance(cameras: Sequence[Camera], halves: Sequence[Sequence[Floats]], view: View) -> float:
    part = [cameras[k] for k in view]
    seen = np.stack([halves[k][i] for k, i in view.items()])
    distance = errors(part, linear(part, seen, np.ones(seen.shape[:-1])), seen)
    known = distance[np.isfinite(distance)]
    return float(np.median(known)) if known.size else float("inf")


@dataclass
class Track:
    """One person in the course of time."""

    views: Dict[int, View] = field(default_factory=dict)  # by frame
    place: Floats = field(default_factory=lambda: np.zeros(3))  # of the middle of the body, when last seen
    last: int = 0


def followed(
    cameras: Sequence[Camera], frames: Sequence[Sequence[Sequence[Floats]]], names: Sequence[str], rate: float
) -> List[Track]:
    """Follow people through frames[frame][camera][person]; those who are there longest come first."""
    from scipy.optimize import linear_sum_assignment

    if all(len(each) <= 1 for people in frames for each in people):
        return _alone(cameras, frames, names)
    tracks: List[Track] = []
    for frame, people in enumerate(frames):
        views = matched(cameras, people, names)
        places = [_place(cameras, people, view, names) for view in views]
        open_ = [t for t in tracks if (frame - t.last) / rate <= _LONGEST]
        taken: Dict[int, Track] = {}
        if open_ and views:
            apart = np.array([[np.linalg.norm(p - t.place) for t in open_] for p in places])
            apart[~np.isfinite(apart)] = 1e6
            for row, column in zip(*linear_sum_assignment(apart)):
                if apart[row, column] < _STEP:
                    taken[int(row)] = open_[int(column)]
        for row, view in enumerate(views):
            track = taken.get(row)
            if track is None:
                track = Track()
                tracks.append(track)
            track.views[frame], track.place, track.last = view, places[row], frame
    return sorted(tracks, key=lambda t: -len(t.views))


def _alone(
    cameras: Sequence[Camera], frames: Sequence[Sequence[Sequence[Floats]]], names: Sequence[str]
) -> List[Track]:
    """Take the one person of each picture for the same, where the rays meet in most moments."""
    seen = np.full((len(cameras), len(frames), len(names), 2), np.nan)
    track = Track()
    for frame, people in enumerate(frames):
        view = {k: 0 for k, each in enumerate(people) if each}
        for k in view:
            seen[k, frame] = middles(people[k][0], names)
        if len(view) > 1:
            track.views[frame] = view
    distance = errors(cameras, linear(cameras, seen, np.ones(seen.shape[:-1])), seen)
    moments = [float(np.median(d[np.isfinite(d)])) for d in np.moveaxis(distance, 1, 0) if np.isfinite(d).any()]
    return [track] if moments and np.median(moments) < _NEAR else []


def _place(cameras: Sequence[Camera], people: Sequence[Sequence[Floats]], view: View, names: Sequence[str]) -> Floats:
    part = [cameras[k] for k in view]
    seen = np.stack([middles(people[k][i], names) for k, i in view.items()])
    points = linear(part, seen, np.ones(seen.shape[:-1]))
    return np.asarray(np.nanmedian(points, axis=0))
