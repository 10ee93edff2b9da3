#!/usr/bin/env python3
"""`schedfarm plot` and `schedfarm report --format html`: every kind of figure is drawn, equal results make equal files, and what is
wrong is one message with exit code 2. SCHEDFARM_PROGRAM is the program."""
import contextlib
import io
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

import matplotlib.pyplot as plt
import small_campaigns as small
from schedfarm import _command, _figures

PROGRAM = os.environ["SCHEDFARM_PROGRAM"]
ONE_CELL = ["-s", "policy=sjf", "-s", "load.utilization=0.7"]
KINDS = {
    "bars": ["classes"], "convergence": ["policies", *ONE_CELL], "curve": ["policies"], "ecdf": ["policies", *ONE_CELL],
    "forest": ["policies"], "heatmap": ["policies"], "logged": ["replays"],
    "normalised": ["policies", "--saturation", "saturated"], "paper": ["table1"],
    "pareto": ["policies", "--x", "response_time", "--y", "bounded_slowdown", "-s", "load.utilization=0.7"],
    "queue": ["policies", *ONE_CELL], "ranks": ["policies"], "utilization": ["policies", *ONE_CELL], "welch": ["policies", *ONE_CELL],
}


def run(*words, **environment):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=small.folder(), check=False,
                          env={**os.environ, **environment})


def here(*words):
    """The same in this process, as the program starts it: exit code and message."""
    told = io.StringIO()
    with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()), contextlib.chdir(small.folder()):
        code = _command.main([*words])
    plt.close("all")  # a figure whose file is refused stays with the process, which ends then
    return code, told.getvalue()


