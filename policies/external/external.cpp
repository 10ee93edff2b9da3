// A policy that is a program of its own, in any language: it is told what happens, line by line
// (dialogue.hpp), and says what starts and when it wants to be asked again. It keeps its own queue:
// what goes over the line is what changed.
//
// It is asked once per instant at which something arrived, finished, left, or changed the
// processors in order, or at which it wanted to be. The verifier asks the same of a second, fresh
// process and holds the two to each other.
//
// Cost: O(what changed) per instant beside the program's own.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/message_text.hpp"
#include "engine/planning/placement.hpp"
#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "policies/external/code.hpp"
#include "policies/external/dialogue.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

constexpr Timer wake_timer{.tag = 0};
/// Goes off when nothing else ever will.
constexpr Timer last_timer{.tag = 1};
constexpr double last_time = 1e300;
/// Instants in a row at which nothing runs, jobs wait and none starts: without and with a wake.
constexpr int most_idle = 1000;
constexpr int most_idle_with_wake = 10000;

class ExternalPolicy final : public Policy {
  public:
    ExternalPolicy(const Parameters& given, const PolicyContext& context)
        : dialogue_(given, context, Dialogue::Process::any)
        , placer_(placement_rule(given))
        , is_named_(given.text("processors") == "named") {}

    void react(const EventBatch& events, Actions& actions) override {
        at_once_ = now_ == actions.now() ? at_once_ + 1 : 0;
        now_ = actions.now();
        const bool is_last = take_timers(events.timers, actions);
        take_news(events, actions);
        if (is_last) {
            refuse_to_wait(actions);
        }
        if (news_.empty() && events.capacity_changes.empty() && !is_woken_) {
            return;
        }
        const Machine& machine = actions.machine();
        const PolicyAnswer& answer =
            dialogue_.ask(news_.take_line(now_, machine.free_by_cluster()), now_);
        for (const AskedStart& asked : answer.starts) {
            start(asked, actions);
        }
        for (const double time : answer.wakes) {
            wake(time, actions);
        }
        watch(answer.starts.empty(), actions);
    }

  private:
    /// Whether it was the last.
    bool take_timers(std::span<const Timer> timers, Actions& actions) {
        is_woken_ = false;
        bool is_last = false;
        for (const Timer& timer : timers) {
            is_woken_ = is_woken_ || timer.tag == wake_timer.tag;
            is_last = is_last || timer.tag == last_timer.tag;
        }
        wakes_.erase(wakes_.begin(), wakes_.upper_bound(now_));
        if (has_last_timer_) {
            has_last_timer_ = false;
            actions.cancel_timer(last_timer);
        }
        return is_last;
    }

    void take_news(const EventBatch& events, Actions& actions) {
        for (const JobId id : events.withdrawals) {
            const std::uint64_t job = actions.job(id).index;
            waiting_.erase(job);
            news_.withdraw(job);
        }
        for (const JobId id : events.completions) {
            const std::uint64_t job = actions.job(id).index;
            running_.erase(job);
            news_.finish(job);
        }
        for (const JobId id : events.arrivals) {
            const Job& job = actions.job(id);
            waiting_[job.index] = id;
            news_.arrive(job);
        }
        idle_since_ = events.arrivals.empty() && events.completions.empty() ? idle_since_ : now_;
    }

    void start(const AskedStart& asked, Actions& actions) {
        const auto found = waiting_.find(asked.job);
        if (found == waiting_.end()) {
            const char* const why =
                running_.contains(asked.job) ? "it runs" : "it has not come, or has finished";
            dialogue_.refuse(now_, fmt::format("job {} cannot start: {}", asked.job, why));
        }
        const JobId id = found->second;
        const Job& job = actions.job(id);
        try {
            place(asked, job, id, actions);
        } catch (const ContractViolation& violation) {
            dialogue_.refuse(
                now_,
                fmt::format(
                    "job {} of {} processors cannot start there ({})",
                    asked.job,
                    job.size,
                    violation.what()
                )
            );
        }
        waiting_.erase(found);
        running_.insert(asked.job);
    }

