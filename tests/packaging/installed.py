"""What the tests of installations share: the documents' commands, run by an installed program whose figures come from its own package."""
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "app/cli"))
from program import Failure, expect  # noqa: E402, F401

# A python that refuses the package of any other place.
PYTHON = """\
#!/bin/sh
case "$1" in "{root}"/*) exec {python} "$@" ;; esac
echo "$1 is not below {root}" >&2
exit 1
"""


def run(*words, cwd=None, **environment):
    done = subprocess.run([*map(str, words)], cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect_complete(root, prefix, document):
    """The program below `prefix` runs the commands of a document that lies there; `root` has everything of the installation."""
    python = root / "python"
    python.write_text(PYTHON.format(root=root, python=sys.executable))
    python.chmod(0o755)
    package = prefix / "share/schedfarm/python"
    documents = prefix / "share/doc/schedfarm"
    program = prefix / "bin/schedfarm"
    run(sys.executable, HERE.parent / "docs/links_test.py", documents)
    run(sys.executable, HERE.parent / "docs/tutorial_test.py", program, documents / "docs" / document,
        SCHEDFARM_PYTHON=str(python), PYTHONPATH=str(package))
    where = run(sys.executable, "-c", "import schedfarm; print(schedfarm.__file__)", cwd="/",
                PYTHONPATH=str(prefix / "lib/python3/dist-packages"))
    expect(where.startswith(str(root)), f"the link leads to {where}")
    campaigns = [{path.relative_to(folder) for path in folder.rglob("*")}
                 for folder in (HERE.parents[1] / "campaigns", prefix / "share/schedfarm/campaigns")]
    expect(campaigns[0] == campaigns[1], f"campaigns that are not installed, or not of the sources: {campaigns[0] ^ campaigns[1]}")
    with tempfile.TemporaryDirectory() as folder:
        run(program, "plan", prefix / "share/schedfarm/campaigns/coallocation/table1.yaml", cwd=folder)
    with tempfile.TemporaryDirectory() as folder:
        run(program, "init", "first.yaml", cwd=folder)
        first = pathlib.Path(folder, "first.yaml").read_text().splitlines()[0]
    schema = prefix / "share/schedfarm/campaign.schema.json"
    expect(first == f"# yaml-language-server: $schema={schema}", first)
    expect(schema.read_text() == run(program, "schema"), "the installed schema is not the program's")
    page = gzip.decompress((prefix / "share/man/man1/schedfarm.1.gz").read_bytes()).decode()
    expect(page == run(sys.executable, HERE.parents[1] / "tools/man_page.py", program), "the man page is not what --help says")
    expect_module(prefix)
    with tempfile.TemporaryDirectory() as folder:  # a policy of the sources, by the installed headers alone
        shutil.copy(HERE.parents[1] / "policies/queueing/lxf.cpp", folder)
        run(program, "build-policy", "lxf.cpp", cwd=folder)
        own, built_in = (run(program, "simulate", "--trace", "example", "-p", "32", "--jobs", "-", "--policy", *words, cwd=folder)
                         for words in (("plugin", "--set", "library=lxf.so", "--allow-code"), ("lxf",)))
        expect(own == built_in and len(own) > 1000, "a policy that was built by the installed headers starts other jobs")


def expect_module(prefix):
    """The module file, read by Tcl, sets paths that are there."""
    version = run(prefix / "bin/schedfarm", "--version").split()[1]
    file = prefix / "share/schedfarm/modulefiles/schedfarm" / version
    script = f"""
        proc module-whatis words {{ puts "whatis $words" }}
        proc conflict name {{}}
        proc prepend-path {{name path}} {{ puts "$name $path" }}
        set ModulesCurrentModulefile {{{file}}}
        source {{{file}}}
    """
    done = subprocess.run(["tclsh"], input=script, capture_output=True, text=True, check=False)
    expect(done.returncode == 0, done.stderr)
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    expect(f"schedfarm {version}" in lines["whatis"], lines)
    for name, below in (("PATH", "bin"), ("PYTHONPATH", "share/schedfarm/python")):
        expect(os.path.samefile(lines[name], prefix / below), lines)


def main(test, *needed):
    """Runs test(build folder, empty folder); skips where one of the programs needed is missing."""
    from shutil import which
    missing = [name for name in needed if which(name) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} not installed")
        return 77
    with tempfile.TemporaryDirectory(prefix="schedfarm-installed-") as folder:
        try:
            test(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder).resolve())
        except Failure as failure:
            print(f"FAILED: {failure}")
            return 1
    print("passed")
    return 0
