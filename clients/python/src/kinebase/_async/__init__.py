"""The asynchronous client."""

from .client import AsyncClient
from .visitor import AsyncVisitor

__all__ = ["AsyncClient", "AsyncVisitor"]
