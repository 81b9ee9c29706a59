"""Motion captures, athletes and exports of a Kinebase server.

    import kinebase

    table = kinebase.Client().captures.list(activity="jump").to_pandas()

The environment says where the server is and who asks: ``KINEBASE_URL`` and ``KINEBASE_TOKEN``.
:class:`AsyncClient` has the same methods to be awaited.
"""

from ._async import AsyncClient, AsyncVisitor
from ._errors import (
    BadRequest,
    Busy,
    CaptureFailed,
    Conflict,
    ExportFailed,
    Forbidden,
    Gone,
    KinebaseError,
    NoAnswer,
    NotFound,
    Unauthorized,
)
from ._flow import Progress, Retry
from ._sync import Client, Visitor
from ._together import Sent
from ._types import (
    Athlete,
    Capture,
    Change,
    ChangePage,
    ColumnUse,
    Estimate,
    Job,
    Metric,
    Processing,
    Share,
    Shared,
    Skeleton,
)

__all__ = [
    "AsyncClient",
    "AsyncVisitor",
    "Athlete",
    "BadRequest",
    "Busy",
    "Capture",
    "CaptureFailed",
    "Change",
    "ChangePage",
    "Client",
    "ColumnUse",
    "Conflict",
    "Estimate",
    "ExportFailed",
    "Forbidden",
    "Gone",
    "Job",
    "KinebaseError",
    "Metric",
    "NoAnswer",
    "NotFound",
    "Processing",
    "Progress",
    "Retry",
    "Sent",
    "Share",
    "Shared",
    "Skeleton",
    "Unauthorized",
    "Visitor",
]
