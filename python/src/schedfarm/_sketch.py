"""Distributions from sketches: narrow buckets, whose counts add up over replications and files."""

from __future__ import annotations

import math

from ._reading.lazy_pandas import pd
from .errors import RequestError


def quantile(buckets: pd.DataFrame, p: float) -> float:
    """The p-quantile of the jobs in these buckets: the smallest value that at least a share p of them does not exceed."""
    if not 0 <= p <= 1:
        raise RequestError(f"{p} is no probability (it must lie between 0 and 1)")
    at_or_below = buckets["count"].cumsum()
    row = (at_or_below / at_or_below.iloc[-1]).searchsorted(p)
    return bucket_value(float(buckets["lower"].iloc[row]), float(buckets["upper"].iloc[row]))


def distribution(buckets: pd.DataFrame) -> pd.DataFrame:
    """At every bucket's upper end the share of jobs that do not exceed it: exact there."""
    share = buckets["count"].cumsum() / buckets["count"].sum()
    return pd.DataFrame({"value": buckets["upper"], "share": share}).reset_index(drop=True)


def bucket_value(lower: float, upper: float) -> float:
    """What stands for the values of a bucket: off by the same share of either end, at most."""
    if lower == upper or math.isinf(upper):
        return lower
    return 2 * lower * upper / (lower + upper)
