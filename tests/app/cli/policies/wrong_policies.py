"""Policies that go wrong, each as its name says; those that come first are raw programs, the others use the package."""
import json
import os
import signal
import sys
import time


def raw(answer, version=1):
    """A program that says `answer(told, instant)` in place of its answers."""
    instant = 0
    for line in sys.stdin:
        told = json.loads(line)
        if "interface" in told:
            print(json.dumps({"interface": version}), flush=True)
            continue
        sys.stderr.write(f"instant {instant}\n")
        sys.stderr.flush()
        answer(told, instant)
        instant += 1


def say(value):
    print(value if isinstance(value, str) else json.dumps(value), flush=True)


def first_job(told):
    return told["arrived"][0]["job"]


def twice(told, _):
    say({"start": [first_job(told), first_job(told)]})


def all_that_arrives(told, _):
    say({"start": [job["job"] for job in told.get("arrived", [])]})


def finished_again(told, instant):
    say({"start": told.get("finished", []) if instant > 0 else [first_job(told)]})


def never(_told, _instant):
    say({})


def sleep(_told, _instant):
    time.sleep(60)


def stubborn(_told, _instant):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:  # and somebody else stays behind
        time.sleep(600)
    time.sleep(600)


RAW = {
    "starts_unknown": (lambda told, _: say({"start": [12345]}), "job 12345 cannot start: it has not come, or has finished"),
    "starts_finished": (finished_again, "cannot start: it has not come, or has finished"),
    "starts_all": (all_that_arrives, " processors cannot start: "),
    "starts_twice": (twice, "cannot start: it runs"),
    "starts_on_too_few": (lambda told, _: say({"start": [{"job": first_job(told), "clusters": [[0, 1000]]}]}), "cannot start there"),
    "starts_elsewhere": (lambda told, _: say({"start": [{"job": first_job(told), "clusters": [[7, 1]]}]}), "cannot start there"),
    "names_processors": (lambda told, _: say({"start": [{"job": first_job(told), "processors": [[0, 1]]}]}), "Write 'processors: named'"),
    "starts_half": (lambda told, _: say({"start": [first_job(told) + 0.5]}), "a job to start is 0.5, not a whole number"),
    "starts_text": (lambda told, _: say({"start": ["one"]}), "not a whole number"),
    "no_json": (lambda _told, _: say("start 1"), "answered 'start 1', which is no JSON object"),
    "deep_start": (lambda _told, _: say('{"start": ' + "[" * 200000 + "]" * 200000 + "}"), "which nests more than 100 brackets"),
    "deep_error": (lambda _told, _: say('{"error": ' + '{"a":' * 200000 + "1" + "}" * 200001), "which nests more than 100 brackets"),
    "half_json": (lambda _told, _: say('{"start": [1'), "which is no JSON object"),
    "other_key": (lambda _told, _: say({"begin": [1]}), "answered 'begin: [1]'. Known: start (a list), wake"),
    "late": (sleep, "gave no answer within 0.5 s (timeout_s)"),
    "late_and_stubborn": (stubborn, "gave no answer within 0.5 s (timeout_s)"),
    "ends": (lambda _told, _: sys.exit(3), "ended with exit code 3 in place of an answer"),
    "killed": (lambda _told, _: os.kill(os.getpid(), 9), "was ended by signal 9 in place of an answer"),
    "closes": (lambda _told, _: (os.close(1), time.sleep(60)), "closed its standard output"),
    "prints": (lambda _told, _: (print("hello"), say({})), "answered 'hello', which is no JSON object"),
    "prints_behind": (lambda _told, _: say("{}\nhello"), "printed 'hello"),
    "raises": (lambda told, _: say(told["nothing"]), "KeyError: 'nothing'"),
    "idle": (never, "idle with"),
    "wakes_in_the_past": (lambda told, _: say({"wake": told["now"] - 1}), "which is past or never"),
    "wakes_at_once": (lambda told, instant: say({"start": [] if instant else [first_job(told)], "wake": told["now"]}), "asks to be woken at once"),
    "wakes_for_ever": (lambda told, _: say({"wake": told["now"]}), "idle with"),
}


def packaged():
    import schedfarm as sf

    class RaisesIndex(sf.Policy):
        def schedule(self, now, queue, machine):
            machine.start(queue[1000])

    class StartsTooLarge(sf.Policy):
        def schedule(self, now, queue, machine):
            for job in queue:
                machine.start(job)

    class KeepsJobs(sf.Policy):
        def begin(self, machine):
            self.jobs = []

        def schedule(self, now, queue, machine):
            self.jobs += [job for job in queue if job not in self.jobs]
            machine.start(self.jobs[0])

    class HasNoSchedule(sf.Policy):
        pass

    return {"raises_index": (RaisesIndex, "raised IndexError: list index out of range (wrong_policies.py:"),
            "starts_too_large": (StartsTooLarge, "cannot start: "),
            "starts_again": (KeepsJobs, "cannot start: it "),
            "has_no_schedule": (HasNoSchedule, "raised NotImplementedError: HasNoSchedule has neither schedule")}


VERSIONS = {"other_version": (7, "speaks version 7 of the interface, this program version 1"),
            "no_version": (None, "speaks version null of the interface, this program version 1")}

KINDS = {"starts what is not there": ["starts_unknown", "starts_half", "starts_text", "starts_finished", "starts_elsewhere"],
         "starts what does not fit": ["starts_on_too_few", "starts_all", "starts_too_large"],
         "starts what has started": ["starts_twice", "starts_again"],
         "answers no JSON": ["no_json", "half_json", "deep_start", "deep_error"],
         "answers late": ["late", "late_and_stubborn"],
         "ends": ["ends", "killed", "closes"],
         "prints to stdout": ["prints", "prints_behind"],
         "raises": ["raises", "raises_index", "has_no_schedule"],
         "never starts what could start": ["idle", "wakes_for_ever"],
         "is woken wrongly": ["wakes_in_the_past", "wakes_at_once"],
         "interface of another version": ["other_version", "no_version"]}

if __name__ == "__main__":
    name = sys.argv[1]
    if name in RAW:
        raw(RAW[name][0])
    elif name in VERSIONS:
        raw(never, VERSIONS[name][0])
    else:
        import schedfarm
        schedfarm.serve(packaged()[name][0])
