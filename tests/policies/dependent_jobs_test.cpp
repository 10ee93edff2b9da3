// Jobs that arrive when others end: 300 random logs against a second program, event by event over
// lists, and every policy under the verifier that knows when jobs arrive.
#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/simulation/dependent_workload.hpp"
#include "engine/simulation/logs/job_log.hpp"
#include "engine/simulation/verifiers/dependency_verifier.hpp"

#include "models/catalogue.hpp"

#include "tests/models/trace_model.hpp"
#include "tests/policies/contract_cells.hpp"
#include "tests/policies/plain_loop.hpp"

namespace schedfarm::tests {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// A line of a log: fields 1, 2, 4, 5, 9, 17 and 18.
struct Line {
    int number = 0;
    double submit = 0;
    double run = 0;
    std::uint32_t processors = 0;
    double request = 0;
    int preceding = -1;
    double think = -1;
};

struct RandomLog {
    std::uint32_t processors = 0;
    std::vector<Line> lines;

    std::string text() const {
        std::string result =
            fmt::format("; UnixStartTime: 946857600\n; MaxProcs: {}\n", processors);
        for (const Line& line : lines) {
            result += fmt::format(
                "{} {} -1 {} {} -1 -1 {} {} -1 1 1 1 -1 -1 -1 {} {}\n",
                line.number,
                line.submit,
                line.run,
                line.processors,
                line.processors,
                line.request,
                line.preceding,
                line.think
            );
        }
        return result;
    }
};

/// Preceding jobs may come later, be left out for their run time of 0, be unknown, or form circles.
RandomLog random_log(std::uint64_t seed) {
    Dice dice(seed);
    RandomLog log{.processors = 2 + dice.below(12), .lines = {}};
    const int count = 3 + static_cast<int>(dice.below(40));
    double submit = 0;
    for (int i = 1; i <= count; ++i) {
        submit += dice.below(3) == 0 ? dice.below(9) : 0;
        const double run = dice.below(12) == 0 ? 0 : 1 + dice.below(9);
        Line line{
            .number = 10 * i,
            .submit = submit,
            .run = run,
            .processors = 1 + dice.below(log.processors),
            .request = run + dice.below(6)};
        line.request = std::max(1.0, line.request);
        if (dice.below(2) == 0) {
            const bool is_before = dice.below(5) > 0 && i > 1;
            const auto other = static_cast<int>(
                dice.below(static_cast<std::uint32_t>(is_before ? i - 1 : count + 2))
            );
            line.preceding = 10 * (other + 1);
            line.think = dice.below(8) - 1.0;
        }
        log.lines.push_back(line);
    }
    return log;
}

/// What became of a job.
struct Schedule {
    std::vector<double> arrival;
    std::vector<double> start;
};

/// The second program. Knows jobs by their numbers in the log and looks at all of them at every
/// instant.
class PlainMachine {
  public:
    explicit PlainMachine(const RandomLog& log) : free_(log.processors) {
        for (const Line& line : log.lines) {
            if (line.run > 0) {
                lines_.push_back(line);
            }
        }
        arrival_.assign(lines_.size(), never);
        start_.assign(lines_.size(), never);
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (!is_kept(lines_[i].preceding) || is_in_circle(lines_[i].number)) {
                arrival_[i] = lines_[i].submit;
            }
        }
    }

    Schedule run(const std::string& policy) {
        for (double now = 0; now < never; now = next(now)) {
            end_jobs(now);
            start_jobs(now, policy);
        }
        return {arrival_, start_};
    }

  private:
    bool is_kept(int number) const {
        return std::any_of(lines_.begin(), lines_.end(), [number](const Line& line) {
            return line.number == number;
        });
    }
    std::size_t place_of(int number) const {
        std::size_t i = 0;
        while (lines_[i].number != number) {
            ++i;
        }
        return i;
    }
    bool is_in_circle(int number) const {
        int at = lines_[place_of(number)].preceding;
        for (std::size_t steps = 0; steps < lines_.size() && is_kept(at); ++steps) {
            if (at == number) {
                return true;
            }
            at = lines_[place_of(at)].preceding;
        }
        return false;
    }
    double end(std::size_t i) const { return start_[i] + lines_[i].run; }
    bool waits(std::size_t i, double now) const { return arrival_[i] <= now && start_[i] == never; }

