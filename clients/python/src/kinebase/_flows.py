"""What the clients do, as flows: one function for each operation of the interface that they have."""

from __future__ import annotations

import os
from datetime import date, datetime
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import quote

from ._errors import CaptureFailed, ExportFailed, KinebaseError
from ._flow import Answer, Call, Flow, Progress, Retry, Sleep, body, fields, names, send

PARQUET = "application/vnd.apache.parquet"
KINDS = {".csv": "text/csv", ".ndjson": "application/x-ndjson", ".parquet": PARQUET}
MOTION_FILES = (".c3d", ".trc", ".mot", ".sto", ".bvh", ".csv", ".mov", ".mp4")

# A file of up to so many bytes is sent at once, a larger one in pieces.
WHOLE = 1 << 20
PIECE = 8 << 20
FRUITLESS = 8
TUS = {"Tus-Resumable": "1.0.0"}

# What one call of frames may give is 1,000,000 values; frame and time are two more of a row.
_VALUES_AT_ONCE = 900_000

# A step that no recording has a second row of.
_FAR = 2_147_483_647


def part(identifier: str) -> str:
    """An identifier as a segment of a path."""
    return quote(identifier, safe="")


def get(path: str, retry: Retry, **params: Any) -> Flow[Any]:
    answer = yield from send(Call("GET", path, fields(**params)), retry)
    return answer.json()


def post(path: str, said: Mapping[str, Any], retry: Retry, keyed: bool = True) -> Flow[Any]:
    answer = yield from send(Call("POST", path, body=dict(said), keyed=keyed), retry)
    return answer.json()


def delete(path: str, retry: Retry) -> Flow[Any]:
    answer = yield from send(Call("DELETE", path), retry)
    return answer.json()


def page(
    path: str, key: str, params: Mapping[str, Any], offset: int, retry: Retry
) -> Flow[Tuple[List[Any], Optional[int]]]:
    """One page of a list, and where the next one begins; ``None`` at the end."""
    said = yield from get(path, retry, **{**params, "offset": offset})
    return said[key], said["next_offset"]


# ---- frames


def frames_json(capture: str, params: Mapping[str, Any], retry: Retry) -> Flow[Dict[str, List[Any]]]:
    """All rows that were asked for, column by column."""
    columns: Dict[str, List[Any]] = {}
    parts = frame_parts(capture, params, "application/json", retry)
    for answer in (yield from parts):
        for name, values in answer.json()["columns"].items():
            columns.setdefault(name, []).extend(values)
    return columns


def frame_parts(capture: str, params: Mapping[str, Any], accept: str, retry: Retry) -> Flow[List[Answer]]:
    """The rows that were asked for, in as many calls as their number needs."""
    path = f"/captures/{part(capture)}/frames"
    every = int(params.get("every") or 1)

    def ask(query: Mapping[str, Any], kind: str) -> Flow[Answer]:
        return (yield from send(Call("GET", path, fields(**query), accept=kind), retry))

    # One row, as it lies first: it says how many columns there are, and where the rows end.
    probe = (yield from ask({**params, "every": _FAR}, "application/json")).json()
    rows_at_once = max(1, _VALUES_AT_ONCE // len(probe["columns"]))
    answers: List[Answer] = []
    first, end = probe["from"], probe["to"]
    while not answers or first < end:
        stop = min(first + rows_at_once * every, end)
        answers.append((yield from ask({**params, "from_": first, "to": stop}, accept)))
        first = stop
    return answers


# ---- exports


def wait_for_export(job: str, progress: Optional[Progress], retry: Retry) -> Flow[Any]:
    """The job in its final state."""
    pause = 0.1
    while True:
        state = yield from get(f"/data/export/job/{part(job)}", retry)
        if progress is not None:
            progress(int(10_000 * state.get("progress", 0)), 10_000)
        if state["status"] != "RUNNING":
            return state
        yield Sleep(pause)
        pause = min(pause * 1.5, 2.0)


def finished(job: str, progress: Optional[Progress], retry: Retry) -> Flow[Any]:
    state = yield from wait_for_export(job, progress, retry)
    if state["status"] != "COMPLETED":
        raise ExportFailed(state)
    return state


def download(
    job: str, path: str, retry: Retry, progress: Optional[Progress] = None, params: Optional[Mapping[str, Any]] = None
) -> Flow[str]:
    """Save the result to a file; its ending says in which form. It is whole or not there."""
    kind = KINDS.get(os.path.splitext(path)[1].lower())
    if kind is None:
        raise ValueError(f"the file must end in {', '.join(KINDS)}, not {path!r}")
    unfinished = path + ".part"
    try:
        yield from send(
            Call(
                "GET",
                f"/data/export/job/{part(job)}/results",
                fields(**(params or {})),
                accept=kind,
                save=unfinished,
                progress=progress,
            ),
            retry,
        )
        os.replace(unfinished, path)
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)
    return path


