// What every workload model promises, tested on the examples that it describes itself with.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/workload_model.hpp"

#include "models/catalogue.hpp"
#include "models/request_check.hpp"
#include "models/workload_version.hpp"

#include "tests/support/long_form.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::Job;
using engine::JobBlock;
using engine::KnownValue;
using engine::WorkloadContext;
using engine::WorkloadExample;
using engine::WorkloadModel;
using engine::WorkloadModelDescription;

constexpr double z = 4;
constexpr double utilization = 0.4;
const int blocks = schedfarm::tests::short_or_long(15, 40);

WorkloadContext context_of(
    const WorkloadExample& example, ExperimentKind experiment, std::uint32_t replication = 0
) {
    WorkloadContext context;
    context.system = example.system;
    context.experiment = experiment;
    context.utilization = utilization;
    context.seed = 77;
    context.replication = replication;
    return context;
}

/// Of classes all or none have a name, and no two the same.
void check_class_names(const engine::WorkloadTraits& traits) {
    if (!traits.class_names.empty()) {
        CHECK(traits.class_names.size() == traits.job_classes);
    }
    for (const std::string& name : traits.class_names) {
        CHECK_FALSE(name.empty());
    }
    const std::set<std::string> names(traits.class_names.begin(), traits.class_names.end());
    CHECK(names.size() == traits.class_names.size());
}

/// Calls work(description, example, experiment) for all there are.
template <typename Work>
void for_each_use(const Work& work) {
    for (const WorkloadModelDescription& model : catalogue()) {
        for (const WorkloadExample& example : model.examples) {
            for (const ExperimentKind experiment : model.experiments) {
                work(model, example, experiment);
            }
        }
    }
}

std::string name_of(
    const WorkloadModelDescription& model, const WorkloadExample& example, ExperimentKind experiment
) {
    return model.alternative.name + " " + example.parameters.text() + " experiment "
           + experiment.name();
}

/// Nothing is compared that JobBlock::job() does not say.
bool are_equal(const JobBlock& a, const JobBlock& b) {
    return a.first_index == b.first_index && a.count == b.count
           && a.component_stride == b.component_stride && a.submit_time == b.submit_time
           && a.service_time == b.service_time && a.size == b.size && a.components == b.components
           && a.structure == b.structure && a.estimate == b.estimate && a.job_class == b.job_class
           && a.user == b.user && a.origin == b.origin && a.queue == b.queue
           && a.priority == b.priority && a.weight == b.weight
           && a.memory_per_processor == b.memory_per_processor && a.fixed_start == b.fixed_start
           && a.job_number == b.job_number;
}

void check_job(
    const Job& job,
    const engine::WorkloadTraits& traits,
    const engine::SystemDescription& system,
    ExperimentKind experiment
) {
    CHECK(job.size >= 1);
    CHECK(job.size <= traits.max_size);
    CHECK(job.job_class < traits.job_classes);
    CHECK(job.structure == traits.structure);
    CHECK(job.components.size() <= traits.max_components);
    CHECK(
        std::accumulate(job.components.begin(), job.components.end(), std::uint32_t{0}) == job.size
    );
    const std::vector<std::uint32_t> components(job.components.begin(), job.components.end());
    CHECK(!request_problem(job.structure, components, system, {}));
    if (experiment != ExperimentKind::bin_filling) {
        CHECK(job.service_time >= 0);
        CHECK(std::isfinite(job.service_time));
    }
}

/// Checks every job of a block; returns the last submit time.
double check_block(
    const JobBlock& block,
    const WorkloadModel& model,
    const engine::SystemDescription& system,
    ExperimentKind experiment,
    double last_submit
) {
    check_class_names(model.traits());
    for (std::size_t j = 0; j < block.count; ++j) {
        const Job job = block.job(j);
        check_job(job, model.traits(), system, experiment);
        CHECK(job.submit_time >= last_submit);
        last_submit = job.submit_time;
    }
    return last_submit;
}

