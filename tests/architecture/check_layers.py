#!/usr/bin/env python3
"""Holds the tree against its architecture: which room may include which, which third-party library is
used where, how long a file and a function may be, that the engine names no policy and no model, that the files of a
folder share one namespace, that no two types of one name are linked together, and how often the program
asks by a word what something is: what a thing is it says itself (WorkloadFacts, PolicyTraits), and the word
of a parameter becomes a value of an enum where it is read. compared_words.txt has what is left of that,
long_functions.txt the functions that are longer than they may be.

usage: check_layers.py ROOT        prints every breach and exits 1 if there is one
"""
import pathlib
import re
import sys

# room: (rooms it may include beside itself, third-party headers it may include)
FOUNDATION = {"engine/foundation"}
RANDOM = FOUNDATION | {"engine/random"}
SIMULATION = RANDOM | {"engine/statistics", "engine/simulation"}
ENGINE_FOR_POLICIES = SIMULATION | {"engine/planning", "engine/optimization"}
CONFIG = ENGINE_FOR_POLICIES | {"engine/farm", "policies", "models"} | {"app/campaign/" + part for part in ("yaml", "keys", "checks")}
PLAN = CONFIG | {"app/campaign/grid", "app/campaign/plan"}
RUN = PLAN | {"results_schema", "app/run"}
REPORT = RUN | {"app/report"}
SUBMIT = RUN | {"app/submit"}
SIMULATE = REPORT | {"app/simulate"}
ROOMS = {
    "engine/foundation": (FOUNDATION, {"fmt"}),
    "engine/random": (RANDOM, {"Random123"}),
    "engine/statistics": (FOUNDATION | {"engine/statistics"}, set()),
    "engine/simulation": (SIMULATION, {"fmt"}),
    "engine/planning": (SIMULATION | {"engine/planning"}, set()),
    "engine/optimization": (FOUNDATION | {"engine/optimization"}, {"fmt"}),
    "engine/farm": (FOUNDATION | {"engine/farm"}, {"mpi.h", "fmt"}),
    "policies": (ENGINE_FOR_POLICIES | {"policies"}, {"fmt", "nlohmann"}),
    "models": (SIMULATION | {"models"}, {"nlohmann", "zlib.h", "cctz", "fmt"}),
    "results_schema": (FOUNDATION | {"results_schema"}, {"hdf5.h", "zlib.h", "boost/iterator/indirect_iterator.hpp", "fmt"}),
    "app/campaign/yaml": (CONFIG, {"yaml-cpp", "nlohmann", "fmt"}),
    "app/campaign/keys": (CONFIG, {"nlohmann", "fmt"}),
    "app/campaign/checks": (CONFIG, {"fmt"}),
    "app/campaign/grid": (PLAN, {"fmt"}),
    "app/campaign/plan": (PLAN, {"nlohmann", "fmt"}),
    "app/run": (RUN, {"fmt"}),
    "app/report": (REPORT, {"nlohmann", "fmt"}),
    "app/submit": (SUBMIT, {"fmt"}),
    "app/simulate": (SIMULATE, {"nlohmann", "zlib.h", "fmt"}),
    "app/cli": (REPORT | SIMULATE | SUBMIT | {"app/cli"}, {"CLI", "spdlog", "fmt"}),
    "tests/support/virtual_farm": (CONFIG, set()),
    "bench": (REPORT | SIMULATE | {"app/cli", "bench", "tests/support/virtual_farm"}, {"CLI", "Clp_C_Interface.h", "fmt", "nlohmann"}),
}
STANDARD_OR_SYSTEM = re.compile(r"^([a-z_0-9]+|(sys/)?[a-z_0-9]+\.h)$")
LONGEST_FUNCTION = 80
NO_FUNCTION = re.compile(r"\s*(?:namespace|class|struct|enum|union|extern|if|for|while|switch|do|else|try|catch|return|case|default|}|#)\b")
ENDS_BEFORE_A_FUNCTION = re.compile(r"[;{}:]$|^\s*//|^#")
LONGEST_FILE = 600
ASKING_ROOMS = {"app", "engine", "models"}
COMPARED_WORD = re.compile(r'(?:\b(?:name|kind|scalar|policy|model)|text\("\w+"\)) [!=]= "[a-z_]+"|dynamic_cast<|read_yaml\(""')
KINDS_OF_EXPERIMENTS = {"trace"}  # the engine's own words


def room_of(path: str):
    matches = [room for room in ROOMS if path.startswith(room + "/")]
    return max(matches, key=len) if matches else None


def family_of(path: str):
    """Of a policy: queueing, backfilling, gang, moldable. What two of them share lies above them."""
    return path.split("/")[1] if path.startswith("policies/") and path.count("/") == 2 else None


def third_party_allowed(header: str, allowed: set) -> bool:
    if any(header == name or header.startswith(name + "/") for name in allowed):
        return True
    libraries = {"mpi.h", "hdf5.h", "zlib.h"}
    return header not in libraries and STANDARD_OR_SYSTEM.match(header) is not None


def breaches_of_includes(path: str, number: int, line: str, room: str):
    allowed_rooms, allowed_libraries = ROOMS[room]
    own = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
    if own:
        target = room_of(own.group(1))
        if target is None:
            yield f"{path}:{number}: includes {own.group(1)}, which is in no room"
        elif target not in allowed_rooms:
            yield f"{path}:{number}: {room} may not include {target}"
        elif family_of(path) and family_of(own.group(1)) not in (None, family_of(path)):
            yield f"{path}:{number}: policies of one family may not include those of another"
    library = re.match(r"\s*#\s*include\s+<([^>]+)>", line)
    if library and not third_party_allowed(library.group(1), allowed_libraries):
        yield f"{path}:{number}: {room} may not include <{library.group(1)}>"


