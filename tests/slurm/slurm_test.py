"""Campaigns under a real Slurm: submitted, cut off by their walltime, cancelled, shared out to an array; always
the payload of an undisturbed run. Every wait is for a state of Slurm, a log or a journal.

usage: slurm_test.py PROGRAM FAULTY_PROGRAM NODES USER SCENARIO ...      exit code 77: no Slurm can be started here
"""
import shutil
import subprocess
import sys
import time

from slurm_bed import Slurm, Submitter, all_ended, log_of

from program import PRECISE_CAMPAIGN, Failure, expect  # noqa: I100: found by slurm_bed

SKIPPED = 77


def expect_whole(bed, folder):
    expect((folder / "out.h5").exists(), f"{folder.name}: no results\n{log_of(folder)}")
    expect(bed.payload_hash(folder / "out.h5") == bed.payload_hash("whole.h5"),
           f"{folder.name}: another payload\n{log_of(folder)}")


def test_run(bed, nodes, *options):
    folder = bed.subfolder("-".join(["run", *options[1:]]), PRECISE_CAMPAIGN)
    job, = bed.submit(folder, "--nodes", nodes, "--ntasks", 2 * nodes, "--time", "5", *options)
    states = bed.slurm.wait_for(all_ended, "run to completion")
    expect(states[job] == "COMPLETED", f"{states}\n{log_of(folder)}")
    where = "n1" if nodes == 1 else f"n[1-{nodes}]"
    expect(f"{2 * nodes} workers on {where}," in log_of(folder), log_of(folder))
    expect_whole(bed, folder)


def test_srun(bed, nodes):
    """Slurm starts the ranks itself, which find one another by PMIx."""
    test_run(bed, nodes, "--launcher", "srun")


def test_array(bed, _nodes):
    folder = bed.subfolder("array", PRECISE_CAMPAIGN)
    _array, joining = bed.submit(folder, "--ntasks", 1, "--array", 4, "--time", 5)
    states = bed.slurm.wait_for(all_ended, "array and merge")
    expect(states[joining] == "COMPLETED", f"{states}\n{log_of(folder)}")
    expect_whole(bed, folder)
    checked = subprocess.run(["shellcheck", *folder.glob("*.sbatch")], stdout=subprocess.PIPE, text=True, check=False)
    expect(checked.returncode == 0, checked.stdout)


def let_go(folder):
    (folder / "go").touch()


def test_walltime(bed, _nodes):
    """Five jobs in the shortest walltime that Slurm has, a minute. Replications wait for the file `go`."""
    def submit(name, faults, *options):
        folder = bed.subfolder(name, PRECISE_CAMPAIGN)
        (folder / "faults").write_text("".join(f"{cell} {index} wait\n" for cell, index in faults))
        return folder, bed.submit(folder, "--ntasks", 1, "--time", 1, "--notice", 20, "--program",
                                  bed.folder / "waiting", *options)

    drained, (drained_job,) = submit("drained", [(0, 5)])
    shared, (_array, joining) = submit("shared", [(0, 5), (3, 5)], "--array", 2)
    outlasting, (outlasting_job,) = submit("outlasting", [(0, 5)])
    chained, (chained_job,) = submit("chained", [(0, 5)], "--when-cut", "chain")
    hopeless, (hopeless_job,) = submit("hopeless", [(cell, 0) for cell in range(6)])

    def look(states):
        expect("resume with" not in log_of(hopeless), f"queued again for nothing\n{log_of(hopeless)}")
        for folder in (drained, chained):
            if "notice has come" in log_of(folder):
                let_go(folder)  # what is under way can end within the notice
        if log_of(shared).count("notice has come") == 2:
            let_go(shared)
        if "asking for a further allocation" in log_of(outlasting):
            let_go(outlasting)
        return all_ended(states)

    states = bed.slurm.wait_for(look, "all five")
    expect(states[hopeless_job] == "FAILED", f"{states}\n{log_of(hopeless)}")
    expect("no replication ended within this allocation" in log_of(hopeless), log_of(hopeless))
    for job in (drained_job, outlasting_job, joining):
        expect(states[job] == "COMPLETED", f"{states}\n{log_of(drained)}{log_of(shared)}{log_of(outlasting)}")
    expect(states[chained_job] == "FAILED", f"{states}\n{log_of(chained)}")
    expect("are given up" in log_of(outlasting), log_of(outlasting))
    for folder in (drained, shared, outlasting, chained):
        expect("taken from the journal" in log_of(folder), f"nothing was kept\n{log_of(folder)}")
        expect_whole(bed, folder)


