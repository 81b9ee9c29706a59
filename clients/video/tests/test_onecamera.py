"""Motion of one camera, of a made-up person and an estimator that sees it as it is."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from films import film
from walker import joints

from kinebase_video import command, onecamera
from kinebase_video.about import About
from kinebase_video.estimator import Person, Refused
from kinebase_video.follow import followed
from kinebase_video.landmarks import NAMES
from kinebase_video.motion import write
from kinebase_video.sizes import stature
from kinebase_video.warn import Warnings

FOCAL, AWAY, SIZE = 500.0, 4.0, (640, 480)


class Seer:
    """Sees a walker, 4 m away, who goes to the right; MediaPipe would think it is a tenth too large."""

    names = NAMES

    def __init__(self, lost=()):
        self.frame, self.lost = -1, lost

    def people(self, picture, seconds):
        self.frame += 1
        if self.frame in self.lost:
            return []
        room = joints(self.frame / 25)  # x ahead, y to the left, z up
        x, y, depth = room[:, 0] - 1, -(room[:, 2] - 1), AWAY - room[:, 1]
        places = np.stack([FOCAL * x / depth, FOCAL * y / depth], axis=1) + (np.array(SIZE) - 1) / 2
        body = np.stack([x, y, depth], axis=1)
        hips = (body[NAMES.index("left_hip")] + body[NAMES.index("right_hip")]) / 2
        return [Person(places, np.ones(33), 1.1 * (body - hips))]

    def close(self):
        pass


def blank(tmp_path: Path, n: int = 50) -> Path:
    return film(tmp_path / "a.mp4", [np.zeros((SIZE[1], SIZE[0], 3), np.uint8)] * n)


def made(tmp_path, about=About(), lost=()):
    warnings = Warnings()
    return onecamera.motion(blank(tmp_path), Seer(lost), about, warnings), {w["code"] for w in warnings.list()}


def test_a_body_of_known_height_is_in_metres_and_goes_its_way(tmp_path):
    tall = stature(np.stack([joints(i / 25) for i in range(50)]), NAMES)
    motion, codes = made(tmp_path, About(height=tall))
    truth = np.stack([joints(i / 25) for i in range(50)])
    assert motion.unknown == ("depth",) and codes == {"scale-estimated", "depth-unknown"}
    thigh = np.linalg.norm(
        motion.points[:, NAMES.index("left_hip")] - motion.points[:, NAMES.index("left_knee")], axis=1
    )
    real = np.linalg.norm(truth[:, NAMES.index("left_hip")] - truth[:, NAMES.index("left_knee")], axis=1)
    assert thigh == pytest.approx(real, abs=0.01)
    pelvis = motion.points[:, [NAMES.index("left_hip"), NAMES.index("right_hip")]].mean(axis=1)
    gone = truth[-1, :, 0].mean() - truth[0, :, 0].mean()
    assert pelvis[-1, 0] - pelvis[0, 0] == pytest.approx(gone, rel=0.06)
    assert np.nanmin(motion.points[:, :, 1]) == pytest.approx(0, abs=0.05)  # feet on the floor


def test_without_a_height_the_scale_is_said_to_be_unknown(tmp_path):
    motion, codes = made(tmp_path)
    assert motion.unknown == ("scale", "depth") and codes == {"scale-unknown", "depth-unknown"}


def test_the_places_in_the_picture_are_those_that_the_estimator_saw(tmp_path):
    motion, _ = made(tmp_path, lost={3})
    seer = Seer()
    for frame in range(50):
        [person] = seer.people(None, frame / 25)
        for axis, letter in enumerate("uv"):
            place = motion.channels[f"left_knee_{letter} [px]"][frame]
            assert np.isnan(place) if frame == 3 else place == person.places[NAMES.index("left_knee"), axis]


def test_pictures_in_which_nobody_is_are_gaps(tmp_path):
    motion, codes = made(tmp_path, lost={3, 4, 49})
    gone = np.isnan(motion.points).any(axis=(1, 2))
    assert list(np.flatnonzero(gone)) == [3, 4, 49] and "nobody-seen" in codes
    assert motion.channels["left_knee_confidence"][3] == 0 and motion.channels["left_knee_confidence"][5] == 1


def test_a_video_without_anybody_is_refused(tmp_path):
    with pytest.raises(Refused, match="In no picture"):
        made(tmp_path, lost=set(range(50)))


def test_what_the_server_counts_is_compared(tmp_path):
    assert "pictures-missing" in made(tmp_path, About(pictures=51, duration=2.04))[1]
    assert "times-disagree" in made(tmp_path, About(pictures=50, duration=3.0))[1]
    assert made(tmp_path, About(pictures=50, duration=2.0))[1] == {"scale-unknown", "depth-unknown"}


def test_the_table_has_every_point_and_confidence_and_a_word_beside_it(tmp_path):
    motion, _ = made(tmp_path, lost={3})
    warnings = Warnings()
    warnings.add("a", "b")
    write(motion, tmp_path / "o.csv", warnings)
    rows = list(csv.DictReader(open(tmp_path / "o.csv")))
    assert len(rows) == 50 and len(rows[0]) == 1 + 6 * 33
    assert rows[3]["nose_x [m]"] == "" and float(rows[4]["left_hip_y [m]"]) == pytest.approx(
        motion.points[4, NAMES.index("left_hip"), 1], abs=1e-6
    )
    told = json.loads((tmp_path / "o.json").read_text())
    assert (
        told["up"] == "+y"
        and told["unknown"] == ["scale", "depth"]
        and told["warnings"] == [{"code": "a", "message": "b"}]
    )
    assert ["left_hip", "left_knee"] in told["bones"]


def test_a_command_that_cannot_says_why_in_one_line(tmp_path, capsys):
    (tmp_path / "a.mp4").write_bytes(b"nothing")
    assert command.main(["motion", str(tmp_path / "a.mp4"), str(tmp_path / "o.csv"), "--estimator", "none"]) == 1
    assert capsys.readouterr().err == "There is no estimator none; there are: mediapipe.\n"
    assert command.main(["motion", str(tmp_path / "a.mp4"), str(tmp_path / "o.mp4")]) == 1
    assert "must be called .csv or .trc" in capsys.readouterr().err


class Others(Seer):
    """Sees somebody else, far to the left and smaller, in some pictures; with beside, next to the walker."""

    def __init__(self, others, beside=False):
        super().__init__()
        self.others, self.beside = others, beside

    def people(self, picture, seconds):
        [walker] = super().people(picture, seconds)
        if self.frame not in self.others:
            return [walker]
        other = Person(walker.places * 0.4 - (300, 0), walker.confidence, walker.body)
        return [other, walker] if self.beside else [other]


def test_somebody_else_is_a_gap_and_is_told(tmp_path):
    warnings = Warnings()
    motion = onecamera.motion(blank(tmp_path), Others({30, 31, 32}), About(), warnings)
    assert list(np.flatnonzero(np.isnan(motion.points[:, 0, 0]))) == [30, 31, 32]
    assert list(motion.names) == list(NAMES)  # who is there for a moment may be a mistake
    [told] = [w["message"] for w in warnings.list() if w["code"] == "several-people"]
    assert "47 of 50; in 3, the first at 1.20 s, only somebody else was found" in told


def test_whoever_walks_beside_has_points_of_their_own_and_changes_nothing(tmp_path):
    alone, _ = made(tmp_path)
    warnings = Warnings()
    motion = onecamera.motion(blank(tmp_path), Others(set(range(10, 50)), beside=True), About(), warnings)
    np.testing.assert_array_equal(motion.points[:, :33], alone.points)
    assert list(motion.names[33:]) == [f"person2:{name}" for name in NAMES]
    assert list(np.flatnonzero(np.isnan(motion.points[:, 33, 0]))) == list(range(10))
    assert {"person2:left_hip_confidence", "person2:left_hip_u [px]"} < set(motion.channels)
    assert ["several-people"] == [w["code"] for w in warnings.list() if w["code"] == "several-people"]
    # They are as far to the left of the walker as the picture shows, in metres at their own distance.
    hips = [NAMES.index("left_hip"), NAMES.index("right_hip")]
    other, walker = motion.points[20, [33 + i for i in hips], 0].mean(), motion.points[20, hips, 0].mean()
    pixels = motion.channels["person2:left_hip_u [px]"][20] - (SIZE[0] - 1) / 2
    assert other < walker - 1 and pixels < -200
    write(motion, tmp_path / "o.csv", warnings)
    told = json.loads((tmp_path / "o.json").read_text())
    assert ["person2:left_hip", "person2:left_knee"] in told["bones"] and ["left_hip", "left_knee"] in told["bones"]


@pytest.mark.parametrize("seed", range(20))
def test_people_who_keep_apart_are_told_apart_however_they_are_listed(seed):
    random = np.random.default_rng(seed)
    frames, rate = 120, float(random.uniform(15, 60))
    size = random.uniform(80, 160, 3)
    start = np.array([[0.0, 0], [700, 100], [1400, -50]]) + random.uniform(-50, 50, (3, 2))
    sway = random.uniform(-0.8, 0.8, (3, 2)) * size[:, None]
    shape = random.uniform(-0.5, 0.5, (33, 2))
    pictures, who = [], {}
    for frame in range(frames):
        there = [k for k in range(3) if random.random() > 0.2]
        random.shuffle(there)
        people = [
            Person(
                start[k] + sway[k] * np.sin(frame / rate) + size[k] * (shape + random.normal(0, 0.01, (33, 2))),
                np.ones(33),
            )
            for k in there
        ]
        who.update({id(person): k for person, k in zip(people, there)})
        pictures.append(people)
    tracks = followed(pictures, [frame / rate for frame in range(frames)])
    assert len(tracks) == 3
    assert all(len({who[id(person)] for person in track.seen.values()}) == 1 for track in tracks)
