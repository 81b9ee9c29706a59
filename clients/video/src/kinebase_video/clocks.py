"""Whether the clocks of cameras differ, and by how much: what is found is held against what else explains it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Sequence, Tuple

import numpy as np

from . import people, refine, sides, sync
from .cameras import Camera, rays
from .estimator import Floats
from .even import at
from .film import Film, around, common, people_at
from .warn import Warnings

# Clocks are compared at so many moments.
_MOMENTS = 60
# Clocks that differ by less than this part of a picture agree.
_SAME = 0.25
# An offset needs so much of the shortest film in common, for what little is left always fits.
_COMMON = 0.5
# Of several people so many count, and those who are there for this part of the time of the one who is there longest.
_MOST, _PART = 3, 0.3
# Of several people clocks are compared at so many moments, every so many s; farther apart than so many pixels all are.
_TRIES, _STEP, _FAR = 40, 1 / 30, 40.0


@dataclass
class Seen:
    """What each camera has seen of the people who count, one beside another: directions and confidence of landmarks."""

    times: List[Floats]
    rays: List[Floats]  # of each camera (pictures, landmarks, 2)
    confidence: List[Floats]
    names: List[str]


def offsets(
    films: Sequence[Film],
    cameras: Sequence[Camera],
    names: Sequence[str],
    by: str,
    corrected: bool,
    warnings: Warnings,
) -> Floats:
    """Give by how many s each camera's clock is ahead of the first one's."""
    together = np.zeros(len(films))
    if by == "time":
        return together
    if all(len(each) <= 1 for f in films for each in f.seen):
        seen = _of_one(films, cameras, names)
    else:
        seen = _of_several(films, cameras, names)
    if not seen.names:
        return together
    compared = sync.compare(cameras, seen.times, seen.rays, seen.confidence, seen.names)
    found = compared.offsets
    listed = ", ".join(f"{f.name} {o:+.3f} s" for f, o in zip(films, found))
    if by == "auto":
        if np.abs(found).max() < _SAME * min(float(np.median(np.diff(f.times))) for f in films):
            return together
        before, after = _fits(cameras, seen, together, found, names, corrected)
        if _overlap(films, found) < _COMMON * min(_overlap([f], np.zeros(1)) for f in films):
            after = before
        if not after < (1 - (sync.FIRM if compared.firm else sync.WORTH)) * before:
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


def _overlap(films: Sequence[Film], off: Floats) -> float:
    """Give how many s films have in common."""
    return float(min(f.times[-1] - o for f, o in zip(films, off)) - max(f.times[0] - o for f, o in zip(films, off)))


def _fits(
    cameras: Sequence[Camera], seen: Seen, together: Floats, found: Floats, names: Sequence[str], corrected: bool
) -> Tuple[float, float]:
    """Give how badly the rays meet without the offsets and with them.

    Cameras that were moved and sides that were taken for each other look like clocks that differ. So both are put
    right first, each time.
    """
    fits = []
    for off in (together, found):
        start = max(t[0] - o for t, o in zip(seen.times, off))
        end = min(t[-1] - o for t, o in zip(seen.times, off))
        if end <= start:
            fits.append(float("inf"))
            continue
        moments = np.linspace(start, end, _MOMENTS)
        places = np.stack([at(t, r, moments + o) for t, r, o in zip(seen.times, seen.rays, off)])
        trust = np.nan_to_num(np.stack([at(t, c, moments + o) for t, c, o in zip(seen.times, seen.confidence, off)]))
        count = len(names)
        for n in range(0, len(seen.names), count):
            part = slice(n, n + count)
            places[:, :, part], trust[:, :, part], _ = sides.settle(
                cameras, places[:, :, part], trust[:, :, part], names
            )
        right = refine.refine(cameras, places, trust).cameras if corrected else cameras
        fits.append(sync.misfit(right, places, trust))
    return fits[0], fits[1]


def _of_one(films: Sequence[Film], cameras: Sequence[Camera], names: Sequence[str]) -> Seen:
    """Give the one person of each picture."""
    seen = Seen([f.times for f in films], [], [], list(names))
    for f, c in zip(films, cameras):
        places, confidence = np.full((len(f.times), len(names), 2), np.nan), np.zeros((len(f.times), len(names)))
        for i, each in enumerate(f.seen):
            if each:
                places[i], confidence[i] = each[0].places, each[0].confidence
        seen.rays.append(c.rays(places))
        seen.confidence.append(confidence)
    return seen


def _of_several(films: Sequence[Film], cameras: Sequence[Camera], names: Sequence[str]) -> Seen:
    """Give those who are there longest, as they are followed when the clocks are brought together roughly."""
    off = _roughly(films, cameras, names)
    times, rate = common(films, off)
    frames = [[people_at(f, t + o) for f, o in zip(films, off)] for t in times]
    tracks = people.followed(
        cameras, [[[c.rays(p.places) for p in each] for c, each in zip(cameras, frame)] for frame in frames], names, rate
    )
    tracks = [t for t in tracks if len(t.views) > _PART * len(tracks[0].views)][:_MOST]
    seen = Seen([], [], [], [f"person{n}:{name}" if n > 1 else name for n in range(1, len(tracks) + 1) for name in names])
    for k, (f, c) in enumerate(zip(films, cameras)):
        pictures: Dict[int, int] = {}  # the one nearest to each moment, whose order of people that of the moment is
        for i, t in enumerate(times):
            before, after, share = around(f, t + off[k])
            pictures.setdefault(before if share < 0.5 else after, i)
        chosen = sorted(pictures)
        places = np.full((len(chosen), len(seen.names), 2), np.nan)
        confidence = np.zeros(places.shape[:-1])
        for row, picture in enumerate(chosen):
            for n, track in enumerate(tracks):
                who = track.views.get(pictures[picture], {}).get(k)
                if who is not None:
                    part = slice(n * len(names), (n + 1) * len(names))
                    places[row, part] = f.seen[picture][who].places
                    confidence[row, part] = f.seen[picture][who].confidence
        seen.times.append(f.times[chosen])
        seen.rays.append(c.rays(places))
        seen.confidence.append(confidence)
    return seen


def _roughly(films: Sequence[Film], cameras: Sequence[Camera], names: Sequence[str]) -> Floats:
    """Give the offsets with which everybody in a picture is nearest to somebody in the others, whoever that is."""
    halves = [
        [people.middles(c.rays(np.stack([p.places for p in each])), names) if each else None for each in f.seen]
        for f, c in zip(films, cameras)
    ]
    times, off = [f.times for f in films], np.zeros(len(films))
    shifts = np.arange(-sync.LONGEST, sync.LONGEST + 1e-9, _STEP)

    def crossing(j: int, k: int, shift: float) -> float:
        start, end = max(times[j][0] - off[j], times[k][0] - shift), min(times[j][-1] - off[j], times[k][-1] - shift)
        if end - start < 0.3:
            return _FAR
        moments = np.linspace(start, end, _TRIES)
        total = []
        for one, other in zip(_nearest(times[j], moments + off[j]), _nearest(times[k], moments + shift)):
            first, second = halves[j][one], halves[k][other]
            if first is not None and second is not None:
                apart = np.minimum(_passing(cameras[j], cameras[k], first[:, None], second[None]), _FAR)
                total.append((apart.min(axis=0).mean() + apart.min(axis=1).mean()) / 2)
        return float(np.mean(total)) if total else _FAR

    for k in range(1, len(films)):
        off[k] = min(shifts, key=lambda shift: (sum(crossing(j, k, shift) for j in range(k)), abs(shift)))
    return off


def _nearest(times: Floats, moments: Floats) -> Sequence[int]:
    """Give the numbers of the pictures that are nearest to moments."""
    after = np.clip(np.searchsorted(times, moments), 1, len(times) - 1)
    return list(np.where(moments - times[after - 1] < times[after] - moments, after - 1, after))


def _passing(a: Camera, b: Camera, one: Floats, other: Floats) -> Floats:
    """Give how far from each other's line rays of two cameras are, in pixels, as the median over landmarks."""
    turn = b.rotation @ a.rotation.T
    x, y, z = b.translation - turn @ a.translation
    essential = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) @ turn
    first = np.concatenate([one, np.ones((*one.shape[:-1], 1))], axis=-1)
    second = np.concatenate([other, np.ones((*other.shape[:-1], 1))], axis=-1)
    there, back = first @ essential.T, second @ essential
    across = np.abs((second * there).sum(axis=-1))
    steep = np.sqrt((there[..., :2] ** 2).sum(axis=-1) + (back[..., :2] ** 2).sum(axis=-1))
    return np.asarray(np.median(across / steep, axis=-1) * (a.focal + b.focal) / 2)
