// Queues over any policy: against the policy alone, against a plain loop over fcfs and EASY, and
// their verifier against schedules that break it. By hand: tests/cases.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/composition/inner_runs.hpp"
#include "tests/policies/composition/plain_queues.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

using Columns = std::vector<std::pair<const char*, Value::List>>;

Parameters queues(const char* inner, const Columns& columns, const Parameters& of_inner = {}) {
    Parameters given;
    given.set(
        "inner",
        Value::List{Value(Choice{
            inner, with_defaults(policy_named(inner).alternative.parameters, of_inner)})}
    );
    given.set("assignment", "number");
    for (const auto& [name, values] : columns) {
        given.set(name, values);
    }
    return given;
}

Times starts(const Parameters& given, std::uint32_t processors, const Jobs& jobs) {
    return starts_of("queues", given, processors, jobs);
}

PolicyTraits traits_of(const PolicyDescription& policy) {
    return policy.traits(with_defaults(policy.alternative.parameters));
}

/// Three queues of different priorities, and limits if so chosen.
Columns random_table(Dice& dice, std::uint32_t processors, bool has_limits) {
    std::array<int, 3> priorities{1, 2, 3};
    std::swap(priorities[0], priorities[dice.below(3)]);
    std::swap(priorities[1], priorities[1 + dice.below(2)]);
    Columns columns{
        {"priority", {}},
        {"most_processors", {}},
        {"most_running", {}},
        {"most_running_per_user", {}}};
    for (const int priority : priorities) {
        const auto limit = [&](std::uint32_t from, std::uint32_t spread) {
            return std::int64_t{has_limits && dice.below(3) == 0 ? from + dice.below(spread) : 0};
        };
        columns[0].second.emplace_back(priority);
        columns[1].second.emplace_back(limit(processors, 2 * processors));
        columns[2].second.emplace_back(limit(1, 4));
        columns[3].second.emplace_back(limit(1, 2));
    }
    return columns;
}

}  // namespace

TEST_CASE("one queue without limits is its inner policy, and so are several of equal priority") {
    for (const PolicyDescription& policy : policies_under_test()) {
        if (!can_be_inner(policy)) {
            continue;
        }
        const char* name = policy.alternative.name.c_str();
        for (std::uint64_t seed = 0; seed < short_or_long(35U, 100U); ++seed) {
            CAPTURE(name);
            CAPTURE(seed);
            auto [dice, processors, jobs] = random_queue(seed);
            for (GivenJob& job : jobs) {
                job.queue = dice.below(3);
            }
            const Times alone = starts_of(name, {}, processors, jobs);
            REQUIRE(starts(queues(name, {{"priority", {0, 0, 0}}}), processors, jobs) == alone);
            Parameters one = queues(name, {});
            one.set("assignment", "rules");
            REQUIRE(starts(one, processors, jobs) == alone);
            // Under a limit that is never reached, and within queues again.
            one.set("most_running", Value::List{1000});
            REQUIRE(
                starts(queues("queues", {{"priority", {0, 0, 0}}}, one), processors, jobs) == alone
            );
        }
    }
}

TEST_CASE("over fcfs, and over easy without limits, queues start every job when a plain loop does"
) {
    for (std::uint64_t seed = 0; seed < short_or_long(3000U, 10000U); ++seed) {
        CAPTURE(seed);
        auto [dice, processors, jobs] = random_queue(seed);
        Parameters given;
        const PlainQueues plain = random_queues(dice, processors, given);
        CAPTURE(given.text());
        REQUIRE(
            starts(given, processors, jobs)
            == PlainLoop(processors, jobs).run([&plain](PlainLoop& loop) { plain.pass(loop); })
        );
    }
}

