"""Several people before several cameras, whose true places are known."""

import numpy as np
import pytest
from studio import camera, ring, walks
from studio import films as seen_by
from test_several import made, plainly

from kinebase_video.landmarks import NAMES

RATE = 25.0


def turned(degrees, start, late=0.0, tall=1.0):
    """Somebody who walks in a direction through a place, in the middle of the recording, so many s out of step."""
    turn = np.radians(degrees)
    about = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])

    def body(seconds):
        home = np.array([0.8 * (seconds + late - 1.5), 0, 0])  # walks goes 0.8 m/s along x
        own = (walks(seconds + late) + [0.8, 0, 0] - [0.8 * (seconds + late), 0, 0]) * tall
        return (own + home + [0.8 * -late, 0, 0]) @ about.T + [*start, 0]

    return body


CROSSING = [turned(0, (0, -0.25)), turned(180, (0, 0.25), 0.35, 0.93)]
THREE = [turned(0, (0, -0.55)), turned(180, (0, 0.0), 0.35, 0.93), turned(90, (0.8, 0.3), 0.7, 1.06)]


def far_ring(count=4):
    """Cameras that are so far away that people seldom cover each other."""
    return [camera(f"cam{k + 1}", 20 + 360 * k / count, away=6.5, high=2.6) for k in range(count)]


def box(places):
    low, high = places.min(axis=0), places.max(axis=0)
    room = 0.1 * (high - low).max()
    return low - room, high + room


def hidden(cameras, films, bodies):
    """As an estimator does, lose whoever stands behind another one in a camera's picture."""
    for c, f in zip(cameras, films):
        for i, each in enumerate(f.seen):
            truth = [b(f.times[i]) for b in bodies]
            depth = [float((t @ c.rotation.T + c.translation)[:, 2].mean()) for t in truth]
            where = [c.project(t) for t in truth]
            who = [int(np.argmin([np.abs(p.places - w).mean() for w in where])) for p in each]
            kept = []
            for p, n in sorted(zip(each, who), key=lambda one: depth[one[1]]):
                (a, b) = box(p.places)
                areas = []
                for other in kept:
                    e, g = box(other.places)
                    both = np.prod(np.maximum(0, np.minimum(b, g) - np.maximum(a, e)))
                    areas.append(both / min(np.prod(b - a), np.prod(g - e)))
                if not any(area > 0.3 for area in areas):
                    kept.append(p)
            f.seen[i] = kept
    return films


def people_of(motion):
    return list(dict.fromkeys(n.rpartition(":")[0] for n in motion.names))


def whose(motion, who, bodies, clock=0.0):
    """Whose points they are, over all frames, and how far the larger joints are from there: an error where they change."""
    larger = [i for i, n in enumerate(NAMES) if n.split("_")[-1] in ("hip", "knee", "ankle", "shoulder", "elbow", "wrist")]
    columns = [motion.names.index(f"{who}:{n}" if who else n) for n in NAMES]
    points = motion.points[:, columns][:, larger]
    truth = np.stack([[b(t)[larger] for t in motion.times] for b in bodies])
    apart = np.linalg.norm(truth - points, axis=3)  # people, frames, joints
    known = np.isfinite(points).all(axis=2)
    frames = np.flatnonzero(known.mean(axis=1) > 0.5)
    mean = np.array([[np.nanmean(apart[n, i]) for n in range(len(bodies))] for i in frames])
    nearest = mean.argmin(axis=1)
    assert len(set(nearest)) == 1, f"{who or 'the first'} is {nearest}"
    return int(nearest[0]), float(np.nanmean(apart[nearest[0]])), frames


def told_apart(motion, told, bodies, within=0.015):
    """Hold everybody to be one person throughout, and where that one truly is: the frames of each body.

    Whoever is told twice is told to be perhaps another one.
    """
    found = {}
    for who in people_of(motion):
        n, apart, frames = whose(motion, who, bodies)
        assert apart < within, (who, n, apart)
        assert n not in found or "people-uncertain" in told
        assert not set(found.get(n, ())) & set(frames)
        found[n] = sorted({*found.get(n, ()), *frames})
    return found


@pytest.mark.parametrize("seed", range(2))
def test_two_who_cross_one_behind_the_other_are_themselves_before_and_after(seed):
    cameras = ring()
    films = hidden(cameras, seen_by(cameras, CROSSING, 3.0, RATE, seed=seed), CROSSING)
    motion, told = made(cameras, films)
    found = told_apart(motion, told, CROSSING)
    assert people_of(motion) == ["", "person2"] and "show 2 people" in told["several-people"]
    assert all(len(found[n]) > 0.9 * len(motion.times) for n in (0, 1))
    assert not told.keys() & {"people-uncertain", "clocks-differ", "clocks-doubtful"}


