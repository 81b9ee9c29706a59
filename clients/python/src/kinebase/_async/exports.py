"""Exports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional, cast

from .. import _flows as flows
from .. import _tables as tables
from .._flow import Progress
from .._types import JOB, Estimate, Job
from .rows import AsyncItems, AsyncTable

if TYPE_CHECKING:
    from .client import AsyncClient


class AsyncExport(AsyncTable):
    """An export that is asked for when a form of it is."""

    def __init__(self, client: AsyncClient, request: Mapping[str, Any], progress: Optional[Progress]) -> None:
        self._client, self._request, self._progress = client, request, progress

    async def estimate(self) -> Estimate:
        """How much it would hold. Nothing is built."""
        flow = flows.post("/data/export/estimate", self._request, self._client.retry, keyed=False)
        return cast(Estimate, await self._client.run(flow))

    async def start(self) -> Job:
        """Ask for it, and do not wait."""
        return cast(Job, await self._client.run(flows.post("/data/export", self._request, self._client.retry)))

    async def save(self, path: str) -> Job:
        """Wait for it and save it as ``.csv``, ``.ndjson`` or ``.parquet``; the job then, which names what was left out."""
        job = await self.start()
        job = await self._client.exports.wait(job["jobId"], progress=self._progress)
        await self._client.exports.download(job["jobId"], path)
        return job

    async def _table(self) -> tables.Table:
        return tables.Parquet(
            [await self._client.run(flows.export_parquet(self._request, self._progress, self._client.retry))]
        )


class AsyncExports:
    """The exports of the organization."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    def new(self, *, progress: Optional[Progress] = None, **request: Any) -> AsyncExport:
        """An export of the captures that ``captures`` names and ``activity``, ``movement``, ``athletes``, ``start``, ``end``
        and ``date_mode`` choose; of all without any of them. An empty ``captures`` is refused.

        ``shape="captures"`` gives a row a capture with its metrics and events, ``"metrics"`` a row a metric of a capture,
        ``"athletes"`` a row an athlete, of whom ``athletes`` alone chooses, ``"frames"`` (the default) a row a frame.
        ``metrics`` names the columns to keep, ``row_filter`` the frames: ``"frame"`` or an event.
        """
        return AsyncExport(self._client, flows.export_request(**request), progress)

    async def get(self, job: str) -> Job:
        """How far an export is."""
        return cast(Job, await self._client.run(flows.get(f"/data/export/job/{flows.part(job)}", self._client.retry)))

    def list(self, *, page_size: int = 500) -> AsyncItems[Job]:
        """Exports, newest first."""
        return AsyncItems(self._client, "/data/export/job", "jobs", dict(limit=page_size), JOB)

    async def wait(self, job: str, *, progress: Optional[Progress] = None) -> Job:
        """Wait until an export is completed. One that failed or was canceled raises :class:`ExportFailed`."""
        return cast(Job, await self._client.run(flows.finished(job, progress, self._client.retry)))

    async def cancel(self, job: str) -> Job:
        """End an export that is being built."""
        return cast(
            Job,
            await self._client.run(flows.post(f"/data/export/job/{flows.part(job)}/cancel", {}, self._client.retry)),
        )

    async def delete(self, job: str) -> None:
        """Erase an export that has ended, with its result."""
        await self._client.run(flows.delete(f"/data/export/job/{flows.part(job)}", self._client.retry))

    async def download(self, job: str, path: str, *, progress: Optional[Progress] = None) -> str:
        """Save the result of a completed export as ``.csv``, ``.ndjson`` or ``.parquet``. The file is whole, or not there."""
        return await self._client.run(flows.download(job, str(path), self._client.retry, progress))
