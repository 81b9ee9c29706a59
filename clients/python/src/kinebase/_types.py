"""The shapes of answers, as the interface document names them. Times are ISO 8601 texts in UTC."""

from __future__ import annotations

import sys
from typing import Any, Dict, List, Optional

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict


class Capture(TypedDict):
    """A recorded movement. The dimensions of its movement, such as ``handedness``, stand beside these."""

    session_id: str
    athlete_id: Optional[str]
    activity: Optional[str]
    movement: Optional[str]
    status: str  # awaiting_upload, processing, completed or error
    error: Optional[str]
    capture_time: Optional[str]
    fps_detected: Optional[float]
    file_name: NotRequired[Optional[str]]  # with include="file"
    athlete_name: NotRequired[Optional[str]]  # with include="athlete"
    warning_count: NotRequired[Optional[int]]  # with include="warnings"
    updated_at: NotRequired[str]  # with include="updated"


class Processing(TypedDict):
    """How far a server is with the file of a capture."""

    session_id: str
    status: str  # that of the capture
    begun_at: Optional[str]  # None while no server is at it
    done: Optional[float]  # the part that is done, from 0 to 1; None where it is not known
    seconds_left: Optional[int]  # how long the rest is expected to take; None where it is not known


class Athlete(TypedDict):
    """A person. Height is in inches and weight in pounds."""

    id: str
    first_name: str
    last_name: Optional[str]
    date_of_birth: Optional[str]
    email: Optional[str]
    height: Optional[int]
    weight: Optional[int]
    custom_attributes: Dict[str, str]
    created_at: str
    updated_at: str


class ColumnUse(TypedDict):
    """A column of recordings, and how many captures of an activity and a movement have it."""

    activity: Optional[str]
    movement: Optional[str]
    name: str
    kind: str  # that of a channel, or event, metric or text
    unit: str
    captures: int


class Metric(TypedDict):
    """A number or a text of one capture, or why there is none."""

    value: Optional[float]
    text: Optional[str]
    unit: Optional[str]
    source: str  # file or computed
    method: Optional[str]
    version: Optional[int]
    withheld: Optional[str]
    message: Optional[str]


class Skeleton(TypedDict):
    """A named set of bones: pairs of names of points."""

    name: str
    bones: List[List[str]]


class Course(TypedDict):
    """One metric of the captures that an athlete has of a movement."""

    athlete_id: str
    athlete_name: NotRequired[str]  # for visitors of a link with names
    activity: str
    movement: str
    metric: str


class Share(TypedDict):
    """A link that shows captures, or the progress of an athlete, to people without an account."""

    id: str
    name: str
    kind: str  # capture, comparison, report or progress
    captures: List[str]
    progress: Optional[Course]  # of the kind progress alone
    view: str  # how the page shows them
    names: bool  # what names people is shown too
    created_at: str
    expires_at: str
    uses: int
    last_used_at: Optional[str]
    secret: NotRequired[str]  # of a new one alone: the link is /shared# and this


class Shared(TypedDict):
    """What a link shows. The ids of its captures are "1", "2" and so on."""

    kind: str
    view: str
    names: bool
    expires_at: str
    captures: List[Capture]
    progress: Optional[Course]  # of the kind progress alone; its athlete is "1"


class Job(TypedDict):
    """An export."""

    jobId: str
    status: str  # RUNNING, COMPLETED, FAILED or CANCELED
    createdAt: str
    errorMessage: NotRequired[str]
    completedAt: NotRequired[str]
    progress: NotRequired[float]
    rowCount: NotRequired[int]
    skipped: NotRequired[List[Dict[str, Any]]]
    skippedCount: NotRequired[int]


class Estimate(TypedDict):
    """How much an export would hold."""

    captures: int
    rows: int
    exact: bool


class Change(TypedDict):
    """What became of an object: ``changed`` also when it is new, or ``deleted``."""

    kind: str  # capture, athlete or export
    id: str
    change: str
    changed_at: str
    object: NotRequired[Dict[str, Any]]  # with objects=True


class ChangePage(TypedDict):
    """Changes in order. Keep ``cursor`` once they are taken in, and go on after it."""

    changes: List[Change]
    cursor: str
    more: bool


# The columns that a table of a list has, also when nothing is in it.
CAPTURE = ("session_id", "athlete_id", "activity", "movement", "status", "error", "capture_time", "fps_detected")
COLUMN = ("activity", "movement", "name", "kind", "unit", "captures")
ATHLETE = (
    "id", "first_name", "last_name", "date_of_birth", "email", "height", "weight", "custom_attributes", "created_at", "updated_at",
)  # fmt: skip
JOB = ("jobId", "status", "createdAt", "completedAt")
