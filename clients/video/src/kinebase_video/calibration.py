"""Calibrations in the forms of Qualisys, Pose2Sim, Anipose, OpenCV and our own."""

from __future__ import annotations

import json
import tomllib
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any, Dict, List, Mapping, Sequence, Tuple

import numpy as np

from .cameras import Camera
from .estimator import Floats, Refused
from .warn import Warnings

# Cameras that are further apart than so many units are not in m but in mm.
_FAR = 100.0
# No number of a calibration is as large as this.
_LARGEST = 1e9
# No picture is wider or higher than so many pixels.
_WIDEST = 1 << 20
# A picture may be larger or smaller than the calibrated one by this part and count as cut.
_CUT = 0.02


def read(paths: Sequence[Path], warnings: Warnings, called: str = "") -> List[Camera]:
    """Read one file with all cameras, or a file a camera. called is its name for people. The error is Refused."""
    cameras: List[Camera] = []
    for path in paths:
        try:
            cameras += _forms[path.suffix.lower()](path)
        except KeyError as missing:
            if missing.args and missing.args[0] == path.suffix.lower():
                raise Refused(
                    f"A calibration is a file .xml, .txt, .toml, .json, .yml or .yaml, not {called or path.name}."
                ) from missing
            raise Refused(f"The calibration {called or path.name} lacks {missing}.") from missing
        except (
            OSError,
            ValueError,
            TypeError,
            OverflowError,
            RecursionError,
            ElementTree.ParseError,
            tomllib.TOMLDecodeError,
        ) as wrong:
            raise Refused(f"The calibration {called or path.name} cannot be read: {wrong}.") from wrong
    if len(cameras) < 2:
        raise Refused(f"The calibration has {len(cameras)} camera, and motion in metres needs two or more.")
    return in_metres(cameras, warnings)


def ours(told: Any, name: str) -> Camera:
    """Read a camera in our own form: matrix, distortions, rotation, translation in m, size. An error names the field."""
    if not isinstance(told, Mapping):
        raise ValueError(f"{name} is no object with fields")
    matrix = numbers(told, "matrix")
    if matrix.shape != (3, 3) or matrix[0, 0] <= 0 or matrix[1, 1] <= 0:
        raise ValueError("a matrix has three rows of three numbers, with focal lengths above 0")
    translation = numbers(told, "translation").reshape(-1)
    if translation.shape != (3,):
        raise ValueError("a translation has three numbers")
    size = numbers(told, "size").reshape(-1)
    if size.shape != (2,) or not (size >= 1).all() or not (size <= _WIDEST).all():
        raise ValueError(f"a size has two numbers from 1 to {_WIDEST}")
    if told.get("fisheye"):
        raise ValueError("lenses of the kind fisheye are not known here")
    distortions = _distortions(numbers(told, "distortions") if "distortions" in told else np.zeros(0))
    return Camera(
        str(told.get("name", name)),
        matrix,
        distortions,
        _rotation(numbers(told, "rotation")),
        translation,
        (int(size[0]), int(size[1])),
    )


