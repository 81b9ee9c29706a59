"""Calibration by made-up pictures of boards."""

import json

import cv2
import numpy as np
import pytest
from films import film

from kinebase_video import boards, calibrate, calibration, command
from kinebase_video.cameras import Camera
from kinebase_video.estimator import Refused
from kinebase_video.triangulate import errors, linear
from kinebase_video.warn import Warnings

SIZE = (640, 480)
CHARUCO = "charuco:7x5:0.04:0.03:DICT_4X4_50"


def camera(name, degrees, focal=700.0):
    """A camera that looks at the middle of the room, 0.8 m from it and half as high."""
    turn = np.radians(degrees)
    centre = 0.8 * np.array([np.cos(turn), np.sin(turn), 1.2])
    ahead = -centre / np.linalg.norm(centre)
    right = np.cross(ahead, [0, 0, 1.0])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    return Camera(
        name,
        np.array([[focal, 0, 322.0], [0, focal, 238.0], [0, 0, 1]]),
        np.zeros(5),
        rotation,
        -rotation @ centre,
        SIZE,
    )


def board_image(text):
    """The picture of a board, how many of its pixels are a metre, and where its origin lies in it."""
    kind, squares, square = text.split(":")[:3]
    columns, rows = (int(v) for v in squares.split("x"))
    if kind == "charuco":
        return boards.parse(text).board.generateImage((40 * columns, 40 * rows)), 40 / float(square), 0
    image = np.full((40 * (rows + 3), 40 * (columns + 3)), 255, np.uint8)
    for i in range(rows + 1):
        for j in range(columns + 1):
            if (i + j) % 2 == 0:
                image[40 * (i + 1) : 40 * (i + 2), 40 * (j + 1) : 40 * (j + 2)] = 0
    return image, 40 / float(square), 80


def pose(n):
    """Where the board is held: it lies on the floor first."""
    if n == 0:
        return np.diag([1.0, -1.0, -1.0]), np.array([-0.14, 0.1, 0])
    turn = cv2.Rodrigues(np.array([0.6 * np.sin(1.7 * n), 0.6 * np.cos(2.3 * n), 0.5 * n]))[0] @ np.diag(
        [1.0, -1.0, -1.0]
    )
    return turn, 0.24 * np.array([np.sin(3.1 * n), np.cos(1.3 * n), 0.2 + 0.5 * np.sin(n)]) - turn @ [0.14, 0.1, 0]


def shown(c, text, n):
    image, metre, origin = board_image(text)
    turn, shift = pose(n)
    rotation, translation = c.rotation @ turn, c.rotation @ shift + c.translation
    plane = c.matrix @ np.column_stack([rotation[:, :2], translation])
    into = plane @ np.array([[1 / metre, 0, (0.5 - origin) / metre], [0, 1 / metre, (0.5 - origin) / metre], [0, 0, 1]])
    fine = np.array([[3, 0, 1], [0, 3, 1], [0, 0, 1]])  # three times as many pixels, of which the means are taken
    large = cv2.warpPerspective(image, fine @ into, (3 * SIZE[0], 3 * SIZE[1]), borderValue=128)
    return cv2.resize(large, SIZE, interpolation=cv2.INTER_AREA)


@pytest.mark.parametrize("text", [CHARUCO, "checkerboard:6x5:0.04"])
def test_lenses_and_places_are_found(text):
    truth = [camera("one", 20), camera("two", 75, focal=650), camera("three", 130)][: 3 if text == CHARUCO else 2]
    board = boards.parse(text)
    views = [{n: seen for n in range(14) if (seen := board.find(shown(c, text, n))) is not None} for c in truth]
    assert all(len(v) >= 8 for v in views)
    lenses = [calibrate.lens(c.name, SIZE, v) for c, v in zip(truth, views)]
    found = calibrate.together([c for c, _ in lenses], [e for _, e in lenses], views)
    assert max(found.lens) < 0.5 and found.together < 0.5
    for c, real in zip(found.cameras, truth):
        assert c.focal == pytest.approx(real.focal, rel=0.015)
        assert c.centre[2] > 0  # above the board that lies on the floor
    # A lens that is centred a little elsewhere and a camera that is turned a little cancel out; lengths do not.
    ends = np.random.default_rng(1).uniform(-0.2, 0.2, (2, 50, 3))
    seen = np.stack([c.rays(real.project(ends)) for c, real in zip(found.cameras, truth)])
    got = linear(found.cameras, seen, np.ones(seen.shape[:-1]))
    assert np.linalg.norm(got[0] - got[1], axis=1) == pytest.approx(
        np.linalg.norm(ends[0] - ends[1], axis=1), rel=0.02, abs=0.003
    )
    assert np.median(errors(found.cameras, got, seen)) < 1


def test_the_command_writes_cameras_and_what_was_found(tmp_path, capsys):
    truth = [camera("one", 20), camera("two", 75)]
    for c in truth:
        film(
            tmp_path / f"{c.name}.mp4",
            [np.repeat(shown(c, CHARUCO, n)[:, :, None], 3, axis=2) for n in range(14)],
            rate=2,
        )
    words = [
        "calibrate",
        str(tmp_path / "one.mp4"),
        str(tmp_path / "two.mp4"),
        "--board",
        CHARUCO,
        "-o",
        str(tmp_path / "cameras.json"),
        "--pictures",
        str(tmp_path / "found"),
    ]
    assert command.main(words) == 0, capsys.readouterr().err
    read = calibration.read([tmp_path / "cameras.json"], Warnings())
    assert [c.name for c in read] == ["one", "two"] and read[0].focal == pytest.approx(700, rel=0.03)
    assert json.loads((tmp_path / "cameras.json").read_text())["error_px"] < 1
    for c in truth:
        picture = cv2.imread(str(tmp_path / "found" / f"{c.name}.png"))
        assert (picture == [0, 200, 0]).all(axis=2).sum() > 500


def test_what_is_not_enough_is_refused_with_what_to_do(tmp_path):
    one, two = camera("one", 20), camera("two", 75)
    board = boards.parse(CHARUCO)
    views = [{n: seen for n in range(16) if (seen := board.find(shown(c, CHARUCO, n))) is not None} for c in (one, two)]
    with pytest.raises(Refused, match="in 3 pictures of one, and 6 are needed"):
        calibrate.lens("one", SIZE, dict(list(views[0].items())[:3]))
    apart = {n + 100: seen for n, seen in views[1].items()}
    with pytest.raises(Refused, match="sees the board together with another camera in 0 moments"):
        calibrate.together([one, two], [0, 0], [views[0], apart])
    assert board.find(np.full((480, 640), 128, np.uint8)) is None


@pytest.mark.parametrize(
    "text",
    [
        "charuco:7x5:0.04",
        "charuco:7x5:0.04:0.05:DICT_4X4_50",
        "charuco:7x5:0.04:0.03:nothing",
        "checkerboard:9x7:0.03",
        "checkerboard:x:1",
        "board:1x1:1",
    ],
)
def test_a_board_that_is_not_known_is_refused(text):
    with pytest.raises(Refused):
        boards.parse(text)