    void place(const AskedStart& asked, const Job& job, JobId id, Actions& actions) {
        if (is_named_ != !asked.processors.empty()) {
            const char* const advice =
                is_named_ ? "without naming its processors, as 'processors: named' wants"
                          : "on processors by name. Write 'processors: named' beside the command";
            dialogue_.refuse(now_, fmt::format("job {} was started {}", asked.job, advice));
        }
        if (is_named_) {
            actions.start_on(id, asked.processors);
            return;
        }
        if (!asked.shares.empty()) {
            actions.start(id, asked.shares);
            return;
        }
        const Machine& machine = actions.machine();
        const auto shares = placer_.place(job, machine.free_by_cluster());
        if (shares.empty()) {
            dialogue_.refuse(
                now_,
                fmt::format(
                    "job {} of {} cannot start: {} free",
                    asked.job,
                    counted(job.size, "processor"),
                    machine.free_processors() == 1
                        ? "1 is"
                        : fmt::format("{} are", machine.free_processors())
                )
            );
        }
        actions.start(id, shares);
    }

    void wake(double time, Actions& actions) {
        if (!(time >= now_) || std::isinf(time)) {
            dialogue_.refuse(
                now_, fmt::format("it asks to be woken at {}, which is past or never", time)
            );
        }
        if (time == now_ && at_once_ > most_idle_with_wake) {
            dialogue_.refuse(
                now_, fmt::format("it asks to be woken at once, {} times in a row", at_once_)
            );
        }
        if (wakes_.insert(time).second) {
            actions.set_timer(time, wake_timer);
        }
    }

    /// A policy that never starts what could start is not waited for.
    void watch(bool starts_nothing, Actions& actions) {
        const bool is_idle = starts_nothing && running_.empty() && !waiting_.empty();
        idle_ = is_idle ? idle_ + 1 : 0;
        if (!is_idle) {
            return;
        }
        if (idle_ > (wakes_.empty() ? most_idle : most_idle_with_wake)) {
            refuse_to_wait(actions);
            idle_ = 0;
        }
        if (wakes_.empty()) {
            has_last_timer_ = true;
            actions.set_timer(last_time, last_timer);
        }
    }

    /// Nothing can be said against it where no job fits.
    void refuse_to_wait(Actions& actions) {
        for (const auto& [index, id] : waiting_) {
            const Job& job = actions.job(id);
            if (!placer_.place(job, actions.machine().free_by_cluster()).empty()) {
                dialogue_.refuse(
                    now_ < last_time ? now_ : idle_since_,
                    fmt::format(
                        "idle with {} waiting: job {} of {} could start, and {}",
                        counted(waiting_.size(), "job"),
                        index,
                        counted(job.size, "processor"),
                        now_ < last_time ? fmt::format("nothing was started {} times", idle_)
                                         : "nothing else is to come"
                    )
                );
            }
        }
        if (now_ >= last_time) {
            dialogue_.refuse(
                idle_since_,
                fmt::format("{} for ever: none fits", counted(waiting_.size(), "job") + " wait")
            );
        }
    }

    Dialogue dialogue_;
    Placer placer_;
    bool is_named_;
    std::unordered_map<std::uint64_t, JobId> waiting_;  // by index
    std::unordered_set<std::uint64_t> running_;
    std::set<double> wakes_;
    InstantNews news_;
    double now_ = 0;
    double idle_since_ = 0;
    bool is_woken_ = false;
    bool has_last_timer_ = false;
    int idle_ = 0;
    int at_once_ = 0;  // how often it was asked at this instant before
};

/// Asks a second, fresh process the same and holds what was started to its answers.
class AnswersVerifier final : public ScheduleVerifier {
  public:
    AnswersVerifier(const Parameters& given, const PolicyContext& context)
        : dialogue_(given, context, Dialogue::Process::fresh), machine_(context.system) {}

    void observe(const ScheduleStep& step) override {
        switch (step.kind) {
            case ScheduleStep::Kind::arrival:
                news_.arrive(*step.job);
                break;
            case ScheduleStep::Kind::withdrawal:
                news_.withdraw(step.job->index);
                break;
            case ScheduleStep::Kind::completion:
                give_back(step);
                news_.finish(step.job->index);
                break;
            case ScheduleStep::Kind::capacity_changed:
                machine_.change_capacity(*step.change);
                has_changed_ = true;
                break;
            case ScheduleStep::Kind::start:
                note_free();
                take(step);
                started_.push_back(step.job->index);
                break;
            default:
                break;
        }
    }

