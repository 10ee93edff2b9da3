#!/usr/bin/env python3
"""Logs that are no SWF, as a user has them: tables of sacct against another reader of them, public logs by the maps
that come with the program, damaged tables by their exit codes, a campaign whose queues are partitions by name.

usage: other_logs_test.py PROGRAM FOLDER_OF_TABLES
"""
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

program, data = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(data.parent))
import plain_sacct


def answer(*words):
    return subprocess.run([program, *map(str, words)], capture_output=True, text=True)


def summary(*words):
    said = answer("trace", *words, "--json")
    assert said.returncode == 0, said.stderr
    return json.loads(said.stdout)


def expect_refused(file, *parts, columns=()):
    said = answer("trace", file, *columns)
    assert said.returncode == 2, (file, said.returncode, said.stdout)
    assert said.stdout == "" and said.stderr.count("\n") == 1, said.stderr
    assert all(part in said.stderr for part in parts), said.stderr


def expect_counted(file, columns=(), **counts):
    found = {oddity["oddity"]: oddity["count"] for oddity in summary(file, *columns)["oddities"]}
    for kind, count in counts.items():
        start = kind.replace("_", " ")
        assert [n for text, n in found.items() if text.startswith(start)] == [count], (file, kind, found)


def check_dumps():
    dumps = [data / f"sacct_{name}.txt" for name in ("epoch", "all", "all_steps", "all_duplicates", "zone", "fall_back")]
    assert plain_sacct.main(program, dumps) == 0


def check_maps():
    for name in ("pm100", "aurora", "supercloud", "helios"):
        log = summary(data / f"{name}.csv", "--columns", name)
        assert log["jobs"] == 10, (name, log["jobs"])
        assert {oddity["oddity"] for oddity in log["oddities"]}.isdisjoint({"a row with more or fewer fields"})
    inline = "{submit: submit_time, run: duration, nodes: node_num, processors: cpu_num}"
    assert summary(data / "helios.csv", "--columns", inline)["area"] == summary(data / "helios.csv", "--columns", "helios")["area"]
    assert summary(data / "batsim.json")["jobs"] == 10
    sizes = summary(data / "frontier21.swf")["processors"]
    assert (sizes["min"], sizes["max"]) == (1, 2500), sizes
    said = answer("trace", data / "helios.csv", "--columns", "helioss")
    assert said.returncode == 2 and "Did you mean 'helios'?" in said.stderr, said.stderr
    expect_refused(data / "philly.json", "JSON", "--columns")
    expect_refused(data / "helios.csv", "CSV", "--columns")


def check_damaged(folder):
    text = (data / "sacct_all.txt").read_text()
    header, *rows = text.splitlines(keepends=True)

    def written(name, content):
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    whole = summary(data / "sacct_all.txt")
    for name, content in {
        "trailing_bar": text.replace("\n", "|\n"),
        "crlf": text.replace("\n", "\r\n"),
        "bom": "\ufeff" + text,
        "gz": gzip.compress(text.encode()),
    }.items():
        said = summary(written(name, content))
        assert (said["jobs"], said["area"], said["oddities"]) == (whole["jobs"], whole["area"], whole["oddities"]), name
    expect_counted(written("twice", header + "".join(2 * row for row in rows)), a_row_that_was_there_before=36)
    torn = written("semicolons", header + rows[0] + rows[1].replace("|", ";") + "".join(rows[2:]))
    expect_counted(torn, a_row_with_more_or_fewer_fields=1)
    expect_counted(written("cut_in_row", text[:9000]), a_row_with_more_or_fewer_fields=1)
    wrong = written("impossible", header + "".join(rows[:3]) + rows[3].replace("2026-11-27T09", "2026-02-30T25") + "".join(rows[4:]))
    expect_counted(wrong, a_row_with_a_value_that_cannot_be_read=1)
    expect_counted(written("unknown_state", text.replace("COMPLETED", "FINISHED")), a_state_that_is_not_known=24)
    expect_refused(written("cut_in_header", text[:700]), "no job below the header", "Check that the file is complete")
    expect_refused(written("header_only", header), "no job below the header")
    expect_refused(written("no_header", "".join(rows)), "Say by --columns which of the columns", "'{submit: NAME, start: NAME, end: NAME, processors: NAME, limit: NAME}'")
    expect_refused(written("empty", ""), "no job in it")
    expect_refused(written("no_times", "".join("|".join(line.split("|")[:20]) + "\n" for line in text.splitlines())), "|")
    expect_refused(written("foreign_dates", text.replace("2026-11-27T", "27.11.2026 ")), ":2:", "27.11.2026 09:22:39")


