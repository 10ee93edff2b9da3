#include "app/submit/job_script.hpp"

#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

using namespace schedfarm::app;

namespace {

JobRequest small_request() {
    JobRequest request;
    request.program = "/opt/sched farm/schedfarm";
    request.campaign = "/data/it's.yaml";
    request.results = "/data/out.h5";
    request.name = "out";
    request.ntasks = 16;
    request.time_s = 7200;
    return request;
}

bool has_line(const std::string& text, const std::string& line) {
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

std::string read_text(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("a script asks for what was requested") {
    JobRequest request = small_request();
    request.partition = "debug";
    request.account = "physics";
    request.options = {"--mem=4G"};
    request.setup = {"module load openmpi"};
    const std::string script = job_script(request);
    for (const char* line :
         {"#SBATCH --nodes=1",
          "#SBATCH --ntasks=16",
          "#SBATCH --time=02:00:00",
          "#SBATCH --partition=debug",
          "#SBATCH --account=physics",
          "#SBATCH --mem=4G",
          "#SBATCH --requeue",
          "#SBATCH --signal=B:USR1@120",
          "#SBATCH --open-mode=append",
          "module load openmpi",
          "when_cut=requeue",
          "allocation_seconds=7200",
          "tasks=1"}) {
        CAPTURE(line);
        CHECK(has_line(script, line));
    }
    CHECK(script.find("--array") == std::string::npos);
}

TEST_CASE("paths with spaces and quotes reach the shell as they are") {
    const std::string script = job_script(small_request());
    CHECK(has_line(script, "program=('/opt/sched farm/schedfarm')"));
    CHECK(has_line(script, "campaign='/data/it'\\''s.yaml'"));
}

TEST_CASE("an array names its tasks and the merge names their parts") {
    JobRequest request = small_request();
    request.array = 3;
    CHECK(has_line(job_script(request), "#SBATCH --array=1-3"));
    CHECK(has_line(job_script(request), "tasks=3"));
    const std::string merging = merge_script(request);
    CHECK(
        merging.find("merge /data/out.h5 \\\n    /data/out.part1.h5 \\\n    /data/out.part2.h5 \\\n"
                     "    /data/out.part3.h5\n")
        != std::string::npos
    );
}

TEST_CASE("the merge has the options that say who runs where and none of the tasks") {
    JobRequest request = small_request();
    request.array = 7;
    request.array_limit = 3;
    request.options = {
        "--mem=4G",
        "--gres=gpu:2",
        "-N2",
        "--cpus-per-task=6",
        "--exclusive",
        "--time-min=5",
        "-q long",
        "--constraint=cpu",
        "--mail-user=ann",
        "-Aphysics"};
    const std::string script = job_script(request);
    const std::string merging = merge_script(request);
    CHECK(has_line(script, "#SBATCH --array=1-7%3"));
    for (std::size_t i = 0; i < request.options.size(); ++i) {
        CAPTURE(request.options[i]);
        CHECK(has_line(script, "#SBATCH " + request.options[i]));
        CHECK(has_line(merging, "#SBATCH " + request.options[i]) == (i >= 6));
    }
    CHECK(merging.find("--array") == std::string::npos);
}

TEST_CASE("a part of a long array computes the shares behind those before it") {
    JobRequest request = small_request();
    request.array = 2500;
    const std::string script = job_script(request, {.before = 2000, .count = 500});
    CHECK(has_line(script, "#SBATCH --array=1-500"));
    CHECK(has_line(script, "tasks=2500"));
    CHECK(has_line(script, "tasks_before=2000"));
}

TEST_CASE("what the user says of requeueing comes behind what the program says") {
    JobRequest request = small_request();
    request.options = {"--no-requeue"};
    const std::string script = job_script(request);
    CHECK(script.find("#SBATCH --requeue\n") < script.find("#SBATCH --no-requeue\n"));
}

TEST_CASE("the templates end in the same lines as the scripts that are submitted") {
    const std::string body(job_body());
    CHECK(body.size() > 1000);
    CHECK(body == read_text(SCHEDFARM_SOURCE "/slurm/job_body.sh"));
    const std::string script = job_script(small_request());
    CHECK(script.substr(script.size() - body.size()) == body);
    for (const char* name : {"one_node", "many_nodes", "array", "container"}) {
        CAPTURE(name);
        const std::string text =
            read_text(std::string(SCHEDFARM_SOURCE "/slurm/") + name + ".sbatch");
        REQUIRE(text.size() > body.size());
        CHECK(text.substr(text.size() - body.size()) == body);
    }
}
