"""The payload is the same from any number of ranks, in one process, with FMA masked, through the general
kernel, with verifiers, rebuilt from the journal, and from another build of the program.

usage: same_answer_test.py PROGRAM [OTHER_PROGRAM]
"""
import sys

from program import MASKED_FMA, MOLDABLE_CAMPAIGN, PRECISE_CAMPAIGN, SMALL_CAMPAIGN, Program, expect, main


def hashes_of(program, campaign):
    """Payload hash by way of running."""
    hashes = {}

    def run(label, *options, **more):
        results = f"{label}.h5"
        program.run("run", campaign, "-o", results, *options, **more)
        hashes[label] = program.payload_hash(results)

    run("in-process", "--workers", "0")
    for ranks in (1, 2, 3, 5, 8):
        run(f"ranks-{ranks}", ranks=ranks)
    run("two-levels", "--levels", "two", "--group-ranks", "3", ranks=8)
    run("self-launched", "--workers", "2")
    run("fma-masked", "--workers", "0", environment={"GLIBC_TUNABLES": MASKED_FMA})
    run("general", "--workers", "0", "--general")
    run("verified", "--workers", "0", "--verify")
    program.run("rebuild", "ranks-3.h5.journal", "-o", "rebuilt.h5")
    hashes["rebuilt"] = program.payload_hash("rebuilt.h5")
    program.run("check", "ranks-5.h5")
    return hashes


def test(program, others):
    for name, text in (("small.yaml", SMALL_CAMPAIGN), ("precise.yaml", PRECISE_CAMPAIGN),
                       ("moldable.yaml", MOLDABLE_CAMPAIGN)):
        hashes = hashes_of(program, program.write(name, text))
        for other in others:
            program_of_other = Program(other)
            program_of_other.write(name, text)
            program_of_other.run("run", name, "-o", "other.h5", "--workers", "0")
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
