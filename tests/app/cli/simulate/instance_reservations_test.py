"""`schedfarm simulate --instance --reservations`: tasks around reservations by hand, bounds and fronts against all
schedules of tiny tables, and wrong tables of reservations.

usage: instance_reservations_test.py PROGRAM
"""
import json
import random
import sys

from program import expect, expect_simulate_refuses, main

TOLERANCE = 1e-9
MOLDABLE = ("demt", "moldable_gang", "moldable_sequential", "moldable_list", "moldable_shelves", "moldable_local_search")


def simulate(program, policy, *more):
    done = program.run("simulate", "--instance", "tasks.csv", "--reservations", "reserved.csv", "--policy", policy,
                       "--verify", *more)
    return done.stdout


def result_of(program, policy, *more):
    return json.loads(simulate(program, policy, "--json", *more))


def write(program, tasks, reserved):
    columns = ",".join(f"p{k}" for k in range(1, len(tasks[0])))
    program.write("tasks.csv", f"task,weight,{columns}\n"
                  + "".join(f"t{i},{','.join(map(str, row))}\n" for i, row in enumerate(tasks)))
    program.write("reserved.csv", "reservation,start,end,processors\n"
                  + "".join(f"r{i},{','.join(map(str, row))}\n" for i, row in enumerate(reserved)))


def by_hand(program):
    # One processor, reserved from 2 to 4. 3 long and weight 1, 2 long and weight 1: the short one before, the long one
    # after, 2 and 7. Of the 5 units of work 2 are done by 2, the others by 7; alone they end at 2 and at 7.
    write(program, [[1, 3], [1, 2]], [[2, 4, 1]])
    found = result_of(program, "moldable_local_search", "--front")
    expect((found["makespan"], found["minsum"]) == (7, 9), f"criteria {found}")
    expect(found["front"] == [{"makespan": 7, "minsum": 9}], f"front {found}")
    expect(abs(found["makespan_bound"] - 7) < TOLERANCE, f"bound {found}")
    expect(8 < found["minsum_bounds"]["refined"] <= 9, f"bounds {found}")
    expect((found["reservations"], found["reservations_refused"]) == (1, 0), f"reservations {found}")
    text = simulate(program, "demt")
    expect("reservations        1\n" in text and "times the bound 7\n" in text, f"text\n{text}")
    jobs = simulate(program, "demt", "--jobs", "-")
    expect("3,0,2,4,1\n" in jobs, f"no reservation among the jobs:\n{jobs}")
    # One after the other without a gap, at times that are no binary fractions.
    write(program, [[1, 0.05]], [[0.1 * i, 0.1 * (i + 1), 1] for i in range(20)])
    found = result_of(program, "moldable_list")
    expect((found["reservations_refused"], found["schedule"][0]["start"]) == (0, 2), f"touching {found}")


def all_points(tasks, reserved, processors):
    """What schedules reach: every order and allotment, each task where it fits first beside all before. Moved to
    earlier times one by one, the tasks of any schedule come to such places."""
    points = set()

    def is_free(taken, start, end, needed):
        instants = [start] + [piece[0] for piece in taken if start < piece[0] < end]
        return all(sum(p for a, b, p in taken if a <= t < b) + needed <= processors for t in instants)

    def extend(taken, left, makespan, minsum):
        if not left:
            points.add((makespan, minsum))
            return
        for i in left:
            for k in range(1, processors + 1):
                time = tasks[i][k]
                starts = sorted([0] + [piece[1] for piece in taken])
                start = next(s for s in starts if is_free(taken, s, s + time, k))
                extend(taken + [(start, start + time, k)], left - {i}, max(makespan, start + time),
                       minsum + tasks[i][0] * (start + time))

    extend([tuple(piece) for piece in reserved], frozenset(range(len(tasks))), 0, 0)
    return points


def random_case(dice):
    processors = dice.randint(1, 3)
    tasks = []
    for _ in range(dice.randint(1, 3)):
        times = [dice.randint(1, 8)]
        for _ in range(processors - 1):
            times.append(max(1, times[-1] - dice.randint(0, 3)))
        tasks.append([dice.randint(1, 5), *times])
    reserved, start = [], 0
    for _ in range(dice.randint(1, 3)):
        start += dice.randint(0, 4)
        end = start + dice.randint(1, 5)
        reserved.append([start, end, dice.randint(1, processors)])
        start = end
    return processors, tasks, reserved


