#!/usr/bin/env python3
"""What figures show is what the tables say: numbers are read back from the Axes. SCHEDFARM_PROGRAM computes the results."""
import argparse
import io
import itertools
import os
import re
import shutil
import subprocess
import unittest
import unittest.mock

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D

import schedfarm
from schedfarm import RequestError, _figures, _labels, plot
from schedfarm.plot._fit import unwrapped
from small_campaigns import MADE, folder, results

MEAN = "response_time.mean"
OPTIONS = argparse.ArgumentParser()
_figures.add_options(OPTIONS)
OPTIONS = OPTIONS.parse_args([])


def markers(ax):
    """Of every series with points: their positions, and whether each is filled."""
    for collection in ax.collections:
        if re.fullmatch(r"cells(-\d+)+", str(collection.get_gid())):
            filled = [tuple(face[:3]) != (1, 1, 1) for face in collection.get_facecolors()]
            yield np.asarray(collection.get_offsets()), filled


def unbroken(text):
    return re.sub(r"\s", "", text)


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def horizontal_bars(ax):
    """Ends of the error bars along x, by height."""
    return sorted((round(line[0][1], 9), line[0][0], line[1][0])
                  for container in ax.containers if hasattr(container, "has_xerr") and container.has_xerr
                  for line in container.lines[2][0].get_segments() if len(line))


class Figures(unittest.TestCase):
    def setUp(self):
        self.addCleanup(plt.close, "all")
        self.policies = results("policies")


