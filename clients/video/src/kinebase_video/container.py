"""The times of the pictures of an MP4 or QuickTime file, as the file's own index has them.

The index (ISO/IEC 14496-12) lists how long each picture lasts in the order of decoding (stts), how
far each is shown later than that (ctts), and which part players show (elst).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO, Iterator, List, Optional, Tuple

_INSIDE = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts"}
_MOST = 10_000_000  # pictures of a file: days of them


@dataclass(frozen=True)
class Index:
    """The pictures that players show, in the order of their times."""

    times: Tuple[float, ...]  # seconds from the first one shown
    pictures: int  # in the file, those too that are not shown
    cut: bool  # players show a part alone
    pause: float  # seconds for which players show nothing before the first picture


@dataclass
class _Track:
    handler: bytes = b""
    scale: int = 0
    lasts: List[Tuple[int, int]] = field(default_factory=list)  # count, ticks
    later: List[Tuple[int, int]] = field(default_factory=list)
    edits: List[Tuple[int, int]] = field(default_factory=list)  # ticks of the movie, start in ticks of the track


def read(path: Path) -> Optional[Index]:
    """Give the times; None where the index is not one that this reads, as of a file in fragments."""
    tracks: List[_Track] = []
    movie = [0]
    try:
        with open(path, "rb") as file:
            end = file.seek(0, 2)
            _walk(file, 0, end, tracks, movie)
    except (struct.error, ValueError):
        return None
    seen = [t for t in tracks if t.handler == b"vide" and t.scale > 0 and t.lasts]
    if not seen:
        return None
    return _index(max(seen, key=lambda t: sum(n for n, _ in t.lasts)), movie[0])


def _boxes(file: BinaryIO, start: int, end: int) -> Iterator[Tuple[bytes, int, int]]:
    at = start
    while at + 8 <= end:
        file.seek(at)
        size, kind = struct.unpack(">I4s", file.read(8))
        content = at + 8
        if size == 1:
            (size,) = struct.unpack(">Q", file.read(8))
            content += 8
        elif size == 0:
            size = end - at
        if size < content - at:
            raise ValueError("a box is shorter than its head")
        yield kind, content, min(at + size, end)
        at += size


def _walk(file: BinaryIO, start: int, end: int, tracks: List[_Track], movie: List[int]) -> None:
    for kind, begin, stop in _boxes(file, start, end):
        if kind == b"trak":
            tracks.append(_Track())
        if kind in _INSIDE:
            _walk(file, begin, stop, tracks, movie)
        elif kind == b"mvhd":
            movie[0] = _scale(file, begin)
        elif tracks:
            _take(file, kind, begin, stop, tracks[-1])


def _scale(file: BinaryIO, begin: int) -> int:
    file.seek(begin)
    (version,) = struct.unpack(">B3x", file.read(4))
    file.seek(begin + (20 if version == 1 else 12))
    (scale,) = struct.unpack(">I", file.read(4))
    return int(scale)


def _take(file: BinaryIO, kind: bytes, begin: int, stop: int, track: _Track) -> None:
    if kind == b"mdhd":
        track.scale = _scale(file, begin)
    elif kind == b"hdlr" and not track.handler:
        file.seek(begin + 8)
        handler = file.read(4)
        track.handler = b"" if handler in (b"alis", b"url ") else handler
    elif kind == b"stts":
        track.lasts = [(n, t) for n, t in _pairs(file, begin, stop, "II") if t < 1 << 31]
    elif kind == b"ctts":
        track.later = _pairs(file, begin, stop, "Ii")
    elif kind == b"elst":
        file.seek(begin)
        (version,) = struct.unpack(">B3x", file.read(4))
        track.edits = _pairs(file, begin, stop, "Qq4x" if version == 1 else "Ii4x")


def _pairs(file: BinaryIO, begin: int, stop: int, form: str) -> List[Tuple[int, int]]:
    file.seek(begin + 4)
    (count,) = struct.unpack(">I", file.read(4))
    wide = struct.calcsize(">" + form)
    count = min(count, (stop - begin - 8) // wide)
    return [(a, b) for a, b in struct.iter_unpack(">" + form, file.read(count * wide))]


def _spread(runs: List[Tuple[int, int]]) -> List[int]:
    if sum(n for n, _ in runs) > _MOST:
        raise ValueError("too many pictures")
    return [value for n, value in runs for _ in range(n)]


def _index(track: _Track, movie: int) -> Optional[Index]:
    try:
        lasts, later = _spread(track.lasts), _spread(track.later)
    except ValueError:
        return None
    times, at = [], 0
    for i, ticks in enumerate(lasts):
        times.append(at + (later[i] if i < len(later) else 0))
        at += ticks
    times.sort()
    pause, shown = Fraction(0), times
    parts = (
        [(start, Fraction(ticks * track.scale, movie)) for ticks, start in track.edits if start >= 0] if movie else []
    )
    for ticks, start in track.edits:
        if start >= 0 or not movie:
            break
        pause += Fraction(ticks, movie)
    if len(parts) > 1:
        return None  # several parts put together: the decoder's own times count
    for start, lasts_for in parts:
        shown = [t for t in times if t >= start and (lasts_for == 0 or t < start + lasts_for)]
    if not shown:
        return None
    first = shown[0]
    return Index(tuple((t - first) / track.scale for t in shown), len(times), len(shown) < len(times), float(pause))
