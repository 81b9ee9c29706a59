"""The synchronous client: made of _async.py by mirror.py, and not written by hand."""

from __future__ import annotations

import time
from typing import (
    TYPE_CHECKING,
    Any,
    Iterator,
    Awaitable,
    Callable,
    Dict,
    Generic,
    List,
    Mapping,
    Optional,
    Sequence,
    TypeVar,
    Union,
    cast,
)

import httpx

from . import _flows as flows
from . import _tables as tables
from ._errors import CaptureFailed, KinebaseError
from ._flow import Answer, Call, Flow, Progress, Retry, Sleep, body, lost, names
from ._together import Sent, together
from ._transport import Place, answer, content, size
from ._types import (
    ATHLETE,
    CAPTURE,
    COLUMN,
    JOB,
    Athlete,
    Capture,
    ChangePage,
    ColumnUse,
    Estimate,
    Job,
    Processing,
    Share,
    Shared,
    Skeleton,
)

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

T = TypeVar("T")


class Client:
    """A Kinebase server, seen with one token.

    Without arguments the environment names them: ``KINEBASE_URL`` and ``KINEBASE_TOKEN``. It may
    be used by several threads at once. ``timeout`` is in seconds and bounds each wait for the
    network, not a whole download.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        retry: Retry = Retry(),
        timeout: float = 120.0,
        transport: Optional[httpx.BaseTransport] = None,
        sleep: Callable[[float], None] = time.sleep,
        _secret: str = "",
    ) -> None:
        self._place = Place(url, token, _secret)
        self._http = httpx.Client(timeout=timeout, transport=transport)
        self._sleep = sleep
        self.retry = retry
        self.captures = Captures(self)
        self.athletes = Athletes(self)
        self.exports = Exports(self)
        self.shares = Shares(self)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *why: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def export(self, **request: Any) -> "Export":
        """An export of what the arguments choose; see :meth:`Exports.new`."""
        return self.exports.new(**request)

    def changes(
        self,
        after: Optional[str] = None,
        *,
        kinds: Union[str, Sequence[str]] = (),
        objects: bool = False,
        wait: int = 0,
        page_size: int = 500,
    ) -> Iterator[ChangePage]:
        """What changed since the cursor ``after``, page by page; all that there is without one.

        ``kinds`` are ``capture``, ``athlete`` and ``export``. With ``objects`` each change has its object as it is now.
        The pages end where nothing more has changed; with ``wait``, up to 30 seconds, they never end, and each waits as
        long for a change. A cursor that is too old raises :class:`Gone`.
        """
        params = dict(
            kind=names(kinds) or None, include="object" if objects else None, wait=wait or None, limit=page_size
        )
        while True:
            page = cast(ChangePage, self.run(flows.get("/changes", self.retry, after=after, **params)))
            yield page
            after = page["cursor"]
            if not page["more"] and not wait:
                return

    def skeletons(self) -> List[Skeleton]:
        """The sets of bones of the organization."""
        said = self.run(flows.get("/skeletons", self.retry))
        return cast(List[Skeleton], said["skeletons"])

    def run(self, flow: Flow[T]) -> T:
        """Do what a flow asks for."""
        result: Any = None
        while True:
            try:
                effect = flow.send(result)
            except StopIteration as end:
                return cast(T, end.value)
            if isinstance(effect, Sleep):
                self._sleep(effect.seconds)
                result = None
                continue
            try:
                result = self._perform(effect)
            except httpx.TransportError as error:
                result = lost(error, effect, self._place.request(effect)[0])

    def _perform(self, call: Call) -> Answer:
        url, headers = self._place.request(call)
        file = None if call.file is None else open(call.file, "rb")
        try:
            with self._http.stream(
                call.method, url, params=list(call.params), headers=headers, **content(call, file)
            ) as response:
                if call.save is None or response.status_code >= 400:
                    return answer(response, response.read())
                done, all_of_it = 0, size(response.headers)
                with open(call.save, "wb") as to:
                    for piece in response.iter_bytes():
                        to.write(piece)
                        done += len(piece)
                        if call.progress is not None:
                            call.progress(done, all_of_it)
                return answer(response, b"")
        finally:
            if file is not None:
                file.close()


class Table:
    """What can be had as a table. Times are timestamps in UTC, and nothing is read until a form is asked for."""

    def _table(self) -> tables.Table:
        raise NotImplementedError

    def to_pandas(self) -> "pandas.DataFrame":
        """All of it as a pandas frame."""
        tables.need("pandas")
        return (self._table()).pandas()

    def to_polars(self) -> "polars.DataFrame":
        """All of it as a polars frame."""
        tables.need("polars")
        return (self._table()).polars()

    def to_arrow(self) -> "pyarrow.Table":
        """All of it as an Arrow table; of frames and exports the fields' metadata have the units."""
        tables.need("pyarrow")
        return (self._table()).arrow()


