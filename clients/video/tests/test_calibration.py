"""Calibrations in the forms of others."""

import json

import cv2
import numpy as np
import pytest
from studio import ring
from walker import joints

from kinebase_video import calibration
from kinebase_video.estimator import Refused
from kinebase_video.warn import Warnings


def toml(cameras, unit=1.0):
    text = ""
    for c in cameras:
        turn = cv2.Rodrigues(c.rotation)[0].ravel().tolist()
        text += f'[{c.name}]\nname = "{c.name}"\nsize = {list(map(float, c.size))}\nmatrix = {c.matrix.tolist()}\n'
        text += f"distortions = {c.distortions[:4].tolist()}\nrotation = {turn}\ntranslation = {(c.translation * unit).tolist()}\nfisheye = false\n\n"
    return text + "[metadata]\nadjusted = false\nerror = 0.0\n"


def qualisys(cameras):
    text = "<calibration><cameras>"
    for c in cameras:
        r = np.diag([1, -1, -1]) @ c.rotation
        place = " ".join(f'r{i + 1}{j + 1}="{r[i, j]!r}"' for i in range(3) for j in range(3))
        place += "".join(f' {axis}="{1000 * v!r}"' for axis, v in zip("xyz", c.centre))
        k, d = c.matrix, c.distortions
        text += f'<camera serial="{c.name}" model="none"><fov_video bottom="{c.size[1] - 1}" left="0" right="{c.size[0] - 1}" top="0"/><transform {place}/>'
        text += f'<intrinsic focalLengthU="{64 * k[0, 0]}" focalLengthV="{64 * k[1, 1]}" centerPointU="{64 * k[0, 2]}" centerPointV="{64 * k[1, 2]}" '
        text += f'radialDistortion1="{d[0]}" radialDistortion2="{d[1]}" tangentalDistortion1="{d[2]}" tangentalDistortion2="{d[3]}" radialDistortion3="{d[4]}"/></camera>'
    return text.replace("np.float64(", "").replace(')"', '"') + "</cameras></calibration>"


def opencv(path, c):
    store = cv2.FileStorage(str(path), cv2.FILE_STORAGE_WRITE)
    for name, value in (
        ("camera_matrix", c.matrix),
        ("distortion_coefficients", c.distortions),
        ("rvec", cv2.Rodrigues(c.rotation)[0]),
        ("tvec", c.translation),
    ):
        store.write(name, value)
    store.write("image_width", c.size[0])
    store.write("image_height", c.size[1])
    store.release()
    return path


def test_every_form_says_the_same(tmp_path):
    cameras = ring()
    (tmp_path / "ours.json").write_text(json.dumps({"cameras": [calibration.form(c) for c in cameras]}))
    (tmp_path / "pose2sim.toml").write_text(toml(cameras))
    (tmp_path / "anipose.toml").write_text(toml(cameras, unit=1000))
    (tmp_path / "calib.qca.txt").write_text(qualisys(cameras))
    forms = {name: [tmp_path / name] for name in ("ours.json", "pose2sim.toml", "anipose.toml", "calib.qca.txt")}
    forms["opencv"] = [opencv(tmp_path / f"{c.name}.yml", c) for c in cameras]
    body = joints(0.3)
    for name, paths in forms.items():
        warnings = Warnings()
        got = calibration.read(paths, warnings)
        assert [c.name for c in got] == [c.name for c in cameras] and [c.size for c in got] == [(1088, 1920)] * 4
        for a, b in zip(cameras, got):
            assert b.project(body) == pytest.approx(a.project(body), abs=0.01), name
        assert bool(warnings.list()) == (name == "anipose.toml")


@pytest.mark.parametrize(
    "name, text, says",
    [
        ("a.json", "{", "cannot be read"),
        ("a.json", '{"cameras": []}', "two or more"),
        (
            "a.json",
            '{"cameras": [{"matrix": [[1,0,0],[0,1,0],[0,0,1]], "size": [1, 1], "translation": [0,0,0]}]}',
            "lacks 'rotation'",
        ),
        ("a.toml", "[a]\nmatrix = 3\n", "lacks|cannot be read"),
        ("a.txt", "<calibration/>", "two or more"),
        ("a.txt", "no xml", "cannot be read"),
        ("a.yml", "%YAML:1.0\n---\nx: 1\n", "lacks|cannot be read"),
        ("a.mat", "", "a file .xml"),
    ],
)
def test_what_is_no_calibration_is_refused_with_a_reason(tmp_path, name, text, says):
    (tmp_path / name).write_text(text)
    with pytest.raises(Refused, match=says):
        calibration.read([tmp_path / name], Warnings())


def test_cameras_in_one_place_are_refused(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({"cameras": [calibration.form(ring()[0])] * 2}))
    with pytest.raises(Refused, match="in one place"):
        calibration.read([tmp_path / "a.json"], Warnings())


def test_pictures_of_another_size_fit_where_they_can():
    camera, body = ring()[0], joints(0.3)
    half = calibration.fitted(camera, (544, 960), Warnings())
    assert (half.project(body) + 0.5) * 2 - 0.5 == pytest.approx(camera.project(body), abs=0.01)
    warnings = Warnings()
    cut = calibration.fitted(camera, (1080, 1920), warnings)
    assert cut.project(body) == pytest.approx(camera.project(body)) and warnings.list()[0]["code"] == "size-differs"
    with pytest.raises(Refused, match="1920 × 1080"):
        calibration.fitted(camera, (1920, 1080), Warnings())


def test_videos_find_their_cameras_by_name_or_by_order():
    cameras = ring()
    assert [c.name for c in calibration.assigned(cameras, ["cam3", "cam1"])] == ["cam3", "cam1"]
    assert [c.name for c in calibration.assigned(cameras, ["a", "b", "c", "d"])] == ["cam1", "cam2", "cam3", "cam4"]
    with pytest.raises(Refused, match="3 videos"):
        calibration.assigned(cameras, ["a", "b", "c"])
