"""Rows that are read as they are needed, and tables of them: made of _async/ by mirror.py, and not written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Callable, Dict, Generic, List, Mapping, Optional, Sequence, TypeVar

from .. import _flows as flows
from .. import _tables as tables

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from .client import Client

T = TypeVar("T")


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
