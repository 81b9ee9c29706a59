"""Captures: made of _async/ by mirror.py, and not written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union, cast

from .. import _flows as flows
from .._errors import CaptureFailed, KinebaseError
from .._flow import Progress, names
from .._together import Sent, together
from .._types import CAPTURE, COLUMN, Capture, ColumnUse, Processing
from .rows import Frames, Items

if TYPE_CHECKING:
    from .client import Client


class Captures:
    """The captures of the organization."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(
        self,
        *,
        athlete_id: Optional[str] = None,
        source: Optional[str] = None,
        status: Optional[str] = None,
        activity: Optional[str] = None,
        movement: Optional[str] = None,
        captured_from: Any = None,
        captured_to: Any = None,
        q: Optional[str] = None,
        include: Union[str, Sequence[str]] = (),
        order: Optional[str] = None,
        page_size: int = 500,
    ) -> Items[Capture]:
        """Captures, newest first; ``order="oldest"`` reads the list backwards. One that is linked to several athletes has a row for each.

        ``captured_from`` and ``captured_to`` are dates, times or ISO 8601 texts, the second one left out.
        ``include`` adds columns: ``file``, ``athlete``, ``warnings``, ``updated``.
        """
        params = dict(
            athlete_id=athlete_id, source=source, status=status, activity=activity, movement=movement,
            captured_from=captured_from, captured_to=captured_to, q=q, include=["next", *(names(include) or [])], order=order,
            limit=page_size,
        )  # fmt: skip
        return Items(self._client, "/captures", "captures", params, CAPTURE)

    def get(self, capture: str) -> Capture:
        """One capture."""
        return cast(Capture, self._client.run(flows.get(f"/captures/{flows.part(capture)}", self._client.retry)))

    def motion(self, capture: str) -> Dict[str, Any]:
        """What a recording has: channels, events, metrics, warnings, what was computed and why not."""
        return cast(
            Dict[str, Any],
            self._client.run(flows.get(f"/captures/{flows.part(capture)}/motion", self._client.retry)),
        )

    def processing(self, capture: str) -> Processing:
        """How far the processing of a capture's file is, and how long the rest is expected to take."""
        path = f"/captures/{flows.part(capture)}/processing"
        return cast(Processing, (self._client.run(flows.get(path, self._client.retry)))["processing"])

    def columns(
        self,
        *,
        activity: Optional[str] = None,
        movement: Optional[str] = None,
        kind: Optional[str] = None,
        q: Optional[str] = None,
        page_size: int = 500,
    ) -> Items[ColumnUse]:
        """The columns that recordings have, by activity and movement, and how many captures have each.

        ``kind`` is that of a channel, or ``event``, ``metric`` or ``text``; ``q`` is part of the name.
        """
        params = dict(activity=activity, movement=movement, kind=kind, q=q, limit=page_size)
        return Items(self._client, "/columns", "columns", params, COLUMN)

    def frames(
        self,
        capture: str,
        *,
        channels: Union[str, Sequence[str], None] = None,
        start: int = 0,
        stop: Optional[int] = None,
        every: int = 1,
        rows: str = "frames",
    ) -> Frames:
        """The numbers of a recording: ``channels`` by name or pattern (``"R*"``), rows from ``start``
        to before ``stop``. ``rows="samples"`` gives a row a sample of what is faster than frames.
        However long a recording is: it is read in as many calls as it needs."""
        params = dict(channels=names(channels), from_=start, to=stop, every=every, rows=rows)
        return Frames(self._client, capture, params)

    def upload(
        self, path: str, *, progress: Optional[Progress] = None, wait: bool = True, **said: Any
    ) -> Capture:
        """Send a motion file or video, and wait until it has been read. One of more than 1 MiB goes in pieces, and goes
        on where it was when a connection breaks.

        ``said`` are ``athlete_ids``, ``activity``, ``movement``, ``dimensions``, ``session_group_id``,
        ``camera_configuration`` and ``capture_time``. A file that cannot be read raises
        :class:`CaptureFailed` with the reason.
        """
        return cast(
            Capture,
            self._client.run(flows.upload(str(path), flows.captured(**said), progress, wait, self._client.retry)),
        )

    def upload_folder(
        self, folder: str, *, at_once: int = 4, progress: Optional[Progress] = None, **said: Any
    ) -> List[Sent]:
        """Send all motion files below a folder, several at once, and say what became of each.

        ``progress`` is told how many files are done and how many there are.
        """

        def one(path: str) -> Sent:
            try:
                return Sent(path, self.upload(path, **said), None)
            except (KinebaseError, CaptureFailed, OSError) as error:
                return Sent(path, None, error)

        return together(one, list(flows.motion_files(str(folder))), at_once, progress)

    def delete(self, capture: str) -> None:
        """Erase a capture and its files."""
        self._client.run(flows.delete(f"/captures/{flows.part(capture)}", self._client.retry))
