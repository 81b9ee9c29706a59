"""How far the looking is, as the server hears it."""

import io

import numpy as np
from films import film

from kinebase_video.decode import Video
from kinebase_video.estimator import Estimator
from kinebase_video.warn import Warnings
from kinebase_video.watch import Progress, watch


def pictures(count):
    return [np.zeros((48, 64, 3), dtype=np.uint8)] * count


class Nobody(Estimator):
    names = ()

    def people(self, picture, seconds):
        return []


def test_two_videos_are_told_as_parts_of_one_work_that_never_goes_back(tmp_path):
    now = iter(range(1000))
    said = io.StringIO()
    progress = Progress(2, said, clock=lambda: next(now))
    for name in ("a.mp4", "b.mp4"):
        watch(Video(film(tmp_path / name, pictures(10)), Warnings()), Nobody(), progress=progress)
    told = [float(line.removeprefix("done ")) for line in said.getvalue().splitlines()]
    assert len(told) == 20
    assert told == sorted(told)
    assert told[9] == 0.475 and told[-1] == 0.95  # the rest is spent on what was seen


def test_there_is_a_line_a_second_at_most(tmp_path):
    now = iter(i / 10 for i in range(1000))
    said = io.StringIO()
    watch(
        Video(film(tmp_path / "a.mp4", pictures(20)), Warnings()),
        Nobody(),
        progress=Progress(1, said, lambda: next(now)),
    )
    assert 1 < len(said.getvalue().splitlines()) < 5
