#include "app/submit/scheduler.hpp"

#include <cstdlib>

#include <doctest/doctest.h>

using schedfarm::app::command_of;
using schedfarm::app::leave_allocation;
using schedfarm::app::real_world;
using schedfarm::app::Scheduler;
using schedfarm::app::SchedulerError;
using schedfarm::app::SchedulerWorld;
using schedfarm::app::SubmittedJob;

namespace {

/// A clock that only sleeping moves, and an sbatch that takes `call_s`.
struct MadeUpWorld {
    double now_s = 100;
    double call_s = 0;
    std::vector<double> calls_at;
    std::vector<std::vector<std::string>> commands;
    std::string answer = "17";

    SchedulerWorld functions() {
        return {
            [this] { return now_s; },
            [this](double seconds) { now_s += seconds; },
            [this](const std::vector<std::string>& command) {
                calls_at.push_back(now_s);
                commands.push_back(command);
                now_s += call_s;
                return answer;
            }};
    }
};

}  // namespace

TEST_CASE("the scheduler is never called more than once per second") {
    MadeUpWorld world;
    world.call_s = 0.25;
    Scheduler scheduler(world.functions());
    scheduler.submit("a.sbatch", "");
    scheduler.submit("b.sbatch", "17");
    world.now_s += 5;
    scheduler.submit("c.sbatch", "");
    CHECK(world.calls_at == std::vector<double>{100, 101, 106.25});
}

TEST_CASE("a job that waits names the one it waits for") {
    MadeUpWorld world;
    Scheduler scheduler(world.functions());
    CHECK(scheduler.submit("a.sbatch", "").number == "17");
    CHECK(scheduler.submit("b.sbatch", "17").number == "17");
    CHECK(world.commands[0] == std::vector<std::string>{"sbatch", "--parsable", "a.sbatch"});
    CHECK(
        world.commands[1]
        == std::vector<std::string>{"sbatch", "--parsable", "--dependency=afterany:17", "b.sbatch"}
    );
}

TEST_CASE("the job is known whatever a site has sbatch answer, or known to be queued") {
    struct Answer {
        const char* text;
        const char* number;
        const char* cluster = "";
    };
    for (const auto& [text, number, cluster] : {
             Answer{"4711", "4711"},
             {"4711;alpha", "4711", "alpha"},
             {"Welcome to the cluster\n4711;alpha", "4711", "alpha"},
             {"4711\nsbatch: account set to a1", "4711"},
             {"2 of your 8 jobs run\n 4711 \r\nsbatch: 12 h left", "4711"},
             {"Submitted batch job 4711", "4711"},
             {"Submitted batch job 4711 on cluster c1", "4711", "c1"},
             {"120\nSubmitted batch job 4711\n99", "4711"},
             {"Your job 4711 has been submitted", "4711"},
             {"JobId=4711", "4711"},
             {"Submitted", ""},
             {"used 80 of 100 hours", ""},
             {"", ""},
         }) {
        CAPTURE(text);
        MadeUpWorld world;
        world.answer = text;
        const SubmittedJob job = Scheduler(world.functions()).submit("a.sbatch", "");
        CHECK(job.number == number);
        CHECK(job.cluster == cluster);
        CHECK(job.answer == text);
    }
}

TEST_CASE("commands about a job of another cluster name the cluster") {
    CHECK(
        command_of({"17", "alpha", ""}, {"squeue", "-j", "17"})
        == std::vector<std::string>{"squeue", "-M", "alpha", "-j", "17"}
    );
    CHECK(
        command_of({"17", "", ""}, {"scancel", "17"}) == std::vector<std::string>{"scancel", "17"}
    );
}

TEST_CASE("an array is as long as Slurm says, a thousand where it does not, and none at all") {
    MadeUpWorld world;
    world.answer = "MaxArraySize            = 41\nMaxBatchRequeue         = 5";
    CHECK(Scheduler(world.functions()).longest_array() == 40);
    world.answer = "";
    CHECK(Scheduler(world.functions()).longest_array() == 1000);
    world.answer = "MaxArraySize = 0";
    CHECK_THROWS_AS(Scheduler(world.functions()).longest_array(), SchedulerError);
}

TEST_CASE("a command of Slurm sees nothing of the allocation around it") {
    for (const char* name :
         {"SLURM_JOB_ID",
          "SLURM_CPU_BIND",
          "SLURM_MEM_PER_CPU",
          "SLURMD_NODENAME",
          "PMI_RANK",
          "PMIX_RANK",
          "OMPI_COMM_WORLD_SIZE",
          "OMPI_MCA_btl",
          "SLURM_CONF",
          "SLURMLIKE"}) {
        ::setenv(name, "9", 1);
    }
    leave_allocation();
    CHECK(
        real_world().run({"sh", "-c", "env | grep -E '^(SLURM|PMI|OMPI).*=9$' | LC_ALL=C sort"})
        == "OMPI_MCA_btl=9\nSLURMLIKE=9\nSLURM_CONF=9"
    );
}

TEST_CASE("cancelling waits for its second too and a refusal is told in the words of Slurm") {
    MadeUpWorld world;
    Scheduler scheduler(world.functions());
    scheduler.submit("a.sbatch", "");
    scheduler.cancel({"17", "", ""});
    CHECK(world.calls_at == std::vector<double>{100, 101});
    CHECK(world.commands[1] == std::vector<std::string>{"scancel", "17"});
    SchedulerWorld refusing = world.functions();
    refusing.run = [](const std::vector<std::string>&) -> std::string {
        throw SchedulerError("sbatch: error: no such partition\nsbatch: error: not submitted");
    };
    CHECK_THROWS_WITH_AS(
        Scheduler(refusing).submit("a.sbatch", ""),
        "Slurm did not take a.sbatch (no such partition; not submitted). Nothing is submitted",
        SchedulerError
    );
}

TEST_CASE("a real command gives its output or says why it failed") {
    const SchedulerWorld world = real_world();
    CHECK(world.run({"echo", "one", "two"}) == "one two");
    CHECK_THROWS_WITH_AS(
        world.run({"sh", "-c", "echo refused >&2; exit 1"}), "refused", SchedulerError
    );
    CHECK_THROWS_AS(world.run({"no-such-command-here"}), SchedulerError);
}
