"""A Slurm of its own with virtual nodes on this machine, and a folder in which a user submits jobs to it."""
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "app" / "cli"))
from program import Program, expect  # noqa: E402

TESTBED = pathlib.Path(__file__).with_name("testbed.sh")
ENDED = {"COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "OUT_OF_MEMORY"}


class Slurm:
    """A running testbed; jobs see its configuration and reach each other over TCP."""

    def __init__(self, nodes, cpus):
        self.parent = pathlib.Path(tempfile.mkdtemp(prefix="schedfarm-slurm-"))
        self.parent.chmod(0o755)
        self.folder = self.parent / "bed"
        self.environment = {"SLURM_CONF": str(self.folder / "slurm.conf"), "OMPI_MCA_btl": "self,tcp"}
        started = subprocess.run([TESTBED, "start", self.folder, str(nodes), str(cpus)], text=True,
                                 stdout=subprocess.PIPE, check=False)
        self.missing = None if started.returncode == 0 else started.stdout.strip()

    def stop(self):
        subprocess.run([TESTBED, "stop", self.folder], check=False)
        shutil.rmtree(self.parent, ignore_errors=True)

    def call(self, *command):
        time.sleep(1)  # schedulers are shared: one call per second
        return subprocess.run(command, env={**os.environ, **self.environment}, text=True, check=True,
                              stdout=subprocess.PIPE).stdout

    def states(self):
        """State by job, those that have ended among them."""
        lines = self.call("squeue", "-h", "-t", "all", "-r", "-o", "%i %T").splitlines()
        return dict(line.split() for line in lines)

    def wait_for(self, condition, what, seconds=300):
        """Waits until condition(states) holds; a job that was queued again is let go at once."""
        deadline = time.monotonic() + seconds
        while not condition(states := self.states()):
            expect(time.monotonic() < deadline, f"{what}: not within {seconds} s, jobs {states}")
            for line in self.call("squeue", "-h", "-t", "pending", "-r", "-o", "%i %r").splitlines():
                if line.endswith("BeginTime"):
                    self.call("scontrol", "update", f"JobId={line.split()[0]}", "StartTime=now")
        return states


def all_ended(states):
    return all(state in ENDED for state in states.values())


class Submitter(Program):
    """The program in a folder of a user's, who need not be root; the user sees nothing else of ours."""

    def __init__(self, slurm, program, faulty, user):
        super().__init__(program)
        self.slurm = slurm
        self.user = pwd.getpwnam(user)
        for name, source in (("schedfarm", program), ("schedfarm-farm", f"{program}-farm"), ("faulty", faulty)):
            shutil.copy(source, self.folder / name)
        self.path = str(self.folder / "schedfarm")
        # Runs and resumes with replications that wait for a file `go`; all else is the program's own.
        self.write("waiting", f'#!/bin/sh\ncase $1 in run | resume) exec {self.folder}/faulty "$@" ;; esac\n'
                              f'exec {self.path} "$@"\n')
        (self.folder / "waiting").chmod(0o755)
        self.own(self.folder)

    def own(self, path):
        os.chown(path, self.user.pw_uid, self.user.pw_gid)
        path.chmod(0o755)

    def subfolder(self, name, campaign):
        """A folder for a job of its own."""
        folder = self.folder / name
        folder.mkdir()
        self.own(folder)
        (folder / "campaign.yaml").write_text(campaign)
        return folder

    def run_as_user(self, *arguments, folder=None, exit_code=0):
        done = subprocess.run(
            [self.path, *map(str, arguments)], cwd=folder or self.folder, stdin=subprocess.DEVNULL,
            env={**os.environ, **self.slurm.environment, "HOME": str(self.folder)}, capture_output=True,
            text=True, timeout=300, check=False, user=self.user.pw_uid, group=self.user.pw_gid,
            extra_groups=[])
        expect(done.returncode == exit_code,
               f"{arguments}: exit code {done.returncode}, not {exit_code}\n{done.stdout}{done.stderr}")
        return done

    def submit(self, folder, *options):
        """Numbers of the jobs."""
        done = self.run_as_user("submit", "campaign.yaml", "-o", "out.h5", "--pilot-seconds", "2", *options,
                                folder=folder)
        return [line.split()[1] for line in done.stdout.splitlines() if line.startswith("job ")]


def log_of(folder):
    return "\n".join(path.read_text(errors="replace") for path in sorted(folder.glob("*.log")))
