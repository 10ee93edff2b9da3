#!/usr/bin/env python3
"""Breaks the code of a room in one place after the other, and says which mutants the room's own tests kill.

usage: mutants.py [ROOM...] [--list] [--only 3,17-20] [--folder DIR] [--limit SECONDS] [--markdown]

A room is a file of tests/mutants/: what to build, which tests are the room's own (test programs, or a pattern of ctest), and its mutants, one a
line, below the file that they are of. In a line of that file the part in ⟦ ⟧ is replaced by what stands behind →, a statement by another or by nothing:

    policies/slurm/limits.cpp
        if (⟦used + asked > most⟧) {  →  used + asked >= most

A line is found by its text; `@ text` before it: behind the line that has this text. What is not there, or there twice, is said and does not
count. The tree is copied to DIR (by default in the folder for temporary files), where one build has all mutants of C++: the variable
SCHEDFARM_MUTANT chooses one, and SCHEDFARM_MUTANTS_REACHED names a file to which those are written that a test comes to; the others survive.
Lines of Python are changed in the copy, one after the other. A test that takes longer than the limit has seen the mutant. Exit code 1: one
survived or is gone.
"""
import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ROOT / "tests/mutants"
HEADER = "schedfarm_mutant.hpp"
CHOICE = """// Which mutant runs, and which are reached.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wempty-body"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wvector-operation-performance"
inline bool schedfarm_mutant(const char* name) {
    static const char* const chosen = std::getenv("SCHEDFARM_MUTANT");
    static const char* const reached = std::getenv("SCHEDFARM_MUTANTS_REACHED");
    if (reached != nullptr) {
        if (std::FILE* file = std::fopen(reached, "a")) {
            std::fprintf(file, "%s\\n", name);
            std::fclose(file);
        }
    }
    return chosen != nullptr && std::strcmp(chosen, name) == 0;
}
"""
# The first time that a mutant is reached is enough.
CALL = '([] {{ static const bool is = schedfarm_mutant("{0}"); return is; }}())'


class Mutant(NamedTuple):
    name: str
    file: str
    old: str  # the line, without marks
    begin: int  # of the part in it
    end: int
    new: str
    behind: str


class Room(NamedTuple):
    name: str
    targets: list[str]
    programs: list[str]  # tests, which are built, too
    sources: str  # patterns of their files, if not all
    tests: list[str]  # likewise, patterns of ctest, one after the other
    mutants: list[Mutant]


def read_room(path):
    heads, tests, mutants, file, behind = {}, [], [], "", ""
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if text.startswith("tests: "):
            tests.append(text.partition(": ")[2])
        elif text.startswith(("targets: ", "programs: ", "sources: ")):
            key, _, heads[key] = text.partition(": ")
        elif text.startswith("@ "):
            behind = text[2:]
        elif not line.startswith(" "):
            file, behind = text, ""
        else:
            whole, arrow, new = text.rpartition("  →")
            before, _, rest = whole.rstrip().partition("⟦")
            part, marked, after = rest.partition("⟧")
            if not marked or not arrow:
                sys.exit(f"mutants.py: {path}: no ⟦part⟧ and → in '{text}'")
            name = f"{path.stem}-{len(mutants) + 1}"
            mutants.append(Mutant(name, file, before + part + after, len(before), len(before + part), new.strip(), behind))
    return Room(path.stem, heads.get("targets", "").split(), heads.get("programs", "").split(), heads.get("sources", "*"), tests,
                mutants)


def place_of(mutant, lines):
    """The number of its line, or why there is none."""
    first = 0
    if mutant.behind:
        first = next((i + 1 for i, line in enumerate(lines) if mutant.behind in line), len(lines))
    found = [i for i in range(first, len(lines)) if lines[i].strip() == mutant.old]
    if not found or (len(found) > 1 and not mutant.behind):
        return f"the line is there {len(found)} times" if found else "the line is gone"
    return found[0]


