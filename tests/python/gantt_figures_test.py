#!/usr/bin/env python3
"""Gantt charts show the schedules of tables: rectangles, levels and colours are read back from the Axes. SCHEDFARM_PROGRAM computes the
results."""
import io
import os
import pathlib
import unittest
import unittest.mock

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from plot_test import Figures
from small_campaigns import results
from schedfarm import RequestError, _gantt, _schedules, plot

TABLE = pd.DataFrame({"job": [1, 2, 3], "submit": [0, 0, 1], "start": [0, 0, 4], "finish": [4, 2, 6], "processors": [2, 1, 3]})

# Two nodes of 400: job 1 loads 300 units and runs; job 2 displaces 100 of them on node 1, where it is loaded, and job 1 goes on on node 0.
NODES = pd.DataFrame([(1, "loading", 0, 75, 0, 1, 0), (1, "running", 75, 100, 0, 1, 0), (1, "resident", 75, 100, 1, 1, 300),
                      (2, "loading", 100, 150, 1, 1, 0), (1, "resident", 75, 200, 0, 0, 300), (1, "running", 150, 200, 0, 0, 0),
                      (1, "resident", 100, 200, 1, 1, 200), (2, "resident", 150, 200, 1, 1, 200)],
                     columns=["job", "kind", "begin", "end", "first", "last", "memory"])


def boxes(ax, name="jobs"):
    """(begin, end, lowest, highest + 1) of every rectangle."""
    paths = [path for c in ax.collections if c.get_gid() == name for path in c.get_paths()]
    return [(*path.vertices[:, 0][[0, 1]], *path.vertices[:, 1][[0, 2]]) for path in paths]


