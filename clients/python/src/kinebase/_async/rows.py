"""Rows that are read as they are needed, and tables of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Dict, Generic, List, Mapping, Optional, Sequence, TypeVar

from .. import _flows as flows
from .. import _tables as tables

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from .client import AsyncClient

T = TypeVar("T")


class AsyncTable:
    """What can be had as a table. Times are timestamps in UTC, and nothing is read until a form is asked for."""

    async def _table(self) -> tables.Table:
        raise NotImplementedError

    async def to_pandas(self) -> "pandas.DataFrame":
        """All of it as a pandas frame."""
        tables.need("pandas")
        return (await self._table()).pandas()

    async def to_polars(self) -> "polars.DataFrame":
        """All of it as a polars frame."""
        tables.need("polars")
        return (await self._table()).polars()

    async def to_arrow(self) -> "pyarrow.Table":
        """All of it as an Arrow table; of frames and exports the fields' metadata have the units."""
        tables.need("pyarrow")
        return (await self._table()).arrow()


class AsyncItems(AsyncTable, Generic[T]):
    """A list that is read page by page as it is gone through, or a table of all of it."""

    def __init__(
        self, client: AsyncClient, path: str, key: str, params: Mapping[str, Any], always: Sequence[str],
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

    async def pages(self) -> AsyncIterator[List[T]]:
        """The pages, each a list."""
        offset: Optional[int] = 0
        while offset is not None:
            rows, offset = await self._client.run(
                flows.page(self._path, self._key, self._params, offset, self._client.retry)
            )
            yield rows

    async def __aiter__(self) -> AsyncIterator[T]:
        async for rows in self.pages():
            for row in rows:
                yield row

    async def _table(self) -> tables.Table:
        return tables.Rows([self._flat(row) async for row in self], self._always)


class AsyncFrames(AsyncTable):
    """The frames of a recording: a row a frame, a column a channel; 32 bits where the recording has them."""

    def __init__(self, client: AsyncClient, capture: str, params: Mapping[str, Any]) -> None:
        self._client, self._capture, self._params = client, capture, params

    async def columns(self) -> Dict[str, List[Any]]:
        """Lists of numbers by column, ``None`` where a value is missing."""
        return await self._client.run(flows.frames_json(self._capture, self._params, self._client.retry))

    async def _table(self) -> tables.Table:
        parts = await self._client.run(
            flows.frame_parts(self._capture, self._params, flows.PARQUET, self._client.retry)
        )
        return tables.Parquet([part.body for part in parts])
