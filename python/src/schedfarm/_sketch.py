"""Distributions from sketches: buckets of 1 % relative accuracy, whose counts add up over replications and files."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from .errors import RequestError

ACCURACY = 0.01  # of every value, relative


def quantile(buckets: pd.DataFrame, p: float) -> float:
    """The p-quantile of the jobs in these buckets."""
    if not 0 <= p <= 1:
        raise RequestError(f"{p} is no probability (it must lie between 0 and 1)")
    position = math.floor(p * (int(buckets["count"].sum()) - 1))
    ends = buckets["count"].cumsum().to_numpy()
    return bucket_value(int(buckets["bucket"].iloc[np.searchsorted(ends, position, "right")]))


def distribution(buckets: pd.DataFrame) -> pd.DataFrame:
    """At every bucket's upper end the share of jobs that do not exceed it: exact there."""
    share = buckets["count"].cumsum() / buckets["count"].sum()
    return pd.DataFrame({"value": buckets["upper"], "share": share}).reset_index(drop=True)


def bucket_value(bucket: int) -> float:
    """What stands for the values of a bucket: off by no more than ACCURACY."""
    limits = np.iinfo(np.int32)
    if bucket in (limits.min, limits.max):
        return 0.0 if bucket == limits.min else math.inf
    growth = (1 + ACCURACY) / (1 - ACCURACY)
    return float(2 * growth**bucket / (growth + 1))
