"""The times of pictures, as an MP4 file has them."""

from pathlib import Path

import pytest
from films import index

from kinebase_video import container


def read(tmp_path: Path, raw: bytes):
    (tmp_path / "a.mp4").write_bytes(raw)
    return container.read(tmp_path / "a.mp4")


def test_the_times_are_the_sums_of_how_long_pictures_last(tmp_path):
    got = read(tmp_path, index([(2, 20), (1, 60), (2, 20)]))
    assert got.times == pytest.approx([0, 1 / 30, 2 / 30, 5 / 30, 6 / 30])
    assert (got.pictures, got.cut, got.pause) == (5, False, 0)


def test_pictures_are_in_the_order_in_which_they_are_shown(tmp_path):
    got = read(tmp_path, index([(4, 20)], later=[(1, 20), (1, 60), (1, 0), (1, 0)]))
    assert got.times == pytest.approx([0, 1 / 30, 2 / 30, 3 / 30])


@pytest.mark.parametrize(
    "edits, shown, pause",
    [
        ([(400, 0)], 10, 0),  # all of them: 10 pictures of 0.04 s
        ([(200, 120)], 5, 0),  # from 0.2 s on for 0.2 s
        ([(200, 84)], 5, 0),  # from within a picture on, which is not shown
        ([(500, -1), (400, 0)], 10, 0.5),
    ],
)
def test_an_edit_list_says_which_pictures_are_shown(tmp_path, edits, shown, pause):
    got = read(tmp_path, index([(10, 24)], edits=edits))
    assert len(got.times) == shown and got.pause == pause and got.pictures == 10 and got.cut == (shown < 10)
    assert got.times[0] == 0 and got.times[-1] == pytest.approx(0.04 * (shown - 1))


def test_what_is_no_index_is_none(tmp_path):
    whole = index([(10, 24)])
    assert read(tmp_path, b"") is None
    assert read(tmp_path, b"nothing at all, but many bytes of it") is None
    assert read(tmp_path, index([(10, 24)], handler=b"soun")) is None
    assert read(tmp_path, index([(1 << 31, 1)])) is None
    assert read(tmp_path, index([(10, 24)], edits=[(100, 0), (100, 120)])) is None  # the decoder's times count
    for end in range(0, len(whole) - 1):
        got = read(tmp_path, whole[:end])
        assert got is None or len(got.times) <= 10