class MadeOfObservations(Figures):
    def setUp(self):
        super().setUp()
        self.made = results("made")

    def test_a_quantity_is_drawn_with_its_own_interval(self):
        ax = plot.curve(self.made, "beyond_service")
        rows = self.made.with_factors(self.made.table("quantities"))
        rows = rows[rows["quantity"] == "beyond_service"]
        for (points, _), policy in zip(markers(ax), ["fcfs", "easy"]):
            np.testing.assert_array_equal(points, rows.loc[rows["policy"] == policy, ["load.utilization", "mean"]].to_numpy())
        band = [c for c in ax.collections if isinstance(c, PolyCollection)][0].get_paths()[0].vertices
        first = rows[(rows["policy"] == "fcfs") & (rows["load.utilization"] == 0.4)].iloc[0]
        at = band[np.isclose(band[:, 0], 0.4)][:, 1]
        self.assertEqual((at.min(), at.max()), (first["lower"], first["upper"]))
        self.assertEqual(ax.get_ylabel(), "beyond service")

    def test_panels_by_class_have_the_metric_of_each(self):
        grid = plot.facets(self.made, plot.curve, "class", metric="normalized")
        rows = self.made.with_factors(self.made.table("quantities"))
        for number, ax in enumerate(grid.flat):
            own = rows[(rows["quantity"] == "normalized") & (rows["class"] == number)]
            np.testing.assert_array_equal(np.concatenate([points[:, 1] for points, _ in markers(ax)]), own["mean"])
            self.assertTrue(unbroken(ax.get_title(loc="left")).startswith(unbroken(self.made.class_names(0)[number])))
        self.assertEqual(len(list(grid.flat)), 3)
        self.assertEqual([ax.get_ylabel() for ax in grid[:, 0]], ["normalized"] * len(grid))
        with self.assertRaisesRegex(RequestError, "no queue_length by class"):
            plot.facets(self.made, plot.curve, "class", metric="queue_length")

    def test_bars_by_class_take_quantities_and_name_what_differs(self):
        ax = plot.bars(self.made.select(utilization=0.6), "normalized")
        rows = self.made.select(utilization=0.6).table("quantities")
        rows = rows[rows["quantity"] == "normalized"]
        self.assertEqual(sorted(bar.get_width() for bar in ax.patches), sorted(rows["mean"]))
        self.assertEqual(legend(ax), ["fcfs", "easy"])
        ax.figure.canvas.draw()
        self.assertLess(ax.get_legend().get_window_extent().y1, ax.bbox.y0)  # bars reach everywhere else

    def test_bars_of_more_cells_than_colours_are_hatched(self):
        ax = plot.bars(self.made, "normalized")
        looks = {(bar.get_facecolor(), bar.get_hatch()) for bar in ax.patches}
        self.assertEqual(len(looks), 8)  # cells; colours are seven

    def test_extremes_reach_from_the_least_to_the_greatest_replication(self):
        ax = plot.curve(self.made.select(policy="easy"), "beyond_service", extremes="response_time")
        lines = [c for c in ax.collections if c.get_linewidths()[0] == 0.7][0].get_segments()
        rows = self.made.replications(policy="easy").groupby("cell")["response_time.mean"]
        np.testing.assert_array_equal([(line[0][1], line[1][1]) for line in lines], list(zip(rows.min(), rows.max())))
        self.assertGreaterEqual(ax.get_ylim()[1], rows.max().max())
        with self.assertRaisesRegex(RequestError, "beyond_service is not observed in replications"):
            plot.curve(self.made, "response_time", extremes="beyond_service")

    def test_ratios_and_extremes_are_those_of_the_report(self):
        metrics = ["response_time.mean / service_time.mean", "least response_time.mean", "greatest response_time.mean"]
        program = os.environ["SCHEDFARM_PROGRAM"]
        for number, interval in enumerate(["", ", interval: student_t", ", interval: confidence_sequence", ", confidence: 0.8"]):
            campaign = folder() / f"columns{number}.yaml"
            campaign.write_text(MADE.replace("metrics: [", f"metrics: [{', '.join(metrics)}, ").replace(
                "replications: 6", f"replications: {{count: 6{interval}}}"))
            subprocess.run([program, "run", campaign.name, "-w", "0"], check=True, capture_output=True, cwd=folder())
            told = subprocess.run([program, "report", f"columns{number}.h5", "--format", "csv"], check=True, capture_output=True, text=True, cwd=folder())
            printed = pd.read_csv(io.StringIO(told.stdout)).set_index("column")
            with schedfarm.open(folder() / f"columns{number}.h5") as columns:
                for metric in metrics:
                    own, rows = columns.estimates(metric), printed.loc[metric]
                    self.assertEqual(list(own["policy"]), list(rows["policy"]))
                    np.testing.assert_allclose(own[["mean", "lower", "upper", "confidence"]],
                                               rows[["measured", "lower", "upper", "confidence"]])
                self.assertFalse(columns.estimates(metrics[0])["lower"].isna().any())
                unasked, sums = columns.estimates("service_time / response_time"), columns.replications().groupby("cell").sum(numeric_only=True)
                np.testing.assert_allclose(unasked["mean"], sums["service_time.mean"] / sums["response_time.mean"])
                self.assertTrue(unasked[["lower", "upper", "confidence"]].isna().all(axis=None))

    def test_wall_times_are_medians_beyond_those_of_another_cell(self):
        seconds = self.made.table("timings", factors=True).pivot(
            index=["load.utilization", "replication"], columns="policy", values="seconds")
        rows = self.made.estimates("wall_time_ms", policy="easy")
        np.testing.assert_allclose(rows["mean"], 1e3 * seconds["easy"].groupby(level=0).median())
        self.assertEqual(list(rows["n"]), [6, 6, 6, 6])
        rows = self.made.estimates("wall_time_ms beyond fcfs", policy="easy")
        difference = seconds["easy"] - seconds["fcfs"]
        np.testing.assert_allclose(rows["mean"], 1e3 * difference.groupby(level=0).median())
        ax = plot.curve(self.made, "wall_time_ms beyond fcfs")
        self.assertEqual((ax.get_ylabel(), ax.get_title(loc="right")), ("wall time beyond fcfs (ms)", "medians of n = 6"))
        self.assertEqual(plot.shown_metrics(self.made), ["wall_time_ms beyond fcfs", "response_time.mean"])
        with self.assertRaisesRegex(RequestError, "no cell has the level 'sjf'"):
            self.made.estimates("wall_time_ms beyond sjf")


    def test_end_where_top_says(self):
        drawn = _figures.draw(self.made, argparse.Namespace(**{**vars(OPTIONS), "y": "response_time", "facet": "policy", "top": 1.5}))
        self.assertEqual({ax.get_ylim()[1] for ax in drawn.flat}, {1.5})