def instrumented(text, mutants):
    """A part that several mutants have is chosen among; one within another is changed where the other is not."""
    if text.strip().startswith("#"):
        sys.exit(f"mutants.py: {mutants[0].file}: '{text.strip()}' is no line that can be chosen at run time")

    def render(begin, end, own):
        if not own:
            return text[begin:end]
        widest = max(own, key=lambda mutant: mutant.end - mutant.begin)
        same = [mutant for mutant in own if (mutant.begin, mutant.end) == (widest.begin, widest.end)]
        rest = [mutant for mutant in own if mutant not in same]
        inner = [mutant for mutant in rest if widest.begin <= mutant.begin and mutant.end <= widest.end]
        left, right = [m for m in rest if m.end <= widest.begin], [m for m in rest if m.begin >= widest.end]
        if len(inner) + len(left) + len(right) < len(rest):
            sys.exit(f"mutants.py: {widest.file}: parts of '{text.strip()}' overlap")
        old = render(widest.begin, widest.end, inner)
        if old.rstrip().endswith(";"):
            for mutant in same:
                old = f"if ({CALL.format(mutant.name)}) {{ {mutant.new.rstrip(';')}; }} else {{ {old} }}"
        else:
            for mutant in same:
                old = f"({CALL.format(mutant.name)} ? ({mutant.new}) : ({old}))"
        return render(begin, widest.begin, left) + old + render(widest.end, end, right)

    indent = len(text) - len(text.lstrip())
    moved = [mutant._replace(begin=mutant.begin + indent, end=mutant.end + indent) for mutant in mutants]
    return re.sub(r"(?<!if )constexpr ", "const ", render(0, len(text), moved))


def sources_of(rooms):
    """The text of every file of the tree as it is built; the mutants that are in it; those that are not, with the reason."""
    files = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, check=True).stdout.decode().split("\0")
    contents = {name: (ROOT / name).read_bytes() for name in files if name and (ROOT / name).is_file()}
    there, gone, by_line = [], [], {}
    for mutant in (mutant for room in rooms for mutant in room.mutants):
        lines = contents[mutant.file].decode().splitlines() if mutant.file in contents else []
        place = place_of(mutant, lines)
        if isinstance(place, str):
            gone.append((mutant, place))
            continue
        there.append((mutant, place))
        if not mutant.file.endswith(".py"):
            by_line.setdefault(mutant.file, {}).setdefault(place, []).append(mutant)
    for name, places in by_line.items():
        lines = contents[name].decode().splitlines()
        for place, mutants in places.items():
            lines[place] = instrumented(lines[place], mutants)
        first = next(i for i, line in enumerate(lines) if line.startswith("#include"))
        lines.insert(first, f'#include "{HEADER}"')
        contents[name] = ("\n".join(lines) + "\n").encode()
    contents[HEADER] = CHOICE.encode()
    return contents, there, gone


def write_copy(folder, contents):
    for name, content in contents.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod((ROOT / name).stat().st_mode if (ROOT / name).exists() else 0o644)


def build(folder, rooms):
    environment = os.environ | {"CCACHE_BASEDIR": str(folder)}
    targets = sorted({target for room in rooms for target in room.targets + room.programs})
    for command in (["cmake", "--preset", "ci", "-DSCHEDFARM_UNITY=ON"], ["ninja", "-C", "build/ci", *targets]):
        made = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        if made.returncode != 0:
            sys.exit(f"mutants.py: {' '.join(command)} in {folder} fails:\n{made.stdout[-4000:]}{made.stderr[-2000:]}")


def tests_fail(folder, room, limit, **variables):
    """One that takes longer than the limit has seen the mutant."""
    commands = [[next((folder / "build/ci/tests").rglob(name)), "--abort-after=1", f"--source-file={room.sources}"] for name in room.programs]
    commands += [["ctest", "--test-dir", folder / "build/ci", "-R", pattern, "--timeout", str(limit), "--stop-on-failure", "--no-tests=error"]
                 for pattern in room.tests]
    for command in commands:
        with subprocess.Popen(command, env=os.environ | variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder,
                              start_new_session=True) as process:
            try:
                if process.wait(None if room.tests else limit) != 0:
                    return True
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return True
    return False


