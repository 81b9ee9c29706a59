"""What people are told about a recording."""

from __future__ import annotations

from typing import Dict, List


class Warnings:
    """Sentences with codes, each once."""

    def __init__(self) -> None:
        self._all: List[Dict[str, str]] = []

    def add(self, code: str, message: str) -> None:
        entry = {"code": code, "message": message}
        if entry not in self._all:
            self._all.append(entry)

    def list(self) -> List[Dict[str, str]]:
        return list(self._all)
