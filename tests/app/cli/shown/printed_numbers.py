"""Every number that is printed of a result file, looked for in the file: as it stands in a column, as percent of a share, as the side of
an interval, as a count of rows, or inside of a text. It is found where some value lies within half a unit of its last printed digit."""
import itertools
import math
import random
import re
from bisect import bisect_left

import h5py
from program import expect

# Rows by the hundred, of which reports show none: a number would be found among them by chance.
BULKY = {"replications", "sketches", "timings", "utilization_series", "warm_up"}
# Where times in seconds stand, which are shown in minutes, hours or days.
OF_TIMES = {"estimates": ["mean"], "comparisons": ["difference"], "quantiles": ["value"], "users": ["response_time", "wait"],
            "logged_waits": ["logged", "simulated"], "measured": ["window_end"]}
TIMES = {"mean", "lower", "upper", "difference", "value", "response_time", "wait", "logged", "simulated", "window_begin", "window_end"}
INTERVALS = {"estimates": "mean", "made_metrics": "mean", "comparisons": "difference", "quantiles": "value", "saturation": "rho_max"}
# No digits of a name (p95, MSER-5, tour.h5) or of a hash.
PRINTED = re.compile(r"(?<![\w.\-/=#])[-−+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?(?![\w/=]|\.\w|-\w)( %)?")
INSIDE = re.compile(r"\d+(?:\.\d+)?")


def plain(text):
    """LaTeX's signs as in the other forms."""
    for sign, meant in (("$\\pm$", "±"), ("{}[", "["), ("$-$", "-"), ("\\,", ","), ("\\%", "%"), ("~", " ")):
        text = text.replace(sign, meant)
    return text


class Numbers:
    """The numbers of files; `more`: tables of which all rows are shown, however many; `also`: what is counted of their rows."""

    def __init__(self, *paths, more=(), also=()):
        found = {3.0, *map(float, also)}  # 3: of the rule of three
        for path in paths:
            with h5py.File(path) as file:
                found.update(*map(_numbers_inside, file.attrs.values()))
                for name, table in file.items():
                    if isinstance(table, h5py.Dataset) and name not in BULKY - set(more):
                        found.update(_numbers_of(name, table))
                # Of n replications that agree, up to this share of others may not.
                found.update(1 - 0.05 ** (1 / n) for n in file["cells"]["replications_used"] if n > 0)
        self.sorted = sorted(abs(number) for number in found if math.isfinite(number))

    def have(self, number, unit):
        at = bisect_left(self.sorted, abs(number) - 0.5000001 * unit)
        return at < len(self.sorted) and self.sorted[at] <= abs(number) + 0.5000001 * unit

    def lacking(self, text):
        """The numbers of a text that are none of the file."""
        return [match.group() for match in PRINTED.finditer(plain(text)) if not self._have_printed(match)]

    def _have_printed(self, match):
        number, unit = value_and_unit(match.group())
        return self.have(number, unit) or (match.group(1) is not None and self.have(number / 100, unit / 100))


def expect_found(numbers, text, what):
    lacking = numbers.lacking(text)
    expect(not lacking, f"{what} prints what is not in the file: {lacking}\n{text if len(text) < 20000 else ''}")


def expect_wrong_numbers_are_seen(numbers, text, what):
    """That the file has so many numbers must not make any number one of them: of those printed with three digits or more, each changed
    in one digit but the first and last, three in five are not found: minutes and hours lie among counts, where more are."""
    changed = unseen = 0
    draw = random.Random(1)
    for match in PRINTED.finditer(text):
        places = [place for place, sign in enumerate(match.group().rstrip("0")) if sign.isdigit()]
        if len(places) >= 3 and match.group()[places[0]] != "0":
            place = draw.choice(places[1:-1])
            wrong = text[:match.start() + place] + str((int(match.group()[place]) + 5) % 10) + text[match.start() + place + 1:]
            changed += 1
            unseen += len(numbers.lacking(wrong)) == len(numbers.lacking(text))
    expect(changed >= 10 and unseen <= 2 * changed / 5, f"{what}: {unseen} of {changed} wrong numbers are taken for numbers of the file")


def value_and_unit(printed):
    """What a number is and what its last digit counts: zeros at its end are no digits, but for two at its beginning."""
    text = printed.removesuffix(" %").replace(",", "").replace("−", "-")
    digits, _, exponent = text.partition("e")
    whole, _, decimals = digits.lstrip("+-").partition(".")
    power = -len(decimals) if decimals else max(0, min(len(whole) - len(whole.rstrip("0")), len(whole) - 2))
    return float(text), 10.0 ** (power + int(exponent or 0))


def _numbers_inside(text):
    if isinstance(text, bytes):
        text = text.decode()
    return map(float, INSIDE.findall(text)) if isinstance(text, str) else ()


def _numbers_of(name, table):
    rows = table[:]
    yield len(rows)
    yield from itertools.chain(*map(_numbers_inside, table.attrs["meanings"]))
    for column in rows.dtype.names:
        values = rows[column]
        if values.dtype.kind == "S":
            texts = values.tolist()
            yield from map(texts.count, set(texts))
            yield from itertools.chain(*map(_numbers_inside, set(texts)))
        else:
            is_time = name in OF_TIMES and column in TIMES
            yield from (value / unit for value, units in zip(values, _units(name, rows) if is_time else [{1}] * len(rows)) for unit in units)
    if name in INTERVALS:
        for row, units in zip(rows, _units(name, rows) if name in OF_TIMES else [{1}] * len(rows)):
            for side in (row[INTERVALS[name]] - row["lower"], row["upper"] - row[INTERVALS[name]]):
                yield from (side / unit for unit in units)


def _units(name, rows):
    """For every row the seconds of the units in which times of its metric are shown: the largest of which the greatest is three, of the
    metric and, where that is of a class, of all classes."""
    metrics = rows["metric"].tolist() if "metric" in rows.dtype.names else [b""] * len(rows)
    groups = [{metric, metric.split(b"=")[0]} for metric in metrics]
    greatest = {}
    for group, value in ((group, row[column]) for group, row in zip(groups, rows) for column in OF_TIMES[name]):
        for metric in group:
            greatest[metric] = max(greatest.get(metric, 0), abs(value) if math.isfinite(value) else 0)
    return [{next((unit for unit in (86400, 3600, 60) if greatest[metric] >= 3 * unit), 1) for metric in group if b"slowdown" not in metric} or {1} for group in groups]