class Curves(Figures):
    def test_show_what_theory_says_of_the_metric(self):
        placed = results("placed")
        ax = plot.curve(placed, "response_time")
        known = placed.table("known_values").query("metric == 'response_time.mean'")
        lines = [line for line in ax.get_lines() if line.get_label() in set(known["label"])]
        self.assertEqual(sorted(value for line in lines for value in line.get_ydata()), sorted(known["value"]))
        self.assertEqual([text for text in legend(ax) if text in set(known["label"])], [line.get_label() for line in lines])
        self.assertGreater(len(lines), 0)

    def test_of_theory_are_one_entry(self):
        """Three policies with three exact curves."""
        rows = [{"cell": cell, "metric": MEAN, "label": "exact", "value": 1 + 0.1 * cell, "is_exact": 1} for cell in range(12)]
        with unittest.mock.patch.object(type(self.policies), "table", lambda own, name, factors=False, table=type(self.policies).table:
                                        pd.DataFrame(rows) if name == "known_values" else table(own, name, factors)):
            ax = plot.curve(self.policies)
        self.assertEqual(len([line for line in ax.get_lines() if line.get_gid() == "theory"]), 3)
        self.assertEqual(legend(ax).count("exact"), 1)

    def test_that_overlap_are_told_apart_without_colours(self):
        """As who sees no red, no green, or no colours sees them, and printed in grey: lines and edges of bands differ in their dashes, else by
        their lightness."""
        looks = list(itertools.islice(plot._canvas.looks(), 7))
        kinds = {"deuteranope": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
                 "protanope": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]], "grey": [[0.213, 0.715, 0.072]] * 3}
        for name, matrix in kinds.items():  # Machado, Oliveira and Fernandes 2009
            for one, other in itertools.combinations(looks, 2):
                (r, g, b), (s, h, c) = (np.clip(np.array(matrix) @ np.array(to_rgb(look.colour)) ** 2.2, 0, 1) ** (1 / 2.2) for look in (one, other))
                self.assertTrue(one.line != other.line or np.linalg.norm([r - s, g - h, b - c]) > 0.15, f"{one} and {other} for {name}")
        edges = [(str(c.get_linestyles()), c.get_linewidths()[0]) for c in plot.curve(self.policies).collections if c.get_gid() == "band"]
        self.assertEqual((len(set(edges)), {width for _, width in edges}), (3, {0.5}))

    def test_have_a_point_per_cell_in_the_order_of_x(self):
        ax = plot.curve(self.policies)
        rows = self.policies.estimates(MEAN)
        for (points, _), policy in zip(markers(ax), ["fcfs", "fpfs(max_jumps=7)", "sjf"]):
            own = rows[rows["policy"] == policy].sort_values("load.utilization")
            np.testing.assert_array_equal(points, own[["load.utilization", "mean"]].to_numpy())
        self.assertEqual(len(list(markers(ax))), 3)
        self.assertEqual(legend(ax)[:3], ["fcfs", "fpfs(max_jumps=7)", "sjf"])

    def test_have_bands_from_the_ends_of_the_intervals(self):
        ax = plot.curve(self.policies, by="policy")
        rows = self.policies.estimates(MEAN, policy="sjf")
        band = [c for c in ax.collections if isinstance(c, PolyCollection)][-1].get_paths()[0].vertices
        for row in rows.itertuples():
            at = band[np.isclose(band[:, 0], row[rows.columns.get_loc("load.utilization") + 1])][:, 1]
            self.assertEqual((at.min(), at.max()), (row.lower, row.upper))

    def test_along_levels_that_are_no_numbers_are_rows_of_points(self):
        """Two loads, three policies: the points of a policy lie .125 above and below its place, which no line joins to the next."""
        chosen = self.policies.select(utilization=[0.5, 0.7])
        ax = plot.curve(chosen, x="policy", by="load.utilization")
        rows = chosen.estimates(MEAN)
        for (points, _), load, shift in zip(markers(ax), [0.5, 0.7], [-0.125, 0.125], strict=True):
            own = rows[rows["load.utilization"] == load]
            np.testing.assert_allclose(points, np.column_stack([own["mean"], np.arange(3) + shift]))
        self.assertEqual([unwrapped(text.get_text()) for text in ax.get_yticklabels()], ["fcfs", "fpfs(max_jumps=7)", "sjf"])
        self.assertEqual([line for line in ax.get_lines() if len(line.get_xdata())], [])
        bars = [tuple(ends[:, 0]) for c in ax.collections if isinstance(c, LineCollection) for ends in c.get_segments()]
        self.assertEqual(sorted(bars), sorted(zip(rows["lower"], rows["upper"])))

    def test_have_open_markers_where_cells_are_not_decided(self):
        status = self.policies.cells.set_index("cell")["status"]
        rows = self.policies.estimates(MEAN)
        filled = [mark for _, part in markers(plot.curve(self.policies)) for mark in part]
        self.assertEqual(filled, list(status.reindex(rows["cell"]) == "met"))
        self.assertIn(False, filled)

    def test_name_unit_number_and_confidence(self):
        ax = plot.curve(self.policies)
        rows = self.policies.estimates(MEAN)
        self.assertEqual(ax.get_ylabel(), "mean response time (time units)")
        self.assertEqual(ax.get_xlabel(), "offered utilization ρ")
        self.assertEqual(ax.get_title(loc="right"), f"95 % intervals, n = {rows['n'].min()}–{rows['n'].max()}, jobs 201 to 1,000")

    def test_tell_seconds_where_the_times_of_the_workload_are(self):
        self.assertEqual(results("seconds").unit(MEAN), "s")
        self.assertEqual(results("policies").unit(MEAN), "time units")
        self.assertEqual(results("policies").unit("response_time"), "time units")

    def test_tell_the_unit_of_time_in_the_words_of_the_campaign(self):
        classes = results("classes")
        units = classes.estimates().set_index("metric")["unit"]
        self.assertEqual(units[MEAN].iloc[0], "minutes")
        self.assertEqual(units["response_time.count[class=1]"].iloc[0], "1")
        self.assertTrue(all(classes.unit(metric) == unit for metric, unit in units.items()))

    def test_mark_saturation_with_its_interval(self):
        saturated = results("saturated")
        ax = plot.curve(self.policies, saturation=saturated)
        ends = [(left, right) for _, left, right in horizontal_bars(ax)]
        rows = saturated.saturation()
        for row in rows[rows["exact"].isna()].itertuples():
            self.assertIn((row.lower, row.upper), [(a, b) for a, b in ends])

    def test_mark_saturation_below_the_axis_and_say_so_in_the_legend(self):
        """A mark inside of the axes would be read as a measured point."""
        ax = plot.curve(self.policies, saturation=results("saturated"))
        ax.figure.canvas.draw()
        triangles = [line for line in ax.get_lines() if line.get_marker() == "^" and "maximal" not in line.get_label() and line.get_clip_on() is False]
        self.assertTrue(triangles)
        for line in triangles:
            self.assertLess(line.get_transform().transform(line.get_xydata())[:, 1].max(), ax.bbox.y0)
        self.assertIn("maximal utilization", " ".join(text.get_text() for text in ax.get_legend().get_texts()))

    def test_say_which_jobs_were_measured(self):
        measured = self.policies.table("measured")
        for ax in (plot.curve(self.policies), plot.overview(self.policies, MEAN)):
            titles = " ".join(getattr(own, "_right_title").get_text() + getattr(own, "_left_title").get_text() for own in ax.figure.axes)
            self.assertIn(f"jobs {measured['first_job'].min():,} to {measured['last_job'].max():,}", titles.replace("\n", " "))

    def test_are_normalised_by_saturation(self):
        saturated = results("saturated")
        ax = plot.normalised_curve(self.policies, saturation=saturated)
        rho = saturated.saturation().set_index("policy")
        rows = self.policies.estimates(MEAN, policy="sjf")
        points = list(markers(ax))[2][0]
        np.testing.assert_allclose(points[:, 0], rows["load.utilization"] / rho.loc["sjf", "rho_max"], rtol=1e-15)
        with self.assertRaisesRegex(RequestError, "no ρ_max for fpfs.max_jumps=7.; sjf"):  # that of FCFS is known
            plot.normalised_curve(self.policies)

    def test_are_normalised_by_the_placements_of_the_file(self):
        placed = results("placed")
        rows = placed.placements()
        self.assertEqual(list(zip(rows["policy"], rows["method"])), [("fcfs", "exact")] * 2 + [("sjf", "pilot")] * 2)
        np.testing.assert_allclose(rows.loc[:1, ["rho_max", "lower", "upper"]], 2 / 3, rtol=1e-12)
        pilot = placed.saturation(factors=False).set_index("cell").loc[rows["pilot"].iloc[2]]
        for column in ("rho_max", "lower", "upper"):
            self.assertEqual(set(rows.loc[2:, column]), {pilot[column]})
        np.testing.assert_allclose(rows["fraction"], [0.5, 0.75] * 2, rtol=1e-3)  # loads have four digits
        points = np.concatenate([places for places, _ in markers(plot.normalised_curve(placed))])
        np.testing.assert_array_equal(points[:, 0], rows["fraction"])

    def test_mark_the_saturation_of_theory_along_loads_alone(self):
        marks = lambda ax: sorted(line.get_xdata()[0] for line in ax.lines if len(set(line.get_xdata())) == 1 and len(line.get_xdata()) == 2)
        rho = results("placed").placements()["rho_max"]
        np.testing.assert_allclose(marks(plot.curve(results("placed"))), sorted(set(rho)))
        self.assertEqual(marks(plot.curve(results("placed"), x="policy", by="load.utilization")), [])

    def test_that_would_mix_cells_are_refused_with_what_to_add(self):
        with self.assertRaisesRegex(RequestError, "several cells have one place along policy.*differ in: load.utilization"):
            plot.curve(self.policies, x="policy", by=[])

    def test_along_a_logarithm_of_seconds_have_small_ticks_at_whole_hours(self):
        figure, ax = plt.subplots(layout="constrained")
        ax.plot([2000, 200000], [3, 5])
        ax.set_xscale("log")
        _labels.measure(ax.xaxis, "wait", "s")
        plot._fit.fit(figure)
        hours = ax.xaxis.get_minorticklocs() / 3600
        np.testing.assert_allclose(hours / 10 ** np.floor(np.log10(hours) + 1e-9), np.round(hours / 10 ** np.floor(np.log10(hours) + 1e-9)))
        self.assertIn(20, np.round(hours, 6))

    def test_of_two_metrics_join_what_nothing_beats(self):
        chosen = self.policies.select(utilization=0.7)
        ax = plot.pareto(chosen, "response_time", "bounded_slowdown")
        first, second = (chosen.estimates(metric)["mean"].to_numpy() for metric in (MEAN, "bounded_slowdown.mean"))
        marks = {line.get_marker() for line in ax.get_legend().findobj(Line2D)}
        self.assertLess(set("os^"), marks, "the legend does not show the points")
        best = [i for i in range(3) if not any((first[j] < first[i]) and (second[j] < second[i]) for j in range(3))]
        self.assertEqual(len(best), 1)
        self.assertNotIn("not beaten in both", legend(ax))  # one is no line
        four = pd.DataFrame({"mean": [2, 3, 5, 7], "mean_y": [11, 4, 6, 1]})
        self.assertEqual(plot.curves._front(four)["mean"].tolist(), [2, 3, 7])
        plot.pareto(chosen.select(policy="sjf"), "response_time", "bounded_slowdown")  # one cell, of no factor
        with self.assertRaisesRegex(RequestError, "no cell has both response_time and gross_utilization"):
            plot.pareto(results("placed"), "response_time", "gross_utilization")  # that of the pilots


