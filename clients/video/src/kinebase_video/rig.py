"""The videos of several cameras, as Kinebase hands them over: a file .cameras beside them."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional

from . import calibration
from .cameras import Camera
from .estimator import Refused
from .warn import Warnings


@dataclass(frozen=True)
class View:
    path: Path
    name: str  # of the video, without its ending
    camera: Camera


def read(path: Path, warnings: Warnings) -> List[View]:
    """Read the file: the calibration of all cameras together, or that of each video. The error is Refused."""
    told: Dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    videos = told["videos"]
    names = _distinct([Path(v["name"]).stem for v in videos])
    together = told.get("calibration")
    if together:
        cameras = calibration.assigned(_together(path.parent, together, warnings), names)
    else:
        cameras = calibration.in_metres([_own(v, name) for v, name in zip(videos, names)], warnings)
    return [View(path.parent / v["file"], name, camera) for v, name, camera in zip(videos, names, cameras)]


def _together(folder: Path, told: Mapping[str, str], warnings: Warnings) -> List[Camera]:
    name = Path(told["name"]).name
    file = folder / f"calibration{Path(name).suffix}"
    file.write_text(told["text"], encoding="utf-8")
    try:
        return calibration.read([file], warnings, name)
    finally:
        file.unlink()


def _own(video: Mapping[str, Any], name: str) -> Camera:
    """Give the camera of a video, as the file has it or its camera_configuration, itself or in calibration."""
    set_up: Mapping[str, Any] = video.get("camera_configuration") or {}
    told: Optional[Mapping[str, Any]] = video.get("camera") or set_up.get("calibration") or (set_up if "matrix" in set_up else None)
    if not told:
        raise Refused(f"Nothing says where the camera of {name} was: neither the file of the cameras nor the camera_configuration of the video.")
    try:
        return replace(calibration.ours(told, name), name=name)
    except KeyError as missing:
        raise Refused(f"The camera of {name} lacks {missing}.") from missing
    except (ValueError, TypeError) as wrong:
        raise Refused(f"The camera of {name} cannot be used: {wrong}.") from wrong


def _distinct(names: List[str]) -> List[str]:
    return [name if names.count(name) == 1 else f"{name}_{i + 1}" for i, name in enumerate(names)]
