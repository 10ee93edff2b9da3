"""usage: policy_test.py

Policies in Python: what a class needs goes with it, what it lacks is said before the run, and simulate, campaign, plan, list and
compare say what the program says."""
import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import schedfarm as sf
from schedfarm.policy import Job, Jobs, Machine
from schedfarm.policy._source import source_of, write_whole

BEFORE = 5


def by_area(job):
    return job.processors * job.requested_time


class Greedy(sf.Policy):
    """Uses a function and a value of its file, and numpy."""

    def __init__(self, sign=1.0):
        self.sign = sign

    def schedule(self, now, queue, machine):
        areas = np.multiply(*queue.matrix("processors", "requested_time").T) if len(queue) else []
        assert list(areas) == [by_area(job) for job in queue]
        for job in sorted(queue, key=lambda job: self.sign * by_area(job) + BEFORE):
            if job.processors <= machine.free:
                machine.start(job)


class OwnQueue(sf.Policy):
    """First come, first served with a queue of its own, that wakes for nothing."""

    def begin(self, machine):
        self.waiting, self.wakes = [], 5

    def arrive(self, job):
        self.waiting.append(job)

    def start(self, now, machine):
        while self.waiting and self.waiting[0].processors <= machine.free:
            machine.start(self.waiting.pop(0))
        if self.wakes:
            self.wakes -= 1
            machine.wake(now + 1000)


