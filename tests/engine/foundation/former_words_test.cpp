#include "engine/foundation/former_words.hpp"

#include <doctest/doctest.h>

namespace schedfarm::engine {

TEST_CASE("former words are replaced where they are whole words") {
    CHECK(with_current_words("queueing_time") == "wait");
    CHECK(
        with_current_words("least queueing_time.p95 / queueing_time.mean[class=1]")
        == "least wait.p95 / wait.mean[class=1]"
    );
    CHECK(
        with_current_words("my_queueing_time, queueing_times") == "my_queueing_time, queueing_times"
    );
}

TEST_CASE("a key calls a column as it was called at first") {
    CHECK(lasting_name("wait") == "queueing_time");
    CHECK(lasting_name("wait.mean[class=1]") == "queueing_time.mean[class=1]");
    CHECK(lasting_name("waits") == "waits");
    CHECK(with_current_words(lasting_name("wait.p50")) == "wait.p50");
}

}  // namespace schedfarm::engine
