// mpirun's banners, as Open MPI 4.1 writes them, among what ranks write.
#include "engine/farm/processes/launcher_output.hpp"

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

TEST_CASE("What mpirun says of signals goes in whatever pieces it comes") {
    const std::string all =
        "stopping\nmpirun: Forwarding signal 10 to job\nmpirun: abort is already in progress...hit "
        "ctrl-c again to forcibly terminate\n\nmpirun: not of signals\n\nstopped\n";
    for (std::size_t piece = 1; piece <= all.size(); ++piece) {
        LauncherOutput output;
        std::string shown;
        for (std::size_t begin = 0; begin < all.size(); begin += piece) {
            shown += output.pass(all.substr(begin, piece));
        }
        CHECK(shown + output.finish() == "stopping\nmpirun: not of signals\n\nstopped\n");
    }
}

TEST_CASE("A death is told by rank and signal") {
    LauncherOutput output;
    CHECK(output.pass(death_banner).empty());
    CHECK(output.rank_death() == "rank 1 was killed by signal 9 (Killed)");
    CHECK(!output.rank_exited());
}

// A bar leaves the cursor at the begin of its line: no end of line stands between it and what
// mpirun writes next.
TEST_CASE("A banner behind a bar of progress goes and the bar stays in whatever pieces they come") {
    const std::string bar = "\r\033[?7h\033[K\033[?7l[###...]  40 %; cell 1: 2.8\033[?7h\r";
    const std::string all = bar + death_banner + bar + "\r\033[?7h\033[Klast words\n";
    for (std::size_t piece = 1; piece <= all.size(); ++piece) {
        LauncherOutput output;
        std::string shown;
        for (std::size_t begin = 0; begin < all.size(); begin += piece) {
            shown += output.pass(all.substr(begin, piece));
        }
        shown += output.finish();
        CHECK(shown == bar + bar + "\r\033[?7h\033[Klast words\n");
        CHECK(output.rank_death() == "rank 1 was killed by signal 9 (Killed)");
    }
}

TEST_CASE("What Open MPI remarks on itself is kept apart and all else in brackets goes through") {
    const std::string error =
        "[vm:4711] PMIX ERROR: UNREACHABLE in file ../../src/server/pmix_server.c at line 2198\n";
    const std::string log =
        "[vm:4711] [[23930,0],0] ORTE_ERROR_LOG: Not found in file orted/pmix.c at line 345\n";
    const std::string others = "[vm:4712] *** Process received signal ***\n[note] a rank's own\n";
    LauncherOutput output;
    CHECK(output.pass(error + others + "\033[K" + log) == others + "\033[K");
    CHECK(output.remarks() == error + log);
    CHECK(output.pass("[##..] 40 %") == "[##..] 40 %");
    CHECK(output.finish().empty());
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
