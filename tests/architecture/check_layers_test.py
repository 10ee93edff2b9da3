"""The layer check must be able to fail: every kind of breach is planted in a small tree and found."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check_layers  # noqa: E402

PLANTED = {
    "engine/random/a.cpp": '#include "engine/simulation/job.hpp"\n',
    "policies/b.cpp": '#include "models/catalogue.hpp"\n',
    "models/c.cpp": "#include <hdf5.h>\n",
    "engine/simulation/d.cpp": 'bool is_it(Name name) { return name == "fcfs"; }\n',
    "results_schema/e.cpp": "\n" * 601,
    "app/f.cpp": "\n",
    "policies/gang/i.cpp": '#include "policies/moldable/task_list.hpp"\n',
    "models/rigid/l.cpp": "namespace schedfarm::models {\nclass Twin final {\n",
    "models/o.cpp": 'bool is_log(Choice choice) { return choice.name != "listed"; }\n',
    "app/run/p.cpp": 'auto* log = workload.find("listed");\n',
    "app/run/q.cpp": "",  # compared_words.txt has more of it
    "app/run/s.cpp": "namespace schedfarm::app {\nint long_one(\n    int a\n) {\n" + "    a += 1;\n" * 77 + "}\n",
    "app/run/t.cpp": "",  # long_functions.txt has one in it
    "models/rigid/m.hpp": "namespace schedfarm::engine {\nstruct Stranger {\n",
}
ALLOWED = {
    "models/rigid/k.hpp": "namespace schedfarm::models {\nclass Twin;\nstruct Twin {\n",
    "models/rigid/n.cpp": "namespace schedfarm::models {\nnamespace {\nstruct Twin {\n}  // namespace\nstruct Twin::Inner {\n",
    "app/run/u.cpp": "int just_short_enough() {\n" + "    a += 1;\n" * 78 + "}\n" + "constexpr auto table = make(\n{\n" + "    1,\n" * 99 + "});\n",
    "models/r.cpp": 'return choice.name == "exponential" || choice.name == "uniform";\n',
    "policies/g.cpp": '#include <vector>\n#include "engine/planning/placement.hpp"\n',
    "policies/gang/j.cpp": '#include "policies/gang/gang.hpp"\n#include "policies/columns.hpp"\n',
    "engine/farm/h.cpp": "#include <sys/file.h>\n#include <mpi.h>\n",
}


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in {**PLANTED, **ALLOWED}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        (root / "policies/CMakeLists.txt").write_text("set(policies\n    fcfs\n)\n")
        (root / "models/CMakeLists.txt").write_text("set(models listed)\n")
        (root / "tests/architecture").mkdir(parents=True)
        (root / "tests/architecture/compared_words.txt").write_text("1 app/run/q.cpp\n2 models/r.cpp\n")
        (root / "tests/architecture/long_functions.txt").write_text("99 app/run/t.cpp:gone\n")
        found = list(check_layers.breaches(root))
    wrong = [name for name in PLANTED if not any(line.startswith(name) for line in found)]
    wrong += [line for line in found if line.split(":")[0] in ALLOWED]
    print("\n".join(found + ["WRONG: " + name for name in wrong]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
