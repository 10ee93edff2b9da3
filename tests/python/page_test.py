#!/usr/bin/env python3
"""The page of HTML in a real browser: quiet, alone, complete, sortable, and hostile names are text. SCHEDFARM_PROGRAM computes the
results; $SCHEDFARM_AXE names axe.min.js of the npm package axe-core, else `npm` gets it.
"""
import base64
import csv
import gzip
import html
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import types
import unittest
import urllib.parse

import pandas as pd

import small_campaigns as small
from browser import Browser, is_installed
import schedfarm
from schedfarm import page, plot
from schedfarm import report as reports
from schedfarm.page import _sections
from schedfarm.page._tables import _interval as interval_shown
from schedfarm.report.answers import _difference as difference_told

THOUSAND = """\
campaign_format: 1
name: a thousand cells
seed: 7
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}
horizon: {jobs: 400, warm_up: {fraction: 0.2}}
replications: 3
probes: [response_time]
comparison: {factor: policy, metric: response_time, baseline: fcfs}
factors:
  policy: [fcfs, {fpfs: {max_jumps: 1}}, {fpfs: {max_jumps: 7}}, sjf, easy]
  load.utilization: [%s]
"""
small.CAMPAIGNS["thousand"] = THOUSAND % ", ".join(f"{0.1 + 0.003 * place:.3f}" for place in range(200))
small.CAMPAIGNS["beyond"] = THOUSAND.replace("jobs: 400", "jobs: 25").replace("replications: 3", "replications: 2") % (
    ", ".join(f"{0.1 + 0.003 * place:.3f}" for place in range(201)))
small.CAMPAIGNS["panels"] = """\
campaign_format: 1
name: more cells than are drawn as shapes, in panels
seed: 7
experiment: open
system: {clusters: [4]}
workload: {model: coallocation, components: 1}
horizon: {jobs: 20, warm_up: none}
policy: fcfs
replications: 2
probes: [response_time]
factors:
  "workload.component_size": [%s]
  load.utilization: {linear: {from: 0.1, to: 0.5, count: 101}}
""" % ", ".join(f"{{uniform: [{low}, {high}]}}" for low in range(1, 5) for high in range(low, 5))
small.CAMPAIGNS["exact"] = """\
campaign_format: 1
name: exact values beside
seed: 7
experiment: open
system: {clusters: [4]}
workload: {model: coallocation, components: 1, component_size: {uniform: [4, 4]}}
horizon: {jobs: 400, warm_up: {fraction: 0.2}}
policy: fcfs
replications: 4
probes: [response_time]
factors: {load.utilization: [0.4, 0.5]}
"""
small.CAMPAIGNS["unstable"] = """\
campaign_format: 1
name: one cell without a steady state
seed: 7
experiment: open
system: {clusters: [4]}
workload: {model: coallocation, components: 1, component_size: {uniform: [3, 3]}}
horizon: {jobs: 400, warm_up: {fraction: 0.2}}
policy: fcfs
load: {utilization: 0.95}
allow_unstable: true
replications: 1
probes: [response_time]
"""
NAMES = ("policies", "table1", "hostile", "beyond")


def page_of(name):
    path = small.folder() / f"{name}.html"
    if not path.exists():
        page.write(small.results(name), path)
    return path


def downloads(text):
    """The tables that a page has for download, by file name."""
    found = {}
    for name, address in re.findall(r'<a download="([^"]*)" href="([^"]*)"', text):
        head, contents = address.split(",", 1)
        data = gzip.decompress(base64.b64decode(contents)) if "gzip" in head else urllib.parse.unquote(contents).encode()
        found[name] = list(csv.DictReader(io.StringIO(data.decode())))
    return found


