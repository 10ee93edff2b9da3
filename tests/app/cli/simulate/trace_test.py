"""`schedfarm trace`: the summary of a log, logs written and read back, and wrong words of every kind.

usage: trace_test.py PROGRAM [--logs]     with --logs: the real logs in $SCHEDFARM_TRACES instead
"""
import gzip
import hashlib
import json
import math
import sys

import plain_backfilling
from program import expect, expect_logs_are_refused, expect_refused, logs_or_skip, main

SMALL = """\
; Version: 2.2
; MaxProcs: 16
; Note: caf\u00e9 "quoted" \\ text
5 100 3 50 4 40 -1 4 60 -1 1 2 -1 -1 1 -1 -1 -1
6 90 3 80 8 40 -1 8 60 -1 0 3 -1 -1 1 -1 -1 -1
7 120 3 0 1 40 -1 1 60 -1 1 2 -1 -1 1 -1 -1 -1
9 130 3 10.5 -1 -1 -1 2 20 -1 5 2 -1 -1 1 -1 -1 -1
"""


def columns(text):
    """The jobs of a log as lists of numbers."""
    return [[float(word) for word in line.split()] for line in text.splitlines() if not line.startswith(";")]


def summary(program):
    (program.folder / "small.swf").write_text(SMALL)
    found = json.loads(program.run("trace", "small.swf", "--json").stdout)
    expect(found["sha256"] == hashlib.sha256(SMALL.encode()).hexdigest(), "sha256")
    # The second job comes first; job 7 did not run. 50 · 4 + 80 · 8 + 10.5 · 2 = 861 in 40 s on 16 processors.
    expect((found["jobs"], found["ran"], found["selected"], found["users"]) == (4, 3, 3, 2), f"{found}")
    expect(found["area"] == 861 and found["offered_load"] == 861 / (40 * 16), f"{found}")
    expect((found["first_submit"], found["last_submit"]) == (90, 130), f"{found}")
    expect(found["run_time"]["median"] == 50 and found["processors"]["max"] == 8, f"{found}")
    expect(found["dropped"] == {"run time 0": 1}, f"{found['dropped']}")
    lines = {oddity["oddity"]: oddity["first_line"] for oddity in found["oddities"]}
    expect(lines == {"submitted before the job of the line above": 5, "run time 0": 6, "ran longer than requested": 5},
           f"{lines}")
    text = program.run("trace", "small.swf").stdout
    expect(found["sha256"] in text and "4; 3 ran; 3 kept" in text, text)
    expect(all(len(line) <= 80 for line in text.splitlines()), f"wider than 80 columns:\n{text}")
    kept = json.loads(program.run("trace", "small.swf", "--json", "--set", "workload.sizes=[1, 4]").stdout)
    expect(kept["jobs"] == 2, f"{kept}")


def machine_size(program):
    """A log whose header has no size takes it from the command line."""
    (program.folder / "sizeless.swf").write_text(SMALL.replace("; MaxProcs: 16\n", ""))
    without = json.loads(program.run("trace", "sizeless.swf", "--json").stdout)
    expect("offered_load" not in without or without["offered_load"] is None, f"{without}")
    found = json.loads(program.run("trace", "sizeless.swf", "-p", "4", "--json").stdout)
    expect(found["offered_load"] == 861 / (40 * 4), f"{found}")
    odd = {oddity["oddity"]: oddity for oddity in found["oddities"]}
    expect("no machine size in the header (MaxProcs or MaxNodes)" not in odd, f"{odd}")
    expect(odd["more processors than the machine has"]["count"] == 1, f"{odd}")
    program.run("trace", "sizeless.swf", "-p", "16", "--write", "sized.swf")
    expect("; MaxProcs: 16\n" in (program.folder / "sized.swf").read_text(), "the size is not written")
    same = json.loads(program.run("trace", "small.swf", "-p", "16", "--json").stdout)
    expect(same == json.loads(program.run("trace", "small.swf", "--json").stdout), "its own size changes a summary")
    refuse(program, ["small.swf", "-p", "17"], 2, "its header says 16 processors, not 17")


def written(program):
    """Normalised, numbered from 1, in the order of submission; the same compressed; a fixed point when done again."""
    program.run("trace", "small.swf", "--write", "normal.swf")
    text = (program.folder / "normal.swf").read_text()
    expect([[row[i] for i in (0, 1, 3, 4, 7, 8, 11)] for row in columns(text)]
           == [[1, 90, 60, 8, 8, 60, 3], [2, 100, 50, 4, 4, 60, 2], [3, 130, 10.5, 2, 2, 20, 2]], text)
    expect("sizes: []" in text, f"the header has a limit of sizes that nobody asked for: {text}")
    program.run("trace", "small.swf", "--write", "normal.swf.gz")
    expect(gzip.decompress((program.folder / "normal.swf.gz").read_bytes()).decode() == text, "compressed is another")
    program.write("round.swf", "; MaxProcs: 8\n1 100000 -1 2e6 4 -1 -1 4 30000000 -1 1 2 -1 -1 -1 -1 -1 -1\n"
                               "2 100000.125 -1 1e-7 4 -1 -1 4 0.1 -1 1 2 -1 -1 -1 -1 -1 -1\n")
    program.run("trace", "round.swf", "--write", "round_again.swf")
    lines = [line.split() for line in (program.folder / "round_again.swf").read_text().splitlines() if line[0] != ";"]
    expect([(line[1], line[3], line[8]) for line in lines]
           == [("100000", "2000000", "30000000"), ("100000.125", "0.0000001", "0.1")], f"exponents: {lines}")
    program.run("trace", "normal.swf.gz", "--write", "again.swf")
    expect(columns((program.folder / "again.swf").read_text()) == columns(text), "not a fixed point")
    program.run("trace", "small.swf", "--write", "raised.swf", "--set", "workload.overrun=request_raised")
    expect(columns((program.folder / "raised.swf").read_text())[0][8] == 80, "settings are not obeyed")


