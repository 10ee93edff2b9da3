// Metrics of a campaign's own: their arithmetic by hand, their units, and what is refused.
#include "engine/simulation/measurement/own_metric.hpp"

#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/elementary.hpp"
#include "engine/simulation/measurement/recorder.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr JobRecord a_job{
    .index = 41,
    .submit_time = 3,
    .start_time = 10,
    .finish_time = 26,
    .service_time = 16,
    .size = 5,
    .job_class = 2,
    .weight = 1.5};

double own_value(const std::string& text, const JobRecord& job = a_job) {
    std::vector<double> stack;
    return OwnMetric("mine", text).of_job(job, stack);
}

std::string own_unit(const std::string& text) {
    const OwnMetric metric("mine", text);
    return metric.description().unit;
}

std::string why_refused(const std::string& text) {
    try {
        const OwnMetric metric("mine", text);
    } catch (const ExpressionError& error) {
        return std::to_string(error.offset()) + ": " + error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("an own metric is what its expression says of each column") {
    CHECK(own_value("wait / sqrt(service_time)") == 7 / 4.0);
    CHECK(own_value("response_time") == 23);
    CHECK(own_value("finish_time - start_time + submit_time") == 19);
    CHECK(own_value("processors * 100 + class * 10 + weight") == 521.5);
    CHECK(own_value("log(wait)") == logarithm(7));
    CHECK(own_value("exp(-weight)") == exponential(-1.5));
    CHECK(own_value("max(wait, 8) - min(service_time, 20)") == -8);
}

TEST_CASE("the unit of an own metric follows from its columns where no number scales it") {
    CHECK(own_unit("wait") == "time");
    CHECK(own_unit("processors") == "processors");
    CHECK(own_unit("wait / service_time") == "1");
    CHECK(own_unit("wait / sqrt(service_time)") == "time^0.5");
    CHECK(own_unit("processors * response_time") == "processor*time");
    CHECK(own_unit("1 + processors / wait") == "processor/time");
    CHECK(own_unit("class / wait") == "1/time");
    CHECK(own_unit("max(wait, 10) + 5") == "time");
    CHECK(own_unit("wait / 60") == "1");
    CHECK(own_unit("wait / 60 + processors") == "processors");
    CHECK(own_unit("log(wait)") == "1");
    CHECK(own_unit("sqrt(processors)") == "processor^0.5");
    CHECK(own_unit("sqrt(wait / 60) + processors") == "processors");
}

TEST_CASE("an own metric depends on the queue where one of its columns does") {
    const auto depends = [](const char* text) {
        return OwnMetric("mine", text).description().depends_on_queue;
    };
    CHECK(depends("wait * service_time"));
    CHECK(depends("service_time + finish_time"));
    CHECK_FALSE(depends("service_time + submit_time"));
}

TEST_CASE("expressions that are no metric of a job are refused at their place") {
    CHECK(why_refused("wait * servicetime") == "7: jobs have no column 'servicetime'");
    CHECK(
        why_refused("2 * 3")
        == "0: '2 * 3' names no column of jobs, of which a metric is made (class, finish_time, "
           "processors, response_time, service_time, start_time, submit_time, wait, weight)"
    );
    const std::string mixed = " are added or compared. Multiply one by a number, as in 0.5 * wait";
    CHECK(
        why_refused("wait + processors") == "5: a value in 'time' and one in 'processors'" + mixed
    );
    CHECK(why_refused("max(1, wait, weight)") == "0: a value in 'time' and one in '1'" + mixed);
    CHECK(
        why_refused("sqrt(wait) - wait") == "11: a value in 'time^0.5' and one in 'time'" + mixed
    );
}

TEST_CASE("a job without a finite value is named with what it has and what to do") {
    JobRecord job = a_job;
    job.service_time = 0;
    CHECK_THROWS_WITH(
        own_value("wait / service_time", job),
        "metric 'mine' (wait / service_time) of job 41 is not a finite number (its wait 7, "
        "service_time 0). Bound what can be 0 in the expression, as in max(service_time, 1)."
    );
    CHECK(own_value("wait / max(service_time, 2)", job) == 3.5);
    job.service_time = std::numeric_limits<double>::infinity();
    CHECK_THROWS_WITH(
        own_value("service_time", job),
        "metric 'mine' (service_time) of job 41 is not a finite number (its service_time inf). "
        "Bound what can be 0 in the expression, as in max(service_time, 1)."
    );
}

TEST_CASE("an own metric is the same however its text is spaced") {
    const auto canonical = [](const char* text) {
        return OwnMetric("mine", text).canonical_text();
    };
    CHECK(canonical("wait/sqrt( service_time )") == canonical("(wait / sqrt(service_time))"));
    CHECK(canonical("wait * 10") == canonical("wait * 1e1"));
    CHECK(canonical("wait - start_time") != canonical("start_time - wait"));
    CHECK(canonical("max(wait, 1, 2)") != canonical("max(wait, max(1, 2))"));
    CHECK(canonical("log(wait)") != canonical("exp(wait)"));
}

TEST_CASE("a metric of one's own has a name of a word that no metric of the program has") {
    CHECK(is_own_metric_name("mine_2"));
    for (const char* name : {"", "2mine", "_mine", "my.mine", "my mine", "mine[1]", "wait"}) {
        CHECK_FALSE(is_own_metric_name(name));
    }
    CHECK(is_own_metric_name("own"));
}

}  // namespace schedfarm::tests
