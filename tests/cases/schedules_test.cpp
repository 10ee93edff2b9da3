// Runs every schedule by hand of schedules/*.yaml under all verifiers: README.md says how one is
// written. A key that is not known fails.
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/numbers.hpp"

#include "tests/cases/case_files.hpp"
#include "tests/policies/cells.hpp"

namespace schedfarm::tests {

namespace {

using app::Node;
using Times = std::vector<double>;
using Names = std::vector<std::string>;

/// "time kind from to", as managers number the kinds.
std::string message_text(double time, const Message& message) {
    constexpr std::array kinds = {
        "request",
        "taken",
        "inquiry",
        "offer",
        "reserve",
        "accepted",
        "declined",
        "commit",
        "aborted",
        "done",
        "release",
        "released",
        "kept",
        "freed"};
    return app::number_text(time) + " " + kinds.at(message.kind) + " "
           + std::to_string(message.from) + " " + std::to_string(message.to);
}

/// What became of the jobs, by index; −1: not yet.
class Outcome final : public ScheduleVerifier {
  public:
    explicit Outcome(std::size_t jobs)
        : starts(jobs, -1), ends(jobs, -1), places(jobs), is_loaded_(jobs) {}

    void observe(const ScheduleStep& step) override {
        if (step.message != nullptr && step.kind == ScheduleStep::Kind::message) {
            messages.push_back(message_text(step.time, *step.message));
        }
        if (step.job == nullptr) {
            return;
        }
        const std::uint64_t job = step.job->index;
        if (step.kind == ScheduleStep::Kind::load && starts.at(job) < 0) {
            starts[job] = step.time;
            is_loaded_[job] = true;
        } else if (step.kind == ScheduleStep::Kind::start) {
            starts.at(job) = is_loaded_[job] ? starts[job] : step.time;
            for (const ClusterShare& share : step.shares) {
                places[job] += (places[job].empty() ? "" : " ")
                               + std::to_string(share.cluster.value) + ":"
                               + std::to_string(share.count);
            }
        } else if (step.kind == ScheduleStep::Kind::completion) {
            ends.at(job) = step.time;
        }
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

    Times starts;
    Times ends;
    Names places;
    Names messages;

  private:
    std::vector<bool> is_loaded_;
};

double number(const Node& node) {
    const std::optional<double> value = app::parse_real(node.scalar);
    if (!value) {
        app::throw_problem(node.at, "'" + node.scalar + "' is no number");
    }
    return *value;
}

double number_or(const Node& map, const char* key, double otherwise) {
    const Node* node = map.find(key);
    return node != nullptr ? number(*node) : otherwise;
}

/// One, or a list.
Times numbers(const Node& node) {
    if (!node.is_list()) {
        return {number(node)};
    }
    Times values;
    for (const Node& item : node.items) {
        values.push_back(number(item));
    }
    return values;
}

std::vector<std::uint32_t> counts(const Node& node) {
    const Times values = numbers(node);
    return {values.begin(), values.end()};
}

/// Each number in full.
std::string text(const Times& times) {
    std::string joined;
    for (const double time : times) {
        joined += (joined.empty() ? "" : ", ") + app::number_text(time);
    }
    return joined;
}

Names texts(const Node& node) {
    Names values;
    for (const Node& item : node.items) {
        values.push_back(item.scalar);
    }
    return values;
}

/// [submit, run, processors], then the requested time and a mapping of the rest.
GivenJob job_of(const Node& node) {
    GivenJob job{
        .submit_time = number(node.items.at(0)),
        .service_time = number(node.items.at(1)),
        .components = counts(node.items.at(2))};
    for (std::size_t i = 3; i < node.items.size(); ++i) {
        const Node& more = node.items[i];
        if (!more.is_map()) {
            job.estimate = number(more);
            continue;
        }
        expect_keys(
            more, {"class", "user", "queue", "origin", "priority", "fixed_start", "memory"}
        );
        job.job_class = static_cast<std::uint32_t>(number_or(more, "class", 0));
        job.user = static_cast<std::uint32_t>(number_or(more, "user", 0));
        job.queue = static_cast<std::uint32_t>(number_or(more, "queue", 0));
        job.origin = static_cast<std::uint32_t>(number_or(more, "origin", 0));
        job.priority = static_cast<std::int32_t>(number_or(more, "priority", 0));
        job.fixed_start = number_or(more, "fixed_start", no_fixed_start);
        job.memory = number_or(more, "memory", 0);
    }
    return job;
}

RequestStructure structure_of(const Node* node) {
    constexpr std::array words = {
        std::pair{"total", RequestStructure::total},
        std::pair{"ordered", RequestStructure::ordered},
        std::pair{"unordered", RequestStructure::unordered},
        std::pair{"grouped", RequestStructure::grouped}};
    for (const auto& [word, structure] : words) {
        if (node == nullptr || node->scalar == word) {
            return structure;
        }
    }
    app::throw_problem(node->at, "no structure of requests: '" + node->scalar + "'");
}

Outage outage_of(const Node& node) {
    expect_keys(node, {"from", "until", "first", "count", "every", "planned"});
    return {
        .from = number_or(node, "from", 0),
        .until = number_or(node, "until", 0),
        .first_processor = static_cast<std::uint32_t>(number_or(node, "first", 0)),
        .count = static_cast<std::uint32_t>(number_or(node, "count", 1)),
        .every = number_or(node, "every", 0),
        .is_planned = node.find("planned") != nullptr};
}

/// A run, with what it does not say from its case.
struct Run {
    const Node& own;
    const Node& all;

