#include "app/cli/supervision.hpp"

#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include "app/cli/explain.hpp"

using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

/// What ranks find that are started with this assignment.
std::optional<Supervision> found_by_ranks(const std::string& assignment) {
    const std::size_t equals = assignment.find('=');
    const std::string name = assignment.substr(0, equals);
    ::setenv(name.c_str(), assignment.substr(equals + 1).c_str(), 1);
    try {
        const auto supervision = supervision_of_this_process();
        ::unsetenv(name.c_str());
        return supervision;
    } catch (...) {
        ::unsetenv(name.c_str());
        throw;
    }
}

}  // namespace

TEST_CASE("ranks find what their supervisor says and nothing where there is none") {
    CHECK_FALSE(supervision_of_this_process());
    const auto first = found_by_ranks(assignment_of({}));
    REQUIRE(first);
    CHECK(first->begun_ago_s == 0);
    CHECK(first->begun_with == 0);
    CHECK_FALSE(first->is_restart);
    CHECK_FALSE(first->is_terminal);
    const auto later = found_by_ranks(assignment_of(
        {.begun_ago_s = 12.5, .begun_with = 12'345'678'901, .is_restart = true, .is_terminal = true}
    ));
    REQUIRE(later);
    CHECK(later->begun_ago_s == 12.5);
    CHECK(later->begun_with == 12'345'678'901);
    CHECK(later->is_restart);
    CHECK(later->is_terminal);
}

TEST_CASE("a variable that no supervisor has written is refused") {
    const std::string good = assignment_of({});
    for (const std::string& wrong :
         {good.substr(0, good.size() - 1),
          good + ",more:1",
          std::string("SCHEDFARM_SUPERVISION=1")}) {
        CHECK_THROWS_WITH_AS(
            found_by_ranks(wrong), doctest::Contains("SCHEDFARM_SUPERVISION"), UsageError
        );
    }
}
