// mpirun's banners, as Open MPI 4.1 writes them, among what ranks write.
#include "engine/farm/launcher_output.hpp"

#include <string>

#include <doctest/doctest.h>

using schedfarm::engine::LauncherOutput;

namespace {

const std::string dashes = std::string(74, '-') + "\n";

std::string block(const std::string& text) {
    return dashes + text + dashes;
}

const std::string exit_banners =
    block(
        "Primary job  terminated normally, but 1 process returned\n"
        "a non-zero exit code. Per user-direction, the job has been aborted.\n"
    )
    + block(
        "mpirun detected that one or more processes exited with non-zero status, thus causing\n"
        "the job to be terminated. The first process to do so was:\n\n"
        "  Process name: [[23930,1],1]\n  Exit code:    3\n"
    );

const std::string death_banner =
    block("mpirun noticed that process rank 1 with PID 0 on node vm exited on signal 9 (Killed).\n"
    );

}  // namespace

TEST_CASE("Banners go and everything else stays in whatever pieces it comes") {
    const std::string all = "schedfarm: [warning] stopped\n" + exit_banners + "last words\n";
    for (std::size_t piece = 1; piece <= all.size(); ++piece) {
        LauncherOutput output;
        std::string shown;
        for (std::size_t begin = 0; begin < all.size(); begin += piece) {
            shown += output.pass(all.substr(begin, piece));
        }
        shown += output.finish();
        CHECK(shown == "schedfarm: [warning] stopped\nlast words\n");
        CHECK(output.rank_exited());
        CHECK(output.rank_death().empty());
    }
}

TEST_CASE("A death is told by rank and signal") {
    LauncherOutput output;
    CHECK(output.pass(death_banner).empty());
    CHECK(output.rank_death() == "rank 1 was killed by signal 9 (Killed)");
    CHECK(!output.rank_exited());
}

TEST_CASE("Other messages of MPI go through") {
    const std::string error = block("There are not enough slots available in the system\n");
    LauncherOutput output;
    CHECK(output.pass(error) == error);
    CHECK(output.pass("[####....] 40 %") == "[####....] 40 %");  // a line that is not ended yet
    CHECK(output.pass("\r[#####...] 50 %\n") == "\r[#####...] 50 %\n");
    CHECK(output.pass(dashes + "cut").empty());
    CHECK(output.finish() == dashes + "cut");
}
