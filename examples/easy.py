"""EASY backfilling: jobs overtake where they do not delay the head of the queue (Lifka 1995). The same starts as `easy`."""
import schedfarm


class Easy(schedfarm.Policy):
    def begin(self, machine):
        self.rejected = 0  # so many jobs behind the head were found not to start, and nothing has finished since

    def finish(self, job):
        self.rejected = 0

    def schedule(self, now, queue, machine):
        while queue and queue[0].processors <= machine.free:
            machine.start(queue[0])
            self.rejected = 0
        if len(queue) < 2 or not machine.free:
            return
        shadow_time, extra = self.forecast(now, queue[0].processors, machine)
        candidates = list(queue)[1 + self.rejected:]
        for job in candidates:
            if job.processors > machine.free:
                continue
            if now < shadow_time and now + job.requested_time <= shadow_time:
                machine.start(job)
            elif job.processors <= extra:
                machine.start(job)
                extra -= job.processors
        self.rejected = len(queue) - 1

    def forecast(self, now, wanted, machine):
        """When the head will fit by the requested times, and how many processors it leaves over then."""
        free = machine.free
        ends = sorted((max(job.expected_finish, now), job.processors) for job in machine.running)
        for place, (end, processors) in enumerate(ends):
            free += processors
            if free >= wanted and (place + 1 == len(ends) or ends[place + 1][0] > end):
                return end, free - wanted
        return float("inf"), 0


if __name__ == "__main__":
    schedfarm.serve(Easy)
