"""The man page has every command and option with the words of --help, its marks are right, and the shell's completion
knows every command with its long options, and the files and folders of a path.

usage: man_page_test.py PROGRAM ROOT
"""
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "app" / "cli"))
from program import expect, main  # noqa: E402


def commands_of(program):
    return re.findall(r"^  ([a-z][a-z-]*) ", program.run("--help").stdout.split("Subcommands:")[1], re.MULTILINE)


def test_page(program, root):
    made = subprocess.run([sys.executable, root / "tools/man_page.py", program.path], capture_output=True, text=True,
                          check=True).stdout
    commands = commands_of(program)
    expect(len(commands) >= 18, f"--help lists {commands}")
    for command in commands:
        section = made.split('.SS "schedfarm ' + command.replace("-", "\\-"))[1].split("\n.S")[0].replace("\\-", "-")
        options = re.findall(r"^  (?:-., ?)?(?:-.,)?(--[a-z-]+)", program.run(command, "--help").stdout, re.MULTILINE)
        lost = [option for option in options if not re.search(rf"^\\fB.*{option}\b", section, re.MULTILINE)
                and option != "--help"]
        expect(not lost, f"the man page of {command} is without {lost}")
    if shutil.which("groff"):
        said = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=made, capture_output=True, text=True, check=True)
        expect(said.stderr == "", f"groff on the man page: {said.stderr}")


def completed(completion, folder, *words):
    """What bash offers for the last of these words."""
    script = f"""
        eval "$('{completion}' completion bash)"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _schedfarm
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", script, "bash", "schedfarm", *words], cwd=folder, capture_output=True, text=True,
                          check=True)
    expect(done.stderr == "", f"completion of {words}: {done.stderr}")
    return sorted(line for line in done.stdout.splitlines() if line)


def test_completion(program, root):
    completion = program.path
    commands = commands_of(program)
    expect(completed(completion, program.folder, "") == sorted(commands), "completion knows other commands")
    for command in commands:
        options = set(re.findall(r"^ {2,4}(?:-.,)?(--[a-z-]+)", program.run(command, "--help").stdout, re.MULTILINE))
        known = set(completed(completion, program.folder, command, "--"))
        expect(known == options, f"completion of {command} and its --help differ in {known ^ options}")

    (program.folder / "my campaigns" / "deeper").mkdir(parents=True)
    for name in ("my campaigns/a.yaml", "my campaigns/notes.txt", "b.yaml", "b.h5"):
        (program.folder / name).touch()
    for words, wanted in ((["run", ""], ["b.yaml", "my campaigns"]),
                          (["run", "my campaigns/"], ["my campaigns/a.yaml", "my campaigns/deeper"]),
                          (["report", "b"], ["b.h5"]),
                          (["status", "b"], ["b.h5", "b.yaml"]),
                          (["run", "b.yaml", "-o", "b"], ["b.h5", "b.yaml"])):
        found = completed(completion, program.folder, *words)
        expect(found == wanted, f"completion of {words} is {found}")
    script = program.run("completion", "zsh").stdout
    expect(script.startswith("autoload") and "mapfile" not in script.replace("no mapfile", ""), "zsh has no mapfile")
    fish = program.run("completion", "fish").stdout
    for command in commands:
        expect(f" -a {command} -d '" in fish, f"fish does not complete {command}")
    if shutil.which("fish"):
        program.write("script.fish", fish)
        for words, wanted in (("schedfarm rep", "report"), ("schedfarm report --uni", "--unit"), ("schedfarm run b", "b.yaml")):
            done = subprocess.run(["fish", "--no-config", "-c", f"source script.fish; complete -C '{words}'"], cwd=program.folder,
                                  capture_output=True, text=True, check=True)
            offered = [line.split("\t")[0] for line in done.stdout.splitlines()]
            expect(wanted in offered, f"fish offers {offered} for '{words}'")
    loaded = subprocess.run(["bash", "-c", f"PATH='{pathlib.Path(program.path).parent}':$PATH; . '{root}/tools/completion/schedfarm.bash'; complete -p schedfarm"],
                            capture_output=True, text=True, check=True)
    expect(loaded.stdout == "complete -o filenames -F _schedfarm schedfarm\n", f"the installed file defines {loaded}")


def test(program, arguments):
    root = pathlib.Path(arguments[0])
    test_page(program, root)
    test_completion(program, root)


if __name__ == "__main__":
    sys.exit(main(test))
