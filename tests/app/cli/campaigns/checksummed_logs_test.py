"""A campaign and its results are held to the logs that it was begun with: by resume, run, replay, status, and by the
YAML that `plan` and result files have; `diff` says which logs differ.

usage: checksummed_logs_test.py PROGRAM FAULTY
"""
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys

import h5py

from program import Program, expect, expect_refused, main

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "python" / "src"))

import schedfarm

CAMPAIGN = """\
campaign_format: 1
name: a log
seed: 5
experiment: trace
system: {clusters: [16]}
workload: {model: trace, file: jobs.swf, resampling: users}
horizon: {jobs: all, warm_up: none}
replications: 3
policy: easy
"""
LOG = "; MaxProcs: 16\n" + "".join(
    f"{job} {8000 * job} -1 {30 + job % 7 * 10} {1 + job % 9} -1 -1 {1 + job % 9} 200 -1 1 {1 + job % 6} -1 -1 -1 -1 -1 -1\n"
    for job in range(1, 201))
CHANGED = LOG + "; a comment\n"
REPLAY = ["replay", "log.yaml", "--cell", "0", "--replication", "1"]
OTHER_LOG = "begun with other contents of a file that the campaign names"


def sha256(log):
    return hashlib.sha256(log.encode()).hexdigest()


def run(program, campaign, results, log, *options):
    program.write("jobs.swf", log)
    program.run("run", campaign, "--workers", "0", "-o", results, *options)


def journals(program):
    """Replications of two logs never get into one result file."""
    program.write("log.yaml", CAMPAIGN)
    program.write("named.yaml", CAMPAIGN.replace("jobs.swf", f"jobs.swf, sha256: {sha256(LOG)}"))
    program.write("jobs.swf", LOG)
    plans = [re.search("plan ([0-9a-f]+)", program.run("plan", name).stdout).group(1)
             for name in ("log.yaml", "named.yaml")]
    expect(plans[0] == plans[1], f"the plan with the checksum of the log is another: {plans}")
    run(program, "log.yaml", "log.h5", LOG)
    expect(sha256(LOG) in schedfarm.open(program.folder / "log.h5").cells.workload[0],
           "the result file does not say which log it is of")
    program.write("jobs.swf", CHANGED)
    resume = ["resume", "log.yaml", "--workers", "0"]
    expect_refused(program, resume, 2, OTHER_LOG, "--fresh")
    for workers in ("0", "1"):  # a run offers nothing that is then refused
        expect_refused(program, ["run", "log.yaml", "--workers", workers], 2, OTHER_LOG, "Put the old one back", "--fresh")
    expect_refused(program, ["status", "log.h5"], 2, "A log that the campaign names has changed")
    (program.folder / "jobs.swf").unlink()
    expect_refused(program, ["status", "log.h5"], 2, "there is no such log", "Put a log that it names back where it was")
    program.write("jobs.swf", LOG)
    program.run(*resume)
    expect_refused(program, ["run", "log.yaml"], 2, "has been run and is complete", "See `schedfarm report log.h5`, begin anew")
    text = (program.folder / "log.yaml").read_text()
    program.write("log.yaml", text + "description: said later\n")
    expect_refused(program, ["run", "log.yaml"], 2, "report log.h5`, take over with `resume` what its text says otherwise now")
    program.run(*resume)
    expect("said later" in schedfarm.open(program.folder / "log.h5").attributes["campaign"],
           "a resume does not take over what changes no replication")
    program.write("log.yaml", text)