def export_parquet(request: Mapping[str, Any], progress: Optional[Progress], retry: Retry) -> Flow[bytes]:
    """Ask for an export, wait for it, and get it as Parquet."""
    job = yield from post("/data/export", request, retry)
    yield from finished(job["jobId"], progress, retry)
    answer = yield from send(Call("GET", f"/data/export/job/{part(job['jobId'])}/results", accept=PARQUET), retry)
    return bytes(answer.body)


# ---- uploads


def upload(path: str, said: Mapping[str, Any], progress: Optional[Progress], wait: bool, retry: Retry) -> Flow[Any]:
    """Reserve a place, send the file, and wait until it has been read; the capture then."""
    size = os.path.getsize(path)
    asked = {"file_name": os.path.basename(path), **said}
    if size > WHOLE:
        call = Call("POST", "/captures", (("include", "resumable"),), {**asked, "file_size": size}, keyed=True)
        place = (yield from send(call, retry)).json()
        yield from pieces(place["upload_resumable_url"], path, size, progress, retry)
    else:
        place = yield from post("/captures", asked, retry)
        # Without the token, for the form may go to a bucket of somebody else.
        yield from send(
            Call("POST", place["upload_url"], form=place["upload_fields"], file=path, progress=progress, accept="*/*"),
            retry,
        )
    session = f"/captures/{part(place['session_id'])}"
    pause = 0.1
    while True:
        capture = yield from get(session, retry)
        if not wait or capture["status"] == "completed":
            return capture
        if capture["status"] == "error":
            raise CaptureFailed(capture)
        yield Sleep(pause)
        pause = min(pause * 1.5, 2.0)


def pieces(place: str, path: str, size: int, progress: Optional[Progress], retry: Retry) -> Flow[None]:
    """Send a file in pieces, by tus 1.0, and go on where it was when a connection breaks or a server dies.

    It gives up when nothing has come ``FRUITLESS`` times in a row.
    """
    came, failures = -1, 0
    while True:
        try:
            at = (yield from send(Call("GET", place), retry)).json()["offset"]
            while True:
                if at > came:
                    came, failures = at, 0
                    if progress is not None:
                        progress(at, size)
                if at == size:
                    return
                length = min(PIECE, size - at)
                headers = {**TUS, "Upload-Offset": str(at), "Content-Type": "application/offset+octet-stream"}
                yield from send(Call("PATCH", place, headers=headers, file=path, start=at, length=length), Retry(0))
                at += length
        except KinebaseError as error:
            # Another place than was thought (409), a piece that was cut (400): the place says where to go on.
            failures += 1
            wait = min(0.25 * 2.0**failures, 30.0) if error.retry_after is None else error.retry_after
            if 0 < error.status < 500 and error.status not in (400, 408, 409, 429):
                raise
            if failures > FRUITLESS or wait > retry.longest:
                raise
        yield Sleep(wait)


def motion_files(folder: str) -> Iterator[str]:
    """The motion files and videos below a folder, in the order of their names."""
    if not os.path.isdir(folder):
        raise NotADirectoryError(f"{folder} is no folder")
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.lower().endswith(MOTION_FILES) and not name.startswith("."):
                yield os.path.join(place, name)


def captured(
    athlete_ids: Union[str, Sequence[str], None] = None,
    activity: Optional[str] = None,
    movement: Optional[str] = None,
    dimensions: Optional[Mapping[str, str]] = None,
    session_group_id: Optional[str] = None,
    camera_configuration: Optional[Mapping[str, Any]] = None,
    capture_time: Any = None,
) -> Dict[str, Any]:
    """What is said of a file when a place is reserved for it."""
    if isinstance(capture_time, date) and not isinstance(capture_time, datetime):
        capture_time = datetime(capture_time.year, capture_time.month, capture_time.day)  # its midnight in UTC
    attributes = body(activity=activity, movement=movement, **(dimensions or {}))
    return body(
        athlete_ids=names(athlete_ids) or None,
        movement_attributes=attributes or None,
        session_group_id=session_group_id,
        camera_configuration=camera_configuration,
        capture_time=capture_time,
    )


def export_request(
    activity: Optional[str] = None,
    movement: Optional[str] = None,
    athletes: Union[str, Iterable[str], None] = None,
    start: Any = None,
    end: Any = None,
    date_mode: Optional[str] = None,
    metrics: Union[str, Iterable[str], None] = None,
    shape: Optional[str] = None,
    row_filter: Optional[str] = None,
    captures: Union[str, Iterable[str], None] = None,
) -> Dict[str, Any]:
    """The body of an export."""
    return body(
        captures=names(captures),
        activity=activity,
        movement=movement,
        athletes=names(athletes),
        startTime=start,
        endTime=end,
        dateMode=date_mode,
        metrics=names(metrics),
        shape=shape,
        row_filter_column=row_filter,
    )
