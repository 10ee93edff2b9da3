"""FCFS, EASY and conservative backfilling as plain loops, slow and independent of the program, for the comparison of schedules start by start.

A job is (submit, processors, run, request), run <= request. Every function gives the start times.
"""
import bisect
import gzip
import heapq
import math


def read_normalised(path):
    """(job number, job) of the jobs with processors, run and requested time above 0, in order of their submission."""
    kept = []
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rt") as lines:
        for line in lines:
            if line.startswith(";") or not line.strip():
                continue
            field = line.split()
            allocated, requested = int(field[4]), int(field[7])
            processors = allocated if allocated > 0 else requested
            run, request = float(field[3]), float(field[8])
            if processors > 0 and run > 0 and request > 0:
                kept.append((int(field[0]), (float(field[1]), processors, min(run, request), request)))
    return sorted(kept, key=lambda pair: pair[1][0])


class Machine:
    """The running jobs, in the order of their starts, and the queue, in the order of submission."""

    def __init__(self, jobs, processors):
        self.jobs = jobs
        self.processors = processors
        self.queue = []
        self.running = []
        self.starts = [None] * len(jobs)

    def finish_time(self, j):
        return self.starts[j] + self.jobs[j][2]

    def planned_end(self, j):
        return self.starts[j] + self.jobs[j][3]

    def free(self, now):
        """A job at its requested end is as good as gone."""
        return self.processors - sum(self.jobs[j][1] for j in self.running if self.planned_end(j) > now)

    def start(self, j, now):
        self.starts[j] = now
        self.queue.remove(j)
        self.running.append(j)

    def next_event(self, submitted):
        times = [self.finish_time(j) for j in self.running]
        if submitted < len(self.jobs):
            times.append(self.jobs[submitted][0])
        return min(times, default=None)


def start_heads(machine, now):
    while machine.queue and machine.jobs[machine.queue[0]][1] <= machine.free(now):
        machine.start(machine.queue[0], now)


def shadow_of_head(machine, now):
    """When the head will fit by the requested times of the running jobs, and what it will leave over."""
    needed = machine.jobs[machine.queue[0]][1]
    free = machine.free(now)
    ends = sorted((machine.planned_end(j), machine.jobs[j][1]) for j in machine.running
                  if machine.planned_end(j) > now)
    shadow = now
    for end, size in ends:
        if free >= needed and end > shadow:
            break
        free += size
        shadow = end
    return shadow, free - needed


def easy_pass(machine, now):
    start_heads(machine, now)
    if not machine.queue:
        return
    shadow, extra = shadow_of_head(machine, now)
    for j in machine.queue[1:]:
        _, size, _, request = machine.jobs[j]
        if size > machine.free(now):
            continue
        if now + request <= shadow:
            machine.start(j, now)
        elif size <= extra:
            extra -= size
            machine.start(j, now)


def schedule(jobs, processors, look, per_event):
    """per_event: submissions come first, then finishes in the order of the starts, and `look` after each of them;
    else once when all that happens at an instant has happened."""
    machine = Machine(jobs, processors)
    submitted = 0
    while (now := machine.next_event(submitted)) is not None:
        while submitted < len(jobs) and jobs[submitted][0] <= now:
            machine.queue.append(submitted)
            submitted += 1
            if per_event:
                look(machine, now)
        for j in [j for j in machine.running if machine.finish_time(j) <= now]:
            machine.running.remove(j)
            if per_event:
                look(machine, now)
        if not per_event:
            look(machine, now)
    return machine.starts


def fcfs(jobs, processors):
    return schedule(jobs, processors, start_heads, per_event=False)


def easy(jobs, processors):
    return schedule(jobs, processors, easy_pass, per_event=False)


def easy_per_event(jobs, processors):
    return schedule(jobs, processors, easy_pass, per_event=True)


class Plan:
    """Free processors by requested times: free[i] from times[i] on, the last for ever."""

    def __init__(self, processors):
        self.times = [-math.inf]
        self.free = [processors]

    def step_at(self, time):
        i = bisect.bisect_left(self.times, time)
        if i == len(self.times) or self.times[i] != time:
            self.times.insert(i, time)
            self.free.insert(i, self.free[i - 1])
        return i

    def add(self, begin, end, processors):
        for i in range(self.step_at(begin), self.step_at(end)) if begin < end else ():
            self.free[i] += processors

    def forget_before(self, now):
        """Also joins equal steps."""
        first = bisect.bisect_right(self.times, now) - 1
        kept = [i for i in range(first, len(self.times)) if i == first or self.free[i] != self.free[i - 1]]
        self.times = [self.times[i] for i in kept]
        self.free = [self.free[i] for i in kept]

    def earliest(self, now, processors, request):
        start = None
        for i in range(bisect.bisect_right(self.times, now) - 1, len(self.times)):
            if self.free[i] < processors:
                start = None
                continue
            start = max(now, self.times[i]) if start is None else start
            if i + 1 == len(self.times) or start + request <= self.times[i + 1]:
                return start


def conservative(jobs, processors, every_finish=True):
    """A job gets the earliest place in the plan as it comes. When one ends, or only when it does so before its request,
    those that wait are put forward, one by one in the order of submission; nobody is ever put back."""
    plan, waiting, running, starts, submitted = Plan(processors), {}, [], [None] * len(jobs), 0
    while submitted < len(jobs) or waiting or running:
        arrival = jobs[submitted][0] if submitted < len(jobs) else math.inf
        now = min([arrival, *waiting.values(), *(running[:1] and [running[0][0]])])
        plan.forget_before(now)
        puts_forward = False
        while running and running[0][0] <= now:
            _, j = heapq.heappop(running)
            planned_end = starts[j] + jobs[j][3]
            puts_forward = puts_forward or every_finish or planned_end > now
            plan.add(now, planned_end, jobs[j][1])
        for j, reserved in list(waiting.items()) if puts_forward else ():
            _, size, _, request = jobs[j]
            plan.add(reserved, reserved + request, size)
            waiting[j] = plan.earliest(now, size, request)
            plan.add(waiting[j], waiting[j] + request, -size)
            assert waiting[j] <= reserved
        while submitted < len(jobs) and jobs[submitted][0] <= now:
            _, size, _, request = jobs[submitted]
            waiting[submitted] = plan.earliest(now, size, request)
            plan.add(waiting[submitted], waiting[submitted] + request, -size)
            submitted += 1
        for j in [j for j, reserved in waiting.items() if reserved <= now]:
            del waiting[j]
            starts[j] = now
            heapq.heappush(running, (now + jobs[j][2], j))
    return starts