class OnTheHour(sf.Policy):
    """Starts jobs only when it has woken itself."""

    def schedule(self, now, queue, machine):
        assert sum(job.processors for job in machine.running) + machine.free == machine.processors
        if now % 3600 == 0:
            for job in queue:
                if job.processors <= machine.free:
                    machine.start(job)
        if len(queue):
            machine.wake((now // 3600 + 1) * 3600)


class Prints(sf.Policy):
    def schedule(self, now, queue, machine):
        print("this is no answer", flush=True)
        for job in queue:
            if job.processors <= machine.free:
                machine.start(job)


class Lacks(sf.Policy):
    def schedule(self, now, queue, machine):
        machine.start(queue[hidden_place])  # noqa: F821


class NoPolicy:
    def schedule(self, now, queue, machine):
        pass


def check_views():
    machine = Machine({"clusters": [4, 6], "memory_per_processor": None, "seed": 7})
    jobs = [Job({"job": k, "submit_time": 1.5 * k, "processors": k + 1, "requested_time": 10.0 * k, "user": 3}) for k in range(4)]
    for job in jobs:
        machine._queue._jobs[job.number] = job
    queue = machine._queue
    assert queue[0] is jobs[0] and queue[-1] is jobs[3] and len(queue) == 4 and jobs[2] in queue
    assert queue.requested_time.tolist() == [0, 10, 20, 30]
    assert queue.matrix("processors", "submit_time").tolist() == [[1, 0], [2, 1.5], [3, 3], [4, 4.5]]
    machine.now = 5.0
    for job in queue:  # goes on over what it starts
        if job.processors <= machine.free:
            machine.start(job)
    assert machine.free == 0 and len(queue) == 0 and machine.free_by_cluster == [0, 0] and len(machine.running) == 4
    assert machine.running.expected_finish.tolist() == [5, 15, 25, 35]
    assert machine._starts == [0, 1, 2, 3]
    late = machine._queue._jobs[9] = Job({"job": 9, "submit_time": 7.0, "processors": 5, "requested_time": None})
    machine.free, machine.free_by_cluster = 8, [2, 6]
    machine.start(late, clusters=[(0, 1), (1, 4)])
    assert machine.free_by_cluster == [1, 2] and machine.free == 3 and late.expected_finish == float("inf")
    assert machine._starts[4:] == [{"job": 9, "clusters": [[0, 1], [1, 4]]}]
    for wrong, said in ((lambda: machine.start(jobs[0]), "job 0 cannot start: it runs"), (lambda: machine.wake(4), "cannot be woken at 4"),
                        (lambda: machine.wake(float("inf")), "cannot be woken at inf"), (lambda: Jobs()[0], "out of range"),
                        (lambda: Jobs().wait, "jobs have no 'wait'"), (lambda: jobs[0].runtime, "a job has no 'runtime'. It has: number, submit_time, "),
                        (lambda: machine.free_processors, "a machine has no 'free_processors'. It has: now, clusters, processors, ")):
        try:
            wrong()
        except (ValueError, AttributeError, IndexError) as error:
            assert said in str(error), error
        else:
            raise AssertionError(said)


def check_sources():
    text = source_of(Greedy)
    assert "BEFORE = 5" in text and "def by_area" in text and "import numpy as np" in text and "import schedfarm as sf" in text
    assert "OwnQueue" not in text and "contextlib" not in text
    exec(compile(text, "policy", "exec"), {"__name__": "its_policy"})
    for kind, said in ((Lacks, "the policy Lacks uses 'hidden_place', which does not stand in its file or cell"),):
        try:
            source_of(kind)
        except sf.RequestError as error:
            assert said in str(error), error
        else:
            raise AssertionError(said)


def check_simulate():
    own, built_in = sf.simulate("example", OwnQueue(), processors=64), sf.simulate("example", "fcfs", processors=64)
    assert np.array_equal(own.start, built_in.start) and len(own) == len(built_in) > 100
    assert np.array_equal(sf.simulate("example", Prints, processors=64).start, sf.simulate("example", {"fpfs": {"max_jumps": 10**9}}, processors=64).start)
    small, large = (sf.simulate("example", Greedy(sign), processors=64, verify=True) for sign in (1.0, -1.0))
    assert np.array_equal(small.start, sf.simulate("example", "smallest_area_first", processors=64).start)
    assert np.array_equal(large.start, sf.simulate("example", "largest_area_first", processors=64).start)
    hourly = sf.simulate("example", OnTheHour, processors=64, verify=True)
    assert (hourly.start % 3600 == 0).all() and (hourly.submit % 3600 != 0).any()
    frame = small.to_pandas()
    assert np.allclose(frame["wait"], frame["start"] - frame["submit"]) and frame["wait"].mean() == small.wait.mean()
    model = sf.simulate("lublin_feitelson", Greedy(), model=True, processors=128, first=50, seed=3)
    assert len(model) == 50 and not np.array_equal(model.submit, sf.simulate("lublin_feitelson", "fcfs", model=True, processors=128, first=50, seed=4).submit)
    for wrong, said in ((lambda: sf.simulate("example", "eazy", processors=64), "Did you mean 'easy'?"),
                        (lambda: sf.simulate("absent.swf", "easy"), "absent.swf"), (lambda: sf.simulate("example", Lacks, processors=64), "hidden_place"),
                        (lambda: sf.simulate("example", NoPolicy(), processors=64), "NoPolicy is no policy. Derive a class from schedfarm.Policy"),
                        (lambda: sf.campaign({"policy": "mine"}, policies={"mine": "mine.py"}), "str is no policy.")):
        try:
            wrong()
        except sf.RequestError as error:
            assert said in str(error) and "Traceback" not in str(error), error
        else:
            raise AssertionError(said)


def check_files_of_this_folder(folder):
    (folder / "mine.py").write_text(source_of(OwnQueue) + "sf.serve(OwnQueue)\n")
    (folder / "wrong.py").write_text(source_of(NoPolicy) + "import schedfarm\nschedfarm.serve(NoPolicy)\n")
    before = os.getcwd()
    os.chdir(folder)
    own = sf.simulate("example", {"external": {"command": [sys.executable, "mine.py"]}}, processors=64)
    assert np.array_equal(own.start, sf.simulate("example", "fcfs", processors=64).start)
    try:
        sf.simulate("example", {"external": {"command": [sys.executable, "wrong.py"]}}, processors=64)
    except sf.RequestError as error:
        assert "raised TypeError: NoPolicy is no policy. Write class NoPolicy(schedfarm.Policy)" in str(error), error
    else:
        raise AssertionError("wrong.py")
    said = subprocess.run([sys.executable, "mine.py"], input='{"interface": 2}\n', capture_output=True, text=True, check=True).stdout
    assert said.startswith('{"interface": 1, "versions": ') and said.count("\n") == 1, said
    os.chdir(before)
    for content in (b"first", b"another"):
        write_whole(folder / "kept", content)
        assert (folder / "kept").read_bytes() == content


def check_campaign(folder):
    tree = {"seed": 1, "experiment": "open", "system": {"clusters": [32]}, "load": {"utilization": 0.7},
            "workload": {"model": "coallocation", "components": 1, "component_size": {"uniform": [1, 16]}},
            "horizon": {"jobs": 600, "warm_up": "none"}, "replications": 12, "probes": ["wait"],
            "comparison": {"factor": "policy", "metric": "wait"}, "factors": {"policy": ["fcfs", "smallest_area_first", "mine", "queue"]}}
    campaign = sf.campaign(tree, policies={"mine": Greedy(1.0), "queue": OwnQueue}, folder=folder)
    shown = io.StringIO()
    with contextlib.redirect_stderr(shown):
        results = campaign.run(workers=2)
    assert "\r" in shown.getvalue() and shown.getvalue().count("\n") == 1, shown.getvalue()
    bits = results.replications(factors=True).groupby("policy")["fingerprint"].apply(list)
    assert bits["mine"] == bits["smallest_area_first"] and bits["queue"] == bits["fcfs"] and bits["mine"] != bits["fcfs"]
    assert (folder / "mine.policy.py").exists() and (folder / "mine.policy.state").exists()
    said = results.compare("mine", "fcfs")
    assert said == results.compare("fcfs", "mine") and said.startswith("The mean wait is smaller under mine than under fcfs: by "), said
    assert results.compare("mine", "smallest_area_first").startswith("Whether the mean wait is smaller under mine"), said
    assert "policy" in campaign.plan() and "fcfs" in sf.plan(tree, policies={"mine": Greedy, "queue": OwnQueue})
    assert "EASY backfilling" in sf.list("easy") and "lublin_feitelson" in sf.list()
    for wrong, text in ((lambda: sf.campaign(tree, policies={"mine": Greedy}, folder=folder).plan(), "queue"),
                        (lambda: sf.campaign(tree, policies={"other": Greedy}, folder=folder), "the campaign names no policy 'other'"),
                        (lambda: results.compare("mine", "easy"), "no comparison 'mine with easy'")):
        try:
            wrong()
        except sf.RequestError as error:
            assert text in str(error), error
        else:
            raise AssertionError(text)


def check_ten_lines(folder):
    """Those of the README, as a script that has no guard and in a file that has nothing else."""
    readme = (pathlib.Path(__file__).resolve().parents[2] / "README.md").read_text()
    block, = (part.split("```")[0] for part in readme.split("```python\n")[1:])
    (folder / "ten.py").write_text(block + "print(len(jobs), results.name)\n")
    done = subprocess.run([sys.executable, "ten.py"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr


def main():
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    check_views()
    check_sources()
    check_simulate()
    with tempfile.TemporaryDirectory() as name:
        check_files_of_this_folder(pathlib.Path(name))
        check_campaign(pathlib.Path(name) / "one")
        check_ten_lines(pathlib.Path(name))
    print("ok: policies in Python go with what they need and give the bits of the built-in ones")


main()
