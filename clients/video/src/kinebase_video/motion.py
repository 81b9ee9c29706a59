"""Motion as it is handed to Kinebase: a table of points, and a word beside it about what the table cannot say."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Sequence, TextIO, Tuple

import numpy as np

from .estimator import Floats, Refused
from .landmarks import BONES
from .warn import Warnings


@dataclass
class Motion:
    """Points in m, a row a frame; missing numbers are NaN."""

    times: Floats  # (frames,) s
    names: Sequence[str]
    points: Floats  # (frames, points, 3)
    up: str  # the axis that points upwards, such as +y
    channels: Dict[str, Floats] = field(
        default_factory=dict
    )  # of each frame a number, by name, perhaps with a unit in brackets
    unknown: Tuple[str, ...] = ()  # of scale and depth

    def beside(self, other: "Motion", prefix: str) -> None:
        """Put somebody else's points beside those that are there."""
        self.names = [*self.names, *(prefix + name for name in other.names)]
        self.points = np.concatenate([self.points, other.points], axis=1)
        self.channels.update({prefix + name: values for name, values in other.channels.items()})


def write(motion: Motion, path: Path, warnings: Warnings) -> None:
    """Write the table, .csv or .trc, and beside it a .json with the rest."""
    if not np.isfinite(motion.points).any():
        raise Refused("In no picture of the video was a person found.")
    with open(path, "w", encoding="ascii", newline="\n") as file:
        {".csv": _csv, ".trc": _trc}[path.suffix.lower()](motion, path.name, file)
    beside = {
        "up": motion.up,
        "unknown": list(motion.unknown),
        "bones": bones(motion.names),
        "warnings": warnings.list(),
    }
    path.with_suffix(".json").write_text(json.dumps(beside, indent=1), encoding="utf-8")


def bones(names: Sequence[str]) -> List[Tuple[str, str]]:
    """Give the pairs of points that hang together, those of each person."""
    people = dict.fromkeys(name.rpartition(":")[0] for name in names)
    all = [(f"{who}:{a}" if who else a, f"{who}:{b}" if who else b) for who in people for a, b in BONES]
    return [pair for pair in all if pair[0] in names and pair[1] in names]


def _number(value: float) -> str:
    return f"{value:.6f}" if np.isfinite(value) else ""


def _csv(motion: Motion, _: str, file: TextIO) -> None:
    points = [f"{name}_{axis} [m]" for name in motion.names for axis in "xyz"]
    file.write(",".join(["time [s]", *points, *motion.channels]) + "\n")
    flat = motion.points.reshape(len(motion.times), -1)
    more = np.stack(list(motion.channels.values()), axis=1) if motion.channels else np.zeros((len(flat), 0))
    for time, row, rest in zip(motion.times, flat, more):
        file.write(",".join([f"{time:.9f}", *map(_number, row), *map(_number, rest)]) + "\n")


def _trc(motion: Motion, name: str, file: TextIO) -> None:
    """Write points alone: a TRC has nothing else."""
    rate = (len(motion.times) - 1) / (motion.times[-1] - motion.times[0]) if len(motion.times) > 1 else 1.0
    head = (rate, rate, len(motion.times), len(motion.names), "m", rate, 1, len(motion.times))
    rows: List[str] = [
        f"PathFileType\t4\t(X/Y/Z)\t{name}",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        "\t".join(str(v) if isinstance(v, (int, str)) else f"{v:.6f}" for v in head),
        "Frame#\tTime\t" + "\t\t\t".join(motion.names),
        "\t\t" + "\t".join(f"{axis}{i + 1}" for i in range(len(motion.names)) for axis in "XYZ"),
        "",
    ]
    file.write("\n".join(rows) + "\n")
    for i, (time, row) in enumerate(zip(motion.times, motion.points.reshape(len(motion.times), -1))):
        file.write("\t".join([str(i + 1), f"{time:.9f}", *map(_number, row)]) + "\n")
