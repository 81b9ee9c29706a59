"""Clocks of cameras that may differ, where the movement tells and where it does not."""

import numpy as np
import pytest
from studio import films, ring, walks
from test_several import made


def slowly(seconds):
    return walks(0.25 * seconds)


def stands(seconds):
    """Somebody who sways by three centimetres."""
    body = walks(0.0)
    return body + 0.03 * np.sin(2 * np.pi * 0.7 * seconds) * np.linspace(0, 1, len(body))[:, None] * [1, 0, 0.3]


def mistaken(seen, pixels, seed=3):
    """What an estimator sees that is wrong in each camera in its own way, always and as the movement goes."""
    random = np.random.default_rng(seed)
    for f in seen:
        always, moving, phase = (
            random.normal(0, pixels, (33, 2)),
            random.normal(0, pixels / 2, (33, 2)),
            random.uniform(0, 6),
        )
        for i, each in enumerate(f.seen):
            for person in each:
                person.places[:] += always + moving * np.sin(2 * np.pi * f.times[i] + phase)
    return seen


def found(body, count, clocks, pixels, corrected=False):
    cameras = ring(4)[:count]
    seen = mistaken(films(cameras, bodies=(body,), seconds=2.5, rate=30, clocks=clocks), pixels)
    motion, told = made(cameras, seen, corrected=corrected)
    return [motion.channels[f"sync_offset_{c.name} [s]"][0] for c in cameras], told


@pytest.mark.parametrize(
    "body, clocks, pixels",
    [
        (walks, (0, 0.2), 0),
        (walks, (0, 0.2), 8),
        (slowly, (0, 0.2), 0),
        (walks, (0, 0.05, 0, 0), 8),
        (slowly, (0, 0.05, 0, 0), 0),
    ],
)
def test_an_offset_that_both_halves_of_the_recording_have_is_put_right_however_much_better_the_rays_then_meet(
    body, clocks, pixels
):
    off, told = found(body, len(clocks), clocks, pixels)
    assert off == pytest.approx(clocks, abs=1 / 30) and "clocks-differ" in told and "clocks-doubtful" not in told


@pytest.mark.parametrize("clocks", [(0, 0.5, 0, 0), (0, -0.3, 0.2, 0)])
def test_offsets_are_put_right_also_where_cameras_are_corrected(clocks):
    off, told = found(walks, 4, clocks, 4, corrected=True)
    assert off == pytest.approx(clocks, abs=0.5 / 30) and "clocks-differ" in told


@pytest.mark.parametrize(
    "body, clocks, pixels", [(slowly, (0, 0.2), 8), (walks, (0, 0.05), 8), (stands, (0, 0.2, 0, 0), 0)]
)
def test_an_offset_that_fits_notably_better_and_is_not_certain_is_told(body, clocks, pixels):
    off, told = found(body, len(clocks), clocks, pixels)
    assert off == [0] * len(clocks) and "% better" in told["clocks-doubtful"] and "clocks-differ" not in told


@pytest.mark.parametrize("body", [walks, slowly, stands])
@pytest.mark.parametrize("count, pixels", [(2, 8), (4, 8)])
def test_clocks_that_agree_are_left_and_nothing_is_said(body, count, pixels):
    off, told = found(body, count, [0] * count, pixels)
    assert off == [0] * count and not told.keys() & {"clocks-differ", "clocks-doubtful"}
