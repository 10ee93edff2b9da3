"""usage: plugin_test.py PROGRAM SOURCES

Policies in C++ that are built without the tree: the same bits as those of the program however a campaign is run, each kind of mistake with
its message, and code that runs only where it may."""
import hashlib
import json
import pathlib
import re
import shutil
import sys

import own_policy_test
from own_policy_test import failures, replications, versions
from program import main

# A policy whose parameters say what goes wrong with it; that it was loaded is seen by a file.
MINE = """\
#include <fstream>
#include <stdexcept>
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/policy.hpp"
namespace schedfarm::policies {
namespace {
const struct Seen { Seen() { std::ofstream("loaded") << "yes"; } } seen;
struct Mine final : engine::Policy {
    double throws_at;
    explicit Mine(double at) : throws_at(at) {}
    void react(const engine::EventBatch&, engine::Actions& actions) override {
        if (actions.now() >= throws_at) { throw std::runtime_error("no way on"); }
    }
};
}
engine::PolicyDescription describe_mine() {
    engine::PolicyDescription mine;
    mine.alternative = {.name = "mine", .summary = "Starts nothing.", .parameters = {
        {.name = "throws_at", .meaning = "when it throws", .unit = "time", .range = {.low = 0, .low_is_open = true}},
        {.name = "even", .meaning = "an even number", .type = engine::ParameterType::integer, .default_value = engine::Value(4)}},
        .check = [](const engine::Parameters& given) {
            return given.integer("even") % 2 == 0 ? std::vector<engine::ParameterProblem>{}
                : std::vector<engine::ParameterProblem>{{"even", "it is odd", "Take an even one."}};
        }};
    mine.check_system = [](const engine::Parameters& given, const engine::SystemDescription& system) {
        return given.integer("even") < system.clusters.front() ? std::vector<engine::ParameterProblem>{}
            : std::vector<engine::ParameterProblem>{{"even", "the machine is smaller", "Take a larger one."}};
    };
    mine.make = [](const engine::Parameters& given, const engine::PolicyContext&) {
        return std::make_unique<Mine>(given.real("throws_at"));
    };
    return mine;
}
}
"""


def plugin(library, **parameters):
    return {"plugin": {"library": library, **parameters}}


def campaign(*levels):
    return own_policy_test.campaign(levels, [f"p{k}" for k in range(len(levels))])


def check_same_bits(program, sources):
    for name in ("queueing/lxf", "backfilling/easy"):
        shutil.copy(sources / "policies" / f"{name}.cpp", program.folder)
    said = program.run("build-policy", "lxf.cpp").stdout
    assert "lxf.so: policy 'lxf' (max_jumps, " in said and "{plugin: {library: lxf.so}}" in said, said
    program.run("build-policy", "easy.cpp", "-o", "my_easy.so")
    parts = {"processors": [16, 16], "largest_size": [8, 16]}
    program.write("plugins.yaml", campaign(
        "lxf", "easy", {"lxf": {"max_jumps": 3}}, {"easy": {"order": "sjf"}}, {"partitions": {"inner": ["easy"], **parts}},
        plugin("lxf.so"), {"plugin": "my_easy.so"}, plugin("lxf.so", max_jumps=3), plugin("my_easy.so", order="sjf"),
        {"partitions": {"inner": [plugin("my_easy.so")], **parts}}))
    payloads = set()
    for words, ranks in (("-w", "0"), None), (("-w", "2"), None), (("-w", "0", "--verify"), None), ((), 3):
        started = program.run("run", "plugins.yaml", "--fresh", *words, ranks=ranks).stderr
        assert started.startswith("schedfarm: info: starts code of the campaign: `lxf.so`\n"), started
        found, failed = replications(program.folder / "plugins.h5"), failures(program.folder / "plugins.h5")
        assert not failed and all(found[k] == found[k + 5] for k in range(5)), (words, failed)
        assert len({str(found[k]) for k in range(5)}) == 5, found
        payloads.add(program.payload_hash("plugins.h5"))
        assert [line.partition(": GNU ")[0] for line in versions(program.folder / "plugins.h5")] == ["lxf.so", "my_easy.so"]
    assert len(payloads) == 1, payloads
    for words in (), ("--general",):
        jobs = [program.run("simulate", "--trace", "example", "-p", "32", *words, *policy, "--jobs", "-").stdout
                for policy in (("--policy", "easy"), ("--policy", "plugin", "--set", "library=my_easy.so"))]
        assert jobs[0] == jobs[1] and len(jobs[0]) > 1000
    checksum = hashlib.sha256((program.folder / "my_easy.so").read_bytes()).hexdigest()
    said = program.run("simulate", "--trace", "example", "-p", "32", "--policy", "plugin", "--set", "library=my_easy.so", "--json").stdout
    assert "library: my_easy.so, " in said and f"sha256: [{checksum}]" in json.loads(said)["policy"], said
    listed = program.run("list", "./lxf.so").stdout
    assert listed == program.run("list", "lxf").stdout, listed
    assert [row["name"] for row in json.loads(program.run("list", "my_easy.so", "--format", "json").stdout)[0]["parameters"]][5:] == ["order", "placement"]
    print("ok: policies built from unchanged sources give the bits of the program's, alone and within another, and are listed as they are")