def check_damaged_csv(folder):
    """The same kinds, and equal answers, for a table with commas and a map of its columns."""
    text = (data / "pm100.csv").read_text()
    header, *rows = text.splitlines(keepends=True)
    columns = ("--columns", "pm100")

    def written(name, content):
        path = folder / f"{name}.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def counted(name, content, **counts):
        expect_counted(written(name, content), columns, **counts)

    def refused(name, content, *parts):
        expect_refused(written(name, content), *parts, columns=columns)

    whole = summary(data / "pm100.csv", *columns)
    for name, content in {
        "trailing_comma": text.replace("\n", ",\n"),
        "crlf": text.replace("\n", "\r\n"),
        "bom": "\ufeff" + text,
        "gz": gzip.compress(text.encode()),
    }.items():
        said = summary(written(name, content), *columns)
        assert (said["jobs"], said["area"], said["oddities"]) == (whole["jobs"], whole["area"], whole["oddities"]), name
    counted("twice", header + "".join(2 * row for row in rows), a_row_that_was_there_before=len(rows))
    counted("semicolons", header + rows[0].replace(",", ";") + "".join(rows[1:]), a_row_with_more_or_fewer_fields=1)
    counted("cut_in_row", text[:-30], a_row_with_more_or_fewer_fields=1)
    impossible = header + rows[0].replace("2024-06-01", "2024-02-30") + "".join(rows[1:])
    counted("impossible", impossible, a_row_with_a_value_that_cannot_be_read=1)
    states = text.count("COMPLETED")
    assert states > 0
    counted("unknown_state", text.replace("COMPLETED", "FINISHED"), a_state_that_is_not_known=states)
    refused("cut_in_header", text[:40], ":1:", "there is no column 'eligible_time'", "Give another map.")
    refused("header_only", header, "no job below the header")
    refused("no_header", "".join(rows), "Write a header, or leave columns out")
    refused("empty", "", "no job in it")
    refused("no_times", text.replace("_time", "_hour"), "there is no column 'submit_time'")
    refused("foreign_dates", text.replace("2024-06-01", "01.06.2024"), ":2:", "01.06.2024")


def check_written(folder):
    """What is written for simulators are the jobs that ran, by name or not."""
    counts = []
    for words in ((), ("--anonymous",)):
        said = answer("trace", data / "sacct_all.txt", *words, "--write", folder / "written.swf")
        assert said.returncode == 0, said.stderr
        counts.append(said.stdout.split(" written to")[0])
        runs = [float(line.split()[3]) for line in (folder / "written.swf").read_text().splitlines() if not line.startswith(";")]
        assert runs and min(runs) >= 0, runs
    assert counts == ["30 jobs", "30 jobs"], counts


def check_routes(folder):
    """By name: the jobs of partition `high` go to a partition of their own."""
    words = ["simulate", "--trace", data / "sacct_epoch.txt", "--processors", 24, "--set", "workload.queue=partition",
             "--set", "workload.missing_request=run_time"]
    said = answer(*words, "--set", "workload.queues=high, batch", "--policy", "easy")
    assert said.returncode == 0, said.stderr
    said = answer(*words, "--set", "workload.queues=none such", "--policy", "easy")
    assert said.returncode == 2 and "no job is of partition 'none such'" in said.stderr, said.stderr
    campaign = folder / "by_partition.yaml"
    campaign.write_text(f"""\
campaign_format: 1
name: classes by partition
seed: 1
experiment: trace
system: {{clusters: [24]}}
workload: {{model: trace, file: {data / 'sacct_epoch.txt'}, resampling: none, classes: partitions, zone: UTC, missing_request: run_time}}
factors: {{policy: [fcfs]}}
replications: 1
""")
    said = answer("plan", campaign)
    assert said.returncode == 0, said.stderr + said.stdout


check_dumps()
check_maps()
with tempfile.TemporaryDirectory() as folder:
    check_damaged(pathlib.Path(folder))
    check_damaged_csv(pathlib.Path(folder))
    check_written(pathlib.Path(folder))
    check_routes(pathlib.Path(folder))