def replays(program):
    program.write("jobs.swf", LOG)
    value = program.run(*REPLAY).stdout
    run(program, "log.yaml", "elsewhere.h5", LOG)
    program.write("jobs.swf", CHANGED)
    expect_refused(program, REPLAY, 2, "log.h5.journal: this journal was " + OTHER_LOG, "Put the old one back")
    expect_refused(program, [*REPLAY, "--output", "elsewhere.h5"], 2, "elsewhere.h5.journal", OTHER_LOG)
    absolute = [str(program.folder / word) if word == "log.yaml" else word for word in REPLAY]
    expect_refused(program, absolute, 2, OTHER_LOG)  # the campaign under another name
    expect_refused(program, [*REPLAY, "-o", "absent.h5"], 2, "absent.h5.journal: there is no such journal")
    run(program, "log.yaml", "changed.h5", CHANGED)
    program.run(*REPLAY, "--output", "changed.h5")
    program.write("log.yaml", CAMPAIGN.replace("seed: 5", "seed: 6"))
    warning = "log.h5.journal: of another version of the campaign (the replay is not held to its logs)"
    expect(warning in program.run(*REPLAY).stderr, "a replay of another campaign than was run")
    expect_refused(program, [*REPLAY, "-o", "elsewhere.h5"], 2, "the journal of an earlier version of campaign 'a log'",
                   "Name a run of this one")
    expect_refused(program, ["resume", "log.yaml", "-w", "0"], 2, "They have no replication in common (another seed", "--fresh")
    program.write("jobs.swf", LOG)  # the cell as it was, in another version of the campaign
    program.write("log.yaml", CAMPAIGN.replace("replications: 3", "replications: 4") + "description: longer\n")
    for options in ([], ["-o", "elsewhere.h5"]):
        done = program.run(*REPLAY, *options)
        expect(done.stdout == value and done.stderr == "", f"a replay of a cell that was run: {done.stderr}")
    expect_refused(program, ["resume", "log.yaml", "-w", "0"], 2, "Keep what both have in common with --extend")
    program.write("log.yaml", CAMPAIGN)
    program.write("jobs.swf", LOG)
    expect(program.run(*REPLAY).stdout == value, "the replay of the log that was put back is another")


def offered_replays(program, faulty):
    """What failed is replayed over the log that it failed with."""
    faulty = Program(faulty)
    faulty.folder = program.folder
    program.write("faults", "0 1 throw\n")
    program.write("jobs.swf", LOG)
    for results, option in (("failed.h5", " --output failed.h5"), ("log.h5", "")):
        faulty.run("run", "log.yaml", "-w", "0", "-o", results, "--fresh", exit_code=1)
        command = schedfarm.open(program.folder / results).table("failures").replay[0]
        expect(command == "schedfarm " + " ".join(REPLAY) + option, command)
    (program.folder / "faults").unlink()
    run(program, "log.yaml", "log.h5", LOG, "--fresh")


def effective_configurations(program):
    """The JSON of `plan` and of a result file, run again, gives the same payload, or is refused over another log."""
    program.write("jobs.swf", LOG)
    program.write("plan.yaml", program.run("plan", "log.yaml", "--format", "json").stdout)
    with h5py.File(program.folder / "log.h5") as file:
        program.write("results.yaml", file.attrs["effective_configuration"].decode()
                      if isinstance(file.attrs["effective_configuration"], bytes)
                      else file.attrs["effective_configuration"])
    for name in ("plan", "results"):
        expect(sha256(LOG) in (program.folder / f"{name}.yaml").read_text(), f"{name}.yaml does not name its log")
        run(program, f"{name}.yaml", f"{name}.h5", LOG)
        expect(program.payload_hash(f"{name}.h5") == program.payload_hash("log.h5"), f"{name}.yaml: another payload")
        program.write("jobs.swf", CHANGED)
        for command in (["run", f"{name}.yaml", "-o", "new.h5"], ["replay", f"{name}.yaml", "-c", "0", "-r", "0"]):
            expect_refused(program, command, 2, "not the log that was asked for")


def differences(program):
    """Results over two versions of a log have their cells in common, and differ at least in the log."""
    for mode in ("overlap", "paired", "bitwise"):
        done = program.run("diff", "log.h5", "changed.h5", "--mode", mode, exit_code=1)
        expect("The logs differ: jobs.swf." in done.stdout, done.stdout)
        row = ["jobs.swf", sha256(LOG)[:12], sha256(CHANGED)[:12], "1"]
        expect(row in [line.split() for line in done.stdout.splitlines()], f"no {row} in: {done.stdout}")
        same = program.run("diff", "log.h5", "plan.h5", "--mode", mode)
        expect("log" not in same.stdout.replace("log.h5", ""), same.stdout)
    expect("0 of 1 intervals do not overlap" in program.run("diff", "log.h5", "changed.h5", "-m", "overlap", exit_code=1).stdout,
           "the comment changed an interval")


