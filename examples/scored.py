"""Whatever fits starts, in the order of a linear score of features: wait, requested time, processors, area."""
import numpy as np
import schedfarm


class Scored(schedfarm.Policy):
    """`weights` of the features, each as a logarithm; the greatest score is first."""

    def __init__(self, weights=(1.0, -1.0, 0.0, 0.0)):
        self.weights = tuple(weights)

    def schedule(self, now, queue, machine):
        if not machine.free:
            return
        jobs = list(queue)
        submitted, requested, processors = queue.matrix("submit_time", "requested_time", "processors").T
        features = np.log1p([now - submitted, requested, processors, requested * processors])
        for place in np.argsort(-np.dot(self.weights, features), kind="stable"):
            if jobs[place].processors <= machine.free:
                machine.start(jobs[place])


if __name__ == "__main__":
    schedfarm.serve(Scored)