void check_blocks(
    WorkloadModel& model, const engine::SystemDescription& system, ExperimentKind experiment
) {
    JobBlock block;
    std::uint64_t seen = 0;
    double last_submit = 0;
    for (int i = 0; i < blocks; ++i) {
        model.next(block);
        CHECK((block.first_index == seen && block.count <= JobBlock::capacity));
        last_submit = check_block(block, model, system, experiment, last_submit);
        seen += block.count;
    }
    CHECK(seen > 0);
}

/// Of sample values, against a mean that the traits state; the error comes from the means of
/// batches, because jobs of some models resemble their neighbours.
void check_mean(const std::vector<double>& values, double expected) {
    constexpr std::size_t batch = 4096;
    std::vector<double> means;
    for (auto at = values.begin(); values.end() - at >= std::ptrdiff_t{batch}; at += batch) {
        means.push_back(std::accumulate(at, at + batch, 0.0) / batch);
    }
    const auto n = static_cast<double>(means.size());
    const double mean = std::accumulate(means.begin(), means.end(), 0.0) / n;
    double squares = 0;
    for (const double value : means) {
        squares += (value - mean) * (value - mean);
    }
    const double error = std::sqrt(squares / (n - 1) / n);
    CAPTURE(mean);
    CAPTURE(error);
    CHECK(std::abs(mean - expected) <= z * error + 1e-9 * expected);
}

}  // namespace

TEST_CASE("every model is described with a summary and examples that its own checks admit") {
    std::set<std::string> names;
    for (const WorkloadModelDescription& model : catalogue()) {
        CAPTURE(model.alternative.name);
        CHECK(names.insert(model.alternative.name).second);
        CHECK(find_model(model.alternative.name) == &model);
        CHECK(!model.alternative.summary.empty());
        CHECK(!model.experiments.empty());
        CHECK(!model.examples.empty());
        for (const WorkloadExample& example : model.examples) {
            CAPTURE(example.parameters.text());
            CHECK(
                with_defaults(model.alternative.parameters, example.parameters).text()
                == example.parameters.text()
            );
            CHECK((!model.alternative.check || model.alternative.check(example.parameters).empty())
            );
            CHECK(
                (!model.check_system
                 || model.check_system(example.parameters, example.system).empty())
            );
        }
    }
    CHECK(find_model("no such model") == nullptr);
}

TEST_CASE("jobs of every model are consistent with the traits and fit the empty system") {
    for_each_use([](const auto& model, const auto& example, ExperimentKind experiment) {
        CAPTURE(name_of(model, example, experiment));
        const auto workload = model.make(example.parameters, context_of(example, experiment));
        check_blocks(*workload, example.system, experiment);
    });
}

TEST_CASE("two models built alike give equal jobs whatever the block held before") {
    for_each_use([](const auto& model, const auto& example, ExperimentKind experiment) {
        CAPTURE(name_of(model, example, experiment));
        const WorkloadContext context = context_of(example, experiment);
        const auto first = model.make(example.parameters, context);
        const auto second = model.make(example.parameters, context);
        JobBlock used;
        used.estimate = used.weight = used.memory_per_processor = used.fixed_start = {1, 2, 3};
        used.job_class = used.user = used.origin = used.queue = {7, 7};
        used.priority = {-1};
        used.job_number = {4, 4};
        for (int i = 0; i < blocks; ++i) {
            JobBlock fresh;
            first->next(fresh);
            second->next(used);
            CHECK(are_equal(fresh, used));
        }
    });
}

TEST_CASE("means that the traits state are those of the jobs and so is the offered utilization") {
    for_each_use([](const auto& model, const auto& example, ExperimentKind experiment) {
        CAPTURE(name_of(model, example, experiment));
        const auto workload = model.make(example.parameters, context_of(example, experiment));
        const engine::WorkloadTraits traits = workload->traits();
        if (experiment != ExperimentKind::open || !traits.mean_size || !traits.mean_service_time) {
            return;
        }
        std::vector<double> sizes;
        std::vector<double> services;
        std::vector<double> gaps;
        std::vector<double> idle;  // what the jobs leave of the utilization asked for
        double last_submit = 0;
        JobBlock block;
        for (int i = 0; i < schedfarm::tests::short_or_long(150, 400); ++i) {
            workload->next(block);
            for (std::size_t j = 0; j < block.count; ++j) {
                sizes.push_back(block.size[j]);
                services.push_back(block.service_time[j]);
                gaps.push_back(block.submit_time[j] - last_submit);
                idle.push_back(
                    utilization * example.system.processors() * gaps.back()
                    - block.size[j] * block.service_time[j]
                );
                last_submit = block.submit_time[j];
            }
        }
        check_mean(sizes, *traits.mean_size);
        check_mean(services, *traits.mean_service_time);
        check_mean(idle, 0);
        if (traits.mean_interarrival_time) {
            check_mean(gaps, *traits.mean_interarrival_time);
        }
    });
}

