"""The payload is the same from any number of ranks, in one process, with FMA masked, through the general
kernel, with verifiers, rebuilt from the journal, and from run_alone (run_alone.cpp) of another build.

usage: same_answer_test.py PROGRAM [RUN_ALONE]
"""
import sys

from program import MASKED_FMA, MOLDABLE_CAMPAIGN, PRECISE_CAMPAIGN, SMALL_CAMPAIGN, Program, expect, main, short_or_long


def hashes_of(program, campaign, all_ranks):
    """Payload hash by way of running."""
    hashes = {}

    def run(label, *options, **more):
        results = f"{label}.h5"
        program.run("run", campaign, "-o", results, *options, **more)
        hashes[label] = program.payload_hash(results)

    run("in-process", "--workers", "0")
    for ranks in all_ranks:
        run(f"ranks-{ranks}", ranks=ranks)
    run("children-of-ranks", "--workers", "2", ranks=3)
    for workers in (1, 2, 5):
        run(f"children-{workers}", "--workers", workers)
    run("launched", "--workers", "2", "--launcher", "mpirun")
    run("fma-masked", "--workers", "0", environment={"GLIBC_TUNABLES": MASKED_FMA})
    run("general", "--workers", "0", "--general")
    run("verified", "--workers", "0", "--verify")
    program.run("rebuild", "ranks-3.h5.journal", "-o", "rebuilt.h5")
    hashes["rebuilt"] = program.payload_hash("rebuilt.h5")
    program.run("check", "ranks-3.h5")
    return hashes


def test(program, others):
    few = short_or_long((3,), (3, 5))
    # How many ranks there are matters most where a rule stops.
    for name, text, ranks in (("small.yaml", SMALL_CAMPAIGN, few), ("precise.yaml", PRECISE_CAMPAIGN, (1, 2, 3, 5, 8)),
                              ("moldable.yaml", MOLDABLE_CAMPAIGN, few)):
        hashes = hashes_of(program, program.write(name, text), ranks)
        for other in others:
            program_of_other = Program(other)
            program_of_other.write(name, text)
            program_of_other.run(name, "other.h5")
            hashes[other] = program_of_other.payload_hash("other.h5")
            program_of_other.remove_folder()
        expect(len(set(hashes.values())) == 1, f"{name}: payloads differ: {hashes}")
        print(name, next(iter(hashes.values())), "from", ", ".join(hashes))
        for file in program.folder.glob("*.h5*"):
            file.unlink()
    program.write("small.yaml", SMALL_CAMPAIGN.replace("seed: 11", "seed: 12"))
    program.run("run", "small.yaml", "-o", "seed.h5", "--workers", "0")
    expect(program.payload_hash("seed.h5") not in hashes.values(), "another seed, the same payload")


if __name__ == "__main__":
    sys.exit(main(test))
