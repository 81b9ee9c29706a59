"""The client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator, Awaitable, Callable, List, Optional, Sequence, TypeVar, Union, cast

import anyio
import httpx

from .. import _flows as flows
from .._flow import Answer, Call, Flow, Retry, Sleep, lost, names
from .._transport import Place, answer, content, size
from .._types import ChangePage, Skeleton
from .athletes import AsyncAthletes
from .captures import AsyncCaptures
from .exports import AsyncExports
from .shares import AsyncShares

if TYPE_CHECKING:
    from .exports import AsyncExport

T = TypeVar("T")


class AsyncClient:
    """A Kinebase server, seen with one token.

    Without arguments the environment names them: ``KINEBASE_URL`` and ``KINEBASE_TOKEN``. It may
    be used by several tasks at once. ``timeout`` is in seconds and bounds each wait for the
    network, not a whole download.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        retry: Retry = Retry(),
        timeout: float = 120.0,
        transport: Optional[httpx.AsyncBaseTransport] = None,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        _secret: str = "",
    ) -> None:
        self._place = Place(url, token, _secret)
        self._http = httpx.AsyncClient(timeout=timeout, transport=transport)
        self._sleep = sleep
        self.retry = retry
        self.captures = AsyncCaptures(self)
        self.athletes = AsyncAthletes(self)
        self.exports = AsyncExports(self)
        self.shares = AsyncShares(self)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *why: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    def export(self, **request: Any) -> "AsyncExport":
        """An export of what the arguments choose; see :meth:`AsyncExports.new`."""
        return self.exports.new(**request)

    async def changes(
        self,
        after: Optional[str] = None,
        *,
        kinds: Union[str, Sequence[str]] = (),
        objects: bool = False,
        wait: int = 0,
        page_size: int = 500,
    ) -> AsyncIterator[ChangePage]:
        """What changed since the cursor ``after``, page by page; all that there is without one.

        ``kinds`` are ``capture``, ``athlete`` and ``export``. With ``objects`` each change has its object as it is now.
        The pages end where nothing more has changed; with ``wait``, up to 30 seconds, they never end, and each waits as
        long for a change. A cursor that is too old raises :class:`Gone`.
        """
        params = dict(
            kind=names(kinds) or None, include="object" if objects else None, wait=wait or None, limit=page_size
        )
        while True:
            page = cast(ChangePage, await self.run(flows.get("/changes", self.retry, after=after, **params)))
            yield page
            after = page["cursor"]
            if not page["more"] and not wait:
                return

    async def skeletons(self) -> List[Skeleton]:
        """The sets of bones of the organization."""
        said = await self.run(flows.get("/skeletons", self.retry))
        return cast(List[Skeleton], said["skeletons"])

    async def run(self, flow: Flow[T]) -> T:
        """Do what a flow asks for."""
        result: Any = None
        while True:
            try:
                effect = flow.send(result)
            except StopIteration as end:
                return cast(T, end.value)
            if isinstance(effect, Sleep):
                await self._sleep(effect.seconds)
                result = None
                continue
            try:
                result = await self._perform(effect)
            except httpx.TransportError as error:
                result = lost(error, effect, self._place.request(effect)[0])

    async def _perform(self, call: Call) -> Answer:
        url, headers = self._place.request(call)
        file = None if call.file is None else open(call.file, "rb")
        try:
            async with self._http.stream(
                call.method, url, params=list(call.params), headers=headers, **content(call, file)
            ) as response:
                if call.save is None or response.status_code >= 400:
                    return answer(response, await response.aread())
                done, all_of_it = 0, size(response.headers)
                with open(call.save, "wb") as to:
                    async for piece in response.aiter_bytes():
                        to.write(piece)
                        done += len(piece)
                        if call.progress is not None:
                            call.progress(done, all_of_it)
                return answer(response, b"")
        finally:
            if file is not None:
                file.close()