class Intervals(Figures):
    def test_of_differences_are_those_of_the_table(self):
        ax = plot.forest(self.policies)
        rows = self.policies.comparisons()
        self.assertEqual(sorted((a, b) for _, a, b in horizontal_bars(ax)), sorted(zip(rows["lower"], rows["upper"])))
        labels = [text.get_text() for text in ax.get_yticklabels()]
        self.assertIn("sjf − fcfs", labels)
        self.assertIn("offered utilization 0.7", labels)

    def test_of_differences_stand_beside_their_names(self):
        ax = plot.forest(self.policies)
        rows = self.policies.comparisons()
        names = {round(place, 9): text.get_text().replace("\n", " ") for place, text in zip(ax.get_yticks(), ax.get_yticklabels())}
        drawn = {(names[place], lower, upper) for place, lower, upper in horizontal_bars(ax)}
        short = [f"{first.rsplit(', ', 1)[0]} − fcfs" for first in rows["first"]]
        self.assertEqual(drawn, set(zip(short, rows["lower"], rows["upper"])))

    def test_of_differences_stand_below_their_group(self):
        ax = plot.forest(self.policies)
        ticks = sorted(zip(ax.get_yticks(), (text.get_text() for text in ax.get_yticklabels())))
        drawn = {place: lower for place, lower, _ in horizontal_bars(ax)}
        head, found = "", set()
        for place, words in ticks:  # from the top
            head = words if "−" not in words else head
            if round(place, 9) in drawn:
                found.add((head.replace("offered utilization ", "load.utilization="), drawn[round(place, 9)]))
        rows = self.policies.comparisons()
        self.assertEqual(found, set(zip(rows["group"], rows["lower"])))

    def test_of_a_paper_lie_beside_its_rounding(self):
        table = results("table1")
        ax = plot.paper(table, relative=False)
        rows = table.reference()
        bars = sorted((bar.get_x(), bar.get_x() + bar.get_width()) for bar in ax.patches)
        np.testing.assert_allclose(bars, sorted(zip(rows["value"] - rows["rounding"], rows["value"] + rows["rounding"])))
        has_interval = rows["lower"].notna() & (rows["lower"] < rows["upper"])
        drawn = sorted((a, b) for _, a, b in horizontal_bars(ax) if a < b)
        np.testing.assert_allclose(drawn, sorted(zip(rows["lower"][has_interval], rows["upper"][has_interval])))

    def test_of_a_paper_are_relative_to_the_printed_value(self):
        table = results("table1")
        rows = table.reference()
        drawn = sorted(b for _, a, b in horizontal_bars(plot.paper(table)) if a < b)
        has_interval = rows["lower"].notna() & (rows["lower"] < rows["upper"])
        np.testing.assert_allclose(drawn, sorted((100 * (rows["upper"] - rows["value"]) / rows["value"])[has_interval]))

    def test_of_any_factor_of_words_are_bars(self):
        """Of three policies at two loads; cells without classes have nothing else."""
        chosen = self.policies.select(utilization=[0.5, 0.7])
        for ax in (plot.bars(chosen, "response_time", "policy"), _figures.draw(chosen, argparse.Namespace(**{**vars(OPTIONS), "kind": "bars"}))):
            rows = chosen.estimates(MEAN)
            self.assertEqual([unwrapped(text.get_text()) for text in ax.get_yticklabels()], ["fcfs", "fpfs(max_jumps=7)", "sjf"])
            drawn = {(round(bar.get_y() + bar.get_height() / 2, 9), bar.get_width()) for bar in ax.patches}
            places = {"fcfs": 0, "fpfs(max_jumps=7)": 1, "sjf": 2}
            self.assertEqual(drawn, {(places[row.policy] + (0.2 if row.utilization == 0.7 else -0.2), row.mean)
                                     for row in rows.rename(columns={"load.utilization": "utilization"}).itertuples()})
            self.assertEqual(legend(ax)[:2], ["0.5", "0.7"])
            ends = [tuple(line[:, 0]) for c in ax.collections if c.get_gid() == "intervals" for line in c.get_segments()]
            self.assertEqual(sorted(ends), sorted(zip(rows["lower"], rows["upper"])))
        by_number = plot.bars(chosen, "response_time", "load.utilization")
        self.assertEqual([text.get_text() for text in by_number.get_yticklabels()], ["0.5", "0.7"])

    def test_of_classes_are_bars(self):
        classes = results("classes")
        ax = plot.bars(classes)
        rows = classes.estimates()
        rows = rows[rows["metric"].str.contains(r"response_time.mean\[class=")]
        self.assertEqual(sorted(bar.get_width() for bar in ax.patches), sorted(rows["mean"]))
        self.assertEqual(unwrapped(ax.get_xlabel()), "mean response time (minutes)")


