"""What Kinebase hands over of several cameras."""

import json

import pytest
from studio import ring
from test_calibration import toml

from kinebase_video import calibration, rig
from kinebase_video.estimator import Refused
from kinebase_video.warn import Warnings


def handed(tmp_path, videos, **more):
    path = tmp_path / "input.cameras"
    path.write_text(json.dumps({"videos": videos, **more}))
    return rig.read(path, Warnings()).views


def test_each_video_has_its_camera_wherever_that_is_said(tmp_path):
    cameras = ring(3)
    one, two, three = (calibration.form(c) for c in cameras)
    got = handed(
        tmp_path,
        [
            {"file": "input1.mp4", "name": "Front.mp4", "camera": one},
            {"file": "input2.mp4", "name": "side.mp4", "camera_configuration": {"calibration": two}},
            {
                "file": "input3.mov",
                "name": "side.mov",
                "camera_configuration": {**three, "camera_orientation": "portrait"},
            },
        ],
    )
    assert [v.name for v in got] == ["Front", "side_2", "side_3"] and got[2].path == tmp_path / "input3.mov"
    for v, c in zip(got, cameras):
        assert v.camera.centre == pytest.approx(c.centre)


def test_a_calibration_of_all_cameras_finds_them_by_the_names_of_the_videos(tmp_path):
    cameras = ring(4)
    videos = [{"file": f"input{i}.mp4", "name": f"{name}.mp4"} for i, name in enumerate(("cam3", "cam1"))]
    got = handed(tmp_path, videos, calibration={"name": "../lab.toml", "text": toml(cameras)})
    assert [v.camera.name for v in got] == ["cam3", "cam1"] and got[0].camera.centre == pytest.approx(cameras[2].centre)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["input.cameras"]


@pytest.mark.parametrize(
    "second, says",
    [
        ({}, "Nothing says where the camera of b was"),
        ({"camera_configuration": {"camera_setup_selection": "single"}}, "Nothing says"),
        ({"camera": {"matrix": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}}, "lacks 'translation'"),
        ({"camera": {**calibration.form(ring()[1]), "rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 2]]}}, "only turns"),
    ],
)
def test_a_camera_that_is_not_known_is_told_by_the_name_of_its_video(tmp_path, second, says):
    with pytest.raises(Refused, match=says):
        handed(
            tmp_path,
            [
                {"file": "1", "name": "a.mp4", "camera": calibration.form(ring()[0])},
                {"file": "2", "name": "b.mp4", **second},
            ],
        )


def test_a_calibration_that_cannot_be_read_is_told_by_its_name(tmp_path):
    with pytest.raises(Refused, match="lab.toml cannot be read"):
        handed(
            tmp_path,
            [{"file": "1", "name": "a.mp4"}, {"file": "2", "name": "b.mp4"}],
            calibration={"name": "lab.toml", "text": "[["},
        )