@pytest.mark.parametrize("cameras, seed", [(ring(), 0), (ring(), 1), (far_ring(), 2), (far_ring(), 3)])
def test_of_three_in_a_small_place_who_hide_each_other_nobody_is_taken_for_somebody_else(cameras, seed):
    films = hidden(cameras, seen_by(cameras, THREE, 3.0, RATE, seed=seed), THREE)
    # Most cameras see two of them or one at most times.
    assert np.mean([len(each) for f in films for each in f.seen]) < 2.2
    motion, told = made(cameras, films, **plainly)
    found = told_apart(motion, told, THREE, 0.025)
    assert sorted(found) == [0, 1, 2] and len(found[0]) == len(motion.times)
    assert whose(motion, "", THREE)[0] == 0


@pytest.mark.parametrize("bodies", [CROSSING, THREE], ids=["two", "three"])
@pytest.mark.parametrize("clocks, rate", [((0, 0.5, -0.3, 0.117), 30), ((0, -0.5, 0.5, 0.25), 25)])
def test_clocks_are_found_by_all_of_several_people(bodies, clocks, rate):
    cameras = ring()
    films = seen_by(cameras, bodies, 3.0, rate, clocks=clocks)
    motion, told = made(cameras, films, corrected=False)
    for c, true in zip(cameras, clocks):
        assert motion.channels[f"sync_offset_{c.name} [s]"][0] == pytest.approx(true, abs=0.5 / rate)
    assert len(told_apart(motion, told, bodies)) == len(people_of(motion)) == len(bodies) and "clocks-differ" in told


def test_somebody_who_is_seen_by_two_of_four_cameras_only_is_told_as_well():
    cameras = ring()
    films = seen_by(cameras, CROSSING, 3.0, RATE)
    for c, f in list(zip(cameras, films))[2:]:
        for i, each in enumerate(f.seen):
            where = [c.project(b(f.times[i])) for b in CROSSING]
            f.seen[i] = [p for p in each if np.abs(p.places - where[0]).mean() < np.abs(p.places - where[1]).mean()]
    motion, told = made(cameras, films, **plainly)
    found = told_apart(motion, told, CROSSING, 0.02)
    assert sorted(found) == [0, 1] and whose(motion, "", CROSSING)[0] == 0
    assert np.nanmedian(motion.channels["person2:cameras_used"]) == 2


def gone(films, cameras, bodies, who, start, end):
    for c, f in zip(cameras, films):
        for i, each in enumerate(f.seen):
            if start <= f.times[i] < end:
                where = [c.project(b(f.times[i])) for b in bodies]
                f.seen[i] = [p for p in each if np.argmin([np.abs(p.places - w).mean() for w in where]) != who]
    return films


def test_somebody_who_is_not_seen_for_half_a_second_is_the_same_afterwards():
    cameras = ring()
    films = gone(seen_by(cameras, CROSSING, 3.0, RATE), cameras, CROSSING, 1, 0.8, 1.4)
    motion, told = made(cameras, films, **plainly)
    found = told_apart(motion, told, CROSSING)
    assert sorted(found) == [0, 1] and not set(found[1]) & set(range(20, 35)) and "people-uncertain" not in told


def test_of_somebody_who_leaves_and_comes_back_it_is_told_that_it_may_be_another():
    cameras = ring()
    films = gone(seen_by(cameras, CROSSING, 3.4, RATE), cameras, CROSSING, 1, 1.0, 2.3)
    motion, told = made(cameras, films, **plainly)
    assert people_of(motion) == ["", "person2", "person3"]
    assert [whose(motion, who, CROSSING)[0] for who in people_of(motion)] == [0, 1, 1]
    assert "person3 was last seen at 0.96 s and person2 was first seen at 2.32 s" in told["people-uncertain"]


def test_of_two_who_come_back_together_nobody_is_taken_for_the_other():
    cameras = ring()
    near = [turned(0, (0, -0.2)), turned(0, (0, 0.2), 0.35)]
    films = seen_by(cameras, near, 3.0, RATE)
    for who in (0, 1):
        films = gone(films, cameras, near, who, 1.0, 1.6)
    motion, told = made(cameras, films, **plainly)
    for who in people_of(motion):
        whose(motion, who, near)
    assert len(people_of(motion)) == 4 and "people-uncertain" in told


def test_one_person_who_leaves_is_told_to_be_perhaps_another_one_afterwards():
    cameras = ring()
    films = gone(seen_by(cameras, CROSSING[:1], 3.4, RATE), cameras, CROSSING[:1], 0, 1.0, 2.3)
    motion, told = made(cameras, films, **plainly)
    assert people_of(motion) == [""] and "was not seen from 0.96 s to 2.32 s" in told["people-uncertain"]


@pytest.mark.parametrize("seed", range(3))
def test_two_cameras_tell_two_people_apart(seed):
    cameras = ring(3)[:2]
    motion, told = made(cameras, seen_by(cameras, CROSSING, 3.0, RATE, seed=seed))
    assert sorted(told_apart(motion, told, CROSSING, 0.025)) == [0, 1]