TEST_CASE("every policy that gives jobs back serves queues, its verifier sees what it would see") {
    std::size_t served = 0;
    for (const PolicyDescription& policy : policies_under_test()) {
        if (!traits_of(policy).takes_withdrawals) {
            continue;
        }
        ++served;
        const char* name = policy.alternative.name.c_str();
        for (const ParameterDescription& parameter : policy.alternative.parameters) {
            for (std::uint64_t seed = 0; seed < short_or_long(35U, 100U); ++seed) {
                auto [dice, processors, jobs] = random_queue(seed);
                for (GivenJob& job : jobs) {
                    job.queue = dice.below(3);
                    job.user = dice.below(3);
                }
                Parameters of_inner;
                if (!parameter.words.empty() && parameter.name != "assignment") {
                    const auto words = static_cast<std::uint32_t>(parameter.words.size());
                    of_inner.set(parameter.name, parameter.words[dice.below(words)]);
                } else if (parameter.name == "max_jumps") {
                    of_inner.set(parameter.name, std::int64_t{dice.below(4)});
                }
                const Columns table = random_table(dice, processors, dice.below(2) == 0);
                CAPTURE(name);
                CAPTURE(of_inner.text());
                CAPTURE(seed);
                Times found;
                REQUIRE_NOTHROW(found = starts(queues(name, table, of_inner), processors, jobs));
                REQUIRE(std::count(found.begin(), found.end(), -1) == 0);
            }
        }
    }
    CHECK(served >= 15);
}

TEST_CASE("queues nest in partitions, and partitions in queues") {
    // Queues over two partitions of 2 and 4: as each partition with queues of its own, for without
    // limits the queues of one do not concern the other.
    for (std::uint64_t seed = 0; seed < short_or_long(200U, 500U); ++seed) {
        CAPTURE(seed);
        auto [dice, processors, jobs] = random_queue(seed);
        for (GivenJob& job : jobs) {
            job.queue = dice.below(3);
            job.components = {1 + dice.below(4)};
        }
        const Columns table = random_table(dice, processors, false);
        const char* inner = std::array{"fcfs", "easy", "sjf"}[dice.below(3)];
        const auto with = [](Parameters given, const Choice& policy) {
            given.set("inner", Value::List{Value(policy)});
            return with_defaults(policy_named("partitions").alternative.parameters, given);
        };
        Parameters sizes;
        sizes.set("processors", Value::List{2, 4});
        const Choice plain{inner, with_defaults(policy_named(inner).alternative.parameters)};
        const Choice queued{
            "queues",
            with_defaults(policy_named("queues").alternative.parameters, queues(inner, table))};
        REQUIRE(
            starts(queues("partitions", table, with(sizes, plain)), 6, jobs)
            == starts_of("partitions", with(sizes, queued), 6, jobs)
        );
    }
}

TEST_CASE("the verifier of queues sees a limit exceeded and what the inner verifier sees") {
    const PolicyDescription& policy = policy_named("queues");
    const SystemDescription system{.clusters = {4}};
    const PolicyContext context{system, Stream(1, Purpose::policy, 0)};
    const std::uint32_t component = 1;
    const auto job = [&component](std::uint64_t index, std::uint32_t queue) {
        return Job{
            .index = index,
            .service_time = 3,
            .estimate = 3,
            .size = 1,
            .user = 7,
            .components = {&component, 1},
            .queue = queue};
    };
    const std::vector<Job> jobs{job(0, 0), job(1, 0), job(2, 1)};
    const std::vector<ClusterShare> one{{ClusterId{0}, 1}};
    const auto after = [&](const Columns& table, const std::vector<std::uint32_t>& started) {
        const auto verifier = make_plain_verifier(
            policy, with_defaults(policy.alternative.parameters, queues("fcfs", table)), context
        );
        const auto tell = [&](ScheduleStep::Kind kind, std::uint32_t i) {
            ScheduleStep step;
            step.kind = kind;
            step.id = {i};
            step.job = &jobs[i];
            if (kind == ScheduleStep::Kind::start) {
                step.shares = one;
            }
            verifier->observe(step);
        };
        try {
            for (std::uint32_t i = 0; i < jobs.size(); ++i) {
                tell(ScheduleStep::Kind::arrival, i);
            }
            for (const std::uint32_t i : started) {
                tell(ScheduleStep::Kind::start, i);
            }
            verifier->end_of_instant(0);
        } catch (const ScheduleError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const Columns limit{{"most_running", {1, 0}}};
    CHECK(after(limit, {0, 2}).empty());
    CHECK(after(limit, {0, 1, 2}) == "at time 0: job 1 exceeds a limit of its queue");
    CHECK(
        after({{"most_running_per_user", {1, 0}}}, {0, 1, 2})
        == "at time 0: job 1 exceeds the limit of its user in its queue"
    );
    // By priority job 2 is the first; all fit.
    const Columns priority{{"priority", {1, 2}}};
    CHECK(after(priority, {2, 0, 1}).empty());
    CHECK(!after(priority, {0, 1, 2}).empty());
    CHECK(!after(priority, {2, 0}).empty());
}

}  // namespace schedfarm::tests
