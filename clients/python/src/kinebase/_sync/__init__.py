"""The synchronous client: made of _async/ by mirror.py, and not written by hand."""

from .client import Client
from .visitor import Visitor

__all__ = ["Client", "Visitor"]