def generated(program):
    """What a model makes is simulated from its log as from the model."""
    model = ["--model", "coallocation", "-p", "32", "--job-count", "300", "--utilization", "0.7", "--seed", "5",
             "--set", "workload.component_size={uniform: [1, 8]}", "--set", "workload.components=1"]
    program.run("trace", *model, "--write", "made.swf")
    text = (program.folder / "made.swf").read_text()
    expect(len(columns(text)) == 300 and "seed 5" in text, text[:500])
    header = [line for line in text.splitlines() if line.startswith(";")]
    for line in ("Version: 2.2", "MaxJobs: 300", "MaxRecords: 300", "UnixStartTime: 0", "MaxNodes: 32", "MaxProcs: 32"):
        expect(f"; {line}" in header, f"{line}: {header}")
    expect("(the log has no dates)" in program.run("trace", "made.swf").stdout, "a model has dates")
    policy = ["--policy", "easy", "--jobs", "-"]
    from_model = program.run("simulate", *model, *policy).stdout
    from_log = program.run("simulate", "--trace", "made.swf", "-p", "32", *policy).stdout
    expect(from_model == from_log and from_log.count("\n") == 301, "the log of a model gives another schedule")
    expect(json.loads(program.run("trace", *model, "--json").stdout)["jobs"] == 300, "summary of a model")


WEEK = 7 * 24 * 3600


def weeks_of(rows, monday):
    """For each week that begins at `monday` or later: its jobs as (time since its Monday, run, processors, request)."""
    weeks = {}
    for row in rows:
        number = math.floor((row[1] - monday) / WEEK)
        weeks.setdefault(number, []).append((row[1] - monday - number * WEEK, row[3], row[4], row[8]))
    return weeks


def resampled(program):
    """Every week drawn is a week of the log; the written log is replication 0 of the model; no setting is passed over."""
    program.run("trace", "example", "--write", "example.swf")
    text = (program.folder / "example.swf").read_text()
    start = int(next(line for line in text.splitlines() if "UnixStartTime" in line).split(":")[1])
    monday = (4 * 24 * 3600 - start) % WEEK  # 1970-01-01 was a Thursday; the log's clock is UTC
    source = weeks_of(columns(text), monday)
    whole = sorted(source)[1:-1]

    resample = ["trace", "example", "--set", "workload.resampling=weeks", "--seed"]
    program.run(*resample, "7", "--write", "weeks.swf")
    drawn = weeks_of(columns((program.folder / "weeks.swf").read_text()), monday)
    expect(sorted(drawn) == whole, f"weeks {sorted(drawn)} in place of {whole}")
    expect(all(jobs in [source[number] for number in whole] for jobs in drawn.values()), "a week that the log has not")
    expect(any(drawn[number] != source[number] for number in whole), "nothing is drawn")
    program.run(*resample, "8", "--write", "others.swf")
    expect(weeks_of(columns((program.folder / "others.swf").read_text()), monday) != drawn, "the seed does nothing")

    settings = ["--set", "workload.resampling=users", "--set", "workload.shake=600", "--set", "workload.load_factor=2",
                "--set", "workload.estimates=tsafrir", "--seed", "3"]
    program.run("trace", "example", *settings, "--write", "log.swf")
    program.run("trace", "--model", "trace", "--set", "workload.file=example", "-p", "64", *settings, "--job-count",
                "1000", "--write", "model.swf")
    made = [[[row[i] for i in (1, 3, 4, 8, 11)] for row in columns((program.folder / name).read_text())[:1000]]
            for name in ("log.swf", "model.swf")]
    expect(made[0] == made[1] and len(made[0]) == 1000, "a log resampled is not replication 0 of the model")


