"""pandas, imported when something of it is first used: that takes longer than all else that a short command does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
else:
    class _Pandas:
        def __getattr__(self, name: str) -> Any:
            import pandas
            return getattr(pandas, name)

    pd = _Pandas()

__all__ = ["pd"]
