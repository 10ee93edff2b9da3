// Options out of command lines as accounting keeps them.
#include "models/trace/tables/submit_line.hpp"

#include <optional>
#include <string_view>

#include <doctest/doctest.h>

namespace schedfarm::tests {

namespace {

using models::trace::SubmitLine;
using Text = std::optional<std::string_view>;

TEST_CASE("an option has one name, however it was written") {
    for (const char* line :
         {"sbatch -N3 job.sh",
          "sbatch -N 3 job.sh",
          "sbatch --nodes=3 job.sh",
          "sbatch --nodes 3 /home/u/job.sh",
          "sbatch --nodes=3 -- job.sh",
          "sbatch -HN3 job.sh",
          "sbatch --spread-job --ntasks-per-socket 2 --sockets-per-node 4 -N3 --cores-per-socket 5 "
          "job.sh",
          "sbatch -N 7 --nodes='3' job.sh -N 9"}) {
        CAPTURE(line);
        const SubmitLine read(line);
        CHECK(read.option("nodes") == Text("3"));
        CHECK(read.option("ntasks") == Text());
        CHECK(read.script() == "job.sh");
    }
}

TEST_CASE("flags take no word, and what an unknown option takes is no script") {
    const SubmitLine read(
        "sbatch --parsable --uid=user2 --export ALL --exclusive --nice -H --depend=afterok:5:6 "
        "--mem-per-cpu 2G run.sh --exclusive=no"
    );
    CHECK(read.option("exclusive") == Text(""));
    CHECK(read.option("hold") == Text(""));
    CHECK(read.option("dependency") == Text("afterok:5:6"));
    CHECK(read.option("mem-per-cpu") == Text("2G"));
    CHECK(read.option("mem") == Text());
    CHECK(read.script() == "run.sh");
    CHECK(SubmitLine("sbatch --exclusive=user -t5 a.sh").option("exclusive") == Text("user"));
    CHECK(SubmitLine("srun --mem=4 hostname").option("mem") == Text("4"));
}

TEST_CASE("what follows a wrapped command without quotes is the command's own") {
    const SubmitLine bare("sbatch -J same -N2 --wrap exec sleep -a 70");
    CHECK(bare.option("array") == Text());
    CHECK(bare.option("job-name") == Text("same"));
    CHECK(bare.script() == "wrap");
    const SubmitLine quoted("sbatch --wrap=\"exec sleep -a 70\" -a 0-9%4");
    CHECK(quoted.option("array") == Text("0-9%4"));
    CHECK(quoted.option("wrap") == Text("exec sleep -a 70"));
    CHECK(SubmitLine("").script().empty());
    CHECK(SubmitLine("sbatch -N").option("nodes") == Text(""));
    CHECK(SubmitLine("sbatch -J it's a.sh").option("job-name") == Text("it's"));
}

}  // namespace

}  // namespace schedfarm::tests
