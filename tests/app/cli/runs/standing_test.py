"""What status and report say of a campaign with replications that failed: which, why, how to replay each, and a command
that leads on.

usage: standing_test.py PROGRAM FAULTY_PROGRAM
"""
import csv
import json
import signal
import subprocess
import sys
import time

from program import PRECISE_CAMPAIGN, Program, expect, main

CAMPAIGN = PRECISE_CAMPAIGN.replace("precision: {metric: response_time, relative: 0.05, min: 20, max: 2000}",
                                    "replications: 6")


def words(text):
    return " ".join(text.split())


def retry(seen):
    """The command that status gives, as it is to be typed."""
    lines = [line.strip() for line in seen.splitlines() if line.startswith("    schedfarm ")]
    expect(len(lines) == 1, f"not one command: {seen}")
    return lines[0].split()[1:]


def test(program, arguments):
    faulty = Program(arguments[0])
    faulty.remove_folder()
    faulty.folder = program.folder
    faulty.write("campaign.yaml", CAMPAIGN)
    # Cell 0 is left with one replication before the first that failed, cell 1 with none.
    faulty.write("faults", "0 1 segfault\n1 0 throw\n")
    faulty.run("run", "campaign.yaml", "-o", "bad.h5", "--workers", "1", exit_code=1)

    seen = program.run("status", "bad.h5").stdout
    expect("5/6 incomplete, 1 failed" in words(seen) and "most demanding" not in seen, seen)
    expect("4 of 6 cells decided; 34 of 36 replications." in words(seen), seen)
    expect("2 replications failed: cell 0, replication 1 crashed: killed by signal 11" in words(seen), seen)
    expect("cell 1, replication 0 failed: thrown on purpose" in words(seen), seen)
    expect(retry(seen) == ["resume", "campaign.yaml", "-o", "bad.h5"], seen)  # what was thrown may be mended

    report = program.run("report", "bad.h5").stdout
    expect("\nFailures\n" in report and "thrown on purpose" in report and "killed by signal 11" in report, report)
    expect("\n    schedfarm replay campaign.yaml --cell 1 --replication 0\n" in report, report)
    expect("fcfs, 0.5: incomplete. n is 1 of 5 computed" in words(report), report)
    expect("fcfs, 0.7: incomplete. n is 0 of 5 computed" in words(report), report)
    rows = [line for line in report.splitlines() if line.rstrip().endswith(("fixed", "incomplete"))]
    expect(len(rows) == 6, f"not a row for every cell: {report}")

    faulty.write("faults", "0 1 segfault\n")
    faulty.run(*retry(seen), "--workers", "1", exit_code=1)
    seen = program.run("status", "bad.h5").stdout
    expect("1 replication failed: cell 0" in words(seen) and "put aside" in seen, seen)
    expect(retry(seen)[-1] == "--retry-quarantined", seen)
    faulty.write("faults", "")
    faulty.run(*retry(seen), "--workers", "1")
    seen = program.run("status", "bad.h5").stdout
    expect("6 of 6 cells decided; 36 replications." in words(seen) and "failed" not in seen, seen)
    expect("Failures" not in program.run("report", "bad.h5").stdout, "failures of replications that were tried again")
    objects_for_scripts(program)
    one_replication_shows_its_value(program)
    draining_is_told(program, faulty)


def draining_is_told(program, faulty):
    """A run that was told to stop says what it waits for. What is under way ends, all of a bundle."""
    program.write("slow.yaml", CAMPAIGN.replace("replications: 6", "replications: 6000"))
    program.write("faults", "0 2 wait\n")
    for words_of_run in (["--workers", "1"], ["--workers", "0"]):
        (program.folder / "executed").write_text("")
        process = subprocess.Popen([faulty.path, "run", "slow.yaml", "-o", "slow.h5", "--fresh", *words_of_run],
                                   cwd=program.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        wait_until(lambda: "0 2\n" in (program.folder / "executed").read_text())
        expect("It is running." in program.run("status", "slow.h5").stdout, "told to stop too early")
        process.send_signal(signal.SIGTERM)
        told = "It was told to stop: it ends, with everything saved, when the "
        # A process alone looks at its signals between replications only.
        if words_of_run[1] != "0":
            wait_until(lambda: told in words(program.run("status", "slow.h5").stdout))
        (program.folder / "go").write_text("")
        expect(process.wait(60) == 3, f"exit code {process.returncode}")
        (program.folder / "go").unlink()
        seen = program.run("status", "slow.h5").stdout
        expect("told to stop" not in seen and "Nobody is running it" in seen, seen)


def wait_until(is_so):
    deadline = time.monotonic() + 30
    while not is_so():
        expect(time.monotonic() < deadline, "waited in vain")
        time.sleep(0.05)


def objects_for_scripts(program):
    """Progress and status as JSON say what the table says, in the middle of a run and after it."""
    program.write("long.yaml", CAMPAIGN.replace("jobs: 500", "jobs: 50000").replace("replications: 6", "replications: 5000"))
    stopped = program.run("run", "long.yaml", "-w", "2", "--walltime", "4", "--progress", "json", exit_code=3)
    lines = [json.loads(line) for line in stopped.stderr.splitlines() if line.startswith("{")]
    expect(lines and all(line["progress_format"] == 1 for line in lines), stopped.stderr)
    counts = [line["replications"]["computed"] for line in lines]
    expect(counts == sorted(counts) and lines[-1]["replications"]["expected"] == 30000, lines)
    status = json.loads(program.run("status", "long.h5", "--format", "json").stdout)
    shown = program.run("status", "long.h5").stdout
    results = int(program.run("status", "long.h5", "--format", "count").stdout)
    expect(status["replications"]["computed"] == results >= counts[-1], status)
    expect(status["command"] == " ".join(["schedfarm", *retry(shown)]) and not status["is_running"], status)
    expect(sum(row["computed"] for row in status["table"]) == results, status)
    for row in status["table"]:
        mean = row["estimate"]["mean"]
        expect(f"{row['computed']}/5000" in shown and row["state"] == "open", row)
        expect(row["estimate"]["lower"] < mean < row["estimate"]["upper"] and ", ".join(row["levels"]) in shown, row)


def one_replication_shows_its_value(program):
    """It has no interval, but its values stand in the table."""
    program.write("one.yaml", CAMPAIGN.replace("replications: 6", "replications: 1"))
    program.run("run", "one.yaml", "-o", "one.h5", "--workers", "1")
    shown = list(csv.DictReader(program.run("report", "one.h5", "--format", "csv").stdout.splitlines()))
    expect(len(shown) >= 6 and all(float(row["measured"]) > 0 and row["lower"] == "" for row in shown), shown)


if __name__ == "__main__":
    sys.exit(main(test))
