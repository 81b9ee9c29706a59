"""What a link shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, cast

from .. import _flows as flows
from .._types import Shared, Skeleton
from .client import AsyncClient

if TYPE_CHECKING:
    from .rows import AsyncItems


class AsyncVisitor:
    """What a link shows to who has its secret. No token is needed, and none goes along.

    ``captures.get``, ``.motion`` and ``.frames`` read the captures of the link by their numbers, from ``"1"``, and
    ``metrics`` the progress of a link of that kind.
    Arguments are those of :class:`AsyncClient`.
    """

    def __init__(self, secret: str, url: Optional[str] = None, **arguments: Any) -> None:
        self._client = AsyncClient(url, "", _secret=secret, **arguments)
        self.captures = self._client.captures

    async def __aenter__(self) -> "AsyncVisitor":
        return self

    async def __aexit__(self, *why: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def shared(self) -> Shared:
        """The kind of page and its captures. It counts as a use of the link."""
        return cast(Shared, await self._client.run(flows.get("/", self._client.retry)))

    def metrics(self) -> AsyncItems[Dict[str, Any]]:
        """The captures of a link to progress with the one metric that it shows, the oldest first."""
        return self._client.athletes.metrics("1")

    async def skeletons(self) -> List[Skeleton]:
        """The sets of bones by which recordings of the link are drawn."""
        return await self._client.skeletons()
