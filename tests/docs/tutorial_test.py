"""The commands of README, tutorial and how-tos work as printed: YAML blocks are saved under the name the text gives
them (the short form: with five replications where they have ten and more), shell blocks that call schedfarm are executed in order,
and so are blocks of Python. quickstart.sh and test.sh are not run from here (they run this test).

usage: tutorial_test.py PROGRAM DOCUMENT [FILE that lies beside]...
"""
import itertools
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "app" / "cli"))
from program import expect, main, short_or_long  # noqa: E402

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands_of(shell_block):
    for line in shell_block.splitlines():
        words = shlex.split(line, comments=True)
        if words and pathlib.Path(words[0]).name == "schedfarm":
            yield words[1:]


def test(program, arguments):
    document = pathlib.Path(arguments[0]).read_text()
    for file in arguments[1:]:
        shutil.copy(file, program.folder)
    executed = 0
    names = itertools.chain(re.findall(r"^Saved as `(\w+\.yaml)`", document, re.MULTILINE), itertools.repeat("first.yaml"))
    for language, text in BLOCK.findall(document):
        if language == "yaml":
            short = re.sub(r"^replications: \d\d+$", "replications: 5", text, flags=re.MULTILINE)
            program.write(next(names), short_or_long(short, text))
        elif language == "sh":
            for command in commands_of(text):
                print("schedfarm", *command)
                done = program.run(*command)
                expect(done.stdout or done.stderr, f"{command} says nothing")
                executed += 1
        elif language == "python":
            done = subprocess.run([sys.executable, "-c", text], cwd=program.folder, capture_output=True, text=True, check=False)
            expect(done.returncode == 0, f"{text}\n{done.stderr}")
    expect(executed >= 2, f"only {executed} commands in the document")


if __name__ == "__main__":
    sys.exit(main(test))
