"""A made-up room with cameras in it, and what they would see of people."""

from __future__ import annotations

from typing import Callable, List, Sequence

import numpy as np
from walker import joints

from kinebase_video.cameras import Camera
from kinebase_video.estimator import Person
from kinebase_video.landmarks import NAMES
from kinebase_video.film import Film
from kinebase_video.sides import mirrored


def camera(name: str, degrees: float, away: float = 4.0, high: float = 1.8) -> Camera:
    """A camera that looks at the middle of the room from a direction."""
    turn = np.radians(degrees)
    centre = np.array([away * np.cos(turn), away * np.sin(turn), high])
    ahead = np.array([0, 0, 0.9]) - centre
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, [0, 0, 1.0])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    matrix = np.array([[1675.0, 0, 543.5], [0, 1675.0, 959.5], [0, 0, 1]])
    return Camera(
        name, matrix, np.array([-0.047, 0.138, 0.0006, 0.0004, 0.0]), rotation, -rotation @ centre, (1088, 1920)
    )


def ring(count: int = 4) -> List[Camera]:
    return [camera(f"cam{k + 1}", 20 + 360 * k / count) for k in range(count)]


Body = Callable[[float], np.ndarray]  # (landmarks, 3) m at a time in s


def walks(seconds: float) -> np.ndarray:
    return joints(seconds) - [0.8, 0, 0]


def films(
    cameras: Sequence[Camera],
    bodies: Sequence[Body] = (walks,),
    seconds: float = 2.0,
    rate: float = 60.0,
    noise: float = 4.0,
    clocks: Sequence[float] = (),
    exchanged: Sequence[Sequence[int]] = (),
    seed: int = 1,
) -> List[Film]:
    """What each camera sees. clocks are how many s each is ahead, exchanged the pictures of each in which left is taken for right."""
    random, all = np.random.default_rng(seed), []
    clocks, exchanged = list(clocks) or [0.0] * len(cameras), list(exchanged) or [()] * len(cameras)
    for c, ahead, mistaken in zip(cameras, clocks, exchanged):
        seen = []
        for i in range(int(seconds * rate)):
            people = []
            for body in bodies:
                places = c.project(body(i / rate - ahead)) + random.normal(0, noise, (len(NAMES), 2))
                if i in mistaken:
                    places = places[mirrored(NAMES)]
                people.append(Person(places, random.uniform(0.7, 1, len(NAMES))))
            random.shuffle(people)
            seen.append(people)
        all.append(Film(c.name, c.size, np.arange(int(seconds * rate)) / rate, seen))
    return all


def error(motion, body: Body) -> float:
    """How far the larger joints are from where they truly are, in m, as a mean over all frames; the gaps aside."""
    larger = [
        i
        for i, n in enumerate(NAMES)
        if n.split("_")[-1] in ("hip", "knee", "ankle", "shoulder", "elbow", "wrist", "heel", "index")
    ]
    truth = np.stack([body(t) for t in motion.times])
    return float(np.nanmean(np.linalg.norm(motion.points - truth, axis=2)[:, larger]))