class Waits(Figures):
    def test_are_those_of_the_table(self):
        replays = results("replays")
        rows = replays.table("logged_waits").query("jobs > 0")
        self.assertEqual(plot.logged_cells(replays), [sorted(set(rows["cell"]))])
        ax = plot.logged(replays)
        groups = rows[rows["cell"] == rows["cell"].iloc[0]]
        places = {name: place for place, name in zip(ax.get_yticks(), [text.get_text() for text in ax.get_yticklabels()])}
        drawn = {line.get_marker(): dict(zip(line.get_ydata(), line.get_xdata())) for line in ax.lines}
        self.assertEqual(drawn["|"], {places[group]: value for group, value in zip(groups["group"], groups["logged"])})
        for marker, (_, own) in zip("os", rows.groupby("cell")):
            near = {min(places.values(), key=lambda place: abs(place - height)): value for height, value in drawn[marker].items()}
            self.assertEqual(near, {places[group]: value for group, value in zip(own["group"], own["simulated"])})
        self.assertFalse(set(drawn["o"]) & set(drawn["s"]), "points of several cells may have the same place")
        self.assertEqual([text.get_text() for text in ax.get_legend().get_texts()], ["as logged", "easy", "fcfs"])
        self.assertIn("by queue", places)
        self.assertEqual([line.get_marker() for line in ax.lines if line.get_clip_on()], [], "the axis cuts marks at 0")
        ax.figure.canvas.draw()
        self.assertLess(ax.get_legend().get_window_extent().y1, ax.bbox.y0)

    def test_of_several_logs_want_a_choice(self):
        replays = results("replays")
        rows = replays.table("logged_waits")
        rows.loc[rows["cell"] == rows["cell"].iloc[0], "logged"] += 1
        with unittest.mock.patch.object(type(replays), "table", lambda self, name, factors=False: rows):
            self.assertRaisesRegex(RequestError, "these cells replay several logs", plot.logged, replays)
        self.assertRaisesRegex(RequestError, "no cell has waits of a log", plot.logged, self.policies)