class Plot(unittest.TestCase):
    def drawn(self, *words, output="figure.svg"):
        self.assertEqual(here("plot", *words, "-o", output), (0, ""), words)
        return (small.folder() / output).read_bytes()

    def test_draws_every_kind(self):
        told = run("plot", "--help").stdout
        self.assertEqual(set(KINDS), set(_figures.KINDS))
        for kind, words in KINDS.items():
            words = [small.path(word) if word in small.CAMPAIGNS else word for word in words]
            self.assertIn(b"<svg", self.drawn(*words, "--kind", kind), kind)
            self.assertRegex(told, rf"\b{kind}\b")

    def test_is_a_command_of_the_program(self):
        words = [small.path("policies"), "--facet", "policy", "--y", "response_time", "-s", "load.utilization=0.5",
                 "-s", "load.utilization=0.7", "--by", "policy", "--style", "page", "-k", "curve"]
        done = run("plot", *words, "-o", "program.svg")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "figure written to program.svg\n", ""))
        there = (small.folder() / "program.svg").read_bytes()
        self.assertIn(b"axes_3", there)
        self.assertEqual(there, self.drawn(*words))

    def test_draws_nodes_or_writes_what_they_did(self):
        words = ["gantt", small.path("nodes"), "--cell", "0", "--format", "nodes"]
        done = run(*words, "--from", "212000", "--to", "226000", "-o", "nodes.svg")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "figure written to nodes.svg\n", ""))
        self.assertIn(b'id="loading"', (small.folder() / "nodes.svg").read_bytes())
        self.assertEqual(run(*words).stdout.splitlines()[0], "job,kind,begin,end,first,last,memory")
        self.assertIn("--from and --to choose a part of a drawing", run(*words, "--from", "212000").stderr)
        self.assertIn("Add --cell", run(*words[:2], "--format", "nodes", "-o", "nodes.svg").stderr)

    def test_draws_what_the_factors_suggest(self):
        self.assertIn(b"from the printed value", self.drawn(small.path("table1")))  # in a comment
        self.assertIn(b"cells-0-1-2-3", self.drawn(small.path("policies")))

    def test_draws_what_the_campaign_lists(self):
        done = run("plot", small.path("classes"), "-o", "listed.svg")
        names = ["listed-1-bars.svg", "listed-2-convergence.svg"]
        self.assertEqual(done.stdout.splitlines(), [f"figure written to {name}" for name in names], done.stderr)
        for name, words in zip(names, (["-k", "bars", "--y", "response_time"], ["-k", "convergence", "-s", "policy=easy"])):
            self.assertEqual((small.folder() / name).read_bytes(), self.drawn(small.path("classes"), *words))

    def test_draws_what_is_made_of_observations(self):
        done = run("plot", small.path("made"), "-o", "made.svg")
        kinds = ["curve", "curve", "bars", "curve"]
        self.assertEqual(done.stdout.splitlines(), [f"figure written to made-{number}-{kind}.svg" for number, kind in enumerate(kinds, 1)], done.stderr)
        asked = self.drawn(small.path("made"), "-k", "curve", "--y", "response_time", "--range", "response_time")
        self.assertEqual(asked, (small.folder() / "made-2-curve.svg").read_bytes())

    def test_shows_times_in_the_unit_asked_for(self):
        """Of a log: hours are read best."""
        words = ("--kind", "curve", "-o", "unit.svg")
        for asked, unit in (((), "h"), (("--unit", "min"), "min"), (("--unit", "s"), "s")):
            run("plot", small.path("replays"), *words, *asked)
            self.assertIn(f"mean response time ({unit})", (small.folder() / "unit.svg").read_text())
            told = run("report", small.path("replays"), *asked).stdout
            self.assertIn(f"({unit})", " ".join(told.split("mean bounded")[0].split()))
        self.assertNotEqual(run("report", small.path("replays"), "--unit", "weeks").returncode, 0)
        self.assertEqual(run("report", small.path("replays"), "--format", "csv", "--unit", "d").stdout,
                         run("report", small.path("replays"), "--format", "csv").stdout)

    def test_shows_every_kind_in_the_gallery(self):
        gallery = small.ROOT / "docs/gallery"
        text = (gallery / "README.md").read_text()
        self.assertEqual(set(re.findall(r"--kind (\w+)", text)), set(_figures.KINDS))
        self.assertEqual(sorted(re.findall(r"\]\((\S+\.png)\)", text)), sorted(path.name for path in gallery.glob("*.png")))

    def test_refuses_with_one_message(self):
        for words, message in (
                (["-o", "x.gif"], "no format 'gif'. Figures are written as: svg, pdf, png, pgf"),
                (["-o", "x.svg", "--kind", "pie"], "no kind of figure 'pie'. Kinds: bars, convergence"),
                (["-o", "x.svg", "--y", "respons_time"], "no metric 'respons_time'. The file has: backlog_growth, "),
                (["-o", "x.svg", "-s", "policy"], "--select policy: no level. Write --select FACTOR=LEVEL"),
                (["-o", "x.svg", "--kind", "welch"], "12 cells"),
                (["-o", "x.svg", "--kind", "bars", "-c", "0"], "--kind bars has no use for --cell. Leave it out"),
                (["-o", "x.svg", "--kind", "normalised"], "no ρ_max for fpfs(max_jumps=7); sjf")):
            code, told = here("plot", small.path("policies"), *words)
            self.assertEqual(code, 2, words)
            self.assertIn(message, told)
            self.assertEqual(len(told.splitlines()), 1, told)
            self.assertFalse((small.folder() / "x.svg").exists())

    def test_never_writes_over_what_it_reads(self):
        done = run("plot", small.path("policies"), "-o", small.path("policies"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("would be overwritten", done.stderr)

    def test_leaves_the_older_file_where_there_is_no_room(self):
        folder = small.folder() / "no room"
        folder.mkdir()
        for name in ("full.svg", "full.pdf", "full.png", "full.html"):
            older = {"full.svg": "<?xml, older", "full.pdf": "%PDF, older", "full.html": "<!DOCTYPE, older"}.get(name, "")
            (folder / name).write_text(older)
            words = ["report", "--format", "html"] if name == "full.html" else ["plot"]
            done = subprocess.run([PROGRAM, *words, small.path("policies"), "-o", name], capture_output=True, text=True, cwd=folder, check=False,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (4, "", f"schedfarm: critical: {name} cannot be written (File too large)\n"), name)
            self.assertEqual((folder / name).read_text(), older)
        self.assertEqual(len(os.listdir(folder)), 4)

    def test_stops_with_one_line(self):
        (small.folder() / "stopped").mkdir()
        with subprocess.Popen([PROGRAM, "report", "--format", "html", small.path("policies"), "-o", "stopped/page.html"], cwd=small.folder(),
                              stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
            maps = pathlib.Path(f"/proc/{process.pid}/maps")
            while "matplotlib" not in maps.read_text():
                time.sleep(0.005)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.stderr.read(), "schedfarm: stopped by a signal\n")
        self.assertEqual(process.returncode, 130)
        self.assertEqual(os.listdir(small.folder() / "stopped"), [])

    def test_finds_the_packages_behind_another_python(self):
        folder = small.folder() / "others"
        folder.mkdir()
        shutil.copy("/usr/bin/python3", folder / "theirs")
        other = folder / "python3"
        other.write_text(f"#!/bin/sh\necho tried >>{folder}/log\nexec {folder}/theirs -S -E \"$@\"\n")  # without Debian's packages
        other.chmod(0o755)
        done = run("report", small.path("policies"), SCHEDFARM_PYTHON="", PATH=f"{folder}:{os.environ['PATH']}")
        plain = run("report", small.path("policies"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, plain.stdout, ""))
        self.assertEqual((folder / "log").read_text(), "tried\n")

    def test_takes_settings_from_the_user_and_not_from_the_folder(self):
        folders, figure = small.folder() / "settings", ["plot", small.path("policies"), "-o", "own.svg"]
        bytes_of = {}
        for name, text in (("plain", ""), ("theirs", "text.usetex: True\naxes.facecolor: red\n"), ("unreadable", "\xff"), ("user", "")):
            folder = folders / name
            folder.mkdir(parents=True)
            if text:
                (folder / "matplotlibrc").write_text(text, encoding="latin-1")
            (folder / "chosen").write_text("axes.facecolor: AB12CD\n")
            chosen = {"MATPLOTLIBRC": "chosen"} if name == "user" else {}
            done = subprocess.run([PROGRAM, *figure], capture_output=True, text=True, cwd=folder, check=False, env={**os.environ, **chosen})
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            bytes_of[name] = (folder / "own.svg").read_bytes()
        self.assertEqual(bytes_of["theirs"], bytes_of["plain"])
        self.assertEqual(bytes_of["unreadable"], bytes_of["plain"])
        self.assertEqual([b"#ab12cd" in bytes_of[name] for name in ("plain", "user")], [False, True])
        for name, text, says in (("own.mplstyle", "axes.facecolor: CD34EF\n", ""), ("table.csv", "a,b\n1,2\n", "Missing colon in file 'table.csv', line 1"),
                                 ("key.mplstyle", "axes.facecolour: red\n", "Bad key axes.facecolour"),
                                 ("value.mplstyle", "axes.facecolor: 3 4\n", "'3 4' does not look like a color"), ("bytes", "\xff", "utf-8")):
            (small.folder() / name).write_text(text, encoding="latin-1")
            done = run(*figure, "--style", name)
            self.assertEqual(done.returncode, 2 if says else 0, done.stderr)
            self.assertRegex(done.stderr, rf"^schedfarm: error: --style: {name} cannot be read .*{says}.*Name a file of [^\n]*\n$" if says else "^$")
        self.assertIn(b"#cd34ef", (small.folder() / "own.svg").read_bytes())
        self.assertIn("'none' is not in {column,page,slides}, and no file", run(*figure, "--style", "none").stderr)
        done = run(*figure, MATPLOTLIBRC="none")
        self.assertEqual(done.returncode, 2)
        self.assertIn("MATPLOTLIBRC: none cannot be read (there is no such regular file). Name a file", done.stderr)

    def test_names_the_package_that_is_missing(self):
        bare = small.folder() / "bare-python"
        bare.write_text("#!/bin/sh\nexec /usr/bin/python3 -S -E \"$@\"\n")  # without Debian's packages
        bare.chmod(0o755)
        done = run("plot", small.path("policies"), "-o", "x.svg", SCHEDFARM_PYTHON=str(bare))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"need the Python package (\w+) .*Install python3-\1")
        done = run("plot", small.path("policies"), "-o", "x.svg", SCHEDFARM_PYTHON="no-python")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no-python cannot be started", done.stderr)


class Report(unittest.TestCase):
    def test_writes_the_page(self):
        done = run("report", small.path("policies"), "--format", "html", "-o", "page.html")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = (small.folder() / "page.html").read_text()
        self.assertIn("<h1>four policies</h1>", text)
        self.assertEqual(re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', text), [])

    def test_shows_the_figures_that_the_campaign_lists(self):
        run("report", small.path("classes"), "-o", "listed.html")
        text = (small.folder() / "listed.html").read_text()
        self.assertEqual(re.findall("<(?:figcaption|summary)>(?:Figure: )?(schedfarm plot [^<]*)</", text),
                         ["schedfarm plot --kind bars --y response_time", "schedfarm plot --kind convergence --select policy=easy"])

    def test_wants_a_file_for_the_page_alone(self):
        for words in (["--format", "html"], ["-o", "page.txt"], ["--format", "csv", "-o", "page.html"]):
            done = run("report", small.path("policies"), *words)
            self.assertEqual(done.returncode, 2)
            self.assertIn("a page goes to a file", done.stderr)


if __name__ == "__main__":
    unittest.main()
