// Reservations at regular times beside the jobs of other workloads.
#include <vector>

#include <doctest/doctest.h>

#include "tests/models/drawn_jobs.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::Job;
using engine::Value;
using tests::choice;

engine::Parameters periodic(double machine_share, std::int64_t count, double lead_time) {
    return tests::parameters(
        "periodic_reservations",
        {{"jobs",
          choice(
              "listed",
              {{"service_times", Value::List{4, 5, 6}},
               {"sizes", Value::List{1, 2, 3}},
               {"submit_times", Value::List{0, 10, 20}}}
          )},
         {"machine_share", machine_share},
         {"length", 7.0},
         {"period", 10.0},
         {"first", 5.0},
         {"lead_time", lead_time},
         {"count", count}}
    );
}

std::vector<Job> jobs_of(const engine::Parameters& given, ExperimentKind kind, std::size_t count) {
    std::vector<Job> jobs;
    tests::for_jobs(
        "periodic_reservations",
        given,
        tests::context_of({10}, kind),
        count,
        [&](const Job& job) { jobs.push_back(job); }
    );
    return jobs;
}

}  // namespace

TEST_CASE("reservations at regular times come a lead time before they start, among the jobs") {
    // From 5 on every 10, 5 before: at 0, 10 and 20, each before the job of that time; 30.
    const auto jobs = jobs_of(periodic(0.25, 4, 5), ExperimentKind::open, 7);
    const std::vector<double> submits{0, 0, 10, 10, 20, 20, 30};
    const std::vector<double> starts{5, -1, 15, -1, 25, -1, 35};
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        CAPTURE(i);
        CHECK(jobs[i].index == i);
        CHECK(jobs[i].submit_time == submits[i]);
        if (starts[i] < 0) {
            CHECK(jobs[i].fixed_start == engine::no_fixed_start);
            CHECK(jobs[i].size == (i + 1) / 2);
            CHECK(jobs[i].service_time == 3.0 + static_cast<double>((i + 1) / 2));
            CHECK(jobs[i].weight == 1);
        } else {
            CHECK(jobs[i].fixed_start == starts[i]);
            CHECK(jobs[i].size == 3);  // 2.5 rounded
            CHECK(jobs[i].service_time == 7);
            CHECK(jobs[i].weight == 0);
        }
    }
}

TEST_CASE("off-line all reservations are there first") {
    const auto jobs = jobs_of(periodic(1, 2, 5), ExperimentKind::offline, 5);
    CHECK(jobs[0].fixed_start == 5);
    CHECK(jobs[1].fixed_start == 15);
    CHECK(jobs[1].submit_time == 0);
    CHECK(jobs[0].size == 10);
    CHECK(jobs[2].size == 1);
    CHECK(jobs[4].size == 3);
}

TEST_CASE("what does not reserve leaves the workload alone") {
    const auto* model = find_model("periodic_reservations");
    REQUIRE(model != nullptr);
    CHECK(model->facts(periodic(0.25, 4, 5)).has_fixed_starts);
    for (const auto& given : {periodic(0, 4, 5), periodic(0.25, 0, 5)}) {
        CHECK_FALSE(model->facts(given).has_fixed_starts);
        const auto jobs = jobs_of(given, ExperimentKind::open, 3);
        CHECK(jobs[1].submit_time == 10);
        CHECK(jobs[1].fixed_start == engine::no_fixed_start);
    }
}

TEST_CASE("a share of a rigid workload becomes moldable") {
    const auto mixed = [](double share) {
        return tests::parameters(
            "moldable_version",
            {{"rigid", choice("downey_97", {{"largest_parallelism", 64.5}})}, {"share", share}}
        );
    };
    const auto context = tests::open_context(64);
    std::vector<Job> all;
    std::vector<double> of_all;  // on one processor
    const auto note = [&](const Job& job) {
        all.push_back(job);
        of_all.push_back(job.moldable->times.front());
    };
    tests::for_jobs("moldable_version", mixed(1), context, 4000, note);
    double moldable = 0;
    tests::for_jobs("moldable_version", mixed(0.3), context, 4000, [&](const Job& job) {
        CHECK(job.submit_time == all[job.index].submit_time);
        CHECK(job.size == all[job.index].size);
        CHECK(job.service_time == all[job.index].service_time);
        if (job.moldable != nullptr) {
            moldable += 1;
            CHECK(job.moldable->times.front() == of_all[job.index]);
        }
    });
    tests::check_share(moldable, 4000, 0.3);
    tests::for_jobs("moldable_version", mixed(0), context, 100, [](const Job& job) {
        CHECK(job.moldable == nullptr);
    });
}

}  // namespace schedfarm::models
