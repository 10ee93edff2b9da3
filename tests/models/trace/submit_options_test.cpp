// Options of command lines, by hand.
#include "models/trace/submit_options.hpp"

#include <cmath>
#include <string>

#include <doctest/doctest.h>

namespace schedfarm::models::trace {

TEST_CASE("options of a submission say nodes, tasks, memory, GPUs and times") {
    const SubmitOptions ranged = submit_options("sbatch --nodes=3-5 --ntasks 4 job.sh");
    CHECK(ranged.nodes == 3);
    CHECK(ranged.max_nodes == 4);  // no more than tasks
    CHECK(ranged.tasks == 4);
    CHECK_FALSE(ranged.is_all);
    CHECK(submit_options("sbatch -N6 -n2 x").nodes == 2);
    CHECK(submit_options("sbatch -N6 --ntasks-per-node=7 x").tasks == 42);
    CHECK(submit_options("sbatch -n9 --ntasks-per-node=7 x").tasks == 9);
    CHECK(submit_options("sbatch -c 8 --wrap true").is_all);
    CHECK(submit_options("sbatch -c 8 --wrap true").cpus_per_task == 8);
    CHECK(submit_options("srun --mem=1500 x").memory_per_node == 1500);
    CHECK(submit_options("srun --mem=3T x").memory_per_node == 3145728);
    CHECK(std::isinf(submit_options("srun --mem=0 x").memory_per_node));
    CHECK(submit_options("srun --mem-per-cpu=512K x").memory_per_cpu == 0.5);
    CHECK(submit_options("salloc --exclusive x").is_exclusive);
    CHECK_FALSE(submit_options("salloc --exclusive=user x").is_exclusive);
}

TEST_CASE("GPUs of a node come with a type or without") {
    const auto gpus = [](const char* line) {
        const SubmitOptions options = submit_options(line);
        return std::to_string(options.gpus_per_node) + options.gpu_type;
    };
    CHECK(gpus("sbatch --gres=craynetwork:3,gpu:a100:2 x") == "2a100");
    CHECK(gpus("sbatch --gres=gpu:4 x") == "4");
    CHECK(gpus("sbatch --gres gpu x") == "1");
    CHECK(gpus("sbatch --gres=gpu:h100 x") == "1h100");
    CHECK(gpus("sbatch --gpus-per-node=v100:3 x") == "3v100");
    CHECK(gpus("sbatch --gpus-per-node=5 x") == "5");
    CHECK(gpus("sbatch --gres=fpga:6 x") == "0");
}

TEST_CASE("whether a job names nodes that it wants, or does not") {
    CHECK(submit_options("sbatch -w n[3-5] job.sh").names_nodes);
    CHECK(submit_options("sbatch --exclude=n1 job.sh").names_nodes);
    CHECK(submit_options("sbatch -F nodes.txt job.sh").names_nodes);
    CHECK_FALSE(submit_options("sbatch -N 4 job.sh -w n1").names_nodes);
}

TEST_CASE("features, licences and other resources are asked for in a column or on the line") {
    const SubmitOptions said = submit_options(
        "sbatch -C fast -L mat:2,sim --gres=fpga:x:3,gpu:2,nic --hint=nomultithread "
        "--ntasks-per-core=4 --cpus-per-gpu=6 --mem-per-gpu=5G -s job.sh"
    );
    CHECK(said.constraint == "fast");
    CHECK(said.licences == "mat:2,sim");
    CHECK(said.gres == "fpga:x:3,nic");
    CHECK(said.gpus_per_node == 2);
    CHECK(said.threads_per_core == 1);
    CHECK(said.tasks_per_core == 4);
    CHECK(said.cpus_per_gpu == 6);
    CHECK(said.memory_per_gpu == 5120);
    CHECK(said.is_oversubscribed);
    // The script may have asked for more; columns are of the whole job.
    const SubmitOptions by_columns = submit_options(
        "sbatch -C fast job.sh",
        {.constraint = "[a|b]",
         .licences = "cad:3",
         .tres = "cpu=8,gres/fpga=6,gres/fpga:x=6,gres/gpu=4,gres/nic=2,node=2"}
    );
    CHECK(by_columns.constraint == "[a|b]");
    CHECK(by_columns.licences == "cad:3");
    CHECK(by_columns.gres == "fpga:x:3,nic:1");
    NumberedOptions numbered;
    CHECK(numbered.number_of(SubmitLine(""), {.tres = "cpu=8,node=2"}) == -1);
    CHECK(numbered.number_of(SubmitLine(""), {.constraint = "a"}) == 0);
    CHECK(numbered.number_of(SubmitLine(""), {.constraint = "b"}) == 1);
    CHECK(numbered.number_of(SubmitLine(""), {.constraint = "a"}) == 0);
}

TEST_CASE("times are minutes, or have colons or days") {
    const auto limit = [](const char* line) {
        return submit_options(line).limit_s;
    };
    CHECK(limit("sbatch -t7 x") == 420);
    CHECK(limit("sbatch -t 7:11 x") == 431);
    CHECK(limit("sbatch -t 2:07:11 x") == 7631);
    CHECK(limit("sbatch -t 3-2 x") == 266400);
    CHECK(limit("sbatch -t 3-2:05 x") == 266700);
    CHECK(limit("sbatch -t 3-2:05:09 x") == 266709);
    CHECK(limit("sbatch x") == 0);
}

}  // namespace schedfarm::models::trace
