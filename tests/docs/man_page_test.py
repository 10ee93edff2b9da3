"""The man page has every command and option with the words of --help, its marks are right, and the shell's completion
knows every command and its long options where it knows any.

usage: man_page_test.py PROGRAM ROOT
"""
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "campaigns" / "cli"))
from program import expect, main  # noqa: E402


def commands_of(program):
    return re.findall(r"^  ([a-z]+) ", program.run("--help").stdout.split("Subcommands:")[1], re.MULTILINE)


def test_page(program, root):
    page = root / "docs/man/schedfarm.1"
    made = subprocess.run([sys.executable, root / "tools/man_page.py", program.path], capture_output=True, text=True,
                          check=True).stdout
    expect(made == page.read_text(), f"{page} is not what --help says: tools/man_page.py PROGRAM > docs/man/schedfarm.1")
    commands = commands_of(program)
    expect(len(commands) >= 18, f"--help lists {commands}")
    for command in commands:
        section = made.split(f'.SS "schedfarm {command}')[1].split("\n.S")[0].replace("\\-", "-")
        options = re.findall(r"^  (?:-., ?)?(?:-.,)?(--[a-z-]+)", program.run(command, "--help").stdout, re.MULTILINE)
        lost = [option for option in options if not re.search(rf"^\\fB.*{option}\b", section, re.MULTILINE)
                and option != "--help"]
        expect(not lost, f"the man page of {command} is without {lost}")
    if shutil.which("groff"):
        said = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", page], capture_output=True, text=True, check=True)
        expect(said.stderr == "", f"groff on {page}: {said.stderr}")


def test_completion(program, root):
    completion = (root / "tools/completion/schedfarm.bash").read_text()
    known = set(re.search(r'-W "(init [a-z ]+)"', completion).group(1).split())
    expect(known == set(commands_of(program)), f"completion knows {known ^ set(commands_of(program))} or lacks it")
    for command, words in re.findall(r'^    ([a-z]+)\).*-W "(--[a-z -]+)"', completion, re.MULTILINE):
        options = set(re.findall(r"^  (?:-.,)?(--[a-z-]+)", program.run(command, "--help").stdout, re.MULTILINE))
        wrong = (options - {"--help"}) ^ set(words.split())
        expect(not wrong, f"completion of {command} and its --help differ in {wrong}")


def test(program, arguments):
    root = pathlib.Path(arguments[0])
    test_page(program, root)
    test_completion(program, root)


if __name__ == "__main__":
    sys.exit(main(test))