class Gantt(Figures):
    def test_places_jobs_on_the_lowest_free_processors(self):
        axes = plot.gantt(TABLE, processors=4)
        self.assertEqual(boxes(axes[2]), [(0, 4, 0, 2), (0, 2, 2, 3), (4, 6, 0, 3)])

    def test_takes_the_processors_that_are_known(self):
        table = TABLE.assign(ranges=["2-3", "0", "0-1 3"])
        self.assertEqual(boxes(plot.gantt(table)[2]), [(0, 4, 2, 4), (0, 2, 0, 1), (4, 6, 0, 2), (4, 6, 3, 4)])

    def test_of_several_clusters_has_a_panel_for_each_and_hatches_jobs_that_are_not_at_home(self):
        # Clusters of 2 and 3: job 1 holds all of the first and one processor of the second, where it is not at home.
        table = TABLE.assign(processors=[3, 1, 3], ranges=["0-1 2", "3", "2-4"], home=[1, 2, 1])
        _, _, first, second = plot.gantt(table, clusters=[2, 3])
        self.assertEqual(boxes(first), [(0, 4, 0, 2)])
        self.assertEqual(boxes(second), [(0, 4, 0, 1), (0, 2, 1, 2), (4, 6, 0, 3)])
        self.assertEqual(boxes(first, "away"), [])
        self.assertEqual(boxes(second, "away"), [(0, 4, 0, 1), (4, 6, 0, 3)])
        self.assertEqual([first.get_ylabel(), second.get_ylabel()], ["cluster 1", "cluster 2"])
        with self.assertRaisesRegex(RequestError, "more than the 4 processors of the clusters"):
            plot.gantt(table, clusters=[2, 2])

    def test_calls_nodes_by_their_names(self):
        table = TABLE.assign(ranges=["0-1", "2", "0-2"], kind="running")
        nodes = pd.DataFrame({"job": ["n1", "big"], "submit": 0, "start": 0, "finish": 0, "processors": [2, 4], "ranges": ["0-1", "2-5"],
                              "kind": "node"})
        _, _, main = plot.gantt(pd.concat([table, nodes]), processors=6)
        self.assertEqual([(label.get_text(), place) for label, place in zip(main.get_yticklabels(), main.get_yticks())], [("n1", 1), ("big", 4)])
        self.assertEqual((main.get_ylabel(), len(boxes(main))), ("nodes", 3))
        lines = pd.concat([table, nodes]).to_csv(index=False).splitlines()
        text = _gantt.jobs_text(_schedules.of_table(lines, "a", 6), 0, 6).splitlines()
        self.assertEqual([line.split()[0] for line in text[2:4]], ["big", "n1"])
        self.assertIn("3 jobs on 2 nodes of 6 processors", text[0])
        many = [f"gpu{k:03},0,0,0,1,{k},node" for k in range(20)]
        text = _gantt.jobs_text(_schedules.of_table(lines[:4] + many, "a", 20), 0, 6).splitlines()
        self.assertTrue(text[2].startswith("gpu018 - gpu019 "), text[2])
        self.assertTrue(all(len(line) <= 80 for line in text))

    def test_crosses_processors_out_of_order_and_counts_no_job_for_them(self):
        table = TABLE.assign(ranges=["0-1", "2", "0-2"], kind="running")
        out = pd.DataFrame({"job": -1, "submit": [1, 0], "start": [1, 0], "finish": [3, 1], "processors": [1, 1], "ranges": ["3", "2"],
                            "kind": "out_of_order"})
        top, _, main = plot.gantt(pd.concat([table, out]), processors=4)
        self.assertEqual(boxes(main, "outages"), [(1, 3, 3, 4), (0, 1, 2, 3)])
        self.assertEqual(boxes(main), [(0, 4, 0, 2), (0, 2, 2, 3), (4, 6, 0, 3)])
        self.assertEqual(top.get_title(loc="right"), ": 3 jobs on 4 processors, crossed: out of order")
        _, _, first, second = plot.gantt(pd.concat([table, out]), clusters=[2, 2])
        self.assertEqual([boxes(first, "outages"), boxes(second, "outages")], [[], [(1, 3, 1, 2), (0, 1, 0, 1)]])
        spans = pd.concat([NODES, pd.DataFrame([(-1, "out_of_order", 20, 60, 1, 1, 0)], columns=NODES.columns)])
        self.assertEqual(boxes(plot.nodes(spans), "outages"), [(20, 60, 1, 2)])

    def test_shows_utilization_and_waiting_jobs(self):
        top, middle, _ = plot.gantt(TABLE, processors=4)
        at = lambda ax, time: {y for x, y in ax.collections[0].get_paths()[0].vertices if x == time}
        self.assertIn(0.75, at(top, 2))  # until 2
        self.assertIn(0.5, at(top, 2))
        self.assertIn(1, at(middle, 4))  # job 3 waits from 1 to 4

    def test_of_results_has_the_processors_of_the_log(self):
        drawn = boxes(plot.gantt(self.policies, 2)[2])
        jobs, held = self.policies.jobs(2), self.policies.processors(2)
        both = held.merge(jobs, on="job")
        self.assertEqual(sorted(drawn), sorted(zip(both["start"], both["finish"], both["first"], both["last"] + 1)))

    def test_of_a_part_leaves_out_the_rest(self):
        drawn = boxes(plot.gantt(TABLE, begin=4.5, end=6)[2])
        self.assertEqual(drawn, [(4, 6, 0, 3)])
        with self.assertRaisesRegex(RequestError, "nothing runs from 7 to 8. The schedule lies from 0 to 6"):
            plot.gantt(TABLE, begin=7, end=8)

    def test_few_jobs_have_numbers_and_lines_of_their_waits(self):
        main = plot.gantt(TABLE, processors=4)[2]
        self.assertEqual([text.get_text() for text in main.texts], ["1", "2", "3"])
        waits = next(c for c in main.collections if c.get_gid() == "waits")
        (begin, end), = waits.get_segments()  # of job 3, submitted at 1 and started at 4
        self.assertEqual((begin[0], end[0]), (1, 4))
        self.assertAlmostEqual(begin[1], 0.2)

    def test_tells_means_of_the_part_that_is_shown(self):
        # Until 2 three of four processors are busy, then two, and from 4 on three; job 3 waits from 1 to 4.
        for part, utilization, queue in (({}, (2 * 3 + 2 * 2 + 2 * 3) / 24, 3 / 6), ({"begin": 1, "end": 3}, (3 + 2) / 8, 1)):
            top, middle, _ = plot.gantt(TABLE, processors=4, **part)
            self.assertEqual(" ".join(top.get_ylabel().split()), f"utilization, mean {100 * utilization:.1f} %")
            self.assertEqual(" ".join(middle.get_ylabel().split()), f"waiting jobs, mean {queue:.1f}")
        self.assertEqual(top.get_title(loc="right"), ": 2 of 3 jobs on 4 processors")

    def test_of_many_changes_shows_means_of_parts(self):
        starts = np.arange(4000)
        many = pd.DataFrame({"job": starts, "submit": starts, "start": starts, "finish": starts + 0.5, "processors": 1})
        top, *_ = plot.gantt(many, end=4000)
        vertices = top.collections[0].get_paths()[0].vertices
        self.assertLess(len(vertices), 5000)
        self.assertEqual(set(np.round(vertices[:, 1], 9)), {0, 0.5})

    def test_colours_by_waits_in_classes(self):
        waits = [0, 60, 61, 90000]
        table = pd.DataFrame({"job": range(4), "submit": 0, "start": waits, "finish": 100000, "processors": 1})
        colours = next(c for c in plot.gantt(table, colour="wait")[2].collections if c.get_gid() == "jobs").get_facecolors()
        shades = plt.get_cmap("cividis_r")(np.linspace(0, 1, 7))
        self.assertTrue(np.allclose(colours, shades[[0, 1, 2, 6]]))

    def test_colours_by_user_where_there_are_some(self):
        table = TABLE.assign(user=[5, 6, 5])
        colours = next(c for c in plot.gantt(table, colour="user")[2].collections if c.get_gid() == "jobs").get_facecolors()
        self.assertEqual([tuple(colour) for colour in colours].count(tuple(colours[0])), 2)
        for unknown in (TABLE, TABLE.assign(user=np.nan)):
            with self.assertRaisesRegex(RequestError, "nothing says whose jobs these are"):
                plot.gantt(unknown, colour="user")

    def test_pales_what_is_loading(self):
        table = TABLE.assign(kind=["loading", "running", "running"])
        colours = next(c for c in plot.gantt(table)[2].collections if c.get_gid() == "jobs").get_facecolors()
        self.assertEqual([colour[3] for colour in colours], [0.4, 1, 1])

    def test_marks_trees_where_they_meet(self):
        main = plot.gantt(TABLE, processors=11, trees=True)[2]
        self.assertEqual([line.get_ydata()[0] for line in main.lines if len(set(line.get_ydata())) == 1 and list(line.get_xdata()) == [0, 1]],
                         [8, 10])
        self.assertEqual([(text.get_text(), text.get_position()[1]) for text in main.texts[-3:]], [("A", 4), ("B", 9), ("C", 10.5)])

    def test_of_a_schedule_without_length_is_drawn(self):
        axes = plot.gantt(pd.DataFrame({"job": [1], "submit": [5], "start": [5], "finish": [5], "processors": [1]}))
        self.assertEqual(axes[2].get_xlim(), (5, 6))

    def test_of_ranks_has_a_bar_for_each_replication(self):
        timings = self.policies.table("timings")
        ax = plot.rank_gantt(self.policies)
        bars = [(path.vertices[0, 0], path.vertices[2, 0]) for c in ax.collections for path in c.get_paths()]
        wanted = sorted(zip(timings["began"], timings["began"] + timings["seconds"]))
        self.assertTrue(np.allclose(sorted(bars), wanted))
        self.assertEqual([label.get_text() for label in ax.get_yticklabels()], ["rank 0"])
        self.assertRegex(ax.texts[0].get_text(), r"^\d+ %$")
        with self.assertRaisesRegex(RequestError, "there is no run 2 .the campaign was computed by 1.. Choose one of 1 to 1"):
            plot.rank_gantt(self.policies, 2)

    def test_of_two_schedules_tells_who_starts_earlier(self):
        other = TABLE.assign(start=[2, 0, 0], finish=[6, 2, 2])
        axes = plot.gantt_diff(TABLE, other)
        colours = next(c for c in axes[1].collections if c.get_gid() == "jobs").get_facecolors()
        _, blue, red = colours  # in the order of starts
        self.assertGreater(red[0], red[2])  # job 1 starts later: orange
        self.assertGreater(blue[2], blue[0])  # job 3 earlier: blue
        self.assertEqual(axes[1].get_title(loc="left"), "second: 1 of 3 jobs earlier, 1 later")
        self.assertEqual([ax.get_xlabel() for ax in axes], ["", "time (s)"])


