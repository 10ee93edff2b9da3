#!/usr/bin/env python3
"""Figures of random campaigns: no text lies over another or over what is drawn, nothing lies outside of the canvas, nothing warns, and cells
without a value are named. Measured by the rectangles of texts and by pixels. SCHEDFARM_PROGRAM computes the results; SCHEDFARM_LONG:
300 campaigns, every kind in every style at least twice."""
import itertools
import os
import random
import re
import subprocess
import sys
import unittest
import warnings

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, ScalarFormatter

import schedfarm
import small_campaigns as small
from gantt_figures_test import random_schedule
from schedfarm import RequestError, _labels, page, plot
from schedfarm.plot import _fit

FAILS = "{partitions: {inner: easy, processors: [6144, 1536, 512], route: queue}}"
SOUND = "easy, {k_reservations: {reservations: 10}}, conservative"
WORDS = """\
campaign_format: 1
name: What if
seed: {seed}
experiment: trace
system: {{clusters: [8192]}}
workload: {{model: trace, file: {file}, resampling: {resampling}, classes: queues}}
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
OPEN = """\
campaign_format: 1
name: {name}
seed: {seed}
{unit}experiment: open
system: {{clusters: [{processors}]}}
workload: {{model: coallocation, components: {components}, component_size: {{uniform: [1, {most}]}}, service: {{exponential: {{mean: {mean}}}}}{classes}}}
horizon: {{jobs: {jobs}, warm_up: {{fraction: 0.2}}}}
replications: {n}
probes: [{{response_time: {{sketch: true, per_class: {per_class}}}}}, queue_length, bounded_slowdown]
job_log: {{replications: 1, utilization_parts: 20}}
allow_unstable: true
{comparison}
{pilot}
factors:
  {factor}:
    zip: {{policy: [{policies}]}}
    labels: [{labels}]
  load.utilization: {loads}