    void end_of_instant(double time) override {
        note_free();
        const bool is_woken = !wakes_.empty() && *wakes_.begin() <= time;
        wakes_.erase(wakes_.begin(), wakes_.upper_bound(time));
        if (!news_.empty() || has_changed_ || is_woken) {
            compare(dialogue_.ask(news_.take_line(time, free_), time), time);
        }
        started_.clear();
        has_changed_ = false;
        is_noted_ = false;
    }

    void finish() override {}

  private:
    /// What was free when the policy was asked.
    void note_free() {
        if (!is_noted_) {
            const auto free = machine_.free_by_cluster();
            free_.assign(free.begin(), free.end());
            is_noted_ = true;
        }
    }

    void take(const ScheduleStep& step) {
        if (step.processors.empty()) {
            machine_.take(step.shares);
        } else {
            machine_.take(step.processors);
        }
    }

    void give_back(const ScheduleStep& step) {
        if (step.processors.empty()) {
            machine_.give_back(step.shares);
        } else {
            machine_.give_back(step.processors);
        }
    }

    void compare(const PolicyAnswer& answer, double time) {
        std::vector<std::uint64_t> again;
        for (const AskedStart& asked : answer.starts) {
            again.push_back(asked.job);
        }
        wakes_.insert(answer.wakes.begin(), answer.wakes.end());
        if (again != started_) {
            throw ScheduleError(fmt::format(
                "the policy answers otherwise when it is asked again, first at time {}: it starts "
                "the jobs [{}], and started [{}]. Draw from the seed that it is handed",
                time,
                fmt::join(again, ", "),
                fmt::join(started_, ", ")
            ));
        }
    }

    Dialogue dialogue_;
    Machine machine_;
    InstantNews news_;
    std::vector<std::uint32_t> free_;
    std::vector<std::uint64_t> started_;
    std::set<double> wakes_;
    bool has_changed_ = false;
    bool is_noted_ = false;
};

std::vector<ParameterDescription> external_parameters() {
    return {
        {.name = "command",
         .meaning = "the words that start the policy, from the folder of the campaign; no shell "
                    "reads them, and those that are files there are held to their checksums",
         .type = ParameterType::text,
         .default_value = Value::List{},
         .names_file = true},
        {.name = "files",
         .meaning = "further files that it consists of, held to their checksums too",
         .type = ParameterType::text,
         .default_value = Value::List{}},
        {.name = "timeout_s",
         .meaning = "for an answer: a later one fails the replication",
         .unit = "s of wall clock",
         .default_value = 60.0,
         .range = {.low = 0, .high = 1e6, .low_is_open = true}},
        {.name = "processors",
         .meaning = "counted: it says how many of which cluster; named: it says which",
         .type = ParameterType::text,
         .default_value = "counted",
         .words = {"counted", "named"}},
        placement_parameter(),
        {.name = "draws",
         .meaning = "whether it draws from its seed: replications of one log differ by it then",
         .type = ParameterType::boolean,
         .default_value = false},
        {.name = "sha256",
         .meaning = "checksums of the files, which the program finds itself",
         .type = ParameterType::text,
         .default_value = Value::List{}}};
}

}  // namespace

PolicyDescription describe_external() {
    PolicyDescription description;
    description.alternative = {
        .name = "external",
        .summary =
            "A policy of your own: a program in Python or any language, one line of JSON "
            "per instant each way.",
        .parameters = external_parameters(),
        .check = external_problems,
        .source = "docs/how-to/your-own-policy.md"};
    description.traits = [](const Parameters& given) {
        return PolicyTraits{
            .draws = given.boolean("draws"),
            .names_processors = given.text("processors") == "named",
            .takes_withdrawals = true};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<ExternalPolicy>(given, context);
    };
    description.make_verifier = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<AnswersVerifier>(given, context);
    };
    return description;
}

}  // namespace schedfarm::policies
