"""What --help prints: no description over 80 columns for any command, every option once, and the exit codes and where
to start for the program alone; the examples of commands run.

usage: help_test.py PROGRAM
"""
import re
import sys

from program import expect, main


def test(program, _arguments):
    whole = program.run("--help").stdout
    commands = re.findall(r"^  ([a-z][a-z-]*) ", whole.split("Subcommands:")[1], re.MULTILINE)
    expect(len(commands) >= 18, f"--help lists {commands}")
    expect("Exit codes:" in whole and "Start with:" in whole, f"exit codes and where to start: {whole}")
    for command in commands:
        text = program.run(command, "--help").stdout
        long = [line for line in text.splitlines() if len(line) > 80 and line.startswith(20 * " ")]
        expect(not long, f"{command}: over 80 columns: {long}")
        described, _, example = text.partition("For example:\n")
        options = re.findall(r"^ +(?:-\w,)?(--[a-z-]+)", described, re.MULTILINE)
        expect(len(options) == len(set(options)) and "--help" in options, f"{command}: {options}")
        expect(bool(example) == (command in ("run", "report", "simulate", "trace", "whatif")), f"{command}: {example}")
        words = example.split()
        expect(not example or words[:2] == ["schedfarm", command], f"{command}: {example}")
        expect(all(word in options for word in words if word.startswith("--")), f"{command}: {example}")
        if "example" in words:
            program.run(*words[1:])
        expect("Start with:" not in text and ("Exit codes:" in text) == (command in ("certify", "diff")), f"{command}: {text}")


if __name__ == "__main__":
    sys.exit(main(test))
