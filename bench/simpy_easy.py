"""usage: simpy_easy.py JOBS.csv PROCESSORS          (JOBS.csv: submit,run,processors,requested)

EASY on SimPy, written as one writes it there, for the time that it takes beside examples/easy.py; prints the mean wait. Needs
python3-simpy."""
import csv
import sys

import simpy


class Machine:
    def __init__(self, env, processors):
        self.env, self.free = env, processors
        self.queue, self.running, self.waits = [], {}, []
        self.is_due = False

    def look(self):
        """Once per instant, after its other events."""
        if not self.is_due:
            self.is_due = True
            self.env.process(self.schedule())

    def schedule(self):
        yield self.env.timeout(0)
        self.is_due = False
        now, queue = self.env.now, self.queue
        while queue and queue[0][2] <= self.free:
            self.start(queue.pop(0))
        if len(queue) < 2 or not self.free:
            return
        free, shadow_time, extra = self.free, float("inf"), 0
        ends = sorted((max(end, now), size) for end, size in self.running.values())
        for place, (end, size) in enumerate(ends):
            free += size
            if free >= queue[0][2] and (place + 1 == len(ends) or ends[place + 1][0] > end):
                shadow_time, extra = end, free - queue[0][2]
                break
        for job in queue[1:]:
            _, _, size, requested = job
            if size <= self.free and (now < shadow_time and now + requested <= shadow_time or size <= extra):
                extra -= 0 if now < shadow_time and now + requested <= shadow_time else size
                queue.remove(job)
                self.start(job)

    def start(self, job):
        self.free -= job[2]
        self.running[id(job)] = (self.env.now + job[3], job[2])
        self.waits.append(self.env.now - job[0])
        self.env.process(self.run(job))

    def run(self, job):
        yield self.env.timeout(job[1])
        self.free += job[2]
        del self.running[id(job)]
        self.look()


def arrivals(env, machine, jobs):
    for job in jobs:
        yield env.timeout(job[0] - env.now)
        machine.queue.append(job)
        machine.look()


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        jobs = [(float(a), float(b), int(c), float(d)) for a, b, c, d in list(csv.reader(file))[1:]]
    env = simpy.Environment()
    machine = Machine(env, int(sys.argv[2]))
    env.process(arrivals(env, machine, sorted(jobs, key=lambda job: job[0])))
    env.run()
    print(f"{len(machine.waits)} jobs, mean wait {sum(machine.waits) / len(machine.waits):.6f}")


main()
