"""Where a report warns of heavy tails, by the skewness that the file has, and of many replications by the largest of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Values = np.ndarray[Any, np.dtype[np.float64]]


def is_heavy_tailed(n: int, skewness_of_all: float, values: Callable[[], Values]) -> bool:
    """Whether so few of n values bring the spread of all that an interval of their mean holds less often than it says: where |skewness| / √n exceeds
    .4, of 256 or more .2, or one of 1,000 or more holds over a tenth of the sum of squared deviations. Of fewer than ten nothing is known. How often
    it speaks: docs/results/heavy-tails.md."""
    most = 0.4 if n < 256 else 0.2
    return n >= 10 and (abs(skewness_of_all) > most * math.sqrt(n) or (n >= 1000 and largest_share(values()) > 0.1))


def largest_share(values: Values) -> float:
    """Of one value in the sum of squared deviations; 0 where all are equal or some are not finite.

    >>> largest_share(np.array([1.0, 1.0, 1.0, 5.0])), largest_share(np.array([2.0, 2.0]))
    (0.75, 0.0)
    """
    squares = (values - values.mean()) ** 2 if len(values) else values
    total = float(squares.sum())
    return float(squares.max()) / total if total > 0 and math.isfinite(total) else 0.0