def survivors(folder, room, there, limit):
    """In order; says every mutant as it is judged."""
    reached = folder / f"reached-{room.name}"
    reached.unlink(missing_ok=True)
    if tests_fail(folder, room, 600, SCHEDFARM_MUTANTS_REACHED=str(reached)):
        sys.exit(f"mutants.py: tests of {room.name} fail without a mutant ({' '.join(room.programs + room.tests)} in {folder}/build/ci)")
    names = set(reached.read_text().split()) if reached.exists() else set()
    alive = []
    for mutant, place in there:
        word = "killed"
        if mutant.file.endswith(".py"):
            path = folder / mutant.file
            text = path.read_text(encoding="utf-8")
            lines = text.splitlines(keepends=True)
            indent = len(lines[place]) - len(lines[place].lstrip())
            lines[place] = lines[place][:indent + mutant.begin] + mutant.new + lines[place][indent + mutant.end:]
            path.write_text("".join(lines), encoding="utf-8")
            try:
                is_killed = tests_fail(folder, room, limit)
            finally:
                path.write_text(text, encoding="utf-8")
        else:
            is_killed = mutant.name in names and tests_fail(folder, room, limit, SCHEDFARM_MUTANT=mutant.name)
            word = "killed" if mutant.name in names else "not reached"
        if not is_killed:
            alive.append(mutant)
            word = "survived" if word == "killed" else word
        print(f"{mutant.name:>16} {word:11} {mutant.file}: {mutant.old[mutant.begin:mutant.end]}  →  {mutant.new or 'nothing'}", flush=True)
    return alive


def wanted(numbers, text):
    """3,17-20"""
    chosen = {number for part in text.split(",") for low, _, high in [part.partition("-")] for number in range(int(low), int(high or low) + 1)}
    return [number for number in numbers if number in chosen]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="*", help="names of tests/mutants/NAME.txt; none: all")
    parser.add_argument("--list", action="store_true", help="say what is there and what is gone; build nothing")
    parser.add_argument("--only", help="the mutants with these numbers")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / f"schedfarm-mutants-{os.getuid()}")
    parser.add_argument("--limit", type=int, default=120, help="seconds for a test")
    parser.add_argument("--markdown", action="store_true", help="end with a table")
    options = parser.parse_args()
    rooms = [read_room(ROOMS / f"{name}.txt") for name in options.rooms or sorted(path.stem for path in ROOMS.glob("*.txt"))]
    contents, there, gone = sources_of(rooms)
    for mutant, reason in gone:
        print(f"{mutant.name:>16} gone        {mutant.file}: {mutant.old} ({reason})")
    if options.list:
        for room in rooms:
            print(f"{room.name}: {sum(mutant in room.mutants for mutant, _ in there)} of {len(room.mutants)} mutants are there")
        return 1 if gone else 0
    write_copy(options.folder, contents)
    build(options.folder, rooms)
    rows, is_whole = [], not gone
    for room in rooms:
        own = [(mutant, place) for mutant, place in there if mutant in room.mutants]
        if options.only:
            own = [own[i - 1] for i in wanted(range(1, len(own) + 1), options.only)]
        alive = survivors(options.folder, room, own, options.limit)
        is_whole = is_whole and not alive
        killed = len(own) - len(alive)
        rows.append((room.name, len(own), killed))
        print(f"{room.name}: {killed} of {len(own)} killed ({100 * killed / max(len(own), 1):.0f} %)", flush=True)
    if options.markdown:
        print("\n| room | mutants | killed | share |\n|---|---:|---:|---:|")
        print("\n".join(f"| [{name}](../../tests/mutants/{name}.txt) | {all_} | {killed} | {killed / max(all_, 1):.2f} |" for name, all_, killed in rows))
    return 0 if is_whole else 1


if __name__ == "__main__":
    sys.exit(main())