def breaches_of_namespaces(path: str, lines: list, types: dict, namespaces: dict):
    """Two types of one name in one namespace are one to the linker, which says nothing of it. Those in
    unnamed namespaces and within other types are their own. A folder's namespace may have others in it."""
    open_namespaces = []
    for number, line in enumerate(lines, 1):
        opened = re.match(r"(?:inline )?namespace ?([\w:]*) ?\{(?!.*\})", line)
        if opened:
            open_namespaces.append(opened.group(1))
        elif line.startswith("}  // namespace") or (line == "}" and lines[number - 2].startswith("class ")):
            open_namespaces.pop()
        defined = re.match(r"(?:class|struct|union|enum class|enum) (\w+)\b(?! *::|.*;)", line)
        if not defined or not open_namespaces or "" in open_namespaces:
            continue
        namespace = "::".join(open_namespaces)
        name, here = f"{namespace}::{defined.group(1)}", f"{path}:{number}"
        if types.setdefault(name, here) != here:
            yield f"{here}: {name} is also a type at {types[name]}"
        of_folder = namespaces.setdefault(path.rpartition("/")[0], namespace)
        if not (namespace + "::").startswith(of_folder + "::"):
            yield f"{here}: is in {namespace}, other files of its folder in {of_folder}"


def registered_names(root: pathlib.Path, folder: str):
    text = (root / folder / "CMakeLists.txt").read_text()
    listed = re.search(r"set\(" + folder + r"\s*([^)]*)\)", text).group(1).split()
    return {name.rsplit("/", 1)[-1] for name in listed}


def listed(root: pathlib.Path, name: str):
    """Rows of a number and of what it counts."""
    file = root / "tests/architecture" / name
    return {what: int(count) for count, what in map(str.split, file.read_text().splitlines())} if file.exists() else {}


def breaches_of_counts(counts: dict, allowed: dict, words: str, hint: str, name: str):
    """The numbers may only fall, and the list falls with them."""
    for what in sorted(counts.keys() | allowed.keys()):
        found, most = counts.get(what, 0), allowed.get(what, 0)
        if found > most:
            yield f"{what}: {words.format(found)} (at most {most}); {hint}"
        elif found < most:
            yield f"{what}: {words.format(found)}; write so in {name}, which has {most}"


def functions_of(lines: list):
    """Name and number of lines of each function that is defined in a formatted file, in a namespace or in a class of one."""
    for last, line in enumerate(lines):
        depth = len(line) - len(line.lstrip())
        if not line.endswith("{") or depth not in (0, 4) or NO_FUNCTION.match(line):
            continue
        first = last
        while first > 0 and lines[first - 1] and not ENDS_BEFORE_A_FUNCTION.search(lines[first - 1]):
            first -= 1
        head = " ".join(lines[first:last + 1])
        name = re.search(r"([~\w]+)\(", head)
        if name and not NO_FUNCTION.match(head) and " = " not in head.partition("(")[0]:
            end = next((number for number in range(last + 1, len(lines)) if lines[number].startswith(" " * depth + "}")), last)
            yield name.group(1), end - first + 1


def breaches(root: pathlib.Path):
    registered = registered_names(root, "policies") | registered_names(root, "models")
    names = registered - KINDS_OF_EXPERIMENTS
    names_in_engine = re.compile(r'"(' + "|".join(sorted(names)) + r')"') if names else None
    asks_for_name = re.compile(r'find\("(?:' + "|".join(sorted(registered)) + r')"\)') if registered else None
    types, namespaces, words, long = {}, {}, {}, {}
    for top in ("engine", "policies", "models", "results_schema", "app", "bench", "tests"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in {".hpp", ".cpp", ".py"}:
                continue
            path = file.relative_to(root).as_posix()
            lines = file.read_text().splitlines()
            if len(lines) > LONGEST_FILE:
                yield f"{path}: {len(lines)} lines; divide it (the limit is {LONGEST_FILE})"
            room = room_of(path)
            if top == "tests" or file.suffix == ".py":
                continue
            if room is None:
                yield f"{path}: is in no room"
                continue
            yield from breaches_of_namespaces(path, lines, types, namespaces)
            long |= {f"{path}:{name}": length for name, length in functions_of(lines) if length > LONGEST_FUNCTION}
            if top in ASKING_ROOMS:
                asked = sum(len(COMPARED_WORD.findall(line)) + bool(asks_for_name and asks_for_name.search(line)) for line in lines)
                words |= {path: asked} if asked else {}
            for number, line in enumerate(lines, 1):
                yield from breaches_of_includes(path, number, line, room)
                if top == "engine" and names_in_engine and names_in_engine.search(line):
                    yield f"{path}:{number}: the engine names a policy or a model: {line.strip()}"
    yield from breaches_of_counts(words, listed(root, "compared_words.txt"), "asks {} times by a word what something is",
                                  "make it a trait or an enum", "compared_words.txt")
    yield from breaches_of_counts(long, listed(root, "long_functions.txt"), "has {} lines", f"divide it (the limit is {LONGEST_FUNCTION})",
                                  "long_functions.txt")


def main() -> int:
    found = list(breaches(pathlib.Path(sys.argv[1])))
    print("\n".join(found) if found else "no breach")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
