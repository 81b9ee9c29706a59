"""Cameras that are calibrated: where points of the room are in their pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import List, Sequence, Tuple

import numpy as np

from .estimator import Floats


@dataclass(frozen=True)
class Camera:
    """A camera as OpenCV has it: x to the right, y down, z ahead; a point X of the room is at rotation · X + translation."""

    name: str
    matrix: Floats  # (3, 3) pixels, of the undistorted picture
    distortions: Floats  # k1 k2 p1 p2 k3
    rotation: Floats  # (3, 3)
    translation: Floats  # (3,) m
    size: Tuple[int, int]  # width and height of the picture in pixels

    @property
    def centre(self) -> Floats:
        """Give where the camera is in the room, in m."""
        return np.asarray(-self.rotation.T @ self.translation)

    @property
    def focal(self) -> float:
        return float((self.matrix[0, 0] + self.matrix[1, 1]) / 2)

    def rays(self, places: Floats) -> Floats:
        """Give (…, 2) directions, as places in a plane 1 m ahead, of places in the picture; missing ones stay missing."""
        import cv2

        flat = places.reshape(-1, 1, 2).astype(np.float64)
        known = np.isfinite(flat).all(axis=(1, 2))
        out = np.full_like(flat, np.nan)
        if known.any():
            out[known] = cv2.undistortPoints(flat[known], self.matrix, self.distortions)
        return np.asarray(out.reshape(places.shape))

    def project(self, points: Floats) -> Floats:
        """Give (…, 2) pixels of points of the room."""
        import cv2

        flat = np.ascontiguousarray(points.reshape(-1, 3), dtype=np.float64)
        known = np.isfinite(flat).all(axis=1)
        out = np.full((len(flat), 2), np.nan)
        if known.any():
            rotation, _ = cv2.Rodrigues(self.rotation)
            out[known] = cv2.projectPoints(flat[known], rotation, self.translation, self.matrix, self.distortions)[
                0
            ].reshape(-1, 2)
        return out.reshape(*points.shape[:-1], 2)

    def moved(self, turn: Floats, shift: Floats) -> "Camera":
        """Give the camera turned by a vector of rad about its own axes, and shifted by m in the room."""
        import cv2

        rotation = cv2.Rodrigues(np.asarray(turn, dtype=np.float64))[0] @ self.rotation
        return replace(self, rotation=rotation, translation=np.asarray(-rotation @ (self.centre + shift)))


def rays(cameras: Sequence[Camera], places: Floats) -> Floats:
    """Give (cameras, …, 2) directions of places in the pictures."""
    return np.stack([c.rays(p) for c, p in zip(cameras, places)])


def seen_at(cameras: Sequence[Camera], points: Floats) -> Floats:
    """Give (cameras, …, 2) directions in which points of the room are; those behind a camera are missing."""
    all: List[Floats] = []
    for c in cameras:
        ahead = points @ c.rotation.T + c.translation
        depth = np.where(ahead[..., 2:] > 0, ahead[..., 2:], np.nan)
        all.append(ahead[..., :2] / depth)
    return np.stack(all)
