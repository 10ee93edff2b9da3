"""Shortest job first: whatever fits starts, that of the least requested time first."""
import schedfarm


class ShortestFirst(schedfarm.Policy):
    def schedule(self, now, queue, machine):
        for job in sorted(queue, key=lambda job: job.requested_time):
            if job.processors <= machine.free:
                machine.start(job)


if __name__ == "__main__":
    schedfarm.serve(ShortestFirst)
