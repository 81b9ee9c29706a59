"""A field that is wrong is refused by its name, in every form."""

import copy
import json
import re

import pytest
from studio import ring
from test_calibration import opencv, qualisys, toml

from kinebase_video import calibration, command, rig
from kinebase_video.estimator import Refused
from kinebase_video.warn import Warnings

# What no field of numbers may be.
JUNK = [
    None,
    "x",
    "",
    {},
    {"a": 1},
    [],
    [[]],
    [1, "x"],
    [[1, 2], [3]],
    True,
    1e400,
    float("nan"),
    [float("nan")] * 3,
    -1,
    0,
    10**400,
    [[[1]]],
    "\x00",
    ["1e400", 1, 1],
]
FIELDS = ["matrix", "size", "rotation", "translation", "distortions"]


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("junk", JUNK, ids=lambda j: repr(j)[:20])
def test_a_field_of_our_form_that_is_wrong_is_told_by_its_name(tmp_path, field, junk):
    cameras = [calibration.form(c) for c in ring(2)]
    cameras[1][field] = junk
    (tmp_path / "a.json").write_text(json.dumps({"cameras": cameras}))
    handed = {"videos": [{"file": f"{i}.mp4", "name": f"v{i}.mp4", "camera": c} for i, c in enumerate(cameras)]}
    (tmp_path / "input.cameras").write_text(json.dumps(handed))
    harmless = field == "distortions" and junk in ([], [[]], {}, True, -1, 0, [[[1]]]) and junk != {}
    for reading in (
        lambda: calibration.read([tmp_path / "a.json"], Warnings()),
        lambda: rig.read(tmp_path / "input.cameras", Warnings()),
    ):
        if harmless:
            reading()
            continue
        with pytest.raises(Refused, match=field):
            reading()


@pytest.mark.parametrize("field", FIELDS[:4])
def test_a_field_that_is_missing_is_told_by_its_name(tmp_path, field):
    cameras = [calibration.form(c) for c in ring(2)]
    del cameras[1][field]
    (tmp_path / "a.json").write_text(json.dumps({"cameras": cameras}))
    with pytest.raises(Refused, match=f"lacks '{field}'"):
        calibration.read([tmp_path / "a.json"], Warnings())


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "1",
        "null",
        '"a"',
        '{"cameras": 1}',
        '{"cameras": [1, 2]}',
        '{"cameras": ["a", null]}',
        '{"cameras": {}}',
        "[" * 100000,
        "\ud800",
    ],
)
def test_what_is_no_list_of_cameras_is_refused(tmp_path, text):
    (tmp_path / "a.json").write_text(text, errors="surrogatepass")
    with pytest.raises(Refused):
        calibration.read([tmp_path / "a.json"], Warnings())


def numbers(text):
    """The places of all numbers in a text."""
    return [(m.start(), m.end()) for m in re.finditer(r"(?<![\w.])-?\d+\.?\d*(e-?\d+)?(?![\w])", text)]


@pytest.mark.parametrize("form", ["toml", "qualisys", "opencv"])
@pytest.mark.parametrize("junk", ["x", "", "nan", "1e999", "-1e308", "0", "[", '"', "99999999999999999999"])
def test_no_number_of_other_forms_brings_the_command_down(tmp_path, form, junk):
    cameras = ring(2)
    if form == "opencv":
        path, text = tmp_path / "cam1.yml", opencv(tmp_path / "whole.yml", cameras[0]).read_text()
    else:
        path = tmp_path / {"toml": "a.toml", "qualisys": "a.txt"}[form]
        text = {"toml": toml, "qualisys": qualisys}[form](cameras)
    read = refused = 0
    for begin, end in numbers(text)[:60]:
        path.write_text(text[:begin] + junk + text[end:])
        try:
            calibration.read([path, tmp_path / "whole.yml"] if form == "opencv" else [path], Warnings())
            read += 1
        except Refused as wrong:
            refused += 1
            assert "calibration" in str(wrong)
    assert refused > 0 and read + refused > 10


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda h: h.pop("videos"), "field videos"),
        (lambda h: h.update(videos={}), "field videos"),
        (lambda h: h.update(videos=h["videos"][:1]), "field videos"),
        (lambda h: h["videos"].append(1), "field file of video 3"),
        (lambda h: h["videos"][1].pop("file"), "field file of video 2"),
        (lambda h: h["videos"][1].update(name=5), "field name of video 2"),
        (lambda h: h["videos"][1].update(camera=[1]), "field camera of video 2"),
        (lambda h: h["videos"][1].update(camera_configuration="x"), "field camera_configuration of video 2"),
        (lambda h: h["videos"][1].update(camera={"matrix": 1}), "camera of v1"),
        (lambda h: h.update(calibration=[1]), "field calibration"),
        (lambda h: h.update(calibration={"name": "a.json"}), "field calibration"),
        (lambda h: h.update(calibration={"name": "a.json", "text": "[]"}), "a.json"),
        (lambda h: h.update(sync="clap"), "field sync"),
        (lambda h: h.update(sync=1), "field sync"),
    ],
)
def test_a_file_of_cameras_that_is_wrong_ends_the_command_with_a_sentence(tmp_path, capsys, change, says):
    cameras = [calibration.form(c) for c in ring(2)]
    handed = copy.deepcopy(
        {"videos": [{"file": f"{i}.mp4", "name": f"v{i}.mp4", "camera": c} for i, c in enumerate(cameras)]}
    )
    change(handed)
    (tmp_path / "input.cameras").write_text(json.dumps(handed))
    assert command.main(["motion", str(tmp_path / "input.cameras"), str(tmp_path / "out.csv")]) == 1
    assert re.search(says, capsys.readouterr().err.splitlines()[-1])


@pytest.mark.parametrize(
    "words, told, want",
    [
        ([], None, "auto"),
        (["--sync", "time"], None, "time"),
        (["--sync", "time"], "speed", "speed"),
        ([], "time", "time"),
    ],
)
def test_the_file_of_cameras_says_how_clocks_are_compared_or_else_the_command(tmp_path, monkeypatch, words, told, want):
    cameras = [calibration.form(c) for c in ring(2)]
    handed = {
        "videos": [{"file": f"{i}.mp4", "name": f"v{i}.mp4", "camera": c} for i, c in enumerate(cameras)],
        **({"sync": told} if told else {}),
    }
    (tmp_path / "input.cameras").write_text(json.dumps(handed))
    asked = []
    monkeypatch.setattr(command, "_films", lambda *given: asked.append(given[6]))
    assert command.main(["motion", str(tmp_path / "input.cameras"), str(tmp_path / "out.csv"), *words]) == 0
    assert asked == [want]