    void end_jobs(double now) {
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (end(i) != now) {
                continue;
            }
            free_ += lines_[i].processors;
            for (std::size_t k = 0; k < lines_.size(); ++k) {
                const Line& line = lines_[k];
                if (line.preceding == lines_[i].number && arrival_[k] == never) {
                    arrival_[k] = line.think >= 0 ? now + line.think : std::max(now, line.submit);
                }
            }
        }
    }

    /// Those that wait, by arrival, then as in the log.
    std::vector<std::size_t> queue(double now) const {
        std::vector<std::size_t> result;
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (waits(i, now)) {
                result.push_back(i);
            }
        }
        std::ranges::stable_sort(result, {}, [this](std::size_t i) { return arrival_[i]; });
        return result;
    }

    void start(std::size_t i, double now) {
        start_[i] = now;
        free_ -= lines_[i].processors;
    }

    void start_jobs(double now, const std::string& policy) {
        std::vector<std::size_t> waiting = queue(now);
        while (!waiting.empty() && lines_[waiting.front()].processors <= free_) {
            start(waiting.front(), now);
            waiting.erase(waiting.begin());
        }
        if (policy == "easy" && !waiting.empty()) {
            backfill(waiting, now);
        }
    }

    /// EASY: no job may delay the first by what jobs request.
    void backfill(const std::vector<std::size_t>& waiting, double now) {
        std::multimap<double, std::uint32_t> ends;
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (start_[i] <= now && end(i) > now) {
                ends.emplace(start_[i] + lines_[i].request, lines_[i].processors);
            }
        }
        const std::uint32_t needed = lines_[waiting.front()].processors;
        double shadow = now;
        std::uint32_t then = free_;
        for (auto it = ends.begin(); it != ends.end();) {
            if (then >= needed) {
                break;
            }
            shadow = it->first;
            for (; it != ends.end() && it->first == shadow; ++it) {
                then += it->second;
            }
        }
        std::uint32_t extra = then - needed;
        for (std::size_t k = 1; k < waiting.size(); ++k) {
            const Line& line = lines_[waiting[k]];
            const bool ends_before = now + line.request <= shadow;
            if (line.processors <= free_ && (ends_before || line.processors <= extra)) {
                extra -= ends_before ? 0 : line.processors;
                start(waiting[k], now);
            }
        }
    }

    double next(double now) const {
        double result = never;
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (start_[i] != never && end(i) > now) {
                result = std::min(result, end(i));
            }
            if (arrival_[i] > now) {
                result = std::min(result, arrival_[i]);
            }
        }
        return result;
    }

    std::uint32_t free_;
    std::vector<Line> lines_;
    std::vector<double> arrival_;
    std::vector<double> start_;
};

/// The jobs of a cell, some of which follow others, and jobs like them that leave.
class FollowingJobs final : public DependentWorkload {
  public:
    FollowingJobs(
        const TestCell& cell,
        std::vector<Dependence> dependences,
        std::vector<LeavingJob> leaving = {}
    )
        : jobs_(cell.workload())
        , dependences_(std::move(dependences))
        , leaving_(std::move(leaving)) {}

    const WorkloadTraits& traits() const override { return jobs_->traits(); }
    void next(JobBlock& block) override { jobs_->next(block); }
    bool has_dependences() const override { return true; }
    Dependence dependence(std::uint64_t index) const override { return dependences_[index]; }
    std::vector<LeavingJob> leaving() const override { return leaving_; }

  private:
    std::unique_ptr<WorkloadModel> jobs_;
    std::vector<Dependence> dependences_;
    std::vector<LeavingJob> leaving_;
};

/// Each as large as one of the cell, to which its components belong.
std::vector<LeavingJob> leaving_jobs(const TestCell& cell, Dice& dice) {
    std::vector<LeavingJob> result(dice.below(8));
    for (LeavingJob& one : result) {
        const GivenJob& like = cell.jobs[dice.below(static_cast<std::uint32_t>(cell.jobs.size()))];
        one.job.submit_time = like.submit_time + dice.below(4);
        one.leaves = one.job.submit_time + dice.below(9);
        one.job.estimate = like.estimate.value_or(like.service_time);
        one.job.size = like.size();
        one.job.components = like.components;
        one.job.structure = cell.structure;
        one.job.job_class = like.job_class;
        one.job.queue = like.queue;
        one.job.origin = static_cast<std::uint16_t>(like.origin);
        one.job.memory_per_processor = like.memory;
    }
    return result;
}