class Items(Table, Generic[T]):
    """A list that is read page by page as it is gone through, or a table of all of it."""

    def __init__(
        self, client: Client, path: str, key: str, params: Mapping[str, Any], always: Sequence[str],
        flat: Callable[[Any], Any] = lambda row: row,
    ) -> None:  # fmt: skip
        self._client, self._path, self._key, self._params, self._always, self._flat = (
            client,
            path,
            key,
            params,
            always,
            flat,
        )

    def pages(self) -> Iterator[List[T]]:
        """The pages, each a list."""
        offset: Optional[int] = 0
        while offset is not None:
            rows, offset = self._client.run(
                flows.page(self._path, self._key, self._params, offset, self._client.retry)
            )
            yield rows

    def __iter__(self) -> Iterator[T]:
        for rows in self.pages():
            for row in rows:
                yield row

    def _table(self) -> tables.Table:
        return tables.Rows([self._flat(row) for row in self], self._always)


class Frames(Table):
    """The frames of a recording: a row a frame, a column a channel; 32 bits where the recording has them."""

    def __init__(self, client: Client, capture: str, params: Mapping[str, Any]) -> None:
        self._client, self._capture, self._params = client, capture, params

    def columns(self) -> Dict[str, List[Any]]:
        """Lists of numbers by column, ``None`` where a value is missing."""
        return self._client.run(flows.frames_json(self._capture, self._params, self._client.retry))

    def _table(self) -> tables.Table:
        parts = self._client.run(
            flows.frame_parts(self._capture, self._params, flows.PARQUET, self._client.retry)
        )
        return tables.Parquet([part.body for part in parts])


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


class Athletes:
    """The athletes of the organization."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(
        self,
        *,
        q: Optional[str] = None,
        sorted_by: Optional[str] = None,
        attributes: Optional[Mapping[str, str]] = None,
        page_size: int = 500,
    ) -> Items[Athlete]:
        """Athletes; ``q`` is part of a name or address, ``attributes`` are custom attributes that match exactly."""
        params = dict(attributes or {}, q=q, sorted_by=sorted_by, limit=page_size)
        return Items(self._client, "/athletes", "athletes", params, ATHLETE)

    def get(self, athlete: str) -> Athlete:
        """One athlete with all fields."""
        said = self._client.run(flows.get(f"/athletes/{flows.part(athlete)}", self._client.retry))
        return cast(Athlete, said["athlete"])

    def create(self, first_name: str, **fields: Any) -> Athlete:
        """A new athlete. It happens once, also when the connection breaks and the call is made again."""
        return self._write("/athletes", dict(first_name=first_name, **fields))

    def update(self, athlete: str, **fields: Any) -> Athlete:
        """Change fields; an empty text or 0 clears one."""
        return self._write(f"/athletes/{flows.part(athlete)}", fields)

    def merge(self, athlete: str, other: str) -> Athlete:
        """Make one athlete of two: what belongs to ``other`` becomes this one's, which takes over what it has not set
        itself, and ``other`` is erased."""
        return self._write(f"/athletes/{flows.part(athlete)}/merge", body(from_=other))

    def _write(self, path: str, fields: Mapping[str, Any]) -> Athlete:
        said = self._client.run(flows.post(path, body(**fields), self._client.retry))
        return cast(Athlete, said["athlete"])

    def delete(self, athlete: str) -> None:
        """Erase an athlete and all that belongs to nobody else."""
        self._client.run(flows.delete(f"/athletes/{flows.part(athlete)}", self._client.retry))

    def metrics(
        self,
        athlete: str,
        *,
        activity: Optional[str] = None,
        movement: Optional[str] = None,
        metric: Union[str, Sequence[str], None] = None,
        start: Any = None,
        end: Any = None,
        page_size: int = 500,
    ) -> Items[Dict[str, Any]]:
        """The athlete's captures with their metrics, the oldest first.

        Gone through, each has its ``metrics`` with unit, method and the reason where one is withheld. As a table each
        metric is a column.
        """
        params = dict(
            activity=activity, movement=movement, metric=names(metric),
            from_=start, to=end, limit=page_size,
        )  # fmt: skip
        return Items(
            self._client, f"/athletes/{flows.part(athlete)}/metrics", "captures", params, CAPTURE, tables.flat_metrics
        )


class Export(Table):
    """An export that is asked for when a form of it is."""

    def __init__(self, client: Client, request: Mapping[str, Any], progress: Optional[Progress]) -> None:
        self._client, self._request, self._progress = client, request, progress

    def estimate(self) -> Estimate:
        """How much it would hold. Nothing is built."""
        flow = flows.post("/data/export/estimate", self._request, self._client.retry, keyed=False)
        return cast(Estimate, self._client.run(flow))

    def start(self) -> Job:
        """Ask for it, and do not wait."""
        return cast(Job, self._client.run(flows.post("/data/export", self._request, self._client.retry)))

    def save(self, path: str) -> Job:
        """Wait for it and save it as ``.csv``, ``.ndjson`` or ``.parquet``; the job then, which names what was left out."""
        job = self.start()
        job = self._client.exports.wait(job["jobId"], progress=self._progress)
        self._client.exports.download(job["jobId"], path)
        return job

    def _table(self) -> tables.Table:
        return tables.Parquet(
            [self._client.run(flows.export_parquet(self._request, self._progress, self._client.retry))]
        )


class Exports:
    """The exports of the organization."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def new(self, *, progress: Optional[Progress] = None, **request: Any) -> Export:
        """An export of the captures that ``captures`` names and ``activity``, ``movement``, ``athletes``, ``start``, ``end``
        and ``date_mode`` choose; of all without any of them. An empty ``captures`` is refused.

        ``shape="captures"`` gives a row a capture with its metrics and events, ``"metrics"`` a row a metric of a capture,
        ``"athletes"`` a row an athlete, of whom ``athletes`` alone chooses, ``"frames"`` (the default) a row a frame.
        ``metrics`` names the columns to keep, ``row_filter`` the frames: ``"frame"`` or an event.
        """
        return Export(self._client, flows.export_request(**request), progress)

    def get(self, job: str) -> Job:
        """How far an export is."""
        return cast(Job, self._client.run(flows.get(f"/data/export/job/{flows.part(job)}", self._client.retry)))

    def list(self, *, page_size: int = 500) -> Items[Job]:
        """Exports, newest first."""
        return Items(self._client, "/data/export/job", "jobs", dict(limit=page_size), JOB)

    def wait(self, job: str, *, progress: Optional[Progress] = None) -> Job:
        """Wait until an export is completed. One that failed or was canceled raises :class:`ExportFailed`."""
        return cast(Job, self._client.run(flows.finished(job, progress, self._client.retry)))

    def cancel(self, job: str) -> Job:
        """End an export that is being built."""
        return cast(
            Job,
            self._client.run(flows.post(f"/data/export/job/{flows.part(job)}/cancel", {}, self._client.retry)),
        )

    def delete(self, job: str) -> None:
        """Erase an export that has ended, with its result."""
        self._client.run(flows.delete(f"/data/export/job/{flows.part(job)}", self._client.retry))

    def download(self, job: str, path: str, *, progress: Optional[Progress] = None) -> str:
        """Save the result of a completed export as ``.csv``, ``.ndjson`` or ``.parquet``. The file is whole, or not there."""
        return self._client.run(flows.download(job, str(path), self._client.retry, progress))


