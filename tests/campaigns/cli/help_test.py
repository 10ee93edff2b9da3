"""Usage: help_test.py <schedfarm>

What --help prints: no line over 80 columns for any command, the words of a reader and not those of the parser,
and the exit codes of the program where they are asked for."""
import re
import sys

from program import expect, main


def help_of(program, *command):
    return program.run(*command, "--help").stdout


def test_every_command(program):
    commands = re.findall(r"^  ([a-z]+) ", help_of(program).split("Subcommands:")[1], re.MULTILINE)
    expect(len(commands) >= 18, f"--help lists {commands}")
    for command in [[], *([name] for name in commands)]:
        text = help_of(program, *command)
        long = [line for line in text.splitlines() if len(line) > 80]
        expect(not long, f"{command}: over 80 columns: {long}")
        jargon = re.findall(r"TEXT|UINT|FLOAT|ENUM|POSITIVE|Option Group|Excludes:|Needs:", text)
        expect(not jargon, f"{command}: words of the parser: {jargon}")
        expect(text.count("--help") == 1, f"{command}: --help is listed more than once: {text}")
        expect(("Exit codes:" in text) == (command in ([], ["diff"])), f"{command}: exit codes: {text}")
        expect(("Start with:" in text) == (command == []), f"{command}: where to start: {text}")


def test_options(program):
    text = help_of(program, "simulate")
    places = [text.find(words) for words in ("Jobs (one of these is required):\n  --trace <text>\n", "--instance",
                                             "System (at most one):\n", "Options:\n  --policy <text> (required)\n",
                                             "  --first <integer>\n")]
    expect(-1 not in places and places == sorted(places), f"groups and required options first: {places} in {text}")
    expect("  --json    The summary as JSON" in text, f"a flag has no value and a short name no line: {text}")
    expect("default: 10000; only with --model" in " ".join(text.split()), f"what goes with it: {text}")
    text = help_of(program, "gantt")
    expect("  --from <time>\n" in text and "  --colour job|user|size|wait\n" in text, f"words for values: {text}")


def test(program, _arguments):
    test_every_command(program)
    test_options(program)


if __name__ == "__main__":
    sys.exit(main(test))
