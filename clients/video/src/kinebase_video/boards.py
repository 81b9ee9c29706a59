"""Boards that cameras are calibrated by: ChArUco boards and checkerboards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Protocol, Tuple

import numpy as np
import numpy.typing as npt

from .estimator import Floats, Refused

Grey = npt.NDArray[np.uint8]
Seen = Tuple[Floats, Floats]  # (n, 3) places on the board in m, and (n, 2) in the picture

# Corners that are fewer tell nothing.
_FEWEST = 6


class Board(Protocol):
    def find(self, picture: Grey) -> Optional[Seen]:
        """Give the corners that a picture shows; None where it shows too few."""
        ...


def parse(text: str) -> Board:
    """Read charuco:COLUMNSxROWS:SQUARE:MARKER:DICTIONARY or checkerboard:COLUMNSxROWS:SQUARE, lengths in m."""
    kind, *rest = text.split(":")
    try:
        columns, rows = (int(v) for v in rest[0].split("x"))
        square = float(rest[1])
        if kind == "charuco":
            return Charuco(columns, rows, square, float(rest[2]), rest[3])
        if kind == "checkerboard":
            return Checkerboard(columns, rows, square)
    except (IndexError, ValueError) as wrong:
        raise Refused(
            f"The board {text} is not written as charuco:7x5:0.04:0.03:DICT_4X4_50 or checkerboard:9x6:0.03."
        ) from wrong
    raise Refused(f"There are boards charuco and checkerboard, not {kind}.")


class Charuco:
    """A checkerboard with markers in its light squares: each corner is known by itself, so parts of it are enough."""

    def __init__(self, columns: int, rows: int, square: float, marker: float, dictionary: str) -> None:
        import cv2

        number = getattr(cv2.aruco, dictionary, None)
        if (
            not isinstance(number, int)
            or not dictionary.startswith("DICT_")
            or not 0 < marker < square
            or columns < 2
            or rows < 2
        ):
            raise Refused(
                f"There is no ChArUco board of {columns} × {rows} squares of {square} m with markers of {marker} m of {dictionary}."
            )
        self.board: Any = cv2.aruco.CharucoBoard(
            (columns, rows), square, marker, cv2.aruco.getPredefinedDictionary(number)
        )
        self._detector: Any = cv2.aruco.CharucoDetector(self.board)

    def find(self, picture: Grey) -> Optional[Seen]:
        corners, ids, _, _ = self._detector.detectBoard(picture)
        if ids is None or len(ids) < _FEWEST:
            return None
        places = np.asarray(self.board.getChessboardCorners(), dtype=np.float64)[ids.ravel()]
        if np.linalg.matrix_rank(places[:, :2] - places[0, :2]) < 2:  # all in a line
            return None
        return places, corners.reshape(-1, 2).astype(np.float64)


@dataclass(frozen=True)
class Checkerboard:
    """A checkerboard, by its inner corners. One number is odd and the other even: else it looks alike upside down."""

    columns: int
    rows: int
    square: float

    def __post_init__(self) -> None:
        if min(self.columns, self.rows) < 3 or (self.columns + self.rows) % 2 == 0 or self.square <= 0:
            raise Refused("A checkerboard needs an odd and an even number of inner corners, at least 3, such as 9x6.")

    def find(self, picture: Grey) -> Optional[Seen]:
        import cv2

        found, corners = cv2.findChessboardCornersSB(
            picture, (self.columns, self.rows), flags=cv2.CALIB_CB_NORMALIZE_IMAGE
        )
        if not found:
            return None
        places = corners.reshape(self.rows, self.columns, 2).astype(np.float64)
        if self._light(picture, places, 0) > self._light(
            picture, places, 1
        ):  # the first square is dark, whichever way it is held
            places = places[::-1, ::-1]
        x, y = np.meshgrid(np.arange(self.columns), np.arange(self.rows))
        board = self.square * np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
        return board, places.reshape(-1, 2)

    def _light(self, picture: Grey, places: Floats, column: int) -> float:
        middle = places[:2, column : column + 2].mean(axis=(0, 1))
        x, y = (int(round(v)) for v in middle)
        part = picture[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3]
        return float(part.mean()) if part.size else 0.0