    const Node* find(const char* key) const {
        const Node* found = own.find(key);
        return found != nullptr ? found : all.find(key);
    }
    const Node& at(const char* key) const {
        const Node* found = find(key);
        return found != nullptr ? *found : needed(all, key);
    }
};

TestCell cell_of(const Run& given) {
    TestCell cell;
    cell.system.clusters = counts(given.at("processors"));
    cell.structure = structure_of(given.find("requests"));
    if (const Node* memory = given.find("memory")) {
        cell.system.memory_per_processor = number(*memory);
    }
    for (const Node& job : given.at("jobs").items) {
        cell.jobs.push_back(job_of(job));
    }
    if (const Node* outages = given.find("outages")) {
        for (const Node& outage : outages->items) {
            cell.system.outages.listed.push_back(outage_of(outage));
        }
    }
    if (const Node* running = given.find("running")) {
        cell.system.outages.running =
            running->scalar == "cut" ? RunningJobs::cut : RunningJobs::drain;
    }
    cell.experiment.kind = ExperimentKind::trace;
    cell.experiment.horizon.jobs = cell.jobs.size();
    return cell;
}

/// As a campaign writes it; `set` changes some parameters.
PolicyUnderTest policy_of(const Node& given, const Node* set) {
    Node policy = given;
    if (given.is_scalar()) {
        policy = Node::map(given.at);
        policy.entries.push_back({given.scalar, given.at, Node::map(given.at)});
    }
    for (const Node::Entry& entry : set != nullptr ? set->entries : std::vector<Node::Entry>()) {
        app::set_path(policy, policy.entries.at(0).key + "." + entry.key, entry.value, entry.at);
    }
    app::Problems problems;
    const auto choice = app::read_choice(
        policy, app::registered_catalogues().policy_alternatives, "policy", "policy", problems
    );
    problems.throw_if_any();
    return {policy_named(choice->name), choice->parameters};
}

void check_published(
    const Node& expected,
    const PolicyUnderTest& policy,
    const TestCell& cell,
    const Observations& seen
) {
    const auto columns = published_columns(
        *policy.description, policy.parameters, cell.system, cell.workload()->traits()
    );
    const std::size_t first = seen.values.size() - columns.size();
    for (const Node::Entry& entry : expected.entries) {
        const auto column = std::ranges::find(columns, entry.key, &ObservationColumn::name);
        CAPTURE(entry.key);
        REQUIRE(column != columns.end());
        const auto place = static_cast<std::size_t>(column - columns.begin());
        CHECK(seen.values[first + place] == number(entry.value));
    }
}

void check_run(const Run& run, const Node& given) {
    const TestCell cell = cell_of(run);
    const PolicyUnderTest policy = policy_of(given, run.find("set"));
    Outcome outcome(cell.jobs.size());
    const Node& own = run.own;
    if (const Node* words = own.find("refused")) {
        std::string refused;
        try {
            run_general(policy, cell, &outcome);
        } catch (const std::exception& error) {
            refused = error.what();
        }
        CHECK(refused.find(words->scalar) != std::string::npos);
        return;
    }
    Observations seen;
    REQUIRE_NOTHROW(seen = run_general(policy, cell, &outcome));
    CHECK((own.find("starts") || own.find("ends") || own.find("places")));
    if (const Node* starts = own.find("starts")) {
        CHECK(text(outcome.starts) == text(numbers(*starts)));
    }
    if (const Node* ends = own.find("ends")) {
        CHECK(text(outcome.ends) == text(numbers(*ends)));
    }
    if (const Node* places = own.find("places")) {
        CHECK(outcome.places == texts(*places));
    }
    if (const Node* published = own.find("published")) {
        check_published(*published, policy, cell, seen);
    }
    if (const Node* messages = own.find("messages")) {
        CHECK(outcome.messages == texts(*messages));
    }
}

/// Of one policy, or of each of several. Returns how many.
std::size_t check_runs(const Run& run) {
    CAPTURE(run.own.at.file);
    CAPTURE(run.own.at.line);
    expect_keys(
        run.own,
        {"processors",
         "memory",
         "jobs",
         "policy",
         "policies",
         "set",
         "starts",
         "ends",
         "places",
         "published",
         "messages",
         "refused"}
    );
    if (const Node* policies = run.own.find("policies")) {
        for (const Node& policy : policies->items) {
            CAPTURE(policy.scalar);
            check_run(run, policy);
        }
        return policies->items.size();
    }
    const Node* policy = run.find("policy");
    check_run(run, policy != nullptr ? *policy : needed(run.own, "policy"));
    return 1;
}

std::size_t check_case(const Node& one) {
    expect_keys(
        one,
        {"case",
         "processors",
         "memory",
         "requests",
         "jobs",
         "outages",
         "running",
         "policy",
         "set",
         "runs"}
    );
    std::size_t runs = 0;
    for (const Node& own : needed(one, "runs").items) {
        runs += check_runs({own, one});
    }
    return runs;
}

}  // namespace

TEST_CASE("every schedule of tests/cases comes out as it was worked out by hand") {
    check_cases("schedules", check_case);
}

}  // namespace schedfarm::tests