class Grids(Figures):
    def test_have_the_means_in_their_fields(self):
        ax = plot.heatmap(self.policies)
        table = self.policies.pivot(MEAN, rows="policy", columns="utilization")
        np.testing.assert_array_equal(ax.images[0].get_array(), table.to_numpy())
        self.assertIn(f"({table.iloc[0, 3]:.3g})", [text.get_text() for text in ax.texts])  # unstable

    def test_are_suggested_of_many_levels_alone(self):
        """Of two factors of words with few levels each, rows of points are read faster."""
        for levels, is_map in ((4, False), (5, True)):
            chosen = self.policies.select(utilization=[0.5, 0.6])
            with unittest.mock.patch.object(type(self.policies.factors), "is_numeric", lambda *_: False), \
                    unittest.mock.patch.object(type(self.policies.factors), "levels", lambda *_: list(range(levels))), \
                    unittest.mock.patch("schedfarm.plot.suggested.heatmap") as heatmap, unittest.mock.patch("schedfarm.plot.suggested.curve") as curve:
                with unittest.mock.patch.object(type(chosen), "cells", chosen.cells.assign(utilization=0.5)), \
                        unittest.mock.patch("schedfarm._series.points", return_value=unittest.mock.MagicMock(**{"rows.__getitem__.return_value.nunique.return_value": 1})):
                    plot.overview(chosen, MEAN)
            self.assertEqual((heatmap.called, curve.called), (is_map, not is_map))

    def test_need_two_factors(self):
        of_one = self.policies.select(utilization=0.5)
        for axes in ({}, {"x": "policy"}, {"y": "policy"}):
            with self.subTest(axes), self.assertRaisesRegex(RequestError, "do not differ in two factors"):
                plot.heatmap(of_one, **axes)
        across = plot.heatmap(self.policies, y="utilization")
        self.assertEqual(across.get_xlabel(), plot.heatmap(self.policies, x="policy").get_xlabel())

    def test_have_a_panel_per_level(self):
        grid = plot.facets(self.policies, plot.curve, "policy")
        for ax, policy in zip(grid.flat, ["fcfs", "fpfs(max_jumps=7)", "sjf"]):
            rows = self.policies.estimates(MEAN, policy=policy)
            np.testing.assert_array_equal(next(markers(ax))[0][:, 1], rows["mean"])
            self.assertTrue(unbroken(ax.get_title(loc="left")).startswith(unbroken(policy)))
            decided = rows[rows["cell"].isin(self.policies.cells.query("status == 'met'")["cell"])]
            self.assertLessEqual(decided["upper"].max(), ax.get_ylim()[1])


