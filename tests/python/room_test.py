#!/usr/bin/env python3
"""Every kind of figure of every kind of campaign has room for its texts: none lies over another or is cut off, nothing warns, and cells
without a value are shown. Factors are words, long ones among them; n is 0, 1, 2, 64. SCHEDFARM_PROGRAM computes the results."""
import itertools
import os
import re
import subprocess
import unittest
import warnings

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import ScalarFormatter

import schedfarm
import small_campaigns as small
from schedfarm import RequestError, page, plot
from schedfarm.plot import _fit, _labels

FAILS = "{partitions: {inner: easy, processors: [6144, 1536, 512], route: queue}}"
SOUND = "easy, {k_reservations: {reservations: 10}}, conservative"
WORDS = """\
campaign_format: 1
name: What if
seed: 1
experiment: trace
system: {{clusters: [8192]}}
workload: {{model: trace, file: words.swf, resampling: {resampling}, classes: queues}}
horizon: {{jobs: all}}
replications: {n}
probes: [wait, {{response_time: {{sketch: true, per_class: true}}}}, {{bounded_slowdown: {{per_class: true}}}}]
job_log: {{replications: 1, utilization_parts: 20}}
{comparison}
factors:
  policy: [{policies}]
  window:
    zip:
      system.outages: [none, {{windows: [{{from: 4000, until: 20000}}]}}]
    labels: [none, maintenance]
"""
COMPARED = "comparison: {factor: policy, metric: response_time}"


def log(scale):
    """40 jobs in two queues, of which the first needs more processors than its partition has."""
    jobs = [(i + 1, 100 * scale * i, 0, scale * (3000 + 977 * i % 5000), 2048 if i % 2 == 0 else 64, 1 + i % 7, 1 + i % 2) for i in range(40)]
    return "; MaxProcs: 8192\n; UnixStartTime: 1772409600\n; TimeZoneString: UTC\n" + "".join(
        f"{job} {submit} {wait} {run} {size} -1 -1 {size} {2 * run} -1 1 {user} 1 -1 {queue} 1 -1 -1\n" for job, submit, wait, run, size, user, queue in jobs)


def results(name):
    """`words N`, `failed N`, `nothing`, or `long N` of jobs that run for weeks."""
    path = small.folder() / f"{name}.h5"
    if not path.exists():
        n = int(name.split()[1]) if " " in name else 1
        policies = FAILS if name == "nothing" else f"{SOUND}, {FAILS}" if name.startswith("failed") else SOUND
        (small.folder() / "words.swf").write_text(log(1000 if name.startswith("long") else 1))
        (small.folder() / f"{name}.yaml").write_text(WORDS.format(
            n=n, policies=policies, resampling="none" if n == 1 else "users, shake: 60", comparison=COMPARED if n > 1 else ""))
        done = subprocess.run([os.environ["SCHEDFARM_PROGRAM"], "run", f"{name}.yaml", "-w", "0", "-o", path.name], capture_output=True, text=True,
                              cwd=small.folder(), check=False)
        assert done.returncode == (1 if FAILS in policies else 0), done.stderr
    return schedfarm.open(path)


KINDS = {
    "suggested": plot.suggested, "curve": plot.curve, "along policies": lambda r, style: plot.curve(r, x="policy", style=style),
    "heatmap": plot.heatmap, "forest": plot.forest, "paper": plot.paper, "bars": plot.class_bars,
    "pareto": lambda r, style: plot.pareto(r, "response_time", "bounded_slowdown", style=style), "normalised": plot.normalised_curve,
    "ecdf": plot.ecdf, "tail": lambda r, style: plot.ecdf(r, tail=True, style=style), "queue": plot.queue, "utilization": plot.utilization,
    "welch": lambda r, style: plot.welch(r, 0, style=style), "convergence": lambda r, style: plot.convergence(r, 0, style=style),
    "logged": plot.logged, "ranks": plot.ranks, "gantt of ranks": plot.rank_gantt, "gantt": lambda r, style: plot.gantt(r, style=style),
    "facets": lambda r, style: plot.facets(r, plot.curve, "policy", style=style),
    "facets of classes": lambda r, style: plot.facets(r, plot.curve, "class", metric="response_time", style=style),
}
# What a file has nothing for is refused in words.
REFUSED = {"words 1": {"forest", "paper", "normalised"}, "long 1": {"forest", "paper", "normalised"}, "failed 1": {"forest", "paper", "normalised"}, "words 2": {"paper", "normalised", "logged"},
           "failed 64": {"paper", "normalised", "logged"}}