def logs_of_ranks(program):
    """A rank that finds another log under the same name ends the run."""
    program.write("ranks.yaml", CAMPAIGN.replace("jobs.swf", "ranks.swf"))
    ranks = []
    for folder, contents in (("one", LOG), ("other", CHANGED), ("same", LOG)):
        (program.folder / folder).mkdir()
        (program.folder / folder / "ranks.swf").write_text(contents)
        ranks.append(["-n", "1", "env", f"SCHEDFARM_TRACES={program.folder / folder}", program.path, "run", "ranks.yaml",
                      "-o", "ranks.h5", "--fresh"])
    for second, exit_code in ((ranks[1], 2), (ranks[2], 0)):
        done = subprocess.run(["mpirun", *ranks[0], ":", *second], cwd=program.folder, capture_output=True, text=True,
                              timeout=120, check=False)
        expect(done.returncode == exit_code, f"exit code {done.returncode}, not {exit_code}\n{done.stderr}")
        expect((exit_code == 2) == ("not the log that was asked for" in done.stderr), done.stderr)
        expect((exit_code == 0) == (program.folder / "ranks.h5").exists(), "results of two logs")


def runs_read_elsewhere(program):
    """What reads a journal finds the logs of its campaign from any folder, and after journal, campaign and log were moved
    together, but takes no other log of their name."""
    (program.folder / "logs").mkdir()
    (program.folder / "logs" / "here.swf").write_text(LOG)
    program.write("beside/here.yaml", CAMPAIGN.replace("jobs.swf", "logs/here.swf") + "job_log: {replications: 1}\n")
    (program.folder / "link.yaml").symlink_to("beside/own.yaml")
    program.run("run", "beside/here.yaml", "-w", "0")
    expect_refused(program, ["plan", "link.yaml"], 2, "own.swf: there is no such log", f"in {program.folder} nor")
    elsewhere = Program(program.path)
    expected = {name: program.run("status", str(program.folder / f"{name}.h5")).stdout for name in ("own", "here", "nested", "levels")}
    for name, text in expected.items():
        results = program.folder / f"{name}.h5"
        expect(elsewhere.run("status", str(results)).stdout == text, f"another status of {name} from elsewhere")
        elsewhere.run("rebuild", f"{results}.journal", "-o", f"{name}.h5")
        elsewhere.run("merge", f"again_{name}.h5", str(results))
        for made in (f"{name}.h5", f"again_{name}.h5"):
            expect(elsewhere.payload_hash(made) == program.payload_hash(results), f"{made}: another payload")
    elsewhere.write("own.swf", CHANGED)
    expect(elsewhere.run("status", str(program.folder / "own.h5")).stdout == expected["own"], "another log of that name is taken")
    (elsewhere.folder / "own.swf").unlink()
    moved = elsewhere.folder / "moved"
    shutil.copytree(program.folder, moved)
    (program.folder / "logs" / "here.swf").write_text(CHANGED)
    expect_refused(elsewhere, ["status", str(program.folder / "here.h5")], 2, "A log that the campaign names has changed")
    elsewhere.run("status", "moved/here.h5")
    shutil.rmtree(moved / "logs")
    (program.folder / "logs" / "here.swf").unlink()
    expect_refused(elsewhere, ["status", "moved/here.h5"], 2, "there is no such log", "in the current folder, in that of the run")
    elsewhere.remove_folder()


