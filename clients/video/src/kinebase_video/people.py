"""Who is who: people in the pictures of several cameras at a moment, and from one moment to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Dict, List, Sequence, Set, Tuple

import numpy as np

from .cameras import Camera, seen_at
from .estimator import Floats
from .sides import mirrored
from .triangulate import errors, linear

# The rays to one person meet within so many pixels, as the median over the middles of landmarks.
_NEAR = 40.0
# Two cameras alone must agree better: their rays meet by accident.
_NEAR_TWO = 20.0
# Rays to somebody who is followed meet within so many pixels, and this many times as far as they did before.
_USUAL, _TIMES = 15.0, 3.0
# Whoever was seen less than so many s ago is looked for where they must be now: within so many m and as many more as
# are gained in that time at so many m/s, and within so many m where it is not known yet where they go.
_FRESH, _BESIDE, _GAINED, _WITHIN = 0.2, 0.1, 1.0, 0.4
# A person is found again within so many m of where they were going when last seen, within so many s, and no farther
# away than they may have gone in that time at so many m/s.
_STEP, LONGEST, _RETURNS = 0.8, 1.0, 1.5
# Whoever was seen for fewer s than this is nobody who could be found again.
_LEAST = 0.3
# Of two who may both be the same person, one must be nearer by so many m.
_CLEAR = 0.4
# How much the newest step counts for the speed of a person, which holds for so many s.
_NEWEST, _HOLDS = 0.2, 0.5

View = Dict[int, int]  # of a person: which of the people in the picture of each camera
Halves = Sequence[Sequence[Floats]]  # of each camera and person: (landmarks, 2) directions of middles


def middles(places: Floats, names: Sequence[str]) -> Floats:
    """Give the middles of both sides of landmarks, which do not change when an estimator takes left for right."""
    return np.asarray((places + places[..., mirrored(names), :]) / 2)


def matched(cameras: Sequence[Camera], halves: Halves, left: Set[Tuple[int, int]]) -> List[View]:
    """Match those people of one moment, (camera, person), who are left. Each is in one group at most."""
    left = set(left)
    pairs = sorted(
        (distance, one, other)
        for one, other in combinations(sorted(left), 2)
        if one[0] != other[0] and (distance := _distance(cameras, halves, dict([one, other]))) < _NEAR
    )
    found: List[View] = []
    # The group in which most cameras agree comes first: two cameras alone may agree by accident.
    while True:
        groups = [
            _grown(cameras, halves, dict([one, other]), left)
            for _, one, other in pairs
            if one in left and other in left
        ]
        if not groups:
            return found
        view = min(groups, key=lambda g: (-len(g), _distance(cameras, halves, g)))
        found.append(view)
        left -= set(view.items())


def _grown(cameras: Sequence[Camera], halves: Halves, view: View, left: Set[Tuple[int, int]]) -> View:
    for k in range(len(cameras)):
        if k not in view:
            ways = [(d, i) for kk, i in left if kk == k and (d := _distance(cameras, halves, {**view, k: i})) < _NEAR]
            if ways:
                view = {**view, k: min(ways)[1]}
    return view


def _body(cameras: Sequence[Camera], halves: Halves, view: View) -> Floats:
    """Give where the middles of landmarks are, in m."""
    seen = np.stack([halves[k][i] for k, i in view.items()])
    return linear([cameras[k] for k in view], seen, np.ones(seen.shape[:-1]))


def _distance(cameras: Sequence[Camera], halves: Halves, view: View) -> float:
    seen = np.stack([halves[k][i] for k, i in view.items()])
    return _median(errors([cameras[k] for k in view], _body(cameras, halves, view), seen))


def _limit(view: View) -> float:
    return _NEAR if len(view) > 2 else _NEAR_TWO


def _median(distance: Floats) -> float:
    known = distance[np.isfinite(distance)]
    return float(np.median(known)) if known.size else float("inf")


@dataclass(eq=False)
class Track:
    """One person in the course of time."""

    views: Dict[int, View] = field(default_factory=dict)  # by frame
    body: Floats = field(default_factory=lambda: np.zeros((0, 3)))  # middles of landmarks in m, when last seen
    speed: Floats = field(default_factory=lambda: np.zeros(3))  # m a frame
    last: int = 0
    error: float = _NEAR  # pixels by which the rays miss each other, as a mean over time

    @property
    def allowed(self) -> float:
        """Give by how many pixels the rays may miss each other."""
        return min(_NEAR, _USUAL + _TIMES * self.error)

    @property
    def place(self) -> Floats:
        """Give the middle of the body, when last seen."""
        return np.asarray(np.nanmedian(self.body, axis=0))

    def expected(self, frame: int, rate: float) -> Floats:
        """Give where the body must be."""
        return self.body + self.speed * min(frame - self.last, _HOLDS * rate)

    def put(self, frame: int, view: View, body: Floats, error: float) -> None:
        if self.views:
            self.error = (1 - _NEWEST) * self.error + _NEWEST * error
            step = (np.nanmedian(body, axis=0) - self.place) / (frame - self.last)
            share = _NEWEST if len(self.views) > 1 else 1.0
            self.speed = (1 - share) * self.speed + share * step
            body = np.where(np.isfinite(body), body, self.body + np.nanmedian(body, axis=0) - self.place)
        else:
            self.error = error
        self.views[frame], self.body, self.last = view, body, frame


def followed(
    cameras: Sequence[Camera], frames: Sequence[Sequence[Sequence[Floats]]], names: Sequence[str], rate: float
) -> List[Track]:
    """Follow people through frames[frame][camera][person], (landmarks, 2) directions; those who are there longest come first.

    Whoever was not seen for longer than a second, or may be one of two, is somebody else than before.
    """
    if all(len(each) <= 1 for people in frames for each in people):
        return _alone(cameras, frames, names)
    tracks: List[Track] = []
    for frame, people in enumerate(frames):
        halves = [[middles(person, names) for person in each] for each in people]
        left = {(k, i) for k, each in enumerate(halves) for i in range(len(each))}
        # Those who are hidden from all cameras but one count as well: else their place in that one would be another's.
        near = [t for t in tracks if (frame - t.last) / rate <= LONGEST]
        within = [_BESIDE + _GAINED * (frame - t.last) / rate if len(t.views) > 1 else _WITHIN for t in near]
        expected = [t.expected(frame, rate) for t in near]
        for track, view in zip(near, _continued(cameras, halves, expected, within, [t.allowed for t in near])):
            error = _distance(cameras, halves, view) if len(view) > 1 else float("inf")
            if (frame - track.last) / rate <= _FRESH and error < min(track.allowed, _limit(view)):
                track.put(frame, view, _body(cameras, halves, view), error)
                left -= set(view.items())
            elif len(view) == 1:
                left -= set(view.items())
        views = [view for view in matched(cameras, halves, left) if _distance(cameras, halves, view) < _limit(view)]
        bodies = [_body(cameras, halves, view) for view in views]
        away = [(t, e) for t, e in zip(near, expected) if t.last < frame]
        reach = [
            min(_STEP, _WITHIN / 2 + _RETURNS * (frame - t.last) / rate) if len(t.views) >= _LEAST * rate else 0.0
            for t, _ in away
        ]
        again = _returned([e for _, e in away], reach, bodies)
        for i, (view, body) in enumerate(zip(views, bodies)):
            if i not in again:
                tracks.append(Track())
            track = away[again[i]][0] if i in again else tracks[-1]
            track.put(frame, view, body, _distance(cameras, halves, view))
    return sorted(tracks, key=lambda t: -len(t.views))


def _continued(
    cameras: Sequence[Camera],
    halves: Halves,
    bodies: Sequence[Floats],
    within: Sequence[float],
    allowed: Sequence[float],
) -> List[View]:
    """Give the views of those whose bodies are expected, within so many m: by that, and by what other cameras see of them."""
    views: List[View] = [{} for _ in bodies]
    if not bodies:
        return views
    for _ in range(3):
        before = [dict(v) for v in views]
        for k, camera in enumerate(cameras):
            apart = np.full((len(halves[k]), len(bodies)), np.inf)
            for t, (view, body, reach, most) in enumerate(zip(views, bodies, within, allowed)):
                others = {kk: i for kk, i in view.items() if kk != k}
                depth = float(np.nanmedian((body @ camera.rotation.T + camera.translation)[:, 2]))
                far = reach * camera.focal / depth if depth > 0 else 0.0
                there = _body(cameras, halves, others) if len(others) > 1 else None
                for i, seen in enumerate(halves[k]):
                    distance = _pixels(camera, body, seen)
                    if distance < far:
                        if there is not None:
                            distance = _pixels(camera, there, seen)
                        apart[i, t] = distance if there is None or distance < most else np.inf
            for view in views:
                view.pop(k, None)
            for i, t in _assigned(apart, 1e4):
                views[t][k] = i
        if views == before:
            break
    return views


def _assigned(apart: Floats, within: float) -> List[Tuple[int, int]]:
    """Give pairs (row, column) that are within a distance, so that all together are nearest."""
    from scipy.optimize import linear_sum_assignment

    if apart.size == 0:
        return []
    cost = np.where(np.isfinite(apart), np.minimum(apart, 2 * within), 2 * within)
    return [(int(i), int(t)) for i, t in zip(*linear_sum_assignment(cost)) if apart[i, t] < within]


def _pixels(camera: Camera, body: Floats, seen: Floats) -> float:
    return _median(errors([camera], body, seen[None]))


def _returned(expected: Sequence[Floats], reach: Sequence[float], bodies: Sequence[Floats]) -> Dict[int, int]:
    """Give which of those who were away each of the bodies is, within so many m of each, where it is clear."""
    if not expected or not bodies:
        return {}
    there = np.array([np.nanmedian(b, axis=0) for b in expected])
    apart = np.linalg.norm(np.array([np.nanmedian(b, axis=0) for b in bodies])[:, None] - there, axis=2)
    found = {}
    for i, t in _assigned(apart, _STEP):
        others = np.concatenate([np.delete(apart[i], t), np.delete(apart[:, t], i)])
        if apart[i, t] < reach[t] and not (others < apart[i, t] + _CLEAR).any():
            found[i] = t
    return found


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
    moments = [_median(d) for d in np.moveaxis(distance, 1, 0) if np.isfinite(d).any()]
    return [track] if moments and np.median(moments) < _NEAR else []
