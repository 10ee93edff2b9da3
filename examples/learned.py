"""Learns the weights of scored.py: an evolution strategy under common random numbers, some minutes.

usage: learned.py [ROUNDS]          prints the weights, and what they bring on jobs that they have not seen

Every candidate serves the same jobs, so that a difference between two is one of policies and not of luck; with and against each
direction (antithetic), so that what the two have in common goes out of the slope."""
import sys

import numpy as np
import schedfarm
from scored import Scored

JOBS, PROCESSORS, LOAD = 1000, 128, 0.85


def cost(weights, seed):
    """Mean of the logarithm of the bounded slowdowns: long waits of short jobs count, and none rules."""
    policy = Scored(weights) if not isinstance(weights, str) else weights
    jobs = schedfarm.simulate("lublin_feitelson", policy, model=True, processors=PROCESSORS, first=JOBS, seed=seed,
                              options=["--utilization", str(LOAD)])
    run = jobs.finish - jobs.start
    return np.log(np.maximum(1, (jobs.wait + run) / np.maximum(run, 10))).mean()


def learn(rounds, step=0.5, directions=3):
    random = np.random.default_rng(1)
    weights = np.array([1.0, -1.0, 0.0, 0.0])
    for number in range(rounds):
        slope = np.zeros(4)
        for _ in range(directions):
            way = random.standard_normal(4)
            slope += way * (cost(weights + step * way, number) - cost(weights - step * way, number))
        weights = weights - step * slope / max(np.linalg.norm(slope), 1e-9)
        weights = weights / np.abs(weights).max()
        print(f"round {number}: weights {np.round(weights, 2)}", flush=True)
    return weights


if __name__ == "__main__":
    found = learn(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
    unseen = range(1000, 1010)
    for name, policy in (("learned", found), ("sjf", "sjf"), ("easy", "easy")):
        costs = [cost(policy, seed) for seed in unseen]
        print(f"{name}: {np.mean(costs):.3f} ± {2.26 * np.std(costs, ddof=1) / len(costs) ** .5:.3f}")
