"""Limbs that keep their lengths, of a body whose true places are known."""

import numpy as np
import pytest
from studio import error, films, ring, walks

from kinebase_video import lengths, several
from kinebase_video.landmarks import NAMES
from kinebase_video.warn import Warnings

LIMBS = [(NAMES.index(a), NAMES.index(b)) for a, b in lengths._LIMBS]


def made(cameras, seen):
    return several.motion(seen, cameras, NAMES, Warnings(), by="time", corrected=False)


def spread(motion):
    """The largest standard deviation of the length of a limb, in m."""
    return max(float(np.nanstd(np.linalg.norm(motion.points[:, a] - motion.points[:, b], axis=1))) for a, b in LIMBS)


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("noise", [4.0, 8.0])
@pytest.mark.parametrize("seed", [1])
def test_joints_are_nearer_to_where_they_are_when_limbs_keep_their_lengths(monkeypatch, count, noise, seed):
    cameras = ring(max(3, count))[:count]
    seen = films(cameras, noise=noise, seed=seed)
    kept = made(cameras, seen)
    monkeypatch.setattr(lengths, "kept", lambda cameras, rays, weights, points, distance, names: points)
    free = made(cameras, seen)
    assert error(kept, walks) < error(free, walks)
    assert spread(kept) < spread(free)
    away = np.linalg.norm(kept.points - free.points, axis=2)
    others = [i for i in range(len(NAMES)) if i not in {joint for limb in LIMBS for joint in limb}]
    assert (away[:, others] == 0).all()


def test_gaps_stay_gaps_and_what_is_beside_them_stays_near():
    cameras = ring()
    seen = films(cameras)
    knee = NAMES.index("left_knee")
    for camera in seen:
        for i in range(40, 60):
            camera.seen[i][0].places[knee] = np.nan
    motion = made(cameras, seen)
    assert np.isnan(motion.points[40:60, knee]).all() and np.isfinite(motion.points[:, knee + 2]).all()
    assert error(motion, walks) < 0.012


def test_a_length_that_few_frames_have_says_nothing():
    rng = np.random.default_rng(7)
    points = rng.normal(size=(lengths._FRAMES - 1, len(NAMES), 3))
    nothing = np.zeros((2, *points.shape[:2]))
    assert lengths.kept([], np.zeros((2, *points.shape[:2], 2)), nothing, points, nothing, NAMES) is points


def test_a_body_without_limbs_stays_as_it_is():
    points = np.ones((50, 1, 3))
    nothing = np.zeros((2, 50, 1))
    assert lengths.kept([], np.zeros((2, 50, 1, 2)), nothing, points, nothing, ["nose"]) is points
