"""The command kinebase-video. It speaks the protocol of Kinebase's video processor."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, List, Optional

from . import estimator
from .about import About
from .estimator import Refused
from .motion import write
from .warn import Warnings
from .watch import Progress

if TYPE_CHECKING:
    from .cameras import Camera


def main(words: Optional[List[str]] = None) -> int:
    """Run a command; what is refused is the last line of standard error, and the end is then 1."""
    asked = _parser().parse_args(words)
    try:
        asked.run(asked)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kinebase-video", description="Makes motion of videos, for Kinebase.")
    verbs = parser.add_subparsers(required=True)
    motion = verbs.add_parser("motion", help="make motion of the video of one camera")
    motion.add_argument("input", type=Path, help="a video, or a file .cameras that names those of several cameras")
    motion.add_argument("output", type=Path, help="a .csv or .trc; warnings go into a .json beside it")
    motion.add_argument("--about", type=Path, help="what the server tells of the video, as JSON")
    motion.add_argument("--height", type=float, help="of the person, in m")
    motion.add_argument(
        "--sync",
        choices=["auto", "time", "speed"],
        default="auto",
        help="of several cameras, where the file .cameras does not say it: as for triangulate",
    )
    motion.add_argument("--estimator", default="mediapipe", help="the entry point of what finds people")
    motion.set_defaults(run=_motion)
    several = verbs.add_parser("triangulate", help="make motion of the videos of several calibrated cameras")
    several.add_argument("inputs", type=Path, nargs="+")
    several.add_argument(
        "--calibration",
        type=Path,
        action="append",
        required=True,
        help="one file, or one for each camera in the order of the videos",
    )
    several.add_argument(
        "-o", "--output", type=Path, required=True, help="a .csv or .trc; warnings go into a .json beside it"
    )
    several.add_argument(
        "--sync",
        choices=["auto", "time", "speed"],
        default="auto",
        help="time: the videos begin together; speed: compare how wrists and ankles move",
    )
    several.add_argument("--trust-calibration", action="store_true", help="do not correct where the cameras are")
    several.add_argument("--estimator", default="mediapipe")
    several.set_defaults(run=_triangulate)
    cameras = verbs.add_parser("calibrate", help="find lenses and places of cameras by videos of a board")
    cameras.add_argument("inputs", type=Path, nargs="+")
    cameras.add_argument(
        "--board",
        required=True,
        help="charuco:7x5:0.04:0.03:DICT_4X4_50 (squares, m, m) or checkerboard:9x6:0.03 (inner corners, m)",
    )
    cameras.add_argument("-o", "--output", type=Path, required=True, help="a .json with the cameras")
    cameras.add_argument(
        "--pictures", type=Path, default=Path("calibration"), help="a folder for pictures of what was found"
    )
    cameras.add_argument("--each", type=float, default=0.5, help="seconds between two pictures that are looked at")
    cameras.set_defaults(run=_calibrate)
    return parser


def output(path: Path) -> Path:
    if path.suffix.lower() not in (".csv", ".trc"):
        raise Refused(f"The output must be called .csv or .trc, not {path.name}.")
    return path


def _motion(asked: argparse.Namespace) -> None:
    from . import onecamera

    to, warnings = output(asked.output), Warnings()
    if asked.input.suffix.lower() == ".cameras":
        return _together(asked, to, warnings)
    about = About.read(asked.about)
    if asked.height is not None:
        about = About(asked.height, about.pictures, about.duration)
    finder = estimator.make(asked.estimator)
    try:
        write(onecamera.motion(asked.input, finder, about, warnings, progress=Progress()), to, warnings)
    finally:
        finder.close()


def _together(asked: argparse.Namespace, to: Path, warnings: Warnings) -> None:
    from . import rig

    found = rig.read(asked.input, warnings)
    views = found.views
    _films(
        [v.path for v in views],
        [v.name for v in views],
        [v.camera for v in views],
        asked,
        to,
        warnings,
        found.sync or asked.sync,
    )


def _triangulate(asked: argparse.Namespace) -> None:
    from . import calibration

    to, warnings = output(asked.output), Warnings()
    if len(asked.inputs) < 2:
        raise Refused("Motion in metres needs the videos of two cameras or more.")
    names = [path.stem for path in asked.inputs]
    cameras = calibration.assigned(calibration.read(asked.calibration, warnings), names)
    _films(asked.inputs, names, cameras, asked, to, warnings, asked.sync, not asked.trust_calibration)


def _films(
    paths: List[Path],
    names: List[str],
    cameras: "List[Camera]",
    asked: argparse.Namespace,
    to: Path,
    warnings: Warnings,
    by: str = "auto",
    corrected: bool = True,
) -> None:
    from . import film, several

    films, progress = [], Progress(len(paths))
    for path, name in zip(paths, names):
        finder = estimator.make(
            asked.estimator
        )  # a new one for each video: an estimator follows people from picture to picture
        try:
            films.append(film.film(path, name, finder, warnings, progress=progress))
        finally:
            finder.close()
    write(several.motion(films, cameras, finder.names, warnings, by, corrected), to, warnings)


def _calibrate(asked: argparse.Namespace) -> None:
    from . import boardfilms, boards

    if asked.output.suffix.lower() != ".json" or not asked.each > 0:
        raise Refused("The output must be called .json, and --each must be more than 0 s.")
    found = boardfilms.run(
        asked.inputs, boards.parse(asked.board), asked.output, asked.pictures, asked.each, Warnings()
    )
    for camera, error in zip(found.cameras, found.lens):
        x, y, z = camera.centre
        print(f"{camera.name}: {error:.2f} px by itself, at {x:.3f} {y:.3f} {z:.3f} m")
    print(f"together: {found.together:.2f} px")
