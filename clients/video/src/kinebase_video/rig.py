"""The videos of several cameras, as Kinebase hands them over: a file .cameras beside them."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, List, Mapping, Optional

from . import calibration
from .cameras import Camera
from .estimator import Refused
from .warn import Warnings


@dataclass(frozen=True)
class View:
    path: Path
    name: str  # of the video, without its ending
    camera: Camera


# How clocks are compared: the videos begin together, wrists and ankles tell, or they do where they are certain.
SYNC = ("auto", "time", "speed")


@dataclass(frozen=True)
class Rig:
    views: List[View]
    sync: str  # how clocks are compared; "" where the file does not say


def read(path: Path, warnings: Warnings) -> Rig:
    """Read the file: the calibration of all cameras together, or that of each video. The error is Refused and names the field."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as wrong:
        raise Refused(f"The file of the cameras cannot be read: {wrong}.") from wrong
    if not isinstance(told, dict):
        raise Refused("The file of the cameras is no object with the field videos.")
    sync = told.get("sync", "")
    if sync and sync not in SYNC:
        raise Refused(f"The field sync of the file of the cameras must be one of {', '.join(SYNC)}.")
    videos = _videos(told)
    names = _distinct([Path(v["name"]).stem for v in videos])
    return Rig(_views(path, told.get("calibration"), videos, names, warnings), sync)


def _videos(told: Mapping[str, Any]) -> List[Mapping[str, Any]]:
    """Give the videos, each with its file and its name."""
    videos = told.get("videos")
    if not isinstance(videos, list) or len(videos) < 2:
        raise Refused("The field videos of the file of the cameras must be a list of two videos or more.")
    for i, video in enumerate(videos):
        for field in ("file", "name"):
            if not isinstance(video, dict) or not isinstance(video.get(field), str) or not video[field]:
                raise Refused(f"The field {field} of video {i + 1} in the file of the cameras must be a text.")
        for field in ("camera", "camera_configuration"):
            if not isinstance(video.get(field) or {}, dict):
                raise Refused(f"The field {field} of video {i + 1} in the file of the cameras must be an object.")
    return videos


def _views(
    path: Path, together: Any, videos: List[Mapping[str, Any]], names: List[str], warnings: Warnings
) -> List[View]:
    if together:
        if not isinstance(together, dict) or not all(
            isinstance(together.get(field), str) for field in ("name", "text")
        ):
            raise Refused(
                "The field calibration of the file of the cameras must be an object with the texts name and text."
            )
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
    told: Optional[Mapping[str, Any]] = (
        video.get("camera") or set_up.get("calibration") or (set_up if "matrix" in set_up else None)
    )
    if not told:
        raise Refused(
            f"Nothing says where the camera of {name} was: neither the file of the cameras nor the camera_configuration of the video."
        )
    try:
        return replace(calibration.ours(told, "it"), name=name)
    except KeyError as missing:
        raise Refused(f"The camera of {name} lacks {missing}.") from missing
    except (ValueError, TypeError, OverflowError) as wrong:
        raise Refused(f"The camera of {name} cannot be used: {wrong}.") from wrong


def _distinct(names: List[str]) -> List[str]:
    return [name if names.count(name) == 1 else f"{name}_{i + 1}" for i, name in enumerate(names)]
