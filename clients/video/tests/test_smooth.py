"""The low-pass of the library of movements."""

import numpy as np
import pytest

from kinebase_video.smooth import low_pass


def test_it_halves_the_power_at_its_cut_off_and_moves_nothing_in_time():
    t = np.arange(600) / 60
    for hertz, factor in ((0.5, 1.0), (6.0, np.sqrt(0.5)), (20.0, 0.0)):
        smooth = low_pass(np.sin(2 * np.pi * hertz * t), 6.0, 60)[150:450]
        wave = np.sin(2 * np.pi * hertz * t)[150:450]
        assert smooth @ wave / (wave @ wave) == pytest.approx(factor, abs=0.01)
        late = np.cos(2 * np.pi * hertz * t)[150:450]
        assert smooth @ late / (wave @ wave) == pytest.approx(0, abs=0.01)


def test_gaps_stay_and_nothing_is_smoothed_across_them():
    values = np.where(np.arange(100) < 50, 0.0, 1.0)[:, None] * [1, 2]
    values[48:52] = np.nan
    smooth = low_pass(values, 6.0, 60)
    assert (
        np.isnan(smooth[48:52]).all()
        and smooth[:48] == pytest.approx(0)
        and smooth[52:] == pytest.approx(np.ones((48, 1)) * [1, 2])
    )
    short = np.array([0, 1.0] * 5)
    assert low_pass(short, 6.0, 60) == pytest.approx(short)
