"""Made-up videos: boxes of an MP4 file without pictures, and small pictures that OpenCV writes."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import List, Optional, Sequence, Tuple

import cv2
import numpy as np


def box(kind: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I4s", 8 + len(body), kind) + body


def words(*values: int) -> bytes:
    return b"".join(struct.pack(">I", v & 0xFFFFFFFF) for v in values)


def index(
    lasts: Sequence[Tuple[int, int]],
    later: Sequence[Tuple[int, int]] = (),
    edits: Sequence[Tuple[int, int]] = (),
    scale: int = 600,
    movie: int = 1000,
    handler: bytes = b"vide",
) -> bytes:
    """An MP4 file that is nothing but its index."""

    def table(kind: bytes, rows: Sequence[Tuple[int, ...]]) -> bytes:
        return box(kind, words(0, len(rows)), *(words(*row) for row in rows)) if rows else b""

    media = box(
        b"mdia",
        box(b"mdhd", words(0, 0, 0, scale, 0, 0)),
        box(b"hdlr", words(0, 0), handler, words(0, 0, 0)),
        box(b"minf", box(b"stbl", table(b"stts", lasts), table(b"ctts", later))),
    )
    track = box(b"trak", box(b"edts", table(b"elst", [(a, b, 0x10000) for a, b in edits])), media)
    return box(b"ftyp", b"isom", words(0)) + box(b"moov", box(b"mvhd", words(0, 0, 0, movie, 0, 0)), track)


def film(path: Path, pictures: List[np.ndarray], rate: float = 25.0) -> Path:
    height, width = pictures[0].shape[:2]
    out = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), rate, (width, height))
    for picture in pictures:
        out.write(picture)
    out.release()
    return path


def change(path: Path, kind: bytes, at: int, what: bytes, then: Optional[bytes] = None) -> None:
    """Overwrite bytes of the first box of a kind, counted from behind its head."""
    raw = bytearray(path.read_bytes())
    where = raw.index(kind) + 4 + at
    raw[where : where + len(what)] = what
    path.write_bytes(bytes(raw))