def logs_beside_the_campaign(program):
    """A log that is in no place looked in before is found beside the campaign file that names it, from any folder, by
    every process; one in the current folder comes first, and no other log than the run was begun with is taken."""
    beside = program.folder / "beside"
    (beside / "base").mkdir(parents=True)
    (beside / "own.swf").write_text(LOG)
    (beside / "base" / "inner.swf").write_text(LOG)
    text = CAMPAIGN.replace("jobs.swf", "own.swf")
    (beside / "own.yaml").write_text(text)
    (beside / "base" / "base.yaml").write_text(CAMPAIGN.replace("jobs.swf", "inner.swf"))
    (beside / "included.yaml").write_text("campaign_format: 1\ninclude: base/base.yaml\nname: included\n")
    (beside / "nested.yaml").write_text(text.replace(
        "{model: trace, file: own.swf, resampling: users}",
        "{model: reserved_version, jobs: {trace: own.swf}, share: 0.1, lead_time: {exponential: 60}}").replace("jobs: all", "jobs: 150"))
    (beside / "levels.yaml").write_text(text.replace(
        "file: own.swf, resampling: users", "resampling: users") + "factors: {workload.file: [own.swf, base/inner.swf]}\n")
    for name, options in (("own", ["-w", "0"]), ("own", ["-w", "2"]), ("own", ["-w", "1", "--time-limit", "60"]),
                          ("included", ["-w", "0"]), ("nested", ["-w", "1"]), ("levels", ["-w", "0"])):
        program.run("run", f"beside/{name}.yaml", *options, "-o", f"{name}.h5", "--fresh")
    program.run("status", "own.h5")
    program.run("rebuild", "own.h5.journal")
    inside = Program(program.path)
    inside.remove_folder()
    inside.folder = beside
    own = [inside.run("plan", "own.yaml").stdout, program.run("plan", "beside/own.yaml").stdout]
    expect(own[0] == own[1] and "plan " in own[0], f"another plan from another folder: {own}")
    expect("0 replications computed" in inside.run("resume", "own.yaml", "-w", "2", "-o", "../own.h5").stdout,
           "a run is not gone on with from the campaign's folder")
    runs_read_elsewhere(program)
    program.write("own.swf", CHANGED)
    expect_refused(program, ["resume", "beside/own.yaml", "-w", "0", "-o", "own.h5"], 2, OTHER_LOG)
    (program.folder / "own.swf").unlink()
    (beside / "own.swf").unlink()
    done = program.run("plan", "beside/own.yaml", exit_code=2, environment={"SCHEDFARM_TRACES": "/no/traces"}).stderr
    expect(f"(neither this path in {program.folder} nor /no/traces/own.swf nor beside/own.swf)" in done, done)
    (beside / "own.swf.gz").write_text("")
    expect("Did you mean 'own.swf.gz'?" in program.run("plan", "beside/own.yaml", exit_code=2).stderr, "no suggestion")


def extensions_from_elsewhere(program):
    """What a journal has in common with a longer campaign is kept from any folder, not where another log is found there."""
    (program.folder / "kept").mkdir()
    program.write("longer.yaml", CAMPAIGN.replace("replications: 3", "replications: 5"))
    run(program, "log.yaml", "kept/log.h5", LOG)
    run(program, "longer.yaml", "fresh.h5", LOG)
    elsewhere = Program(program.path)
    results = program.folder / "kept" / "log.h5"
    longer = ["run", str(program.folder / "longer.yaml"), "-o", str(results)]
    expect_refused(elsewhere, longer, 2, "Keep what both have in common with --extend")
    elsewhere.write("jobs.swf", CHANGED)
    expect_refused(elsewhere, [*longer, "--extend"], 2, "none of its 3 replications belongs to a cell", "another seed, workload")
    (elsewhere.folder / "jobs.swf").unlink()
    done = elsewhere.run(*longer, "--extend", "-w", "1")
    expect(done.stdout.startswith("2 replications computed, 3 taken from the journal"), done.stdout)
    expect(elsewhere.payload_hash(results) == program.payload_hash("fresh.h5"), "another payload than in one go")
    elsewhere.remove_folder()


def test(program, arguments):
    logs_beside_the_campaign(program)
    journals(program)
    replays(program)
    offered_replays(program, arguments[0])
    effective_configurations(program)
    differences(program)
    logs_of_ranks(program)
    extensions_from_elsewhere(program)


if __name__ == "__main__":
    sys.exit(main(test))
