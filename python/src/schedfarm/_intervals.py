"""Intervals of what is judged from replications, as the program makes those of `estimates` (engine/statistics): over replications, and
of logs like the one that they resample."""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np

Values = np.ndarray[Any, np.dtype[np.float64]]

_TUNED_SIZE = 2048  # of confidence sequences

_E_VALUE_EFFECTS = (0.1, 0.25, 0.5)  # standard deviations of an observation

FEWEST_CARRIERS = 3  # replications that bring something to a ratio: with fewer there is no interval


class Estimate(NamedTuple):
    """Of n replications. `skewness`: of their values; `degrees`: of freedom; of one replication there is no interval. `is_sparse`: of ratios to
    which some replications bring nothing, of which the others alone count; `is_product`: of a quantity that is never negative."""

    n: int
    mean: float
    standard_error: float
    skewness: float
    degrees: int
    is_of_logs: bool = False
    is_sparse: bool = False
    is_product: bool = False


def of_mean(values: Values) -> Estimate:
    n = len(values)
    error = float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    return Estimate(n, float(values.mean()) if n else math.nan, error, skewness(values), n - 1)


def of_carriers(estimate: Estimate, carriers: int, is_product: bool) -> Estimate:
    """The estimate where so many replications bring something to its ratios (engine/statistics/estimate.hpp)."""
    if carriers >= estimate.n:
        return estimate
    if carriers < FEWEST_CARRIERS:
        return estimate._replace(standard_error=math.nan)
    factor = math.sqrt(carriers / (carriers - 1) * (estimate.n - 1) / estimate.n)
    return estimate._replace(standard_error=estimate.standard_error * factor, degrees=carriers - 1, is_sparse=True, is_product=is_product)


def without_each(values: Values) -> Values:
    """Means of all values but one."""
    before = np.concatenate([[0.0], np.cumsum(values[:-1])])
    after = np.concatenate([[0.0], np.cumsum(values[:0:-1])])[::-1]
    return (before + after) / (len(values) - 1)  # type: ignore[no-any-return]


def jackknife(of_all: float, left_out: Values) -> Estimate:
    """Of a function of means, from its values without each replication (Miller 1974; Efron & Tibshirani 1993, section 11.5)."""
    n = len(left_out)
    error = math.sqrt((n - 1) / n * float(np.sum((left_out - left_out.mean()) ** 2)))
    return Estimate(n, of_all, error, skewness(-left_out), n - 1)


def of_logs_like_it(of_draws: Estimate, blocks: int, variance_ratio: float) -> Estimate:
    """Of logs like the one of which replications resample so many blocks (engine/statistics/log_interval.hpp)."""
    degrees = max(1, int(1 / (1 / (blocks - 1) + 1 / of_draws.degrees)))
    factor = math.sqrt(of_draws.n * (variance_ratio * blocks / (blocks - 1) + 1 / of_draws.n))
    deviation = of_draws.standard_error * math.sqrt(of_draws.n * variance_ratio)
    least = _least_skewness(of_draws.mean, deviation)
    skewness = least if of_draws.skewness * least >= 0 and abs(least) > abs(of_draws.skewness) else of_draws.skewness
    return of_draws._replace(standard_error=of_draws.standard_error * factor, skewness=skewness, degrees=degrees, is_of_logs=True)


def _least_skewness(mean: float, deviation: float) -> float:
    """Of a lognormal quantity of this variation, away from 0; 0 where the mean may have either sign."""
    variation = abs(deviation / mean) if mean else math.inf
    return math.copysign(variation * (3 + variation**2), mean) if variation <= 0.5 else 0.0


def interval(estimate: Estimate, confidence: float, method: str) -> tuple[float, float]:
    """By `student_t`, `skew_adjusted` or `confidence_sequence`; a point where there is one replication."""
    if estimate.n < 2:
        return estimate.mean, estimate.mean
    below, above = sides(estimate, confidence, method)
    if estimate.is_sparse and estimate.is_product and estimate.mean > 0 and not estimate.is_of_logs:
        ratio = math.exp(min(below * estimate.standard_error / estimate.mean, 700))
        return estimate.mean / ratio, estimate.mean * ratio
    return estimate.mean - below * estimate.standard_error, estimate.mean + above * estimate.standard_error