"""
POLICIES = ["fcfs", "sjf", "easy", "conservative", "{fpfs: {max_jumps: 7}}", "{fpfs: {max_jumps: 70}}", "{k_reservations: {reservations: 3}}",
            "{k_reservations: {reservations: 12}}", "ljf"]
PARTS = ["easy", "EASY with", "conservative", "partitions(", "route=queue", "inner=", ", ", " ", "_", "$x^2$", "50 %", "größte", "(7, 12)", "ρ", "backfilling", "−"]


def log(scale):
    """40 jobs in two queues, of which the first needs more processors than its partition has."""
    jobs = [(i + 1, 100 * scale * i, 0, scale * (3000 + 977 * i % 5000), 2048 if i % 2 == 0 else 64, 1 + i % 7, 1 + i % 2) for i in range(40)]
    return "; MaxProcs: 8192\n; UnixStartTime: 1772409600\n; TimeZoneString: UTC\n" + "".join(
        f"{job} {submit} {wait} {run} {size} -1 -1 {size} {2 * run} -1 1 {user} 1 -1 {queue} 1 -1 -1\n" for job, submit, wait, run, size, user, queue in jobs)


def run(name, text, *codes):
    """The results of a campaign, once."""
    path = small.folder() / f"{name}.h5"
    if not path.exists():
        (small.folder() / f"{name}.yaml").write_text(text)
        done = subprocess.run([os.environ["SCHEDFARM_PROGRAM"], "run", f"{name}.yaml", "-w", "0", "-o", path.name], capture_output=True, text=True,
                              cwd=small.folder(), check=False)
        assert done.returncode in (codes or (0,)), done.stderr + text
    return schedfarm.open(path)


def results(name, seed=1):
    """`words N`, `failed N`, `nothing`, or `long N` of jobs that run for weeks."""
    n = int(name.split()[1]) if " " in name else 1
    policies = FAILS if name == "nothing" else f"{SOUND}, {FAILS}" if name.startswith("failed") else SOUND
    scale = 1000 if name.startswith("long") else 1
    (small.folder() / f"words{scale}.swf").write_text(log(scale))
    text = WORDS.format(n=n, seed=seed, file=f"words{scale}.swf", policies=policies, resampling="none" if n == 1 else "users, shake: 60",
                        comparison=COMPARED if n > 1 else "")
    return run(f"{name} {seed}", text, 1 if FAILS in policies else 0)


def random_words(chance):
    words = "".join(chance.choice(PARTS) for _ in range(chance.choice([1, 1, 2, 4, 8]))).strip() or "x"
    return f"{words} {chance.randrange(1000)}"


def random_open(chance, placed=False):
    """Up to nine policies by names of any length, up to eight loads, one replication or more, in a unit or none."""
    count, n = chance.choice([1, 2, 3, 5, 9]), chance.choice([1, 2, 7])
    loads = sorted(chance.sample([0.3, 0.35, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7], 2 if count == 1 else chance.choice([1, 2, 4, 8])))
    quoted = lambda words: '"' + words.replace("\\", "\\\\") + '"'
    has_classes = chance.random() < 0.5
    compared = f"comparison: {{factor: {'kind'}, metric: response_time}}" if count > 1 and n > 1 else ""
    text = OPEN.format(name=quoted(random_words(chance)), seed=chance.randrange(10**6), unit=chance.choice(["", "", "time_unit: minutes\n", "time_unit: s\n"]),
                       processors=chance.choice([32, 100]), components=chance.choice([2, 4]), most=chance.choice([2, 7]), jobs=chance.choice([100, 300]),
                       mean=chance.choice([1, 0.01, 40, 7200, 100000]), classes=", size_classes: [4, 9]" if has_classes else "", n=n,
                       per_class=str(has_classes).lower(), comparison=compared, factor="kind", pilot="pilot: {jobs: 200, replications: 3}" if placed else "",
                       policies=", ".join(chance.sample(POLICIES, count)), labels=", ".join(quoted(f"{random_words(chance)} {k}") for k in range(count)),
                       loads=f"{{of_saturation: {loads}}}" if placed else loads)
    return run(f"open {chance.random()}", text)


def random_log(chance):
    return results(f"{chance.choice(['words', 'failed', 'long'])} {chance.choice([1, 2, 5])}", chance.randrange(1, 4))


def random_replay(chance):
    return results(f"{chance.choice(['words', 'long'])} 1", chance.randrange(1, 4))


def random_any(chance):
    return random_open(chance) if chance.random() < 0.6 else random_log(chance)


def random_paper(chance):
    return run(f"paper {chance.random()}", f"campaign_format: 1\ninclude: [{small.ROOT}/campaigns/coallocation/table1.yaml]\nseed: {chance.randrange(99)}\n"
               f"horizon: {{fills: 50, jobs: 100}}\nreplications: {chance.choice([2, 5])}\n", 0, 1)


def select(chance, of):
    """Some levels of some factors."""
    for name in of.factors.varying() if chance.random() < 0.5 else []:
        levels = of.factors.levels(name)
        of = of.select(**{name.replace(".", "__"): chance.sample(levels, chance.randrange(1, len(levels) + 1))})
    return of


def draw_gantt(chance, style):
    if chance.random() < 0.4:
        of = random_any(chance)
        cell, replication = chance.choice(of.logged())
        return plot.gantt(of, cell, replication, colour=chance.choice(["job", "size", "wait"]), style=style)
    table, processors, end = random_schedule(np.random.default_rng(chance.randrange(10**6)))
    return plot.gantt(table, processors=processors, end=chance.choice([None, end]), trees=chance.random() < 0.5, colour=chance.choice(["job", "size", "wait"]),
                      name=random_words(chance), time_unit=chance.choice(["s", "time units"]), style=style)


def draw_difference(chance, style):
    table, processors, _ = random_schedule(np.random.default_rng(chance.randrange(10**6)))
    return plot.gantt_diff(table, table.assign(start=table["start"] + np.arange(len(table)) % 3, finish=table["finish"] + np.arange(len(table)) % 3),
                           processors=processors, names=(random_words(chance), random_words(chance)), style=style)


def draw_nodes(chance, style):
    begin = chance.choice([0, 212000, 300000])
    return plot.nodes(small.results("nodes"), begin=begin, end=begin + chance.choice([14000, 90000]), style=style)


def of(make, draw):
    return lambda chance, style: draw(select(chance, make(chance)), style, chance)


KINDS = {
    "suggested": of(random_any, lambda r, style, _: plot.suggested(r, style=style)),
    "curve": of(random_any, lambda r, style, chance: plot.curve(r, extremes=chance.choice([None, "response_time"]), style=style)),
    "along words": of(random_any, lambda r, style, chance: plot.curve(r, x=chance.choice([n for n in r.factors.varying() if not r.factors.is_numeric(n)]), style=style)),
    "bars": of(random_any, lambda r, style, chance: plot.bars(r, style=style)),
    "bars of a factor": of(random_any, lambda r, style, chance: plot.bars(r, "response_time", chance.choice(r.factors.varying()), style=style)),
    "heatmap": of(random_any, lambda r, style, _: plot.heatmap(r, style=style)),
    "forest": of(random_any, lambda r, style, _: plot.forest(r, style=style)),
    "paper": of(random_paper, lambda r, style, _: plot.paper(r, style=style)),
    "pareto": of(random_any, lambda r, style, _: plot.pareto(r, "response_time", "bounded_slowdown", style=style)),
    "normalised": of(lambda chance: random_open(chance, placed=True), lambda r, style, _: plot.normalised_curve(r, style=style)),
    "ecdf": of(random_any, lambda r, style, _: plot.ecdf(r, style=style)),
    "tail": of(random_any, lambda r, style, _: plot.ecdf(r, tail=True, style=style)),
    "queue": of(random_any, lambda r, style, _: plot.queue(r, style=style)),
    "utilization": of(random_any, lambda r, style, _: plot.utilization(r, style=style)),
    "welch": of(random_any, lambda r, style, chance: plot.welch(r, chance.choice(r.cells["cell"].tolist()), style=style)),
    "convergence": of(random_any, lambda r, style, chance: plot.convergence(r, chance.choice(r.cells["cell"].tolist()), style=style)),
    "logged": of(random_replay, lambda r, style, _: plot.logged(r, style=style)),
    "ranks": of(random_any, lambda r, style, _: plot.ranks(r, style=style)),
    "gantt of ranks": of(random_any, lambda r, style, _: plot.rank_gantt(r, style=style)),
    "gantt": draw_gantt, "difference": draw_difference, "nodes": draw_nodes,
    "facets": of(random_any, lambda r, style, chance: plot.facets(r, plot.curve, chance.choice(r.factors.varying()), style=style)),
    "facets of classes": of(random_any, lambda r, style, _: plot.facets(r, plot.curve, "class", metric="response_time", style=style)),
}
STYLES = ("column", "page", "slides")
ONCE_WRONG = (9, 18, 20, 57, 59, 181, 195, 278)  # entries of nothing, labels cut off, names that touch, a hyphen for a minus, long titles: of the 300, always tried
GREYS = ("#6b6b6b", "#888888")  # of explanations
INSIDE = {"field", "job"}  # gids of numbers that stand in what they are about


def corners(text):
    """Of the rectangle of a text, turned as it is."""
    box, angle = text.get_window_extent(text.figure.canvas.get_renderer()), np.deg2rad(text.get_rotation())
    assert np.isclose(np.sin(2 * angle), 0), "a text is slanted"
    return np.array([[box.x0, box.y0], [box.x1, box.y0], [box.x1, box.y1], [box.x0, box.y1]])


def meet(one, other):
    """By more than a pixel."""
    (a, b), (c, d) = (one[0], one[2]), (other[0], other[2])
    return bool((np.minimum(b, d) - np.maximum(a, c) > 1).all())


def texts_of(figure):
    """Every text that is seen."""
    figure.canvas.draw()
    found = []
    for ax in (ax for ax in figure.axes if ax.get_visible()):
        legend = ax.get_legend()
        found += [*_fit.labels_of_ticks(ax, "x"), *_fit.labels_of_ticks(ax, "y"), ax.title, ax._left_title, ax._right_title, *ax.texts]
        found += [ax.xaxis.label, ax.yaxis.label] if ax.axison else []
        found += [*legend.get_texts(), legend.get_title()] if legend else []
    found += figure.texts
    return [text for text in found if text.get_visible() and text.get_text().strip()]


def pixels(figure, hidden):
    """Where something is to be seen without these artists."""
    before = [(artist, artist.get_visible()) for artist in hidden]
    for artist in hidden:
        artist.set_visible(False)
    engine = figure.get_layout_engine()
    figure.set_layout_engine("none")
    figure.canvas.draw()
    picture = np.asarray(figure.canvas.buffer_rgba())[..., :3].min(axis=2) < 250
    for artist, was in before:
        artist.set_visible(was)
    figure.set_layout_engine(engine)
    return picture


def words_over_data(figure):
    """Pixels that a text or a legend shares with axes and what is drawn in them."""
    words = [text for text in figure.findobj(Text) if text.get_gid() not in INSIDE]
    legends = [ax.get_legend() for ax in figure.axes if ax.get_legend()]
    data = pixels(figure, words + legends)
    drawn = {artist for ax in figure.axes for artist in [*ax.lines, *ax.collections, *ax.patches, *ax.images, *ax.spines.values(), ax.patch]}
    ticks = {part for ax in figure.axes for axis in (ax.xaxis, ax.yaxis) for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]
             for part in (tick.tick1line, tick.tick2line, tick.gridline)}
    inside = {text for text in figure.findobj(Text) if text.get_gid() in INSIDE}
    outlines = {artist for ax in figure.axes for artist in ax.artists}
    return int((data & pixels(figure, [*drawn, *ticks, *inside, *outlines])).sum())


def marks(artists, greys=False):
    """Colours and shapes of points among artists, and colours of areas; `greys`: of any colour, as an explanation in grey has them."""
    found = set()
    for artist in artists:
        if isinstance(artist, Line2D) and artist.get_marker() not in ("", "None", None) and len(artist.get_xdata()):
            found.add((to_hex(artist.get_markeredgecolor()), shape(MarkerStyle(artist.get_marker()))))
        elif isinstance(artist, PathCollection) and len(artist.get_offsets()):
            found.add((to_hex(artist.get_edgecolors()[0]), artist.get_paths()[0].vertices.round(6).tobytes()))
        elif isinstance(artist, (Patch, PolyCollection)) and len(artist.get_path().vertices if isinstance(artist, Patch) else artist.get_paths()):
            found |= {(to_hex(colour), "area") for colour in np.atleast_2d(artist.get_facecolor())}
    return found | {(grey, kind) for _, kind in found for grey in GREYS} if greys else found


def shape(marker):
    return marker.get_path().transformed(marker.get_transform()).vertices.round(6).tobytes()


class Room(unittest.TestCase):
    def setUp(self):
        self.addCleanup(plt.close, "all")

    def test_is_there_for_every_text_of_random_campaigns(self):
        whole = list(itertools.product(KINDS, STYLES))
        chance = random.Random(59)
        wanted = dict(enumerate(2 * whole + [chance.choice(whole) for _ in range(300)]))
        for number in range(300) if os.environ.get("SCHEDFARM_LONG") else [*ONCE_WRONG, *chance.sample(range(300), 32)]:
            kind, style = wanted[number]
            with self.subTest(number=number, kind=kind, style=style), warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    self.expect_room(plot._canvas.figure_of(self.drawn(kind, style, number)), kind)
                except Exception as error:  # now, not after all others
                    print(f"{number} {kind} {style}: {error}", file=sys.stderr, flush=True)
                    raise
                finally:
                    plt.close("all")

    def drawn(self, kind, style, number):
        """Of the first of up to 20 random campaigns of which there is such a figure."""
        for attempt in range(20):
            chance = random.Random(f"{kind} {style} {number} {attempt}")
            try:
                return KINDS[kind](chance, style)
            except (RequestError, IndexError):  # nothing to choose from
                plt.close("all")
        raise AssertionError(f"no campaign has a figure {kind}")

    def expect_room(self, figure, kind):
        found = [(text.get_text(), corners(text)) for text in texts_of(figure)]
        for (one, here), (other, there) in itertools.combinations(found, 2):
            self.assertFalse(meet(here, there), f"{one!r} lies over {other!r}")
        box = figure.get_tightbbox(figure.canvas.get_renderer()).extents * figure.dpi
        self.assertTrue((box > -1).all() and (box[2:] < np.array(figure.bbox.size) + 1).all(), f"cut off: {box} of {figure.bbox.size}")
        for text, here in found:
            self.assertTrue((here > -1).all() and (here < np.array(figure.bbox.size) + 1).all(), f"{text!r} is cut off")
        self.assertLessEqual(words_over_data(figure), 2, "words lie over what is drawn")
        drawn = marks([artist for ax in figure.axes for artist in [*ax.lines, *ax.collections, *ax.patches]], greys=True)
        for legend in [ax.get_legend() for ax in figure.axes if ax.get_legend()]:
            self.assertFalse([what[0] for what in marks(legend.legendHandles) - drawn], "a legend shows what is not drawn")
        for ax in (ax for ax in figure.axes if ax.get_visible()):
            names = sorted(corners(label)[[0, 2], 1].tolist() for label in _fit.labels_of_ticks(ax, "y"))
            if isinstance(ax.yaxis.get_major_locator(), FixedLocator):
                self.assertGreater(min((above - top for (_, top), (above, _) in zip(names, names[1:])), default=np.inf), 0.4 * _fit.room(figure), "names of rows touch")
            for axis in (ax.xaxis, ax.yaxis):
                self.assertEqual(axis.get_offset_text().get_text(), "", "a power of ten stands apart from its numbers")
                numbers = [label.get_text() for label in axis.get_ticklabels() if isinstance(axis.get_major_formatter(), ScalarFormatter)]
                self.assertFalse([number for number in numbers if re.match(r"\D?\d{4}", number)])
                self.assertFalse([label.get_text() for label in axis.get_ticklabels() if re.match(r"-[\d.]+$", label.get_text())], "a hyphen for a minus")

    def test_says_of_how_many_replications_it_is_and_no_interval_of_one(self):
        for name, text in (("nothing", "n = 0"), ("words 1", "n = 1, jobs 1 to 40"), ("words 2", "95 % intervals, n = 2, jobs 9 to 40")):
            self.assertEqual(_labels.evidence_text(results(name), results(name).estimates("response_time")), text)

    def test_does_not_cut_numbers(self):
        of = results("failed 1")
        of.file.shown_unit = "s"
        ax, values = plot.heatmap(of, style="page"), of.estimates("response_time")["mean"]
        self.assertEqual([text.get_text() for text in ax.texts if text.get_visible()], [f"{value:,.0f}" for value in values] + ["no\nvalue"] * 2)

    def test_shows_cells_that_failed(self):
        of = results("failed 1")
        crosses = [line for line in plot.curve(of, x="policy").lines if line.get_gid() == "lacking"]
        self.assertEqual([len(line.get_xdata()) for line in crosses], [1, 1])
        for draw in (plot.curve, plot.bars, plot.ecdf, plot.queue, plot.utilization, lambda r, style: plot.pareto(r, "response_time", "bounded_slowdown", style=style)):
            ax = draw(of, style="page")
            texts = [text.get_text() for text in ax.get_legend().get_texts()] + [ax.get_title(loc="right")]
            self.assertTrue(any("no value (incomplete)" in text.replace("\n", " ") for text in texts), texts)


class Pages(unittest.TestCase):
    def test_are_written_of_every_campaign(self):
        for name in ("nothing", "words 1", "failed 1", "words 2"):
            with self.subTest(name), warnings.catch_warnings():
                warnings.simplefilter("error")
                text = page.html(results(name))
                if name != "words 1" and name != "words 2":
                    self.assertIn("incomplete", text)

    def test_are_written_of_a_campaign_without_factors(self):
        (small.folder() / "words1.swf").write_text(log(1))
        text = WORDS.format(n=1, seed=1, file="words1.swf", policies="easy", resampling="none", comparison="")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertIn("mean response time", page.html(run("single", text[:text.index("factors:")] + "policy: easy\n")))


if __name__ == "__main__":
    unittest.main()