def random_schedule(chance):
    """Stretches of runs and gaps, from a thousandth of the window on, on each of some groups of processors; and where half of the groups end."""
    sizes = chance.integers(1, 40, chance.integers(1, 60))
    rows, lasts = [], []
    for size, first in zip(sizes, np.cumsum(sizes) - sizes):
        count = chance.integers(1, 60)
        ends = np.cumsum(chance.exponential(10.0 ** chance.uniform(-3.5, 0), 2 * count) * chance.choice([1, 3], 2 * count))
        lasts.append(ends[-1])
        rows += [(len(rows) + k, ends[2 * k], ends[2 * k + 1], size, f"{first}-{first + size - 1}") for k in range(count)]
    table = pd.DataFrame(rows, columns=["job", "start", "finish", "processors", "ranges"])
    return table.assign(submit=table["start"]), int(sizes.sum()), float(np.median(lasts))


def coloured_share(axes):
    """Of the part of the picture that jobs have; every colour is black."""
    main, figure = axes[-1], axes[-1].figure
    for artist in [*main.texts, *main.lines, *main.spines.values(), *(c for c in main.collections if c.get_gid() == "waits")]:
        artist.set_visible(False)
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=150)
    file.seek(0)
    picture = plt.imread(file)[::-1, :, 0]
    figure.set_dpi(150)
    box = main.bbox
    columns, rows = (np.clip(np.minimum(np.arange(n) + 1, high) - np.maximum(np.arange(n), low), 0, 1)
                     for n, low, high in ((picture.shape[1], box.x0, box.x1), (picture.shape[0], box.y0, box.y1)))
    return rows @ (1 - picture) @ columns / (rows.sum() * columns.sum())