def test_cancel(bed, _nodes):
    folder = bed.subfolder("cancelled", PRECISE_CAMPAIGN)
    (folder / "faults").write_text("0 5 wait\n")
    job, = bed.submit(folder, "--ntasks", 2, "--time", 5, "--program", bed.folder / "waiting")

    def results(_states):
        journal = folder / "out.h5.journal"
        return journal.exists() and int(bed.run_as_user("status", "-f", "count", journal).stdout) > 20

    bed.slurm.wait_for(results, "some replications")
    bed.slurm.call("scancel", job)
    states = bed.slurm.wait_for(all_ended, "scancel")
    expect(states[job] == "CANCELLED", f"{states}\n{log_of(folder)}")
    expect("asking for" not in log_of(folder), f"queued again against the user's will\n{log_of(folder)}")
    done = bed.run_as_user("resume", "campaign.yaml", "-o", "out.h5", folder=folder)
    expect("taken from the journal" in done.stdout, f"nothing was kept: {done.stdout}")
    expect_whole(bed, folder)


def test_long(bed, _nodes):
    """A campaign that computes, without stop, for longer than a job lasts; Slurm holds the job as long as it likes."""
    def text(replications):
        return PRECISE_CAMPAIGN.replace("jobs: 500", "jobs: 100000").replace(
            "precision: {metric: response_time, relative: 0.05, min: 20, max: 2000}", f"replications: {replications}")

    bed.write("long.yaml", text(4))
    began = time.monotonic()
    bed.run("run", "long.yaml", "-o", "speed.h5", "--workers", "0")
    folder = bed.subfolder("long", text(int(4 * 70 / (time.monotonic() - began)) + 1))
    shutil.copy(folder / "campaign.yaml", bed.folder / "long.yaml")
    bed.run("run", "long.yaml", "-o", "long.h5", "--workers", "2", timeout=600)
    job, = bed.submit(folder, "--ntasks", 1, "--time", 1, "--notice", 15)
    while not all_ended(states := bed.slurm.states()):
        time.sleep(5)
    expect(states[job] == "COMPLETED", f"{states}\n{log_of(folder)}")
    expect("taken from the journal" in log_of(folder), f"the job was never cut\n{log_of(folder)}")
    expect(bed.payload_hash(folder / "out.h5") == bed.payload_hash("long.h5"), f"another payload\n{log_of(folder)}")


def test_refusals(bed, _nodes):
    folder = bed.subfolder("refused", PRECISE_CAMPAIGN)
    before = sorted(folder.iterdir())
    for options, reason in [(["--partition", "nowhere"], "Invalid partition"),
                            (["--partition", "physics", "--account", "history"], "Invalid account"),
                            (["--nodes", "99", "--ntasks", "99"], "processors requested"),
                            (["--array", "2", "--sbatch=--partition=nowhere"], "Invalid partition")]:
        done = bed.run_as_user("submit", "campaign.yaml", "-o", "out.h5", "--pilot-seconds", "0", "--time", "5",
                               *options, folder=folder, exit_code=2)
        expect(reason in done.stderr, f"{options}: {done.stderr}")
        expect(done.stdout == "" and done.stderr.count("error:") == 1, f"{options}: {done.stdout}{done.stderr}")
        expect(sorted(folder.iterdir()) == before, f"{options}: left something behind")
    expect(bed.slurm.states() == {}, "a job was submitted")


SCENARIOS = {"run": test_run, "array": test_array, "walltime": test_walltime, "cancel": test_cancel,
             "refusals": test_refusals, "srun": test_srun, "long": test_long}


def run_scenarios(bed, nodes, names):
    bed.write("campaign.yaml", PRECISE_CAMPAIGN)
    bed.run("run", "campaign.yaml", "-o", "whole.h5", "--workers", "2")
    for name in names:
        SCENARIOS[name](bed, nodes)
        print(f"{name}: passed", flush=True)


def main():
    program, faulty, nodes, user, *names = sys.argv[1:]
    slurm = Slurm(int(nodes), 6)
    bed = None
    try:
        if slurm.missing:
            print(f"skipped: {slurm.missing}")
            return SKIPPED
        bed = Submitter(slurm, program, faulty, user)
        run_scenarios(bed, int(nodes), names)
        return 0
    except Failure as failure:
        print(f"FAILED: {failure}")
        return 1
    finally:
        slurm.stop()
        if bed:
            bed.remove_folder()


if __name__ == "__main__":
    sys.exit(main())