REFUSED["nothing"] = {"forest", "paper", "normalised", "ecdf", "tail", "queue", "utilization", "welch", "convergence", "gantt", "heatmap", "logged"}


def shapes(figure):
    """Every text that is seen, with the corners of its rectangle."""
    figure.canvas.draw()
    found = []
    for ax in (ax for ax in figure.axes if ax.get_visible()):
        legend = ax.get_legend()
        found += [*_fit._shown(ax, "x"), *_fit._shown(ax, "y"), ax.title, ax._left_title, ax._right_title, *ax.texts]
        found += [ax.xaxis.label, ax.yaxis.label] if ax.axison else []
        found += [*legend.get_texts(), legend.get_title()] if legend else []
    found += figure.texts
    return [(text.get_text(), _fit._corners(text)) for text in found if text.get_visible() and text.get_text().strip()]


class Room(unittest.TestCase):
    def setUp(self):
        self.addCleanup(plt.close, "all")

    def test_is_there_for_every_text(self):
        for name in ("nothing", "words 1", "long 1", "failed 1", "words 2", "failed 64"):
            of = results(name)
            for kind, draw in KINDS.items():
                for style in ("column", "page") if kind in ("suggested", "curve") else ("column",):
                    with self.subTest(name=name, kind=kind, style=style), warnings.catch_warnings():
                        warnings.simplefilter("error")
                        if kind in REFUSED[name]:
                            self.assertRaises(RequestError, draw, of, style=style)
                            continue
                        self.expect_room(plot._canvas.figure_of(draw(of, style=style)))
                        plt.close("all")

    def expect_room(self, figure):
        found = shapes(figure)
        for (one, corners), (other, others) in itertools.combinations(found, 2):
            self.assertFalse(_fit.meet(corners, others), f"{one!r} lies over {other!r}")
        for text, corners in found:
            self.assertTrue((corners > -1).all() and (corners < np.array(figure.bbox.size) + 1).all(), f"{text!r} is cut off")

        for ax in (ax for ax in figure.axes if ax.get_visible()):
            for axis in (ax.xaxis, ax.yaxis):
                self.assertEqual(axis.get_offset_text().get_text(), "", "a power of ten stands apart from its numbers")
                numbers = [label.get_text() for label in axis.get_ticklabels() if isinstance(axis.get_major_formatter(), ScalarFormatter)]
                self.assertFalse([number for number in numbers if re.match(r"\D?\d{4}", number)])

    def test_says_of_how_many_replications_it_is_and_no_interval_of_one(self):
        for name, text in (("nothing", "n = 0"), ("words 1", "n = 1, jobs 1 to 40"), ("words 2", "95 % intervals, n = 2, jobs 9 to 40")):
            self.assertEqual(_labels.evidence_text(results(name), results(name).estimates("response_time")), text)

    def test_does_not_cut_numbers(self):
        ax = plot.heatmap(results("failed 1"), style="page")
        values = results("failed 1").estimates("response_time")["mean"]
        self.assertEqual([text.get_text() for text in ax.texts if text.get_visible()], [f"{value:,.0f}" for value in values] + ["no\nvalue"] * 2)

    def test_shows_cells_that_failed(self):
        of = results("failed 1")
        crosses = [line.get_gid() for line in plot.curve(of, x="policy").lines if str(line.get_gid()).startswith("lacking")]
        self.assertEqual(crosses, ["lacking-6", "lacking-7"])
        for draw in (plot.curve, plot.class_bars, plot.ecdf, plot.queue, plot.utilization, KINDS["pareto"]):
            texts = [text.get_text().replace("\n", " ") for text in draw(of, style="page").get_legend().get_texts()]
            self.assertTrue(any("no value (incomplete)" in text for text in texts), texts)


class Pages(unittest.TestCase):
    def test_are_written_of_every_campaign(self):
        for name in ("nothing", "words 1", "failed 1", "words 2"):
            with self.subTest(name), warnings.catch_warnings():
                warnings.simplefilter("error")
                text = page.html(results(name))
                if name != "words 1" and name != "words 2":
                    self.assertIn("incomplete", text)

    def test_are_written_of_a_campaign_without_factors(self):
        (small.folder() / "words.swf").write_text(log(1))
        text = WORDS.format(n=1, policies="easy", resampling="none", comparison="")
        (small.folder() / "single.yaml").write_text(text[:text.index("factors:")] + "policy: easy\n")
        subprocess.run([os.environ["SCHEDFARM_PROGRAM"], "run", "single.yaml", "-w", "0"], capture_output=True, cwd=small.folder(), check=True)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertIn("mean response time", page.html(schedfarm.open(small.folder() / "single.h5")))


if __name__ == "__main__":
    unittest.main()