class Shares:
    """The links of the organization, which show captures to people without an account."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(self) -> List[Share]:
        """All of them, newest first."""
        said = self._client.run(flows.get("/shares", self._client.retry))
        return cast(List[Share], said["shares"])

    def create(self, captures: Union[str, Sequence[str], None] = None, **said: Any) -> Share:
        """A new link to captures. Its ``secret`` is in this answer alone.

        ``said`` are ``kind``, ``name``, ``view``, ``names`` and ``expires_at``. A link of the ``kind`` ``"progress"`` has
        no captures but ``progress``, with ``athlete_id``, ``activity``, ``movement`` and ``metric``.
        """
        flow = flows.post("/shares", body(captures=names(captures), **said), self._client.retry)
        return cast(Share, self._client.run(flow))

    def delete(self, share: str) -> None:
        """Take a link back: it shows nothing from then on."""
        self._client.run(flows.delete(f"/shares/{flows.part(share)}", self._client.retry))


class Visitor:
    """What a link shows to who has its secret. No token is needed, and none goes along.

    ``captures.get``, ``.motion`` and ``.frames`` read the captures of the link by their numbers, from ``"1"``, and
    ``metrics`` the progress of a link of that kind.
    Arguments are those of :class:`Client`.
    """

    def __init__(self, secret: str, url: Optional[str] = None, **arguments: Any) -> None:
        self._client = Client(url, "", _secret=secret, **arguments)
        self.captures = self._client.captures

    def __enter__(self) -> "Visitor":
        return self

    def __exit__(self, *why: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def shared(self) -> Shared:
        """The kind of page and its captures. It counts as a use of the link."""
        return cast(Shared, self._client.run(flows.get("/", self._client.retry)))

    def metrics(self) -> Items[Dict[str, Any]]:
        """The captures of a link to progress with the one metric that it shows, the oldest first."""
        return self._client.athletes.metrics("1")

    def skeletons(self) -> List[Skeleton]:
        """The sets of bones by which recordings of the link are drawn."""
        return self._client.skeletons()