def fronts(program):
    dice = random.Random(7)
    there_are = found_points = 0
    for case in range(40):
        processors, tasks, reserved = random_case(dice)
        write(program, tasks, reserved)
        points = all_points(tasks, reserved, processors)
        best = {p for p in points if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)}
        found = result_of(program, MOLDABLE[case % len(MOLDABLE)], "--front")
        front = {(p["makespan"], p["minsum"]) for p in found["front"]}
        expect(all(any(q[0] <= p[0] and q[1] <= p[1] for q in points) for p in front), f"{front} beyond {best}")
        expect(found["makespan_bound"] <= min(p[0] for p in best), f"makespan bound {found} above {best}")
        for name in ("safe", "refined"):
            expect(found["minsum_bounds"][name] <= min(p[1] for p in best), f"{name} {found} above {best}")
        expect(found["reservations_refused"] == 0, f"refused {found}")
        there_are += len(best)
        found_points += len(best & front)
    print(f"{found_points} of {there_are} points")
    expect(there_are > 40 and found_points >= there_are * 0.95, f"{found_points} of {there_are} points")


HEADER = "reservation,start,end,processors\n"
WRONG = [
    ("", "wrong.csv: the file is empty"),
    ("# nothing\n", "wrong.csv:1:1: there is no header"),
    (HEADER, "wrong.csv:1:1: no reservation follows the header"),
    ("name,start,end,processors\na,0,1,1\n", "wrong.csv:1:1: column 1 is called 'name', not 'reservation'"),
    ("reservation,start,end\na,0,1\n", "wrong.csv:1:1: 3 fields, not 4"),
    (HEADER + "a,0,1,1,1\n", "wrong.csv:2:1: 5 fields, not 4"),
    (HEADER + "a,0,1e308,1\n", "wrong.csv:2:5: '1e308' is too large (end is at most 1e+100)"),
    (HEADER + "a,x,1,1\n", "wrong.csv:2:3: 'x' is no finite number (start must be one)"),
    (HEADER + "a,-1,1,1\n", "wrong.csv:2:3: the start is negative"),
    (HEADER + "a,1,1,1\n", "wrong.csv:2:5: the end 1 is not after the start"),
    (HEADER + "a,0,1,3\n", "wrong.csv:2:7: '3' is no number of processors of this machine (it has 2)"),
    (HEADER + "a,0,1,0\n", "wrong.csv:2:7: '0' is no number of processors"),
    (HEADER + "a,0,1,1.5\n", "wrong.csv:2:7: '1.5' is no number of processors"),
    (HEADER + ",0,1,1\n", "wrong.csv:2:1: the reservation has no name"),
    (HEADER + "a,0,1,1\na,2,3,1\n", "wrong.csv:3:1: a second reservation 'a'"),
    (HEADER + "a,0,2,1\nb,1,3,2\n", "wrong.csv:3:7: with those before it 'b' reserves more than the 2 processors"),
]


def refused(program):
    write(program, [[1, 2, 1]], [[0, 1, 1]])
    tasks = ["--instance", "tasks.csv", "--policy", "demt"]
    for text, message in WRONG:
        program.write("wrong.csv", text)
        expect_simulate_refuses(program, [*tasks, "--reservations", "wrong.csv"], message)
    expect_simulate_refuses(program, [*tasks, "--reservations", "none.csv"], "none.csv: there is no such file")
    expect_simulate_refuses(program, ["--instance", "tasks.csv", "--policy", "fcfs", "--reservations", "reserved.csv"],
                   "cannot serve advance reservations")
    expect_simulate_refuses(program, ["--trace", "example", "-p", "8", "--policy", "easy",
                                      "--reservations", "reserved.csv"],
                   "--instance")


def test(program, _):
    by_hand(program)
    fronts(program)
    refused(program)


if __name__ == "__main__":
    sys.exit(main(test))