def check_code_runs_only_where_it_may(program):
    program.write("mine.cpp", MINE)
    program.run("build-policy", "mine.cpp")
    (program.folder / "loaded").unlink()  # build-policy asks the library for its row
    program.write("mine.yaml", campaign("easy", plugin("mine.so", throws_at=40)))
    program.run("plan", "mine.yaml")
    program.run("list", "./mine.so")
    assert not (program.folder / "loaded").exists(), "plan or list has loaded a library"
    program.run("run", "mine.yaml", "-w", "2", exit_code=1)
    (program.folder / "loaded").unlink()
    failed = failures(program.folder / "mine.h5")
    assert [(cell, message) for cell, message, _ in failed] == [(1, "no way on")] * 2, failed
    for words in ("status", "mine.h5"), ("report", "mine.h5"), ("check", "mine.h5"), ("rebuild", "mine.h5"):
        program.run(*words, exit_code=None)
    assert not (program.folder / "loaded").exists(), "status, report, check or rebuild has loaded a library"
    print("ok: a library is loaded by run alone")


def check_wrong(program):
    def refused(levels, what, position="11:"):
        program.write("wrong.yaml", campaign(*levels))
        said = program.run("plan", "wrong.yaml", exit_code=2).stderr
        assert re.search(rf"wrong\.yaml:{position}\d+: ", said) and what in said, said

    whole = (program.folder / "mine.so").read_bytes()
    refused([plugin("absent.so")], "absent.so: there is no such file")
    program.write("text.so", "no library")
    refused([plugin("text.so")], "is no shared library (no ELF file). Make one with `schedfarm build-policy`")
    (program.folder / "stripped.so").write_bytes(whole[:whole.rindex(b'{"compiler"')])
    refused([plugin("stripped.so")], "is no policy: it does not end with the description of one. Make it with `schedfarm build-policy`, and do not strip it")
    for cut in range(1, 40, 3):
        (program.folder / "cut.so").write_bytes(whole[:-cut])
        refused([plugin("cut.so")], "cut.so: ")
    own = re.search(rb'"interface":"(\w+)"', whole)[1]
    (program.folder / "old.so").write_bytes(whole.replace(b'"interface":"' + own, b'"interface":"0123456789ab'))
    refused([plugin("old.so")], f"was built for interface 0123456789ab, and this program has {own.decode()}. Build it anew")
    refused([plugin("mine.so", throws_at=0)], "'policy.plugin.throws_at' is 0 (it must be > 0)")
    refused([plugin("mine.so", throw_at=1)], "unknown key 'throw_at'")
    refused([plugin("mine.so")], "'policy.plugin.throws_at' is missing (when it throws)")
    (program.folder / "damaged.so").write_bytes(whole.replace(b'"type":"integer"', b'"tipe":"integer"'))
    refused([plugin("damaged.so", throws_at=1)], "the description of its policy is damaged. Build it anew")
    (program.folder / "colourful.so").write_bytes(whole.replace(b"Starts nothing.", b"\\u001b[31mStart").replace(b"an even number", b"\\u001b[31mnumb"))
    said = program.run("list", "./colourful.so").stdout
    assert "Start" in said and "numb" in said and "\x1b" not in said, said
    body = whole.rindex(b'{"compiler"')
    (program.folder / "hollow.so").write_bytes(b"\x7fELF" + bytes(200) + whole[body:])
    for levels, what in (([plugin("mine.so", throws_at=1, even=3)], "the policy `mine.so` does not take its 'even': it is odd. Take an even one."),
                         ([plugin("mine.so", throws_at=1, even=32)], "the policy `mine.so` does not take its 'even': the machine is smaller. Take a larger one."),
                         ([plugin("hollow.so", throws_at=1)], "hollow.so: cannot be loaded (")):
        program.write("wrong.yaml", campaign("easy", *levels))
        said = program.run("run", "wrong.yaml", "--fresh", exit_code=2).stderr
        assert f"error: cell 1: {what}" in said.splitlines()[-1], said
        assert not (program.folder / "wrong.h5").exists(), "a replication ran before the combination was refused"
    program.write("mine.yaml", campaign("easy", plugin("mine.so", throws_at=1e9)))
    program.run("run", "mine.yaml", "--fresh", "-w", "0", exit_code=None)
    (program.folder / "mine.so").write_bytes(whole[:body] + whole[body:].replace(b"Starts nothing.", b"Starts no job .."[:15]))
    said = program.run("resume", "mine.yaml", "-w", "0", exit_code=2).stderr
    assert "mine.yaml" in said or "another" in said, said
    (program.folder / "mine.so").write_bytes(whole)
    for change in 'content.replace(b"Starts nothing.", b"Starts no jobs.")', 'content + b"#"':  # by the first cell; the second has the library
        program.write("changes.py", f"""\
import os
import schedfarm as sf
content = open("mine.so", "rb").read()
with open("new.so", "wb") as file:  # as build-policy replaces it
    file.write({change})
os.replace("new.so", "mine.so")
sf.serve(sf.Policy)
""")
        program.write("wrong.yaml", campaign(own_policy_test.external("changes.py"), plugin("mine.so", throws_at=1e9)))
        said = program.run("run", "wrong.yaml", "--fresh", "-w", "0", exit_code=2).stderr
        assert "mine.so: the file has changed since the run began" in said, said
        (program.folder / "mine.so").unlink()
        (program.folder / "mine.so").write_bytes(whole)
    for text, what in ((MINE.replace("describe_mine", "describe_yours"), "Name the file yours.cpp, or the function describe_mine()"),
                       ("int main( {", "is not built (g++ said why above)"),
                       (MINE.replace("return mine;", "return mein;"), "is not built (g++ said why above)"),
                       (MINE.replace("Mine final", "Mine final").replace('throw std::runtime_error("no way on");', "nowhere();")
                        .replace("namespace {\n", "void nowhere();\nnamespace {\n", 1), "undefined symbol: _ZN9schedfarm8policies7nowhereEv"),
                       (MINE.replace("    return mine;", '    throw std::runtime_error("not today");'), "cannot describe its policy: not today"),
                       (MINE.replace("    return mine;", "    throw 42;"), "cannot describe its policy: an exception of unknown type"),
                       (MINE.replace('.name = "even"', '.name = "library"'), "or is called as one of the program's. Change it")):
        program.write("mine.cpp", text)
        said = program.run("build-policy", "mine.cpp", "-o", "new.so", exit_code=None)
        assert said.returncode in (1, 2) and what in said.stderr, said.stderr
        assert said.stderr.count("\n") < 60, "thousands of errors follow the first"
        assert not list(program.folder.glob("new.so*")), "something unfinished is left"
    for words, what in ((("absent.cpp",), "absent.cpp: there is no such file"), (("my-own.cpp",), "Rename the file")):
        program.write("my-own.cpp", MINE)
        assert what in program.run("build-policy", *words, exit_code=2).stderr
    print("ok: what is wrong with a library, its parameters or its source is said, and nothing unfinished is left")


def test(program, arguments):
    check_same_bits(program, pathlib.Path(arguments[0]))
    check_code_runs_only_where_it_may(program)
    check_wrong(program)


if __name__ == "__main__":
    sys.exit(main(test))