def numbers(told: Mapping[str, Any], field: str) -> Floats:
    """Give the numbers of a field."""
    try:
        values = np.array(told[field], dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as wrong:
        raise ValueError(f"{field} has something else than numbers, or rows of different lengths") from wrong
    if not (np.abs(values) < _LARGEST).all():
        raise ValueError(f"{field} has something else than numbers below {_LARGEST:.0e}")
    return values


def form(camera: Camera) -> Dict[str, Any]:
    """Write a camera in our own form."""
    return {
        "name": camera.name,
        "size": list(camera.size),
        "matrix": camera.matrix.tolist(),
        "distortions": camera.distortions.tolist(),
        "rotation": camera.rotation.tolist(),
        "translation": camera.translation.tolist(),
    }


def _distortions(values: Floats) -> Floats:
    flat = values.reshape(-1)
    if len(flat) > 5 and np.any(flat[5:] != 0):
        raise ValueError("lenses with more than five distortions are not known here")
    return np.concatenate([flat[:5], np.zeros(max(0, 5 - len(flat)))])


def _rotation(rotation: Floats) -> Floats:
    import cv2

    if rotation.size == 3:
        rotation = np.asarray(cv2.Rodrigues(rotation.reshape(3))[0], dtype=np.float64)
    only = (
        rotation.shape == (3, 3)
        and np.abs(rotation).max() < 2
        and np.abs(rotation @ rotation.T - np.eye(3)).max() <= 1e-3
        and np.linalg.det(rotation) > 0
    )
    if not only:
        raise ValueError("a rotation is a vector of three numbers or a matrix that only turns")
    return rotation


def _json(path: Path) -> List[Camera]:
    told = json.loads(path.read_text(encoding="utf-8"))
    listed = told["cameras"] if isinstance(told, dict) and "cameras" in told else [told]
    if not isinstance(listed, list):
        raise ValueError("cameras is no list")
    return [ours(c, f"camera {i + 1}") for i, c in enumerate(listed)]


def _toml(path: Path) -> List[Camera]:
    """Read Pose2Sim's and Anipose's form: a table a camera."""
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    return [ours(c, key) for key, c in told.items() if isinstance(c, dict) and "matrix" in c]


def _qualisys(path: Path) -> List[Camera]:
    """Read Qualisys' form: lengths in mm, intrinsics in 1/64 pixel; its cameras look along -z with y up."""
    cameras: List[Camera] = []
    for each in ElementTree.parse(path).getroot().iter("camera"):
        place, inner, film = each.find("transform"), each.find("intrinsic"), each.find("fov_video")
        if place is None or inner is None or film is None:
            raise ValueError("a camera has no transform, no intrinsic or no fov_video")
        t, i, f = (_Values(each.attrib) for each in (place, inner, film))
        turned = np.array([[t[f"r{a}{b}"] for b in (1, 2, 3)] for a in (1, 2, 3)])
        rotation = np.diag([1.0, -1.0, -1.0]) @ turned
        centre = np.array([t["x"], t["y"], t["z"]]) / 1000
        matrix = np.array(
            [
                [i["focalLengthU"] / 64, 0, i["centerPointU"] / 64],
                [0, i["focalLengthV"] / 64, i["centerPointV"] / 64],
                [0, 0, 1],
            ]
        )
        lens = [
            i[name]
            for name in ("radialDistortion1", "radialDistortion2", "tangentalDistortion1", "tangentalDistortion2")
        ]
        lens.append(i["radialDistortion3"] if "radialDistortion3" in inner.attrib else 0.0)
        size = (round(f["right"] - f["left"]) + 1, round(f["bottom"] - f["top"]) + 1)
        told = {
            "matrix": matrix,
            "distortions": lens,
            "rotation": rotation,
            "translation": -rotation @ centre,
            "size": size,
        }
        cameras.append(ours(told, each.attrib.get("serial", f"camera {len(cameras) + 1}")))
    return cameras


class _Values:
    """Attributes that are numbers. One that is none is an error that names it."""

    def __init__(self, attributes: Mapping[str, str]) -> None:
        self.attributes = attributes

    def __getitem__(self, name: str) -> float:
        try:
            value = float(self.attributes[name])
        except ValueError as wrong:
            raise ValueError(f"{name} is {self.attributes[name]!r} and no number") from wrong
        if not abs(value) < _LARGEST:
            raise ValueError(f"{name} is no number below {_LARGEST:.0e}")
        return value


# The names that programs give to what OpenCV finds.
_OPENCV: Dict[str, Tuple[str, ...]] = {
    "matrix": ("camera_matrix", "cameraMatrix", "K", "M", "matrix"),
    "distortions": ("distortion_coefficients", "dist_coeffs", "distCoeffs", "D", "dist", "distortions"),
    "rotation": ("rvec", "R", "rotation", "rotation_matrix", "rotation_vector"),
    "translation": ("tvec", "T", "t", "translation", "translation_vector"),
}


def _opencv(path: Path) -> List[Camera]:
    """Read a file of OpenCV's FileStorage, of one camera."""
    import cv2

    path.stat()  # OpenCV does not tell a missing file from another one
    try:
        return [ours(_stored(path), path.stem)]
    except (cv2.error, SystemError) as wrong:
        raise ValueError("it is no file of OpenCV's, or a number in it is out of range") from wrong


def _stored(path: Path) -> Dict[str, Any]:
    """Give the fields of our own form that a file of OpenCV's has."""
    import cv2

    store = cv2.FileStorage(str(path), cv2.FILE_STORAGE_READ)
    if not store.isOpened():
        raise ValueError("it is no file of OpenCV's")
    found: Dict[str, Any] = {"name": path.stem}
    for key, names in _OPENCV.items():
        nodes = [store.getNode(name) for name in names]
        given = [(name, n) for name, n in zip(names, nodes) if not n.empty()]
        if not given:
            raise KeyError(key)
        name, node = given[0]
        try:
            found[key] = node.mat() if node.isMap() else None
        except (cv2.error, SystemError) as wrong:
            raise ValueError(f"{name} is no matrix") from wrong
        if found[key] is None:
            raise ValueError(f"{name} is no matrix")
    found["size"] = []
    for name in ("image_width", "image_height"):
        node = store.getNode(name)
        if node.empty():
            raise KeyError(name)
        if not node.isInt() and not node.isReal():
            raise ValueError(f"{name} is no number")
        found["size"].append(node.real())
    return found


_forms = {".json": _json, ".toml": _toml, ".xml": _qualisys, ".txt": _qualisys, ".yml": _opencv, ".yaml": _opencv}


def in_metres(cameras: List[Camera], warnings: Warnings) -> List[Camera]:
    """Bring cameras to m that are so far apart that they must be in mm. The error is Refused."""
    apart = max(float(np.linalg.norm(a.centre - b.centre)) for a, b in combinations(cameras, 2))
    if apart < 0.01:
        raise Refused("All cameras of the calibration are in one place, so that nothing can be located.")
    if apart <= _FAR:
        return cameras
    warnings.add(
        "calibration-scaled", f"The cameras of the calibration are {apart:.0f} units apart, which were taken for mm."
    )
    return [replace(c, translation=c.translation / 1000) for c in cameras]


def fitted(camera: Camera, size: Tuple[int, int], warnings: Warnings) -> Camera:
    """Give the camera for pictures of another size: made smaller or larger, or cut by a little at their right or lower edge."""
    if size == camera.size:
        return camera
    wide, high = size[0] / camera.size[0], size[1] / camera.size[1]
    if max(abs(wide - 1), abs(high - 1)) <= _CUT:
        warnings.add(
            "size-differs",
            f"The pictures of {camera.name} are {size[0]} × {size[1]} and its calibration is for {camera.size[0]} × {camera.size[1]}; they were taken for cut.",
        )
        return replace(camera, size=size)
    if abs(wide / high - 1) > 0.005:
        raise Refused(
            f"The pictures of {camera.name} are {size[0]} × {size[1]}, and its calibration is for {camera.size[0]} × {camera.size[1]}."
        )
    matrix = np.diag([wide, high, 1.0]) @ camera.matrix
    matrix[:2, 2] += 0.5 * (np.array([wide, high]) - 1)  # pixels count from the middle of the first
    return replace(camera, matrix=matrix, size=size)


def assigned(cameras: Sequence[Camera], names: Sequence[str]) -> List[Camera]:
    """Give the camera of each video: by the names, where they are those of the cameras, and else by their order."""
    by_name = {c.name: c for c in cameras}
    if all(name in by_name for name in names):
        return [by_name[name] for name in names]
    if len(cameras) != len(names):
        raise Refused(
            f"There are {len(names)} videos, and the calibration has {len(cameras)} cameras whose names are others."
        )
    return list(cameras)
