"""In a folder where others can write, whoever plants something at a name that a command is about to write has nothing of the
user's replaced by it: a link of somebody else is refused by a message, one's own in a folder of one's own is followed.
As two users; only root can become them.

usage: shared_folder_test.py PROGRAM
"""
import fcntl
import os
import signal
import stat
import subprocess
import sys
import time

from journal import records
from program import PRECISE_CAMPAIGN, SMALL_CAMPAIGN, expect, main

USER, OTHER = 20001, 20002
LONG_CAMPAIGN = PRECISE_CAMPAIGN.replace("jobs: 500", "jobs: 20000").replace("relative: 0.05", "relative: 0.006")
LOG = "; MaxProcs: 8\n" + "".join(f"{n} {n} -1 10 4 -1 -1 4 20 -1 1 1 1 -1 -1 -1 -1 -1\n" for n in range(1, 20))


class Folders:
    """A home of the user's own, and a folder where everybody can do everything."""

    def __init__(self, program):
        self.program = program
        program.folder.chmod(0o755)
        self.home, self.shared = program.folder / "home", program.folder / "shared"
        self.bin = program.folder / "bin"
        self.samples = {}
        for folder, mode in ((self.home, 0o700), (self.shared, 0o777), (self.bin, 0o755)):
            folder.mkdir()
            os.chown(folder, USER, USER)
            folder.chmod(mode)
        sbatch = self.bin / "sbatch"
        sbatch.write_text("#!/bin/sh\necho 4711\n")
        sbatch.chmod(0o755)

    def start(self, *words):
        return self.start_command(self.program.path, *words)

    def start_command(self, *words):
        return subprocess.Popen(
            [*map(str, words)], cwd=self.home, user=USER, group=USER, extra_groups=[], text=True,
            env={**os.environ, "HOME": str(self.home), "PATH": f"{self.bin}:{os.environ['PATH']}"}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *words):
        """Exit code and messages."""
        with self.start(*words) as process:
            _output, errors = process.communicate(timeout=60)
        return process.returncode, errors

    def ours(self, *words):
        code, errors = self.run(*words)
        expect(code == 0, f"{words}: exit code {code}: {errors}")

    def write(self, name, text):
        path = self.home / name
        path.write_text(text)
        os.chown(path, USER, USER)

    def clear(self, folder):
        for path in folder.glob("c.*"):
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def prepare(folders):
    folders.write("small.yaml", SMALL_CAMPAIGN.replace("replications: 12", "replications: 3"))
    folders.write("larger.yaml", SMALL_CAMPAIGN.replace("replications: 12", "replications: 4"))
    folders.write("long.yaml", LONG_CAMPAIGN)
    folders.write("log.swf", LOG)
    folders.write("jobs.csv", "job,submit,start,finish,processors\n1,0,10,20,1\n")
    folders.ours("run", "small.yaml", "-w", "0")
    for share in ("1/2", "2/2"):
        folders.ours("run", "small.yaml", "-w", "0", "--cells", share, "-o", f"part{share[0]}.h5")


def keep_samples(folders):
    """What commands write that replace a file of their own kind alone, by name."""
    for command in ("simulate", "trace", "gantt", "submit", "report"):
        name, words, _before = COMMANDS[command]
        folders.ours(*words(folders.home / name))
        folders.samples[name] = (folders.home / name).read_bytes()
        folders.clear(folders.home)


def run_first(folders, output):
    folders.ours("run", "small.yaml", "-w", "0", "-o", output)
    output.unlink()


