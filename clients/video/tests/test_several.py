"""Motion of several cameras, of people whose true places are known."""

import numpy as np
import pytest
from studio import error, films, ring, walks

from kinebase_video import people, several
from kinebase_video.estimator import Refused
from kinebase_video.landmarks import NAMES
from kinebase_video.motion import Motion
from kinebase_video.warn import Warnings


def made(cameras, seen, **how):
    warnings = Warnings()
    motion = several.motion(seen, cameras, NAMES, warnings, **how)
    return motion, {w["code"]: w["message"] for w in warnings.list()}


# The clocks and the places of the cameras are as they are said to be.
plainly = {"by": "time", "corrected": False}


def test_joints_are_where_they_are_at_four_pixels_of_noise():
    cameras = ring()
    motion, told = made(cameras, films(cameras))
    assert error(motion, walks) < 0.010 and motion.up == "+z" and motion.unknown == ()
    assert np.isfinite(motion.points).all() and len(motion.times) == 120
    assert 3 < np.median(motion.channels["reprojection_error [px]"]) < 8
    assert not told.keys() & {"clocks-differ", "cameras-corrected", "sides-exchanged", "several-people"}


def test_a_camera_that_sees_somebody_for_a_time_only_counts_then():
    cameras = ring()
    seen = films(cameras)
    for i in range(40, 80):
        seen[2].seen[i] = []
        seen[3].seen[i] = []
    motion, _ = made(cameras, seen, **plainly)
    assert error(motion, walks) < 0.015
    assert motion.channels["cameras_used"][60] == pytest.approx(2) and motion.channels["cameras_used"][10] > 3.5


def test_where_one_camera_alone_sees_somebody_is_a_gap():
    cameras = ring()
    seen = films(cameras)
    for k in range(3):
        for i in range(50, 60):
            seen[k].seen[i] = []
    motion, told = made(cameras, seen, **plainly)
    gone = np.isnan(motion.points).any(axis=(1, 2))
    assert list(np.flatnonzero(gone)) == list(range(50, 60)) and "points-missing" in told
    assert error(motion, walks) < 0.015


def test_a_camera_that_is_mistaken_is_dropped():
    cameras = ring()
    seen = films(cameras)
    wrist = NAMES.index("left_wrist")
    for i in range(120):
        seen[2].seen[i][0].places[wrist] += [150, 40]
    motion, _ = made(cameras, seen, **plainly)
    assert np.median(motion.channels["left_wrist_cameras"]) == 3 and error(motion, walks) < 0.012


def test_rays_that_pass_each_other_are_no_point():
    cameras = ring(3)[:2]
    seen = films(cameras)
    wrist = NAMES.index("left_wrist")
    for i in range(30, 60):
        seen[1].seen[i][0].places[wrist] += [0, 400]
    motion, told = made(cameras, seen, **plainly)
    gone = np.isnan(motion.points[:, wrist, 0])
    assert gone[30:60].all() and not gone[:25].any() and not gone[65:].any()
    assert np.isfinite(motion.points[:, NAMES.index("left_knee")]).all()


@pytest.mark.parametrize(
    "exchanged",
    [[(), range(30, 70), (), ()], [range(30, 70), (), (), ()], [range(10, 40), range(50, 60), (), range(80, 120)]],
)
def test_left_that_is_taken_for_right_is_put_right(exchanged):
    cameras = ring()
    motion, told = made(cameras, films(cameras, exchanged=exchanged), **plainly)
    assert error(motion, walks) < 0.012
    assert str(sum(len(e) for e in exchanged)) in told["sides-exchanged"]


@pytest.mark.parametrize(
    "clocks, rate", [((0, 0.5, -0.3, 0.117), 60), ((0, -0.5, 0.5, -0.25), 30), ((0, 0.008, 0.25, 0), 60)]
)
def test_clocks_that_differ_are_brought_together(clocks, rate):
    cameras = ring()
    motion, told = made(cameras, films(cameras, seconds=2.5, rate=rate, clocks=clocks), corrected=False)
    for c, true in zip(cameras, clocks):
        assert motion.channels[f"sync_offset_{c.name} [s]"][0] == pytest.approx(true, abs=0.5 / rate)
    assert error(motion, walks) < 0.015 and "clocks-differ" in told


def beside(seconds):
    """Somebody who walks the other way, a step aside."""
    return walks(seconds + 0.35) * [-1, -1, 1] + [0, 1.0, 0]


def test_two_people_are_never_taken_for_each_other():
    cameras = ring()
    seen = films(cameras, bodies=(walks, beside), seconds=1.2, rate=25)
    frames = [[[c.rays(p.places) for p in f.seen[i]] for c, f in zip(cameras, seen)] for i in range(30)]
    tracks = people.followed(cameras, frames, NAMES, 25)
    assert [len(t.views) for t in tracks[:2]] == [30, 30] and all(
        len(v) == 4 for t in tracks[:2] for v in t.views.values()
    )
    for t in tracks[:2]:
        apart = []
        for i, view in t.views.items():
            truth = [
                np.median(
                    [
                        np.linalg.norm(seen[k].seen[i][n].places - c.project(body(i / 25)), axis=1).mean()
                        for k, n in view.items()
                        for c in [cameras[k]]
                    ]
                )
                for body in (walks, beside)
            ]
            apart.append(int(np.argmin(truth)))
            assert min(truth) < 10
        assert len(set(apart)) == 1
    motion, told = made(cameras, seen, **plainly)
    first, second = (Motion(motion.times, NAMES, motion.points[:, part], "") for part in (slice(33), slice(33, 66)))
    assert motion.names[33:] == [f"person2:{name}" for name in NAMES] and "several-people" in told
    assert min(
        error(first, walks) + error(second, beside), error(first, beside) + error(second, walks)
    ) < 0.03


def test_a_calibration_of_other_cameras_is_refused():
    cameras = ring()
    with pytest.raises(Refused, match="No|In no moment"):
        made([cameras[0], cameras[2]], films(cameras[:2]), by="time")


def test_a_camera_that_was_moved_a_little_is_put_back():
    cameras = ring()
    moved = [
        c.moved(np.array([0.008, -0.006, 0.004]), np.array([0.01, 0, 0])) if k == 1 else c
        for k, c in enumerate(cameras)
    ]
    motion, told = made(moved, films(cameras, noise=1), by="time")
    plain, _ = made(moved, films(cameras, noise=1), by="time", corrected=False)
    assert "cameras-corrected" in told and error(motion, walks) < 0.7 * error(plain, walks)