TEST_CASE("modelled estimates of every model cover the run time and change nothing else") {
    for_each_use([](const auto& model, auto example, ExperimentKind experiment) {
        CAPTURE(name_of(model, example, experiment));
        if (!example.parameters.contains("estimates")) {
            return;
        }
        const WorkloadContext context = context_of(example, experiment);
        const auto base = model.make(example.parameters, context);
        const auto estimates = engine::Choice{.name = "f_model"};
        example.parameters.set("estimates", estimates);
        const auto other = model.make(example.parameters, context);
        for (int i = 0; i < blocks; ++i) {
            JobBlock expected;
            JobBlock block;
            base->next(expected);
            other->next(block);
            CHECK(std::equal(
                block.estimate.begin(),
                block.estimate.end(),
                block.service_time.begin(),
                block.service_time.end(),
                std::greater_equal<>()
            ));
            expected.estimate = block.estimate;
            CHECK(are_equal(block, expected));
        }
    });
}

TEST_CASE("values known from theory are finite and exact only where they say so") {
    for_each_use([](const auto& model, const auto& example, ExperimentKind experiment) {
        CAPTURE(name_of(model, example, experiment));
        if (!model.known_values) {
            return;
        }
        engine::TheoryContext theory;
        theory.system = example.system;
        theory.experiment = experiment;
        theory.utilization = utilization;
        for (const bool is_fcfs : {false, true}) {
            theory.first_come_first_served = is_fcfs;
            for (const KnownValue& known : model.known_values(example.parameters, theory)) {
                CAPTURE(known.metric);
                CAPTURE(known.label);
                CHECK(std::isfinite(known.value));
                CHECK(known.value >= 0);
                CHECK(!known.source.empty());
                CHECK(known.is_exact == (known.label.substr(0, 5) == "exact"));
            }
        }
    });
}

TEST_CASE("what is known of a log is known of every version of it, and no version is a log") {
    std::size_t versions = 0;
    for (const WorkloadModelDescription& model : catalogue()) {
        if (model.place == 0) {
            continue;
        }
        CAPTURE(model.alternative.name);
        const std::string& jobs = model.alternative.parameters.front().name;
        const auto version_of = [&](const engine::Choice& workload) {
            engine::Parameters given = model.examples.front().parameters;
            given.set(jobs, workload);
            return given;
        };
        engine::Choice log = example_log();
        CHECK(model.facts(version_of(log)).end == engine::JobsEnd::open_ended);  // it is resampled
        log.parameters.set("resampling", "none");
        const auto given = version_of(log);
        const engine::WorkloadFacts facts = model.facts(given);
        CHECK(facts.is_in_seconds);
        CHECK(facts.has_own_arrivals);
        CHECK(facts.end == engine::JobsEnd::given);
        CHECK_FALSE(facts.is_log);
        REQUIRE(facts.logs.size() == 1);
        CHECK(facts.logs.front().text("file") == "example");
        const WorkloadModelDescription& original = *find_model(log.name);
        const auto context = context_of(model.examples.front(), ExperimentKind::trace);
        const double clock = original.make(facts.logs.front(), context)->traits().clock;
        CHECK(clock > 0);
        CHECK(model.make(given, context)->traits().clock == clock);
        CHECK(original.facts(facts.logs.front()).is_log);
        ++versions;
    }
    const bool has_logs =
        find_model(example_log().name) != nullptr;  // a how-to's catalogue has none
    CHECK((versions >= 7 || !has_logs));
}

}  // namespace schedfarm::models
