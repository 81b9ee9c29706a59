"""The command calibrate: videos of a board in, cameras and pictures of what was found out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

import numpy as np

from . import calibrate, calibration
from .boards import Board
from .cameras import Camera
from .decode import Video
from .estimator import Refused
from .warn import Warnings


def run(
    paths: Sequence[Path], board: Board, to: Path, pictures: Path, each: float, warnings: Warnings
) -> calibrate.Calibrated:
    """Calibrate by videos that begin together, looking at a picture each so many seconds."""
    views: List[calibrate.Views] = []
    cameras: List[Camera] = []
    errors: List[float] = []
    pictures.mkdir(parents=True, exist_ok=True)
    for path in paths:
        seen, size = _look(path, board, pictures / f"{path.stem}.png", each, warnings)
        camera, error = calibrate.lens(path.stem, size, seen)
        views.append(seen)
        cameras.append(camera)
        errors.append(error)
    found = calibrate.together(cameras, errors, views)
    told: Dict[str, Any] = {
        "cameras": [{**calibration.form(c), "error_px": round(e, 3)} for c, e in zip(found.cameras, found.lens)],
        "error_px": round(found.together, 3),
        "warnings": warnings.list(),
    }
    to.write_text(json.dumps(told, indent=1), encoding="utf-8")
    return found


def _look(
    path: Path, board: Board, picture: Path, each: float, warnings: Warnings
) -> Tuple[calibrate.Views, Tuple[int, int]]:
    """Find the board, and draw all corners that were found over the last picture that shows it."""
    import cv2

    video, seen, shown = Video(path, warnings), {}, None
    next_moment = 0
    for image, seconds in video.pictures():
        moment = int(round(seconds / each))
        if moment < next_moment:
            continue
        next_moment = moment + 1
        found = board.find(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8))
        if found is not None:
            seen[moment], shown = found, image
    if shown is None:
        raise Refused(
            f"The board is to be seen in no picture of {path.name}. Check its kind, its squares and its dictionary."
        )
    for _, places in seen.values():
        for x, y in places:
            cv2.circle(shown, (int(round(x)), int(round(y))), max(2, max(shown.shape) // 400), (0, 200, 0), -1)
    cv2.imwrite(str(picture), shown)
    return seen, video.size
