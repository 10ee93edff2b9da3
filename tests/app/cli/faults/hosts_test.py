#!/usr/bin/env python3
"""Three hosts, as namespaces of network, mounts and name on one machine, and real daemons of Open MPI between them. A host
that is cut off costs what was under way there; where the master's host is gone the ranks of the others end, and `resume` is
right. Needs root and Linux; skipped elsewhere."""
import os
import pathlib
import shutil
import subprocess
import sys
import time

from program import Failure, expect, main

HOSTS = ["hosta", "hostb", "hostc"]
BRIDGE = "schedfarm0"
CAMPAIGN = """\
campaign_format: 1
name: three hosts
seed: 7
policy: fpfs
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 1, component_size: {uniform: [1, 16]}}
horizon: {jobs: 20000, warm_up: {fraction: 0.2}}
replications: 3000
probes: [response_time]
factors: {load.utilization: [0.5, 0.6]}
"""
AGENT = """\
#!/bin/sh
# What Open MPI starts its daemons by, in the place of ssh: a host and a command.
while [ "${1#-}" != "$1" ]; do shift; done
host=$1; shift
exec nsenter -t "$(cat FOLDER/$host.pid)" -n -m -u -- sh -c "$*"
"""


def shell(*lines):
    for line in lines:
        subprocess.run(line, shell=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


class Hosts:
    """Three hosts that a bridge joins; gone at the end with all that runs in them."""

    def __init__(self, folder):
        self.folder = folder
        self.keepers = []
        (folder / "hosts").write_text("127.0.0.1 localhost\n" + "".join(f"10.77.0.{i + 1} {h}\n" for i, h in enumerate(HOSTS)))
        (folder / "hostfile").write_text("".join(f"{host} slots=1\n" for host in HOSTS))
        (folder / "agent").write_text(AGENT.replace("FOLDER", str(folder)))
        (folder / "agent").chmod(0o755)

    def __enter__(self):
        try:
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self):
        shell(f"ip link add {BRIDGE} type bridge", f"ip link set {BRIDGE} up")
        for i, host in enumerate(HOSTS):
            keeper = subprocess.Popen(
                ["unshare", "--net", "--mount", "--uts", "sh", "-c",
                 f"hostname {host} && mount --bind {self.folder}/hosts /etc/hosts && mount -t tmpfs none /dev/shm && exec sleep 600"])
            self.keepers.append(keeper)
            (self.folder / f"{host}.pid").write_text(str(keeper.pid))
            while pathlib.Path(f"/proc/{keeper.pid}/comm").read_text().strip() != "sleep":
                time.sleep(0.05)
            shell(f"ip link add v{host} type veth peer name eth0 netns {keeper.pid}",
                  f"ip link set v{host} master {BRIDGE} up",
                  f"nsenter -t {keeper.pid} -n sh -c 'ip addr add 10.77.0.{i + 1}/24 dev eth0; ip link set eth0 up; ip link set lo up'")

    def __exit__(self, *_):
        for host in HOSTS[:len(self.keepers)]:
            subprocess.run(["ip", "link", "del", f"v{host}"], stderr=subprocess.DEVNULL, check=False)
        for host, keeper in zip(HOSTS, self.keepers):
            for process in self.processes(host):
                subprocess.run(["kill", "-9", str(process)], stderr=subprocess.DEVNULL, check=False)
            keeper.wait()
        subprocess.run(["ip", "link", "del", BRIDGE], check=False)

    def enter(self, host, words, output, **variables):
        keeper = self.keepers[HOSTS.index(host)]
        return subprocess.Popen(["nsenter", "-t", str(keeper.pid), "-n", "-m", "-u", f"--wd={self.folder}", "--", *words],
                                stdin=subprocess.DEVNULL, stdout=output, stderr=output, env={**os.environ, **variables})

    def cut(self, host):
        shell(f"ip link set v{host} down")

    def processes(self, host, name=""):
        """Those in the host's network, with this in their command."""
        network = os.readlink(f"/proc/{self.keepers[HOSTS.index(host)].pid}/ns/net")
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "ns/net") == network and name in (process / "cmdline").read_text():
                    found.append(int(process.name))
            except OSError:
                pass
        return found


def wait_for(what, seconds, is_so):
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise Failure(f"not within {seconds} s: {what}")
        time.sleep(0.2)


def begin(program, hosts, name):
    """A run of a rank on each host, with results by now; the process and what it says."""
    said = program.folder / f"{name}.said"
    run = hosts.enter(
        "hosta", [program.path, "run", "c.yaml", "-w", "2", "--launcher", "mpirun", "-o", f"{name}.h5"], said.open("w"),
        OMPI_MCA_plm_rsh_agent=str(program.folder / "agent"), OMPI_MCA_orte_default_hostfile=str(program.folder / "hostfile"),
        OMPI_MCA_oob_tcp_if_include="10.77.0.0/24", OMPI_MCA_btl_tcp_if_include="10.77.0.0/24",
        OMPI_MCA_rmaps_base_mapping_policy="node")
    journal = program.folder / f"{name}.h5.journal"
    try:
        wait_for("a hundred results", 60, lambda: journal.exists() and journal.stat().st_size > 20000)
    except Failure as failure:
        raise Failure(f"{failure}\n{said.read_text()}") from failure
    return run, said


def check_hosts(program, _arguments):
    if os.geteuid() != 0 or shutil.which("ip") is None:
        print("skipped: namespaces need root and `ip`")
        sys.exit(77)
    program.write("c.yaml", CAMPAIGN)
    program.run("run", "c.yaml", "-w", "2", "-o", "whole.h5")
    expected = program.payload_hash("whole.h5")

    with Hosts(program.folder) as hosts:
        run, said = begin(program, hosts, "cut")
        hosts.cut("hostb")
        wait_for("hostb is missed", 32, lambda: "hostb: nothing has been heard of its 1 worker" in said.read_text())
        wait_for("the run ends", 300, lambda: run.poll() is not None)
        expect(run.returncode == 0, f"a host cut off: exit code {run.returncode}\n{said.read_text()}")
    expect(program.payload_hash("cut.h5") == expected, "a host cut off: another payload")

    with Hosts(program.folder) as hosts:
        begin(program, hosts, "gone")
        hosts.cut("hosta")
        for host in ["hostb", "hostc"]:
            wait_for(f"the rank of {host} ends", 45, lambda: not hosts.processes(host, program.path))
    program.run("resume", "c.yaml", "-w", "2", "-o", "gone.h5")
    expect(program.payload_hash("gone.h5") == expected, "the master's host gone, and resumed: another payload")


if __name__ == "__main__":
    sys.exit(main(check_hosts))
