"""Athletes: made of _async/ by mirror.py, and not written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Sequence, Union, cast

from .. import _flows as flows
from .. import _tables as tables
from .._flow import body, names
from .._types import ATHLETE, CAPTURE, Athlete
from .rows import Items

if TYPE_CHECKING:
    from .client import Client


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