class Text(unittest.TestCase):
    def test_has_every_table_for_download(self):
        tables = downloads(page_of("policies").read_text())
        rows = small.results("policies").estimates("response_time")
        self.assertEqual([float(row["mean"]) for row in tables["response_time.mean.csv"] if row["mean"]], rows["mean"].dropna().tolist())
        self.assertEqual(len(tables["comparisons.csv"]), len(small.results("policies").comparisons()))
        self.assertEqual(len(downloads(page_of("table1").read_text())["reference.csv"]), len(small.results("table1").reference()))

    def test_has_every_warning_of_the_report_in_red(self):
        text = page_of("policies").read_text()
        report = subprocess.run([os.environ["SCHEDFARM_PROGRAM"], "report", small.path("policies"), "-f", "markdown"], capture_output=True,
                                text=True, check=True).stdout
        warned = html.unescape(re.search(r'<div class="warnings".*?</div>', text, re.DOTALL).group())
        rows = [(title, ": ".join(part for part in (cell, words) if part)) for title, cell, words in reports.warnings(reports.View(small.results("policies").file))]
        self.assertIn("Cells without a steady state", [title for title, _ in rows])
        for title, words in rows:
            self.assertIn(f"<li>{words}", warned)
            self.assertIn(re.sub("^estimate ", "", words.split(": ", 1)[-1].split(", ")[-1]), report)  # beside its heading on the page
            self.assertIn(f"<p>{title}</p>", warned)
        self.assertNotRegex(text, '<li class="good"><strong>[^<]*</strong>cells decided')
        self.assertIn(f"<strong>{len(rows)}</strong>warnings", text)

    def test_calls_nothing_good_beside_warnings(self):
        """All cells are decided, of too few replications."""
        text = page_of("exact").read_text()
        self.assertIn("</strong>warning below", text)
        self.assertIn('<li class=""><strong>2 of 2</strong>cells decided', text)

    def test_cards_say_everything_once_and_in_the_right_number(self):
        for name in ("policies", "table1", "exact", "unstable"):
            cards = re.findall(r'<li class="[a-z]*"><strong>([^<]*)</strong>([^<]*)', page_of(name).read_text())
            self.assertEqual(len({words for _, words in cards}), len(cards), cards)
            for number, words in cards:
                self.assertNotIn("_", words)
                self.assertEqual(words.split()[0].endswith("s"), number.split(" of ")[-1] != "1", (number, words))
        self.assertEqual(cards[:3], [("0 of 1", "cell decided"), ("1", "replication behind the estimates"), ("1", "cell unstable")])

    def test_says_as_the_report_does_which_jobs_were_measured(self):
        for name in ("policies", "table1", "exact", "replays"):
            with self.subTest(name):
                results, rows = small.results(name), small.results(name).table("measured")
                text = " ".join(html.unescape(page.html(results)).split())
                told = " ".join(subprocess.run([os.environ["SCHEDFARM_PROGRAM"], "report", small.path(name)], capture_output=True, text=True,
                                               check=True).stdout.split())
                self.assertGreater(len(rows), 0)
                for row in rows.itertuples():
                    sentence = rf"Measured[^:]*: jobs {row.first_job:,} to {row.last_job:,}( of each replication)?[;.]"
                    self.assertRegex(text, sentence)
                    self.assertRegex(told, sentence)
                    if row.window_begin < row.window_end and len(rows.groupby(["window_begin", "window_end"])) == 1:
                        window = f"; time averages from {row.window_begin:,.10g} to {row.window_end:,.10g} "
                        if name == "replays":  # a log's half an hour, in minutes
                            window = f"; time averages from {row.window_begin / 60:.4g} to {row.window_end / 60:.4g} min"
                        self.assertIn(window, text)
                        self.assertIn(window, told)

    def test_answers_first_every_question_of_the_campaign(self):
        for name, beginnings in (("policies", ["With fpfs(max_jumps=7) the mean response time is ", "With sjf the mean response time is "]), ("unstable", ["No cell has a steady state"]),
                                 ("table1", [f"{len(small.results('table1').reference())} printed values"])):
            text = html.unescape(page_of(name).read_text())
            said = re.findall(r'<p class="answer">(.*?)</p>', text)
            for beginning in beginnings:
                self.assertTrue([own for own in said if beginning in own], (name, said))
            self.assertNotIn("load, .", text)
            places = [text.index(f'id="{part}"') for part in ("answer", "summary", "estimates", "provenance")]
            self.assertEqual(places, sorted(places))

    def test_two_ways_to_the_same_schedule_are_told_to_be_the_same(self):
        def told(*differences):
            rows = [{"verdict": "not decided", "difference": difference, "lower": lower, "upper": upper} for difference, lower, upper in differences]
            return difference_told(None, "wait.mean", "mine", "easy", rows)

        self.assertEqual(told((0.0, 0.0, 0.0)), "With mine the mean wait is the same as with easy.")
        self.assertEqual(told((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), "With mine the mean wait is the same as with easy in all 2 cases.")
        self.assertEqual(told((0.0, -0.5, 0.5)), "Whether the mean wait differs between mine and easy is not decided.")
        self.assertEqual(told((0.0, 0.0, 0.0), (0.0, 0.0, 0.25)), "Whether the mean wait differs between mine and easy is not decided in any of 2 cases.")

    def test_shows_first_what_is_compared(self):
        with schedfarm.open(small.path("policies")) as results:
            results.attributes["report_metrics"] = "queue_length.mean\nresponse_time.mean"
            self.assertEqual(plot.shown_metrics(results), ["response_time.mean", "queue_length.mean"])

    def test_has_a_column_of_exact_values(self):
        text = page_of("exact").read_text()
        rows = downloads(text)["response_time.mean.csv"]
        known = small.results("exact").table("known_values")
        known = known[(known["metric"] == "response_time.mean") & (known["is_exact"] == 1)]
        self.assertGreater(len(known), 0)
        for label, part in known.groupby("label"):
            self.assertIn(f'<th scope="col">{label}', text)
            self.assertEqual([float(row[label]) for row in rows if row[label]], part["value"].tolist())

    def test_error_bars_are_one_path(self):
        """Welch's plot of 1,000 jobs has 200 parts with a bar each."""
        welch = re.search(r"<svg[^>]*Welch.*?</svg>", page_of("policies").read_text(), re.DOTALL).group()
        bars = max(re.findall(r'<path d="([^"]*)"', welch), key=lambda path: path.count("M"))
        parts = small.results("policies").table("warm_up")
        self.assertEqual(bars.count("M"), (parts["cell"] == parts["cell"].iloc[-1]).sum())

    def test_of_a_log_that_is_measured_whole_no_warm_up_is_judged(self):
        cells = pd.DataFrame({"cell": [0, 1], "label": ["log", "model"], "experiment": ["trace", "open"]})
        rows = pd.DataFrame({"cell": [0, 1], "replications": 9, "warm_up_jobs": 0, "mser_cut": 50, "verdict": "short"})
        made_up = types.SimpleNamespace(cells=cells, table_names=["warm_up_checks"], table=lambda name: rows.copy())
        self.assertEqual(_sections.stability(made_up, None).texts, ["The warm-up is long enough in 0 of 1 cell."])
        cells["experiment"] = "trace"
        self.assertIsNone(_sections.stability(made_up, None))

    def test_has_no_empty_table_where_all_cells_are_stable(self):
        cells = pd.DataFrame({"cell": range(101), "label": "one", "experiment": "open"})
        rows = pd.DataFrame({"cell": range(101), "verdict": "stable"})
        made_up = types.SimpleNamespace(cells=cells, path="far/a.h5", table_names=["stability"], table=lambda name: rows.copy())
        section = _sections.stability(made_up, None)
        self.assertEqual((section.texts, section.tables), (["The queue is stable in 101 of 101 cells.",
                                                            "All are printed by schedfarm report a.h5 --table stability."], []))

    def test_is_equal_for_equal_results(self):
        self.assertEqual(page.html(small.results("policies")), page.html(small.results("policies")))

    def test_of_more_cells_needs_no_matplotlib_and_names_the_commands_of_what_it_leaves_out(self):
        code = "import sys; from schedfarm import open, page; print(page.html(open(sys.argv[1]))); sys.exit('matplotlib' in sys.modules)"
        text = subprocess.run([sys.executable, "-c", code, small.path("beyond")], capture_output=True, text=True, check=True).stdout
        commands = re.findall(r"drawn by schedfarm (plot [^<]*)\.<", html.unescape(text).replace("</p>", "<"))
        self.assertEqual(len(commands), 2, commands)
        for command in commands:
            drawn = [os.environ["SCHEDFARM_PROGRAM"], *command.split(), "-o", "drawn.svg"]
            subprocess.run(drawn, cwd=small.folder(), capture_output=True, check=True)

    def test_of_a_thousand_cells_is_small(self):
        results = small.results("thousand")
        self.assertEqual(len(results.cells), 1000)
        text = page.html(results)
        self.assertLessEqual(len(text.encode()), 300 * 1024)


def numbers_shown(row):
    """The mean and the ends of its interval, of a row of the download, as the page has them."""
    return interval_shown(*(float(row[name] or "nan") for name in ("mean", "lower", "upper")))


@unittest.skipUnless(is_installed(), "chromium and chromium-driver are not installed")
class Browsing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def test_says_nothing_and_asks_for_nothing(self):
        for name in NAMES:
            self.browser.console(), self.browser.requests()
            self.browser.open(page_of(name))
            self.browser.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
            self.assertEqual(self.browser.console(), [], name)
            self.assertEqual([url for url in self.browser.requests() if not url.startswith("data:")], [page_of(name).as_uri()])

    def test_has_a_point_per_cell_in_the_order_of_x_with_the_numbers_of_the_table(self):
        self.browser.open(page_of("policies"))
        points = self.browser.run("""
            return [...document.querySelectorAll('#answer .points')].map((group) => [...group.querySelectorAll('title')].map((title) => {
                const box = title.parentNode.getBoundingClientRect();
                return [box.x + box.width / 2, title.textContent]; }))""")
        rows = [row for row in downloads(page_of("policies").read_text())["response_time.mean.csv"] if row["mean"]]
        told = [text for group in points for _, text in group]
        self.assertEqual(len(told), len(rows))
        for group in points:
            places = [x for x, _ in group]
            self.assertEqual(places, sorted(places))
            self.assertEqual(len(set(places)), len(places))
        self.assertEqual([len(group) for group in points], [4, 4, 3])  # one cell ended at once and has no mean
        for text, row in zip(told, rows):
            label, *numbers = re.fullmatch(r"(.*): (\S+) \[(\S+), (\S+)\], n = (\d+)", text).groups()
            self.assertEqual(label, row["label"])
            self.assertEqual(numbers, [*numbers_shown(row), row["n"]])

    def test_draws_more_than_a_thousand_cells_from_columns(self):
        """Every row of the table, in the order of the file, and at the place of every mean one marker; pointing at one tells its row."""
        for name, panels, lines in (("beyond", 1, 5), ("panels", 10, 1)):
            with self.subTest(name):
                self.browser.open(page_of(name))
                rows = downloads(page_of(name).read_text())["response_time.mean.csv.gz"]
                self.assertGreater(len(rows), 1000)
                shown = self.browser.run("const table = document.querySelector('#estimates table'); const at = [...table.tHead.rows[0].cells]"
                                         ".findIndex((one) => one.textContent.startsWith('mean'));"
                                         "return [...table.tBodies[0].rows].map((row) => [0, 1, 2].map((more) => row.cells[at + more].textContent))")
                self.assertEqual(shown, [list(numbers_shown(row)) for row in rows])
                drawn = self.browser.run("return [...document.querySelectorAll('#answer .panels > svg')].map((svg) => [...svg.querySelectorAll('.line')]"
                                         ".map((line) => [...line.querySelectorAll('.means')].flatMap((means) => "
                                         "means.getAttribute('d').match(/M[^m]*/g) ?? [])))")
                self.assertEqual([len(panel) for panel in drawn], [lines] * panels)
                self.assertEqual(sum(len(line) for panel in drawn for line in panel), sum(row["mean"] != "" for row in rows))
                told, places = self.browser.run("""
                    const svg = document.querySelector('#answer .panels > svg'), means = svg.querySelector('.means').getAttribute('d').match(/M([0-9.]+) ([0-9.]+)/g);
                    const told = means.map((text) => {
                        const [x, y] = text.slice(1).split(' ').map(Number), at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
                        svg.dispatchEvent(new PointerEvent('pointermove', { clientX: at.x, clientY: at.y }));
                        return document.querySelector('#answer .told').textContent; });
                    return [told, means.map((text) => text.slice(1).split(' ').map(Number))];""")
                own = [row for row in rows if row["label"].startswith(rows[0]["label"].rsplit(", ", 1)[0] + ", ")]
                if lines == 1:  # markers of two lines may lie upon one another
                    self.assertEqual(told, ["{}: {} [{}, {}], n = 2".format(row["label"], *numbers_shown(row)) for row in own])
                self.assertEqual([text.split(": ")[0].rsplit(", ")[-1] for text in told], [row["label"].rsplit(", ")[-1] for row in own])
                self.assertEqual(places, sorted(places))
                heights = [y for _, (_, y) in sorted(zip([float(row["mean"]) for row in own], places))]
                self.assertEqual(heights, sorted(heights, reverse=True))

    def test_sorts_tables(self):
        self.browser.open(page_of("policies"))
        column = "const table = document.querySelector('#estimates table.sorts'); const head = [...table.querySelectorAll('th')].find((one) => " \
                 "one.textContent.startsWith('mean')); const at = [...head.parentNode.children].indexOf(head);"
        values = "return [...table.tBodies[0].rows].map((row) => row.cells[at].textContent);"
        for order in (lambda numbers: sorted(numbers), lambda numbers: sorted(numbers, reverse=True)):
            *texts, last = self.browser.run(f"{column} head.querySelector('button').click(); {values}")
            self.assertEqual(last, "", "the failed cell, which has no mean, stands last in either order")
            numbers = [float(text) for text in texts]
            self.assertEqual(numbers, order(numbers))
        self.assertEqual(self.browser.run(f"{column} return head.getAttribute('aria-sort');"), "descending")

    def test_shows_hostile_names_as_text(self):
        self.browser.open(page_of("hostile"))
        self.assertEqual(self.browser.run("return document.querySelector('h1').textContent"), r"<script>alert('name')</script> & $\alpha$")
        self.assertEqual(self.browser.run("return document.images.length + document.scripts.length"), 1)
        self.assertIn("<img src=x onerror=alert(1)>", self.browser.run("return document.body.textContent"))

    def test_fits_small_and_large_screens(self):
        for width in (360, 900, 1400):
            self.browser.develop("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
            for name in NAMES:
                self.browser.open(page_of(name))
                self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), width, f"{name} at {width} pixels")
        self.browser.develop("Emulation.clearDeviceMetricsOverride")

    def test_prints_every_row_of_what_is_open(self):
        self.browser.open(page_of("policies"))
        self.browser.develop("Emulation.setEmulatedMedia", media="print")
        cut = self.browser.run("""
            return [...document.querySelectorAll('table')].filter((table) => table.closest('details:not([open])') === null
                && (table.getBoundingClientRect().height === 0 || table.parentNode.scrollHeight > table.parentNode.clientHeight + 1)).length""")
        self.browser.develop("Emulation.setEmulatedMedia", media="")
        self.assertEqual(cut, 0)

    def test_of_twelve_cells_is_printed_on_three_pages(self):
        self.assertEqual(len(small.results("policies").cells), 12)
        self.browser.open(page_of("policies"))
        printed = base64.b64decode(self.browser.develop("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"])
        self.assertLessEqual(max(map(int, re.findall(rb"/Count (\d+)", printed))), 3)

    def test_has_no_finding_of_axe(self):
        axe = axe_core()
        if axe is None:
            self.skipTest("axe-core is not here: set SCHEDFARM_AXE to its axe.min.js")
        for scheme in ("light", "dark"):
            self.browser.develop("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            for name in NAMES:
                self.browser.open(page_of(name))
                self.browser.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
                self.browser.run(axe)
                found = self.browser.run_async("const done = arguments[0]; axe.run().then((result) => done(result.violations.map("
                                               "(one) => one.id + ': ' + one.nodes.map((node) => node.html).slice(0, 3))))")
                self.assertEqual(found, [], f"{name}, {scheme}")


@unittest.skipUnless(is_installed(), "chromium and chromium-driver are not installed")
class WithoutScripts(unittest.TestCase):
    def test_shows_everything(self):
        browser = Browser(scripts=False)
        self.addCleanup(browser.close)
        browser.open(page_of("policies"))
        nodes = browser.develop("DOM.getDocument", depth=1)["root"]["nodeId"]
        for selector, least in (("table", 4), ("svg", 3), ("th button", 0), ("a[download]", 4)):
            count = len(browser.develop("DOM.querySelectorAll", nodeId=nodes, selector=selector)["nodeIds"])
            self.assertGreaterEqual(count, least, selector)
            if selector == "th button":
                self.assertEqual(count, 0, "a script ran")

    def test_says_what_a_script_would_draw(self):
        browser = Browser(scripts=False)
        self.addCleanup(browser.close)
        browser.open(page_of("beyond"))
        nodes = browser.develop("DOM.getDocument", depth=1)["root"]["nodeId"]
        self.assertEqual(len(browser.develop("DOM.querySelectorAll", nodeId=nodes, selector="noscript p")["nodeIds"]), 2)


def axe_core():
    """The text of axe.min.js, got once; None where it cannot be had."""
    named = os.environ.get("SCHEDFARM_AXE")
    if named:
        return pathlib.Path(named).read_text()
    if not shutil.which("npm"):
        return None
    done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", small.folder() / "npm", "axe-core@4"],
                          capture_output=True, check=False, timeout=120)
    file = small.folder() / "npm/node_modules/axe-core/axe.min.js"
    return file.read_text() if done.returncode == 0 and file.exists() else None


if __name__ == "__main__":
    tests = unittest.main(exit=False)
    for test, reason in tests.result.skipped:
        print(f"skipped: {reason}")
    sys.exit(not tests.result.wasSuccessful())
