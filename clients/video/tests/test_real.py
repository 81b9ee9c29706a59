"""Real videos. KINEBASE_TEST_VIDEO names their folder; with CI=true it must."""

import os
from pathlib import Path

import numpy as np
import pytest

from kinebase_video import calibration, film, onecamera, several
from kinebase_video.about import About
from kinebase_video.landmarks import NAMES
from kinebase_video.mediapipe_pose import MediaPipePose
from kinebase_video.warn import Warnings

FOLDER = os.environ.get("KINEBASE_TEST_VIDEO", "")

pytestmark = pytest.mark.skipif(
    not FOLDER and os.environ.get("CI") != "true", reason="KINEBASE_TEST_VIDEO names no folder"
)


def spread(points, a, b):
    length = np.linalg.norm(points[:, NAMES.index(a)] - points[:, NAMES.index(b)], axis=1)
    return float(np.nanmean(length)), float(np.nanstd(length))


@pytest.fixture(scope="module")
def four():
    """What four cameras have seen, and where they are."""
    warnings = Warnings()
    cameras = calibration.read([Path(FOLDER) / "calib.qca.txt"], warnings)
    films = []
    for c in cameras:
        finder = MediaPipePose()
        films.append(film.film(Path(FOLDER) / f"{c.name}.mp4", c.name, finder, warnings))
        finder.close()
    return films, cameras


def part(one, begin, count):
    """What a camera would have seen that ran for some pictures only."""
    return film.Film(one.name, one.size, one.times[begin : begin + count], one.seen[begin : begin + count])


@pytest.mark.parametrize("begin, count", [(0, 30), (35, 30), (50, 50)])
def test_clocks_that_agree_stay_where_a_recording_is_short(four, begin, count):
    """Cameras that are a little off, and sides that are exchanged, look like clocks that differ."""
    films, cameras = four
    warnings = Warnings()
    motion = several.motion([part(f, begin, count) for f in films], cameras, NAMES, warnings)
    assert len(motion.times) == count
    assert all(not motion.channels[f"sync_offset_{c.name} [s]"].any() for c in cameras)
    assert np.median(motion.channels["reprojection_error [px]"]) < 8


@pytest.mark.parametrize("late", [12, -6])
def test_a_clock_that_differs_in_a_real_recording_is_moved_towards_the_truth_or_left(four, late):
    """One of four cameras began so many pictures later than it says: in 1.5 s of a slow walk that is not certain."""
    films, cameras = four
    first, others = (0, late) if late > 0 else (-late, 0)
    cut = [part(f, others if k else first, 100 - abs(late)) for k, f in enumerate(films)]
    for f in cut:
        f.times = f.times - f.times[0]
    motion = several.motion(cut, cameras, NAMES, Warnings())
    told = [motion.channels[f"sync_offset_{c.name} [s]"][0] * -60 / late for c in cameras]
    assert told[0] == 0 and all(-0.01 < moved < 1.2 for moved in told), told


def test_four_cameras_see_one_body(four):
    films, cameras = four
    warnings = Warnings()
    motion = several.motion(films, cameras, NAMES, warnings)
    assert len(motion.times) == 100 and np.isfinite(motion.points).all() and motion.up == "+z"
    assert np.median(motion.channels["reprojection_error [px]"]) < 8
    for side in ("left", "right"):  # plain triangulation has 24, 24, 18 and 9 mm
        mean, deviation = spread(motion.points, f"{side}_hip", f"{side}_knee")
        assert 0.36 < mean < 0.42 and deviation < 0.008
        mean, deviation = spread(motion.points, f"{side}_knee", f"{side}_ankle")
        assert 0.34 < mean < 0.40 and deviation < 0.008
    pelvis = motion.points[:, [NAMES.index("left_hip"), NAMES.index("right_hip")]].mean(axis=1)
    gone = pelvis[-1] - pelvis[0]
    assert gone[0] == pytest.approx(0.74, abs=0.05) and abs(gone[0]) > 3 * abs(gone[2])


@pytest.fixture(scope="module")
def walk():
    finder = MediaPipePose()
    motion = onecamera.motion(Path(FOLDER) / "one_camera_walk.mp4", finder, About(), Warnings())
    finder.close()
    return motion


# The pictures in which the heel of the woman touches the ground, marked by eye in the video, with the foot.
STRIKES = {79: "left", 98: "right", 116: "left", 134: "right", 152: "left", 170: "right", 188: "left"}


def test_steps_are_where_the_picture_shows_them(walk):
    """A heel strikes when it is farthest ahead of the pelvis (Zeni, Richards and Higginson, 2008)."""

    def u(name):
        return walk.channels[f"person2:{name}_u [px]"]

    pelvis = (u("left_hip") + u("right_hip")) / 2
    found = {}
    for side in ("left", "right"):
        ahead = pelvis - u(f"{side}_heel")  # she walks to the left
        for i in range(64, 197):  # she is seen from 60 on
            around = ahead[i - 4 : i + 5]
            if ahead[i] > 20 and ahead[i] == np.nanmax(around):
                found[i] = side
    assert len(found) == len(STRIKES)
    for (mine, side), (marked, foot) in zip(sorted(found.items()), sorted(STRIKES.items())):
        assert abs(mine - marked) <= 2 and side == foot


def test_two_people_of_one_camera_are_told_apart(walk):
    """The video shows a man on a roof from 3 to 168, who then jumps down, and a woman who walks by from 36 to 200."""
    motion = walk
    seen = {
        who: np.isfinite(motion.points[:, [i for i, n in enumerate(motion.names) if n.rpartition(":")[0] == who]]).any(
            axis=(1, 2)
        )
        for who in ("", "person2")
    }
    assert np.mean(seen[""] | seen["person2"]) > 0.95 and len(motion.names) == 2 * len(NAMES)
    assert seen[""][3:169].mean() > 0.98 and seen["person2"][60:201].mean() > 0.98 and not seen["person2"][:36].any()
    # She walks to the left on the ground; he stays on the roof, which is more than 1 m above it.
    walker = motion.channels["person2:left_hip_u [px]"]
    steps = np.diff(walker[np.isfinite(walker)])
    assert np.median(steps) < -3 and (steps < 0).mean() > 0.9
    roof, ground = motion.channels["left_heel_v [px]"][60:160], motion.channels["person2:left_heel_v [px]"][60:160]
    assert np.nanmedian(ground) - np.nanmedian(roof) > 200