class Jobs(Figures):
    def test_distributions_are_those_of_the_sketch(self):
        chosen = self.policies.select(policy="sjf", utilization=0.7)
        line = plot.ecdf(chosen).lines[0]
        table = chosen.ecdf("response_time")
        np.testing.assert_array_equal(line.get_xydata(), table.to_numpy())

    def test_distributions_of_logs_count_every_job(self):
        chosen = self.policies.select(policy="sjf", utilization=0.7)
        jobs = chosen.jobs(*chosen.logged()[0])
        line = plot.ecdf(chosen, source="jobs").lines[0]
        np.testing.assert_array_equal(line.get_xdata(), np.sort(jobs["finish"] - jobs["submit"]))

    def test_utilization_is_that_of_the_series(self):
        chosen = self.policies.select(policy="sjf", utilization=0.7)
        rows = chosen.table("utilization_series")
        values, edges, _ = plot.utilization(chosen).patches[0].get_data()
        np.testing.assert_array_equal(values, rows["gross_utilization"])
        np.testing.assert_array_equal(edges[:-1], rows["begin"])

    def test_queues_have_the_length_that_jobs_make(self):
        cell = self.policies.cell(policy="sjf", utilization=0.7)
        jobs = self.policies.jobs(cell)
        line = plot.queue(self.policies, [cell]).lines[0]
        for place in range(0, len(line.get_xdata()), 97):
            time, length = line.get_xdata()[place], line.get_ydata()[place]
            self.assertEqual(length, ((jobs["submit"] <= time) & (jobs["start"] > time)).sum())

    def test_warm_up_is_that_of_the_table(self):
        parts = self.policies.table("warm_up")
        cell = int(parts["cell"].iloc[0])
        lines = plot.welch(self.policies, cell).lines
        own = parts[parts["cell"] == cell]
        np.testing.assert_array_equal(lines[1].get_xydata(), np.column_stack([own["first_job"] + own["jobs"] / 2, own["moving_average"]]))

    def test_convergence_ends_at_the_estimate(self):
        ax = plot.convergence(self.policies, 0)
        row = self.policies.estimates(MEAN).iloc[0]
        self.assertAlmostEqual(ax.lines[0].get_ydata()[-1], row["mean"], places=12)
        band = ax.collections[0].get_paths()[0].vertices
        last = band[band[:, 0] == row["n"]][:, 1]
        self.assertAlmostEqual((last.max() - last.min()) / 2, row["standard_error"], places=12)

    def test_convergence_counts_replications_in_whole_numbers(self):
        self.assertTrue(all(float(tick).is_integer() for tick in plot.convergence(results("replays"), 0).get_xticks()))

    def test_convergence_of_what_is_compared_is_that_of_each_cell(self):
        compared = results("differences")
        estimates = compared.estimates(MEAN)
        self.assertEqual(set(compared.cells["most_demanding"]), {MEAN + " (difference)"})
        for cell, mean in zip(estimates["cell"], estimates["mean"]):
            ax = plot.convergence(compared, cell)
            self.assertAlmostEqual(ax.lines[0].get_ydata()[-1], mean, places=12)
            plt.close(ax.figure)