def losses(program):
    """What the format cannot say of generated jobs is said by the program and in the header; memory is written."""
    reserved = ["--model", "listed", "-p", "8", "--set", "workload.service_times=[5, 6, 7]", "--set", "workload.sizes=[1, 2, 3]",
                "--set", "workload.fixed_starts=[-1, 9, 20]", "--write", "reserved.swf"]
    said = "the starts that 2 advance reservations ask for"
    expect(said in program.run("trace", *reserved).stdout, "reservations are lost in silence")
    expect(f"; Lost: {said}\n" in (program.folder / "reserved.swf").read_text(), "the header does not say what is lost")
    moldable = program.run("trace", "--model", "moldable", "-p", "8", "--job-count", "4", "--write", "moldable.swf").stdout
    expect("the speedups of 4 moldable jobs" in moldable, moldable)
    kept = program.run("trace", "--model", "lublin_feitelson", "-p", "128", "--job-count", "4", "--write", "rigid.swf").stdout
    expect(kept.count("\n") == 1, f"rigid jobs lose nothing: {kept}")
    (program.folder / "memory.swf").write_text(SMALL.replace(" 60 -1 1 2", " 60 512 1 2"))
    program.run("trace", "--model", "trace", "--set", "workload.file=memory.swf", "--set", "workload.resampling=none",
                "-p", "16", "--write", "memory_kept.swf")
    found = [row[9] for row in columns((program.folder / "memory_kept.swf").read_text())]
    expect(found.count(512) == 1 and len(found) == 3, f"memory: {found}")


def headers(program):
    """Sizes, zones and starts of a header are read whole, used, or told; what a log asks for in vain is told."""
    job = "1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n"

    def told(lines, jobs=job):
        program.write("head.swf", lines + jobs)
        return program.run("trace", "head.swf").stdout

    text = told("; MaxProcs: 4\n; UnixStartTime: 1027839845\n; TimeZoneString: Etc/GMT-2\n"
                "; StartTime: Sun Jul 28 10:04:05 2002\n")
    expect("2002-07-28 09:04:05 to 2002-07-28 09:04:05" in text, text)
    expect("          4          - StartTime in the header is another instant" in text, text)
    expect("          1          - MaxProcs, or MaxNodes" in told("; MaxProcs: 64 nodes x 16\n; MaxNodes: 64\n"), "size")
    refuse(program, ["--model", "listed", "-p", "1,024 x"], 2, "1,024 x")
    follower = "2 0 -1 50 1 -1 -1 1 50 -1 1 1 1 1 1 1 1 10\n3 0 -1 20 1 -1 -1 1 20 -1 1 1 1 1 1 1 2 0\n"
    text = told("; MaxProcs: 4\n", job + follower)
    expect("          3          2 to be submitted after the end of another job" in text, text)
    text = told("; MaxProcs: 4\n", job.replace(" 10 -1 1 1 1", " 10 -1 1 9223372036854775807 1"))
    expect("of a user or queue above 4294967295" in " ".join(text.split()), text)


def refuse(program, arguments, exit_code, *fragments):
    expect_refused(program, ["trace", *arguments], exit_code, *fragments)


def refusals(program):
    expect_logs_are_refused(program, ["trace"])
    whole = gzip.compress(SMALL.encode() * 1000)
    (program.folder / "cut.swf.gz").write_bytes(whole[: len(whole) // 2])
    refuse(program, ["cut.swf.gz"], 2, "cut.swf.gz")
    refuse(program, [], 2, "--model")
    refuse(program, ["small.swf", "--model", "listed", "-p", "8"], 2, "--model")
    refuse(program, ["--model", "colocation", "-p", "8"], 2, "'coallocation'?")
    refuse(program, ["--model", "coallocation"], 2, "--processors")
    refuse(program, ["small.swf", "--set", "workload.sizs=[1, 2]"], 2, "'sizes'?")
    refuse(program, ["small.swf", "--set", "sizes=[1, 2]"], 2, "'workload.sizes'?")
    refuse(program, ["small.swf", "--write", "none.swf", "--set", "workload.sizes=[9, 9]"], 2, "no job is left")
    refuse(program, ["small.swf", "--write", "x.swf", "--json"], 2, "--json")
    refuse(program, ["small.swf", "--write", "no/folder/x.swf"], 4, "no/folder/x.swf")
    refuse(program, ["small.swf", "--write", "/dev/full"], 4, "/dev/full", "No space left")
    refuse(program, ["small.swf", "--write", "."], 4, "folder")


def real_logs(program, traces):
    """Counts of the normalised logs, and the jobs of one against a plain reading."""
    for name, selected in (("KTH-SP2-1996-2.1-cln", 28467), ("CTC-SP2-1996-3.1-cln", 77199),
                           ("SDSC-BLUE-2000-4.2-cln", 232536)):
        found = json.loads(program.run("trace", f"{name}.swf.gz", "--json").stdout)
        expect(found["selected"] == selected, f"{name}: {found['selected']} jobs")
    program.run("trace", "KTH-SP2-1996-2.1-cln.swf.gz", "--write", "kth.swf.gz")
    plain = [job for _, job in plain_backfilling.read_normalised(
        traces / "KTH-SP2-1996-2.1-cln.swf.gz")]
    again = [job for _, job in plain_backfilling.read_normalised(program.folder / "kth.swf.gz")]
    expect(again == plain and len(again) == 28467, "KTH written is another log")


def test(program, arguments):
    if arguments == ["--logs"]:
        real_logs(program, logs_or_skip())
        return
    summary(program)
    machine_size(program)
    written(program)
    generated(program)
    resampled(program)
    losses(program)
    headers(program)
    refusals(program)


if __name__ == "__main__":
    sys.exit(main(test))