/// Under the verifiers of the machine, of arrivals and of the policy. `make`: the workload.
template <typename Make>
void run_verified(const PolicyDescription& policy, SimulationSetup setup, Make make) {
    const Parameters settings = with_defaults(policy.alternative.parameters, {});
    const auto workload = make();
    setup.policy_traits = policy.traits(settings);
    setup.published = published_columns(policy, settings, setup.system, workload->traits());
    const PolicyContext context{setup.system, Stream(1, Purpose::policy, 0)};
    std::vector<std::unique_ptr<ScheduleVerifier>> owned;
    owned.push_back(make_machine_verifier(setup.system));
    owned.push_back(
        make_dependency_verifier(*make(), setup.experiment.horizon.jobs, setup.policy_traits)
    );
    owned.push_back(make_own_verifier(policy, settings, context));
    std::vector<ScheduleVerifier*> verifiers;
    for (const auto& verifier : owned) {
        if (verifier != nullptr) {
            verifiers.push_back(verifier.get());
        }
    }
    simulate(setup, *workload, *policy.make(settings, context), verifiers);
}

SimulationSetup setup_of(const RandomLog& log) {
    SimulationSetup setup;
    setup.system.clusters = {log.processors};
    setup.experiment.kind = ExperimentKind::trace;
    setup.experiment.horizon.jobs = static_cast<std::uint64_t>(
        std::ranges::count_if(log.lines, [](const Line& line) { return line.run > 0; })
    );
    return setup;
}

std::unique_ptr<WorkloadModel> workload_of(const RandomLog& log) {
    const LogFile file(log.text());
    return model().make(
        parameters(file.name(), {{"resampling", "none"}}),
        context_of({log.processors}, ExperimentKind::trace, std::nullopt)
    );
}

/// As campaigns run it: a specialised simulator where one applies, else the general kernel.
Schedule simulated(const RandomLog& log, const PolicyDescription& policy) {
    SimulationSetup setup = setup_of(log);
    JobLog result;
    setup.probes.job_log = &result;
    const Parameters settings = with_defaults(policy.alternative.parameters, {});
    const auto workload = workload_of(log);
    if (policy.specialised_simulator && policy.specialised_simulator(settings, setup, *workload)) {
        return {result.submit, result.start};
    }
    run_verified(policy, setup, [&] { return workload_of(log); });
    return {result.submit, result.start};
}

}  // namespace

TEST_CASE("300 random logs with dependencies run as a second program has them") {
    std::size_t followers = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        const RandomLog log = random_log(seed);
        for (const char* policy : {"fcfs", "easy"}) {
            CAPTURE(policy);
            const Schedule plain = PlainMachine(log).run(policy);
            const Schedule found = simulated(log, policy_named(policy));
            REQUIRE(found.arrival == plain.arrival);
            REQUIRE(found.start == plain.start);
        }
        followers += static_cast<std::size_t>(
            std::ranges::count_if(log.lines, [](const Line& line) { return line.preceding > 0; })
        );
    }
    CHECK(followers > 1000);
}

TEST_CASE("under every policy jobs arrive when those that they follow have ended") {
    for (const PolicyDescription& policy : policies_under_test()) {
        CAPTURE(policy.alternative.name);
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            CAPTURE(seed);
            RandomLog log = random_log(seed);
            log.processors = 16;  // what trees of processors need
            TestCell cell;
            cell.system.clusters = {log.processors};
            if (serves(policy, cell)) {
                run_verified(policy, setup_of(log), [&] { return workload_of(log); });
            }
        }
    }
}

