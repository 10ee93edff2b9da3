"""The processes of a run, as /proc tells them: to kill some, and to see that none is left."""
import os
import pathlib
import signal


def table():
    """Parent, command and MPI rank (None: no rank) by process id."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            words = (folder / "environ").read_bytes().split(b"\0")
            command = (folder / "cmdline").read_bytes().split(b"\0")[0].decode(errors="replace")
        except OSError:
            continue  # it has ended in the meantime
        rank = [int(word.split(b"=")[1]) for word in words if word.startswith(b"OMPI_COMM_WORLD_RANK=")]
        if fields[0] != "Z":
            found[int(folder.name)] = (int(fields[1]), command, rank[0] if rank else None)
    return found


def descendants(ancestor, processes):
    """All processes below this one, parents first."""
    found = [ancestor]
    for above in found:
        found += [pid for pid, (parent, *_rest) in processes.items() if parent == above]
    return found[1:]


def ranks_of(program, ancestor):
    """The ranks of MPI below a process, master first; not their workers."""
    processes = table()
    ranks = [pid for pid in descendants(ancestor, processes)
             if processes[pid][1] == program.path and processes[pid][2] is not None]
    return sorted((pid for pid in ranks if processes[pid][0] not in ranks), key=lambda pid: processes[pid][2])


def workers_of(master):
    """The workers of a process that is no rank, and the server that keeps them: ([pid, ...], pid)."""
    processes = table()
    for server in [pid for pid, (parent, *_rest) in processes.items() if parent == master]:
        return [pid for pid, (parent, *_rest) in processes.items() if parent == server], server
    return [], None


def everything_of(ancestor):
    """The process and all below it."""
    return [ancestor, *descendants(ancestor, table())]


def kill(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # it has ended in the meantime