# What writes: the name that it writes, its words for an output, and what must have been before.
COMMANDS = {
    "run": ("c.h5", lambda output: ["run", "small.yaml", "-w", "0", "-o", output], None),
    "run: its journal": ("c.h5.journal", lambda output: ["run", "small.yaml", "-w", "0", "-o", output.with_suffix("")], None),
    "run: its lock": ("c.h5.journal.lock",
                      lambda output: ["run", "small.yaml", "-w", "0", "-o", output.with_suffix("").with_suffix("")], None),
    "resume": ("c.h5", lambda output: ["resume", "small.yaml", "-w", "0", "-o", output], run_first),
    "extend": ("c.h5", lambda output: ["run", "--extend", "larger.yaml", "-w", "0", "-o", output], run_first),
    "merge": ("c.h5", lambda output: ["merge", output, "part1.h5", "part2.h5"], None),
    "rebuild": ("c.h5", lambda output: ["rebuild", "small.h5.journal", "-o", output], None),
    "simulate": ("c.csv", lambda output: ["simulate", "--trace", "log.swf", "--policy", "fcfs", "--jobs", output], None),
    "trace": ("c.swf", lambda output: ["trace", "log.swf", "--write", output], None),
    "gantt": ("c.txt", lambda output: ["gantt", "jobs.csv", "-o", output], None),
    "submit": ("c.sbatch", lambda output: ["submit", "small.yaml", "-t", "10", "--pilot-seconds", "0", "-o",
                                           output.with_suffix(".h5")], None),
    "init": ("c.yaml", lambda output: ["init", output], None),
    "report": ("c.html", lambda output: ["report", "small.h5", "-f", "html", "-o", output], None),
    "plot": ("c.svg", lambda output: ["plot", "small.h5", "-o", output], None),
}
PYTHON = ("report", "plot")  # slow to start; the rest of what they do is in file_test.py


def precious_for(folders, name):
    """A file of the user's that a command would not spare for what it holds."""
    path = folders.home / "precious"
    like = folders.samples.get(name)
    path.write_bytes(like + b"precious" if like else
                     (folders.home / ("small.h5.journal" if name.endswith(".journal") else "small.h5")).read_bytes())
    os.chown(path, USER, USER)
    return path


def plant(kind, path, target, owner):
    if kind == "hard link":
        os.link(target, path)  # as where fs.protected_hardlinks is 0
        return
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(target if kind == "link" else target.with_name("nothing yet"))
    os.chown(path, owner, owner, follow_symlinks=False)


def others_things_are_refused(folders):
    for command, (name, words, before) in COMMANDS.items():
        for kind in ("link", "dangling link", "hard link", "pipe", "folder")[:1 if command in PYTHON else None]:
            output = folders.shared / name
            if before:
                before(folders, output)
            precious = precious_for(folders, name)
            saved = precious.read_bytes()
            plant(kind, output, precious, OTHER)
            planted = os.lstat(output)
            code, errors = folders.run(*words(output))
            where = f"{command}, {kind} of somebody else"
            expect(precious.read_bytes() == saved, f"{where}: the user's file has changed")
            expect(not precious.with_name("nothing yet").exists(), f"{where}: a file was made at its end")
            if kind != "hard link" or code != 0:
                expect(code in (2, 4) and len(errors.strip().splitlines()) <= 3 and "c." in errors, f"{where}: {code}, {errors}")
                left = os.lstat(output)
                expect((left.st_ino, left.st_mode) == (planted.st_ino, planted.st_mode), f"{where}: it is gone")
            folders.clear(folders.shared)


def own_links(folders):
    """Followed in a folder of one's own, whether or not something is at their end; refused where others can write."""
    for command, (name, words, before) in COMMANDS.items():
        if command == "run: its lock":
            continue
        for kind in ("link", "dangling link"):
            if (command, kind) in (("run: its journal", "link"), ("init", "link")):
                continue  # there is one already
            if command in PYTHON and (command, kind) != ("report", "link"):
                continue
            if before:
                before(folders, folders.home / name)
            precious = precious_for(folders, name)
            saved = precious.read_bytes()
            target = precious if kind == "link" else precious.with_name("nothing yet")
            plant(kind, folders.home / name, precious, USER)
            folders.ours(*words(folders.home / name))
            expect((folders.home / name).is_symlink(), f"{command}: the link is gone")
            expect(target.read_bytes() != saved, f"{command}: nothing was written")
            expect(stat.S_ISREG(os.lstat(target).st_mode), f"{command}: no file")
            folders.clear(folders.home)
            precious.with_name("nothing yet").unlink(missing_ok=True)
            precious_for(folders, name)
            plant(kind, folders.shared / name, precious, USER)
            if before is None:
                code, errors = folders.run(*words(folders.shared / name))
                expect(code in (2, 4) and "it is a link" in errors, f"{command}, in a shared folder: {code}, {errors}")
                expect(precious.read_bytes() == saved, f"{command}: written through a link in a shared folder")
            folders.clear(folders.shared)


