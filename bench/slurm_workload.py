"""Writes the workload of the benchmark of the policy `slurm` as a log in the Standard Workload Format: 155,000 jobs in 14
days for 2,000 nodes, with days and nights, so that some 95 % of the nodes are in use and some hundred jobs wait.

usage: slurm_workload.py [JOBS] > slurm.swf        other JOBS come as densely, in a longer or shorter time
       time schedfarm simulate --trace slurm.swf --policy slurm
"""
import math
import random
import sys

JOBS = int(sys.argv[1]) if len(sys.argv) > 1 else 155_000
NODES, SECONDS, LOAD = 2_000, 14 * 86_400 * JOBS / 155_000, 0.97
LIMITS = [600, 1_800, 3_600, 2 * 3_600, 4 * 3_600, 8 * 3_600, 12 * 3_600, 86_400]


def submits(draw):
    """Three times as many jobs come at noon as at midnight."""
    found = []
    while len(found) < JOBS:
        time = SECONDS * draw.random()
        if 2 * draw.random() < 1 - 0.5 * math.cos(2 * math.pi * time / 86_400):
            found.append(math.floor(time))
    return sorted(found)


def main():
    draw = random.Random(2026)
    sizes = [2 ** draw.randrange(8) if draw.random() < 0.75 else 1 + draw.randrange(64) for _ in range(JOBS)]
    runs = [math.exp(6.5 + 1.6 * math.sqrt(-2 * math.log(1 - draw.random())) * math.cos(2 * math.pi * draw.random()))
            for _ in range(JOBS)]
    runs = [min(run, 80_000) for run in runs]
    scale = LOAD * NODES * SECONDS / sum(size * run for size, run in zip(sizes, runs))
    print(f"; Version: 2.2\n; Computer: none, generated\n; UnixStartTime: 1767225600\n; MaxProcs: {NODES}")
    for number, submit in enumerate(submits(draw), 1):
        size = sizes[number - 1]
        run = max(1, round(min(scale * runs[number - 1], 86_000)))
        fitting = [limit for limit in LIMITS if limit >= run]
        limit = fitting[min(draw.randrange(3), len(fitting) - 1)]
        print(number, submit, -1, run, size, -1, -1, size, limit, -1, 1, 1 + draw.randrange(200), 1, -1, 1, 1, -1, -1)


if __name__ == "__main__":
    main()
