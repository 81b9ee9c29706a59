"""Whether people in pictures of one camera, one after the other, are one person."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, Sequence

import numpy as np

from .estimator import Person

# In units of the size of the person in the picture: how far the middle of the body may seem to jump, how far it may
# move in a second (people run at some 6 of their heights), and how far at the most.
_JUMP, _SPEED, _FARTHEST = 0.25, 6.0, 1.5
# The size in the picture may change by so much: by bending, or by coming nearer.
_RATIO = 2.0


def _size(person: Person) -> float:
    return float(np.linalg.norm(np.ptp(person.places, axis=0)))


def _way(before: Person, after: Person) -> float:
    return float(np.linalg.norm(np.median(after.places, axis=0) - np.median(before.places, axis=0)))


def same(before: Person, after: Person, seconds: float) -> bool:
    """Say whether two may be one person, seen so many seconds apart."""
    one, other = _size(before), _size(after)
    if not 1 / _RATIO < other / max(one, 1e-9) < _RATIO:
        return False
    return _way(before, after) <= max(one, other) * min(_JUMP + _SPEED * max(seconds, 0.0), _FARTHEST)


@dataclass(eq=False)
class Track:
    """One person in the course of time, by the number of the picture."""

    seen: Dict[int, Person] = field(default_factory=dict)

    def last(self) -> int:
        return next(reversed(self.seen))


def followed(pictures: Sequence[Sequence[Person]], times: Sequence[float]) -> List[Track]:
    """Tell people apart over time; those who are seen in most pictures come first, and of them the larger one."""
    tracks: List[Track] = []
    for picture, people in enumerate(pictures):
        free = list(tracks)
        for person in sorted(people, key=_size, reverse=True):
            known = [t for t in free if same(t.seen[t.last()], person, times[picture] - times[t.last()])]
            if known:
                track = min(known, key=lambda t: _way(t.seen[t.last()], person))
                free.remove(track)
            else:
                track = Track()
                tracks.append(track)
            track.seen[picture] = person
    return sorted(tracks, key=lambda t: (-len(t.seen), -float(np.median([_size(p) for p in t.seen.values()]))))