MEANWHILE = {
    "c.h5": ("link", "dangling link", "pipe", "folder"),
    "c.h5.journal": ("link", "dangling link", "hard link", "pipe", "folder"),
    "c.h5.journal.lock": ("link", "hard link", "pipe"),
}


def planted_meanwhile(folders):
    """While a run computes, its result file, its journal or its lock become something else."""
    output, journal = folders.shared / "c.h5", folders.shared / "c.h5.journal"
    for name, kinds in ((folders.shared / name, kinds) for name, kinds in MEANWHILE.items()):
        for kind in kinds:
            precious = precious_for(folders, name.name)
            saved = precious.read_bytes()
            process = folders.start("run", "long.yaml", "-w", "0", "--progress", "none", "-o", output)
            while not journal.exists() or sum(part == "result" for part, *_rest in records(journal)) < 5:
                expect(process.poll() is None, "the run ended early")
                time.sleep(0.01)
            name.unlink(missing_ok=True)
            plant(kind, name, precious, OTHER)
            planted = os.lstat(name).st_ino
            while name == journal and os.lstat(name).st_ino == planted and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            _output, errors = process.communicate(timeout=60)
            where = f"{name.name} became a {kind}"
            expect(precious.read_bytes() == saved, f"{where}: the user's file has changed")
            expect(not precious.with_name("nothing yet").exists(), f"{where}: a file was made at its end")
            if name == journal and kind != "folder":
                expect(process.returncode == 3 and "it is there again" in errors, f"{where}: {process.returncode}, {errors}")
                expect(stat.S_ISREG(os.lstat(journal).st_mode) and os.lstat(journal).st_uid == USER, f"{where}: it stayed")
                folders.ours("status", output)
            elif name == output:
                expect(process.returncode == 4 and "results cannot be written there (it is " in errors, f"{where}: {process.returncode}, {errors}")
                expect("schedfarm rebuild" in errors, errors)
            elif name != journal:
                expect(process.returncode == 3, f"{where}: {process.returncode}, {errors}")
            folders.clear(folders.shared)


def left_behind(folders):
    """The next that writes the same file removes what killed processes of the user have left, and nothing else."""
    for command in ("run", "simulate", "report"):
        name, words, _before = COMMANDS[command]
        left, under_way, others = (folders.shared / f"{name}.{digit * 16}.tmp" for digit in "abc")
        unlike = folders.shared / f"{name}.tmp"
        for path, owner in ((left, USER), (under_way, USER), (others, OTHER), (unlike, USER)):
            path.write_text("x")
            os.chown(path, owner, owner)
        with under_way.open() as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            folders.ours(*words(folders.shared / name))
        found = [path.exists() for path in (left, under_way, others, unlike)]
        expect(found == [False, True, True, True], f"{command}: {found}")
        folders.clear(folders.shared)
    folders.write("small.h5.journal.0123456789abcdef.tmp", "an extension that was killed")
    folders.ours("resume", "small.yaml", "-w", "0")
    expect(not list(folders.home.glob("*.tmp")), "what an extension has left")


def streams(folders):
    """Devices, and pipes of the user's own, are written to."""
    pipe = folders.shared / "c.pipe"
    plant("pipe", pipe, None, USER)
    with folders.start(*COMMANDS["simulate"][1](pipe)) as process:
        expect(pipe.read_text().startswith("job,"), "nothing came out of a pipe")
        expect(process.wait(60) == 0, process.stderr.read())
    folders.ours(*COMMANDS["simulate"][1]("/dev/null"))
    words = " ".join(COMMANDS["simulate"][1]("/dev/stdout"))
    with folders.start_command("sh", "-c", f"{folders.program.path} {words} | head -1") as process:
        expect(process.stdout.read().startswith("job,"), process.stderr.read())
    folders.clear(folders.shared)


def test(program, _arguments):
    if os.geteuid() != 0:
        print("skipped: only root can become two users")
        sys.exit(77)
    folders = Folders(program)
    prepare(folders)
    keep_samples(folders)
    others_things_are_refused(folders)
    own_links(folders)
    planted_meanwhile(folders)
    left_behind(folders)
    streams(folders)


if __name__ == "__main__":
    sys.exit(main(test))
