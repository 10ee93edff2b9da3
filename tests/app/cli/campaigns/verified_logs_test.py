"""EASY and conservative backfilling under the verifier on four whole logs: every action of the simulation is checked, that
the head of the queue starts by what it was promised under EASY, and every job by its first reservation under
conservative. Once with jobs killed at their requested time, once with requests raised to the run time.

usage: verified_logs_test.py PROGRAM
Prints the jobs and the CPU time of each.
"""
import json
import resource
import sys

from program import expect, logs_or_skip, main

LOGS = {  # processors, jobs kept
    "KTH-SP2-1996-2.1-cln.swf.gz": (100, 28467), "CTC-SP2-1996-3.1-cln.swf.gz": (338, 77199),
    "LANL-CM5-1994-4.1-cln.swf.gz": (1024, 110769), "SDSC-BLUE-2000-4.2-cln.swf.gz": (1152, 232536)}


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test(program, _arguments):
    logs_or_skip()
    for log, (processors, jobs) in LOGS.items():
        for policy in ["easy", "conservative"]:
            for overrun in ("killed", "request_raised"):
                before = cpu_seconds()
                done = program.run("simulate", "--trace", log, "-p", str(processors), "--policy", policy, "--set",
                                   f"workload.overrun={overrun}", "--verify", "--json")
                what = f"{log} {policy} {overrun}"
                expect("every action was checked: the schedule holds" in done.stderr, f"{what}: {done.stderr}")
                found = json.loads(done.stdout)["jobs"]
                expect(found == jobs, f"{what}: {found} jobs")
                print(f"{what}: {found} jobs, {cpu_seconds() - before:.1f} s")


if __name__ == "__main__":
    sys.exit(main(test))
