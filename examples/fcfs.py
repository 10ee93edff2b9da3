"""First come, first served: the head of the queue blocks until it fits."""
import schedfarm


class FirstCome(schedfarm.Policy):
    def schedule(self, now, queue, machine):
        while queue and queue[0].processors <= machine.free:
            machine.start(queue[0])


if __name__ == "__main__":
    schedfarm.serve(FirstCome)