TEST_CASE("a job that is drawn follows the one of its own draw") {
    // Six weeks, three users; each job follows the one of its user in the week before.
    constexpr int jobs = 18;
    std::string text = "; UnixStartTime: 946857600\n; MaxProcs: 4\n";
    for (int i = 0; i < jobs; ++i) {
        text += fmt::format(
            "{} {} -1 50 1 -1 -1 1 60 -1 1 {} -1 -1 -1 -1 {} 5\n",
            i + 1,
            i / 3 * 604800 + i % 3 * 1000,
            1 + i % 3,
            i < 3 ? -1 : i - 2
        );
    }
    text += "19 3628800 -1 50 1 -1 -1 1 60 -1 1 1 -1 -1 -1 -1 99 5\n";
    const LogFile file(text);
    for (const char* resampling : {"none", "users", "free_users", "weeks"}) {
        CAPTURE(resampling);
        const auto workload = model().make(
            parameters(file.name(), {{"resampling", resampling}}),
            context_of({4}, ExperimentKind::trace, std::nullopt)
        );
        const auto* const dependences = workload->dependent();
        REQUIRE(dependences != nullptr);
        std::vector<std::int32_t> numbers;
        std::vector<std::uint32_t> users;
        JobBlock block;
        while (numbers.size() < 19) {
            workload->next(block);
            numbers.insert(numbers.end(), block.job_number.begin(), block.job_number.end());
            users.insert(users.end(), block.user.begin(), block.user.end());
        }
        std::size_t followers = 0;
        for (std::size_t i = 0; i < 19; ++i) {
            const Dependence dependence = dependences->dependence(i);
            if (dependence.preceding == no_job) {
                continue;
            }
            ++followers;
            REQUIRE(dependence.preceding < numbers.size());
            CHECK(dependence.think_time == 5);
            CHECK(numbers[dependence.preceding] == numbers[i] - 3);
            CHECK(users[dependence.preceding] == users[i]);
        }
        const bool is_by_week = std::string(resampling) == "weeks";  // the other is of another week
        CHECK((followers > 0) == !is_by_week);
        CHECK((std::string(resampling) != "none" || followers == 15));
    }
    const auto ignoring = model().make(
        parameters(file.name(), {{"resampling", "none"}, {"dependencies", "ignore"}}),
        context_of({4}, ExperimentKind::trace, std::nullopt)
    );
    CHECK(ignoring->dependent() == nullptr);
}

TEST_CASE("listed jobs say after which they come") {
    const WorkloadModelDescription& listed = *models::find_model("listed");
    const auto given = [&listed](const Value::List& after, const Value::List& think_times) {
        Parameters values;
        values.set("service_times", Value::List{10, 20, 30});
        values.set("sizes", Value::List{4, 4, 4});
        values.set("after", after);
        values.set("think_times", think_times);
        return with_defaults(listed.alternative.parameters, values);
    };
    const auto problem = [&](const Value::List& after, const Value::List& think_times) {
        const auto found = listed.alternative.check(given(after, think_times));
        return found.empty() ? "" : found.front().parameter + ": " + found.front().reason;
    };
    CHECK(problem({-1, 0, 1}, {}).empty());
    CHECK(problem({2, -1, -1}, {5, -1, -1}).empty());
    CHECK(problem({-1, 3, -1}, {}) == "after: job 1 follows job 3 (the last is 2, from 0)");
    CHECK(problem({-1, 2, 1}, {}) == "after: job 1 waits for itself (it would never arrive)");
    CHECK(problem({}, {0, 0, 0}).starts_with("think_times: no job follows another"));
    CHECK(problem({-1, 0}, {}).starts_with("after: 3 service times but 2 after"));
    const auto make = [&] {
        return listed.make(
            given({-1, 0, 1}, {-1, -1, 7}), context_of({4}, ExperimentKind::open, std::nullopt)
        );
    };
    SimulationSetup setup;
    setup.system.clusters = {4};
    setup.experiment.horizon.jobs = 3;
    JobLog log;
    setup.probes.job_log = &log;
    run_verified(policy_named("fcfs"), setup, make);
    CHECK(log.submit == std::vector<double>{0, 10, 37});
    CHECK(log.start == std::vector<double>{0, 10, 37});
    // Cells without are as they were before there were any.
    CHECK(!listed.checksummed(given({}, {})).contains("after"));
    CHECK(listed.checksummed(given({-1, 0, 1}, {})).contains("after"));
}

TEST_CASE("in open experiments, on several clusters and beside jobs that leave, too") {
    for (const PolicyDescription& policy : policies_under_test()) {
        CAPTURE(policy.alternative.name);
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
            CAPTURE(seed);
            Dice dice(seed);
            const ExperimentKind kind =
                seed % 2 == 0 ? ExperimentKind::open : ExperimentKind::trace;
            const TestCell cell = random_cell(dice, kind, structures[seed % structures.size()], 30);
            std::vector<Dependence> dependences(cell.jobs.size());
            for (std::size_t i = 1; i < dependences.size(); ++i) {
                if (dice.below(3) == 0) {
                    dependences[i] = {
                        .preceding = dice.below(static_cast<std::uint32_t>(i)),
                        .think_time = dice.below(5) - 1.0};
                }
            }
            const std::vector<LeavingJob> leaving = leaving_jobs(cell, dice);
            if (serves(policy, cell)) {
                SimulationSetup setup;
                setup.system = cell.system;
                setup.experiment = cell.experiment;
                setup.probes = cell.probes;
                run_verified(policy, setup, [&] {
                    return std::make_unique<FollowingJobs>(cell, dependences, leaving);
                });
            }
        }
    }
}

}  // namespace schedfarm::tests
