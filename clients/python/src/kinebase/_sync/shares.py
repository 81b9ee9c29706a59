"""Links for people without a token: made of _async/ by mirror.py, and not written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Sequence, Union, cast

from .. import _flows as flows
from .._flow import body, names
from .._types import Share

if TYPE_CHECKING:
    from .client import Client


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
