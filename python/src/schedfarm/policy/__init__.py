"""Scheduling policies of your own.

A policy is asked once per instant at which something happened, and starts jobs:

>>> import schedfarm as sf
>>> class ShortestFirst(sf.Policy):
...     def schedule(self, now, queue, machine):
...         for job in sorted(queue, key=lambda job: job.requested_time):
...             if job.processors <= machine.free:
...                 machine.start(job)

`schedfarm.simulate` tries it on one log or model, `schedfarm.campaign` holds it against others on the farm. A file that ends with
`schedfarm.serve(ShortestFirst)` is a program that any campaign can start: `policy: {external: {command: [python3, mine.py]}}`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    import numpy as np


class Job:
    """A job as its policy knows it; the service time is not among it.

    number            in the order of submission, from 0
    submit_time       when it was submitted, in the time unit of the workload
    processors        how many it asks for
    requested_time    how long it may run as its user says, in the time unit
    user, job_class, queue, priority, memory_per_processor
                      0 where the workload says nothing
    request, components
                      `total` and (processors,); of jobs on several clusters how and how many on each
    start_time        None while it waits
    """

    __slots__ = ("number", "submit_time", "processors", "requested_time", "user", "job_class", "queue", "priority",
                 "memory_per_processor", "request", "components", "start_time")

    def __init__(self, told: dict[str, Any]) -> None:
        self.number: int = told["job"]
        self.submit_time: float = told["submit_time"]
        self.processors: int = told["processors"]
        requested = told["requested_time"]
        self.requested_time: float = math.inf if requested is None else requested
        self.start_time: Optional[float] = None
        get = told.get
        self.user: int = get("user", 0)
        self.job_class: int = get("class", 0)
        self.queue: int = get("queue", 0)
        self.priority: int = get("priority", 0)
        self.memory_per_processor: float = get("memory_per_processor", 0.0)
        self.request: str = get("request", "total")
        self.components: tuple[int, ...] = tuple(get("components", (self.processors,)))

    @property
    def expected_finish(self) -> float:
        """Start plus requested time; infinity while it waits."""
        return math.inf if self.start_time is None else self.start_time + self.requested_time

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a job has no '{name}'. It has: {', '.join((*self.__slots__, 'expected_finish'))}")

    def __repr__(self) -> str:
        return f"<job {self.number}: {self.processors} processors for {self.requested_time:g}, submitted at {self.submit_time:g}>"


class Jobs:
    """Jobs in order: those of a queue in that of their arrival, those that run in that of their start.

    Iterating goes over the jobs as they were when it began, so that a loop may start them. `queue[0]` is the head, `len(queue)` the
    number; neither costs more where many wait.
    """

    __slots__ = ("_jobs",)

    def __init__(self) -> None:
        self._jobs: dict[int, Job] = {}

    def __iter__(self) -> Iterator[Job]:
        return iter(list(self._jobs.values()))

    def __len__(self) -> int:
        return len(self._jobs)

    def __contains__(self, job: object) -> bool:
        return isinstance(job, Job) and self._jobs.get(job.number) is job

    def __getitem__(self, place: int) -> Job:
        if place == 0 and self._jobs:
            return next(iter(self._jobs.values()))
        return list(self._jobs.values())[place]

    def __getattr__(self, name: str) -> "np.ndarray[Any, Any]":
        """A quantity of all jobs, as `queue.requested_time`: shape (jobs,), double precision."""
        if name.startswith("_") or name not in (*Job.__slots__, "expected_finish") or name in ("request", "components"):
            raise AttributeError(f"jobs have no '{name}'. They have: {', '.join((*Job.__slots__, 'expected_finish'))}")
        return self.matrix(name)[:, 0]

    def matrix(self, *names: str) -> "np.ndarray[Any, Any]":
        """Quantities of all jobs: shape (jobs, names), double precision; NaN for a start that has not been."""
        import numpy as np
        values = np.empty((len(self._jobs), len(names)))
        for column, name in enumerate(names):
            values[:, column] = [math.nan if value is None else value for value in (getattr(job, name) for job in self._jobs.values())]
        return values

    def __repr__(self) -> str:
        return f"<{len(self)} jobs>"


class Machine:
    """What a policy acts on.

    now                the time
    processors         of the machine
    clusters           of each cluster
    free               processors that no job holds and that are in order
    free_by_cluster    the same of each cluster
    running            the jobs that run (Jobs)
    seed               of the replication: draw from `random.Random(machine.seed)`, and replications are the same again
    """

    def __init__(self, told: dict[str, Any]) -> None:
        self.now = 0.0
        self.clusters: tuple[int, ...] = tuple(told["clusters"])
        self.processors = sum(self.clusters)
        self.memory_per_processor: float = told["memory_per_processor"] or 0.0
        self.seed: int = told["seed"]
        self.free_by_cluster = list(self.clusters)
        self.free = self.processors
        self.running = Jobs()
        self._queue = Jobs()
        self._starts: list[Any] = []
        self._wakes: list[float] = []

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a machine has no '{name}'. It has: {', '.join(known for known in vars(self) if known[0] != '_')}")

    def start(self, job: Job, clusters: Optional[Sequence[tuple[int, int]]] = None,
              processors: Optional[Sequence[tuple[int, int]]] = None) -> None:
        """Starts a job that waits, now.

        `clusters`: on so many processors of which clusters, pairs (cluster, count); left out, the campaign's placement rule finds
        them. `processors`: on those named, pairs (first, count), of a policy with `processors: named`. Raises ValueError where the
        job does not wait or too few processors are free.
        """
        waiting = self._queue._jobs
        if waiting.get(job.number) is not job:
            raise ValueError(f"job {job.number} cannot start: it {'runs' if job in self.running else 'has finished'}")
        if job.processors > self.free:
            raise ValueError(f"job {job.number} of {job.processors} processors cannot start: {self.free} are free")
        del waiting[job.number]
        job.start_time = self.now
        self.running._jobs[job.number] = job
        self.free -= job.processors
        if clusters is not None:
            shares = [[int(cluster), int(count)] for cluster, count in clusters]
            self._starts.append({"job": job.number, "clusters": shares})
            for cluster, count in shares:
                self.free_by_cluster[cluster] -= count
            return
        self._starts.append(job.number if processors is None else
                            {"job": job.number, "processors": [[int(first), int(count)] for first, count in processors]})
        left = job.processors  # as jobs that ask for any processors are placed; the next instant says what became of others
        for cluster, free in enumerate(self.free_by_cluster):
            taken = min(left, free)
            self.free_by_cluster[cluster] -= taken
            left -= taken

    def wake(self, at: float) -> None:
        """Asks for the policy at a time, too, whatever happens then. Raises ValueError where it is past."""
        if not self.now <= at < math.inf:
            raise ValueError(f"the policy cannot be woken at {at}: it is {self.now}")
        self._wakes.append(float(at))


class Policy:
    """A scheduling policy: write `schedule`, or `start` beside what keeps a state of its own, `arrive` and `finish`.

    A new object serves each replication. There are no reservations to ask for: a policy that promises keeps its promises itself.
    """

    def begin(self, machine: Machine) -> None:
        """Once, before the first job."""

    def arrive(self, job: Job) -> None:
        """A job was submitted, just now; it is in the queue."""

    def finish(self, job: Job) -> None:
        """A job that ran has finished, just now (or was cut by an outage; it then arrives again)."""

    def withdraw(self, job: Job) -> None:
        """A job that waited has left."""

    def schedule(self, now: float, queue: Jobs, machine: Machine) -> None:
        """Once per instant at which something happened, after all of it was told: starts jobs by `machine.start`."""
        self.start(now, machine)

    def start(self, now: float, machine: Machine) -> None:
        """In place of `schedule`, for policies with a queue of their own."""
        raise NotImplementedError(f"{type(self).__name__} has neither schedule(now, queue, machine) nor start(now, machine)")


def serve(policy: Any) -> None:
    """Answers the simulator on standard input and output until it has no more questions; what the policy prints goes to standard
    error.

    `policy`: the class, or what makes an object without an argument. The last line of a program that a campaign starts:

        if __name__ == "__main__":
            schedfarm.serve(ShortestFirst)
    """
    from ._serve import serve as answer
    answer(policy)
