"""Every policy gives the same schedule and the same digits on a processor with AVX-512, with AVX2 and with neither, and
campaigns the same payload.

usage: older_processors_test.py PROGRAM OLDER_PROGRAM ...     the same objects, linked to find older processors
"""
import re
import sys

from program import MOLDABLE_CAMPAIGN, SMALL_CAMPAIGN, Program, expect, main, short_or_long

PROCESSORS = 128
# So many jobs wait at times that availability profiles have hundreds of steps.
CROWDED = ["--set", "workload.load_factor=3"]


def payload(program, name, text):
    program.write(name, text)
    program.run("run", name, "-o", "results.h5", "--workers", "0", "--fresh")
    return program.payload_hash("results.h5")


def answers_of(program):
    """What it says, by question."""
    made = ["--model", "lublin_feitelson", "-p", PROCESSORS, "--job-count", short_or_long(800, 1500)]
    program.run("trace", *made, "--set", "workload.estimates=tsafrir", "--write", "log.swf")
    answers = {"the generated log": (program.folder / "log.swf").read_text()}
    policies = set(re.findall(r"^[a-z]\w+", program.run("list", "policies").stdout, re.MULTILINE))
    for policy in sorted(policies - {"external", "plugin"}):  # code of a user's own promises this for one kind of processor
        arguments = ["simulate", "--trace", "log.swf", "-p", PROCESSORS, "--policy", policy, *CROWDED]
        answers[policy] = program.run(*arguments, "--jobs", "jobs.csv", "--json").stdout
        answers[f"the schedule of {policy}"] = (program.folder / "jobs.csv").read_text()
    answers["bin filling and a backlog"] = payload(program, "small.yaml", SMALL_CAMPAIGN)
    answers["moldable jobs"] = payload(program, "moldable.yaml", MOLDABLE_CAMPAIGN)
    return answers


def test(program, others):
    expected = answers_of(program)
    expect(len(expected) > 50, f"only {len(expected)} questions")
    for other in map(Program, others):
        answers = answers_of(other)
        other.remove_folder()
        expect(answers.keys() == expected.keys(), f"{other.path} answers other questions")
        differing = [question for question, answer in expected.items() if answers[question] != answer]
        expect(not differing, f"{other.path} differs: {', '.join(differing)}")
        print(f"{other.path}: {len(answers)} same answers")


if __name__ == "__main__":
    sys.exit(main(test))
