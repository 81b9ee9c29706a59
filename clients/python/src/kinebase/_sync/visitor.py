"""What a link shows: made of _async/ by mirror.py, and not written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, cast

from .. import _flows as flows
from .._types import Shared, Skeleton
from .client import Client

if TYPE_CHECKING:
    from .rows import Items


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