def sides(estimate: Estimate, confidence: float, method: str) -> tuple[float, float]:
    """From the mean to the ends of the interval, in standard errors."""
    if estimate.is_of_logs:
        return _sides_of_logs(t_two_sided(confidence, estimate.degrees), estimate.skewness)
    if method == "confidence_sequence":
        return (sequence_factor(estimate.n, confidence),) * 2
    t = t_two_sided(confidence, estimate.degrees)
    b = estimate.skewness / (6 * math.sqrt(estimate.n)) if method == "skew_adjusted" and not estimate.is_sparse else 0.0

    def pivot(r: float) -> float:
        c = float(np.cbrt(1 + 6 * b * (r - b)))
        return 3 * (r - b) / (c * c + c + 1)
    return pivot(t), -pivot(-t)


def sequence_factor(n: int, confidence: float) -> float:
    """Half the length of the confidence sequence at n, in standard errors (engine/statistics/estimate.hpp)."""
    log_alpha = math.log(1 - confidence)
    v = n / _TUNED_SIZE * (-2 * log_alpha + math.log(1 - 2 * log_alpha))
    return math.sqrt(2 * (v + 1) / v * (0.5 * math.log(v + 1) - log_alpha))


def e_value(estimate: Estimate, value: float, method: str) -> float:
    """Of the mean being `value`, as the program makes it (engine/statistics/selection/multiple_comparison.hpp); NaN of logs, of which more
    draws tell no more, and of one replication."""
    if estimate.n < 2 or estimate.is_of_logs or not math.isfinite(estimate.standard_error):
        return math.nan
    n, distance = estimate.degrees + 1, estimate.mean - value
    t = distance / estimate.standard_error if estimate.standard_error else math.copysign(1e150, distance) if distance else 0.0
    b = estimate.skewness / (6 * math.sqrt(n)) if method == "skew_adjusted" and not estimate.is_sparse else 0.0
    if b and abs(t) < 1e50:
        t += b + 2 * b * t * t + 4 / 3 * b * b * t**3  # the inverse of G
    square = min(abs(t), 1e150) ** 2 / estimate.degrees
    growths = [1 + n * effect**2 for effect in _E_VALUE_EFFECTS]
    logs = [(n * math.log((1 + square) / (1 + square / growth)) - math.log(growth)) / 2 for growth in growths]
    return sum(math.exp(min(log, 700)) for log in logs) / len(logs)


def _sides_of_logs(t: float, skewness: float) -> tuple[float, float]:
    b = min(abs(skewness), 1) / 6
    q = t + b
    longer = q + 2 * b * q**2 + 20 / 3 * b**2 * q**3
    return longer if skewness < 0 else t, longer if skewness > 0 else t


def skewness(values: Values) -> float:
    """G1; 0 below three values, and where all are equal."""
    n = len(values)
    if n < 3:
        return 0.0
    deviations = values - values.mean()
    variance = float(np.sum(deviations**2)) / (n - 1)
    return n / ((n - 1) * (n - 2)) * float(np.sum((deviations / math.sqrt(variance)) ** 3)) if variance != 0 else 0.0


@functools.cache
def t_two_sided(confidence: float, degrees: int) -> float:
    """The t with P(|T| <= t) = confidence. With t = sqrt(degrees) tan(a) the probability is a finite sum (Abramowitz and Stegun 26.7.3 and
    26.7.4) that rises in a and is concave: Newton's iteration grows towards the root until rounding ends it.

    >>> round(t_two_sided(0.95, 1), 4), round(t_two_sided(0.95, 9), 4)
    (12.7062, 2.2622)
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence} is not between 0 and 1")
    is_odd = degrees % 2
    k = np.arange(1.0, degrees // 2)
    factors = 2 * k / (2 * k + 1) if is_odd else (2 * k - 1) / (2 * k)
    terms = np.cumprod(np.concatenate([[1.0], factors]))[: degrees // 2]
    scale = 2 / math.pi if is_odd else 1.0
    slope = scale * (is_odd + float(terms.sum()))

    def probability(angle: float) -> float:
        cosine = math.cos(angle)
        powers: Any = cosine ** (2 * np.arange(len(terms)) + is_odd)
        return scale * (is_odd * angle + math.sin(angle) * float(terms @ powers))

    angle, following = -1.0, 0.0
    while following > angle:
        angle = following
        following = angle + (confidence - probability(angle)) / (slope * math.cos(angle) ** (degrees - 1))
    return math.sqrt(degrees) * math.tan(angle)
