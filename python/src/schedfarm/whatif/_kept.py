"""What fails in one place leaves the rest: the reason stands there, and the exit code is 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..errors import SchedfarmError

T = TypeVar("T")
Reasons = dict[int, str]  # by cell: why its replications failed


class Kept:
    def __init__(self) -> None:
        self.has_failed = False

    def made(self, otherwise: Callable[[str], T], make: Callable[..., T], *arguments: Any) -> T:
        """What is made, or else what stands there with the reason.

        >>> Kept().made(str.upper, lambda: 1 / 0)
        'DIVISION BY ZERO (ZERODIVISIONERROR)'
        """
        try:
            return make(*arguments)
        except Exception as error:  # whatever it is
            self.has_failed = True
            text = " ".join(str(error).split())
            return otherwise(text if isinstance(error, SchedfarmError) else f"{text} ({type(error).__name__})")
