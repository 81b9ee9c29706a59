"""Pictures, upright and with their times."""

import cv2
import numpy as np
import pytest
from films import change, film, words

from kinebase_video.decode import Video
from kinebase_video.estimator import Refused
from kinebase_video.warn import Warnings


def pictures(n: int, width: int = 64, height: int = 48):
    """Each picture is as bright as its number tells, and its upper left corner is white."""
    all = []
    for i in range(n):
        picture = np.full((height, width, 3), 20 * i, dtype=np.uint8)
        picture[: height // 3, : width // 3] = 255
        all.append(picture)
    return all


def watch(path):
    video = Video(path, Warnings())
    return video, [(int(p[-4, -4, 0]), p.shape, int(p[4, 4, 0]), int(p[4, -4, 0])) for p, _ in video.pictures()]


def test_every_picture_comes_with_its_time(tmp_path):
    video, seen = watch(film(tmp_path / "a.mp4", pictures(10)))
    assert [round(s[0] / 20) for s in seen] == list(range(10))
    assert video.times == pytest.approx([0.04 * i for i in range(10)]) and video.size == (64, 48)
    assert video.warnings.list() == []


def test_a_picture_that_was_filmed_on_its_side_is_upright(tmp_path):
    path = film(tmp_path / "a.mp4", pictures(3))
    change(path, b"tkhd", 40, words(0, 0x10000, 0, -0x10000, 0, 0, 48 << 16, 0, 0x40000000))  # a quarter clockwise
    video, seen = watch(path)
    assert seen[0][1] == (64, 48, 3) and video.size == (48, 64)
    assert seen[0][3] > 200 > seen[0][2]  # the white corner is to the right now


def test_times_of_uneven_pictures_are_those_of_the_file(tmp_path):
    path = film(tmp_path / "a.mp4", pictures(10))
    raw = path.read_bytes()
    at = raw.index(b"stts") + 4
    count, n, ticks = (int.from_bytes(raw[at + k : at + k + 4], "big") for k in (4, 8, 12))
    assert (count, n) == (1, 10)
    # The last box of the index gets a table with two rows in the place of one, and the boxes around it grow.
    raw = raw.replace(b"edts", b"free")  # an edit list would end where the pictures did
    longer = raw[: at + 4] + words(2, 5, ticks, 5, 2 * ticks) + raw[at + 16 :]
    for kind in (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stts"):
        k = longer.index(kind) - 4
        longer = longer[:k] + words(int.from_bytes(longer[k : k + 4], "big") + 8) + longer[k + 4 :]
    path.write_bytes(longer)
    video, _ = watch(path)
    assert np.diff(video.times) == pytest.approx([0.04] * 5 + [0.08] * 4)


def test_what_is_no_video_is_refused(tmp_path):
    (tmp_path / "a.mp4").write_bytes(b"no video at all")
    with pytest.raises(Refused, match="cannot be decoded"):
        watch(tmp_path / "a.mp4")


def test_a_video_that_was_cut_never_ends_without_a_word(tmp_path):
    whole = film(tmp_path / "a.mp4", pictures(30)).read_bytes()
    for part in range(10, 100, 10):
        path = tmp_path / "b.mp4"
        path.write_bytes(whole[: len(whole) * part // 100])
        try:
            video, seen = watch(path)
        except Refused:
            continue
        assert len(seen) == 30 or video.warnings.list()