class Files(Figures):
    def test_of_equal_results_are_equal(self):
        for kind in ("svg", "pdf", "png"):
            contents = []
            for attempt in range(2):
                path = folder() / f"figure{attempt}.{kind}"
                plot.save(plot.curve(self.policies), path)
                contents.append(path.read_bytes())
            self.assertEqual(*contents, f"two {kind} of the same results")

    @unittest.skipUnless(shutil.which("pdflatex"), "pdflatex is not installed")
    def test_for_latex_are_equal(self):
        contents = []
        for attempt in range(2):
            path = folder() / f"figure{attempt}.pgf"
            plot.save(plot.forest(self.policies), path)
            contents.append(path.read_bytes())
        self.assertEqual(*contents)
        plot.save(plot.curve(results("hostile")), path)
        (folder() / "paper.tex").write_text(r"\documentclass{article}\usepackage{pgf}\begin{document}"
                                            r"\noindent\input{figure0.pgf}\par\noindent\input{figure1.pgf}\end{document}")
        done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"], cwd=folder(),
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])
        self.assertNotIn("Overfull", done.stdout)

    def test_of_other_kinds_are_refused(self):
        with self.assertRaisesRegex(RequestError, "no format 'gif'. Figures are written as: svg, pdf, png, pgf"):
            plot.save(plot.curve(self.policies), "figure.gif")

    def test_show_hostile_names_as_text(self):
        ax = plot.curve(results("hostile"))
        path = folder() / "hostile.svg"
        plot.save(ax, path)
        self.assertEqual(legend(ax)[0], "<img src=x onerror=alert(1)>")
        self.assertEqual(legend(ax)[1], r"50 % \$x_1\$ \frac & _{y")
        self.assertNotIn("<img", path.read_text())

    def test_have_the_widths_of_columns(self):
        for style, inches in (("column", 3.31), ("page", 6.85), ("slides", 10)):
            self.assertAlmostEqual(plot.curve(self.policies, style=style).figure.get_size_inches()[0], inches)
        with self.assertRaisesRegex(RequestError, "no style 'poster'. Styles: column, page, slides, screen"):
            plot.curve(self.policies, style="poster")

    def test_of_more_lines_than_looks_are_refused(self):
        with self.assertRaisesRegex(RequestError, "29 lines cannot be told apart in one figure. Choose cells with --select"):
            next(plot._canvas.looks(29))
        self.assertEqual(len(set(itertools.islice(plot._canvas.looks(28), 28))), 28)

    def test_are_drawn_into_axes_that_are_given(self):
        _, ax = plt.subplots()
        self.assertIs(plot.curve(self.policies, ax=ax), ax)


if __name__ == "__main__":
    unittest.main()