class Pixels(Figures):
    """The coloured area of a chart is the busy area: nothing that is narrower than a pixel is lost, or as wide as one."""

    def expect_area(self, table, processors, style, begin=None, end=None):
        low, high = (table["start"].min() if begin is None else begin), (table["finish"].max() if end is None else end)
        held = (table["finish"].clip(low, high) - table["start"].clip(low, high)) * table["processors"]
        busy = held.sum() / processors / (high - low)
        with unittest.mock.patch("schedfarm.plot.gantt_chart._LIGHT", ["black"] * 7):
            axes = plot.gantt(table, processors=processors, style=style, begin=begin, end=end)
        self.assertAlmostEqual(coloured_share(axes) / busy, 1, delta=0.02, msg=f"{style}, {len(table)} stretches, {busy:.1%} busy")
        plt.close("all")

    def test_of_slices_are_coloured_as_they_are_busy(self):
        table = pd.read_csv(pathlib.Path(__file__).parent / "gang.csv", dtype={"ranges": str})
        for style in ("column", "page", "slides"):
            for begin, end in ((None, None), (115000, 135000), (40000, 60000)):
                with self.subTest(style=style, begin=begin):
                    self.expect_area(table, 32, style, begin, end)

    def test_of_random_schedules_are_coloured_as_they_are_busy(self):
        for seed in range(100 if os.environ.get("SCHEDFARM_LONG") else 4):
            table, processors, end = random_schedule(np.random.default_rng(seed))
            for style in ("column", "page", "slides"):
                with self.subTest(seed=seed, style=style):
                    self.expect_area(table, processors, style, end=end)


class Nodes(Figures):
    def test_tell_loading_running_and_resident_apart(self):
        ax = plot.nodes(NODES, capacity=400)
        above = lambda node: (node + 0.4, node + 0.96)
        self.assertEqual(sorted(boxes(ax, "loading")), [(0, 75, *above(0)), (0, 75, *above(1)), (100, 150, *above(1))])
        self.assertEqual(sorted(boxes(ax, "running")), [(75, 100, *above(0)), (75, 100, *above(1)), (150, 200, *above(0))])
        # 300 units are three quarters of the lower part, which is 0.368 of a band.
        memory = sorted(boxes(ax, "memory"))
        wanted = [(75, 100, 1, 1.276), (75, 200, 0, 0.276), (100, 150, 1, 1.184), (150, 200, 1, 1.184), (150, 200, 1.184, 1.368)]
        self.assertTrue(np.allclose(memory, wanted), memory)

    def test_without_memory_fill_the_band(self):
        ax = plot.nodes(NODES[NODES["kind"] == "running"])
        self.assertEqual(sorted(boxes(ax, "running"))[0], (75, 100, 0, 0.96))
        self.assertEqual(boxes(ax, "memory"), [])

    def test_name_what_is_drawn_and_nothing_else(self):
        words = lambda rows: [text.get_text() for text in plot.nodes(rows).get_legend().get_texts()]
        self.assertEqual(words(NODES), ["running", "loading", "resident (below)"])
        self.assertEqual(words(NODES[NODES["kind"] == "running"]), ["running"])

    def test_of_a_part_leave_out_the_rest(self):
        self.assertEqual(boxes(plot.nodes(NODES, begin=160, end=180), "loading"), [])
        with self.assertRaisesRegex(RequestError, "nodes do nothing from 300 to 400. The table lies from 0 to 200"):
            plot.nodes(NODES, begin=300, end=400)

    def test_of_results_are_asked_of_the_program(self):
        with self.assertRaisesRegex(RequestError, "gives processors by number"):
            plot.nodes(self.policies, 2)

    def test_of_a_part_of_results_leave_room_to_themselves(self):
        ax = plot.nodes(results("nodes"), begin=212000, end=226000)
        self.assertTrue(boxes(ax, "memory"))
        for name in ("running", "loading"):
            self.assertTrue(boxes(ax, name))
            self.assertTrue(all(begin < 226000 and end > 212000 for begin, end, _, _ in boxes(ax, name)))
        ax.figure.canvas.draw()
        self.assertGreater(ax.get_position().width, 0.9)  # not squeezed by the legend
        self.assertEqual(ax.get_title(loc="right"), "cell 0, replication 0")


if __name__ == "__main__":
    unittest.main()
