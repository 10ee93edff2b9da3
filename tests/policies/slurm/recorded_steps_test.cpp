// The scheduler by steps against recorded schedules of a real Slurm 22.05: before each second the
// recorded state is restored, then one main and one backfill pass run, and what they start is held
// against what Slurm started then. It does not depend on tenths of seconds, as a free run does:
// within one second, ends, submissions and passes come in any order. In a second in which Slurm
// started nothing, what ended or came in it, and priorities set anew in it, count as not yet
// there.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "policies/slurm/priorities.hpp"
#include "policies/slurm/scheduler.hpp"

#include "tests/policies/slurm/recording.hpp"

namespace schedfarm::tests {

namespace {

using namespace policies::slurm;  // NOLINT(google-build-using-namespace)

struct Foretold {
    int starts = 0;
    int foretold = 0;
    int same_nodes = 0;
    int quiet = 0;        ///< seconds in which jobs waited and nothing was started
    int quiet_wrong = 0;  ///< of them those in which something would be started
    int victims = 0;
    int victims_foretold = 0;
    int victims_wrong = 0;
    std::string missed = {};
    int lines = 0;  ///< of sprio and sshare
    int lines_equal = 0;
};

struct Told {
    Decisions main;
    Decisions backfill;

    const Start* start_of(std::uint64_t id) const {
        for (const Decisions* pass : {&main, &backfill}) {
            for (const Start& start : pass->starts) {
                if (start.id == id) {
                    return &start;
                }
            }
        }
        return nullptr;
    }
    bool starts_any() const { return !main.starts.empty() || !backfill.starts.empty(); }
};

class Steps {
  public:
    Steps(const Recording& recording, std::int64_t priority_phase)
        : recording_(recording), phase_(priority_phase), priorities_(recording.settings) {}

    Foretold run() {
        for (std::int64_t t = recording_.first_second() - 120; t <= recording_.last_start(); ++t) {
            move_priorities(t);
            if (t >= recording_.first_second()) {
                step(t);
                compare_snapshots(t);
            }
        }
        return result_;
    }

  private:
    /// Whose end or coming in a second counts.
    enum class Within : std::uint8_t { all, nothing, all_but_victims };

    RunningJob running(const RecordedJob& of) const {
        const auto at = holdings_.find(of.job.id);
        return {
            .id = of.job.id,
            .array = of.job.array,
            .partition = of.job.partition,
            .qos = of.job.qos,
            .association = of.job.association,
            .user = of.job.user,
            .start = of.start,
            .limit_end = of.start + of.job.limit,
            .held = {.tres = {of.cpus}, .billing = static_cast<double>(of.cpus)},
            .holding = at == holdings_.end() ? Holding{of.nodes} : at->second,
            .licences = of.job.request.licences};
    }

    void move_priorities(std::int64_t t) {
        before_ = now_;
        if (!recording_.settings.priorities.multifactor) {
            return;
        }
        for (const RecordedJob& of : recording_.jobs) {
            if (of.ran && of.end == t) {
                priorities_.charge(running(of), t);
            }
        }
        if ((t - phase_) % recording_.settings.priorities.calc_period == 0) {
            std::vector<RunningJob> jobs;
            std::vector<WaitingJob> waiting;
            for (const RecordedJob& of : recording_.jobs) {
                if (of.ran && of.start < t && of.end > t) {
                    jobs.push_back(running(of));
                } else if (of.job.submit < t && of.start >= t) {
                    waiting.push_back(of.job);
                    waiting.back().planned_cpus = planned_cpus_[of.job.id];
                    waiting.back().priority = now_[of.job.id];
                }
            }
            priorities_.recompute(t, jobs, waiting);
            for (const WaitingJob& job : waiting) {
                now_[job.id] = job.priority;
            }
        }
        for (const RecordedJob& of : recording_.jobs) {
            if (of.job.submit == t) {
                now_[of.job.id] = before_[of.job.id] = priorities_.of(of.job, t);
            }
        }
    }

    /// The snapshots of this second, from the first recomputation on. One may be older than what
    /// the second itself changed.
    void compare_snapshots(std::int64_t t) {
        const std::int64_t period = recording_.settings.priorities.calc_period;
        for (const Snapshot& snapshot : recording_.snapshots) {
            if (snapshot.second != t || t < recording_.first_second() + period) {
                continue;
            }
            for (const auto& [id, priority] : snapshot.priorities) {
                ++result_.lines;
                result_.lines_equal += now_[id] == priority || before_[id] == priority ? 1 : 0;
            }
            const auto& associations = recording_.settings.associations;
            for (std::size_t k = 0; k < associations.size(); ++k) {
                const auto at = snapshot.fair_share.find(associations[k].user);
                if (at != snapshot.fair_share.end()) {
                    ++result_.lines;
                    const bool is_equal = std::abs(at->second - priorities_.fair_share()[k]) < 1e-6;
                    result_.lines_equal += is_equal ? 1 : 0;
                }
            }
        }
    }

    Told tell(std::int64_t t, Within within, const std::map<std::uint64_t, double>& priorities) {
        Scheduler scheduler(recording_.settings);
        NodeSet usable = NodeSet::all(recording_.settings.nodes.size());
        for (const RecordedOutage& outage : recording_.outages) {
            if (outage.from <= t && t < outage.until) {
                usable -= outage.nodes;
            }
        }
        scheduler.set_usable(std::move(usable));
        for (const RecordedJob& of : recording_.jobs) {
            const bool stays = within == Within::nothing
                               || (within == Within::all_but_victims && of.was_preempted);
            if (of.ran && of.start < t && (stays ? of.end >= t : of.end > t)) {
                scheduler.begin(running(of));
            }
            const bool is_there =
                within == Within::nothing ? of.job.submit < t : of.job.submit <= t;
            if (is_there && of.start >= t) {
                WaitingJob job = of.job;
                const auto at = priorities.find(job.id);
                job.priority = at == priorities.end() ? job.priority : at->second;
                job.planned_cpus = planned_cpus_[job.id];
                scheduler.submit(job);
            }
        }
        Told told{.main = scheduler.main_pass(t, true), .backfill = {}};
        if (recording_.settings.backfill.on) {
            told.backfill = scheduler.backfill_pass(t);
        }
        for (const WaitingJob& job : scheduler.waiting()) {
            planned_cpus_[job.id] = job.planned_cpus;
        }
        return told;
    }

    void judge_victims(std::int64_t t) {
        const Told told = tell(t, Within::all_but_victims, now_);
        for (const Decisions* pass : {&told.main, &told.backfill}) {
            for (const std::uint64_t id : pass->victims) {
                const bool is_right = std::any_of(
                    recording_.jobs.begin(),
                    recording_.jobs.end(),
                    [&](const RecordedJob& of) {
                        return of.job.id == id && of.was_preempted && of.end >= t
                               && of.end <= t + 1;
                    }
                );
                result_.victims_wrong += is_right ? 0 : 1;
                result_.victims_foretold += is_right && victims_.insert(id).second ? 1 : 0;
            }
        }
        for (const RecordedJob& of : recording_.jobs) {
            result_.victims += of.was_preempted && of.end == t ? 1 : 0;
        }
    }

    void step(std::int64_t t) {
        if (recording_.settings.may_preempt()) {
            judge_victims(t);
        }
        std::vector<const RecordedJob*> started;
        bool waits = false;
        for (const RecordedJob& of : recording_.jobs) {
            if (of.ran && of.start == t) {
                started.push_back(&of);
            }
            waits = waits || (of.job.submit < t && of.job.eligible < t && of.start > t);
        }
        if (started.empty()) {
            if (waits && had_pass(t)) {
                ++result_.quiet;
                const bool is_wrong = tell(t, Within::nothing, before_).starts_any()
                                      && tell(t, Within::nothing, now_).starts_any();
                result_.quiet_wrong += is_wrong ? 1 : 0;
            }
            return;
        }
        const Told told = tell(t, Within::all, now_);
        for (const RecordedJob* of : started) {
            const Start* start = told.start_of(of->job.id);
            const bool is_same = start != nullptr && start->holding.nodes == of->nodes;
            ++result_.starts;
            result_.foretold += start != nullptr ? 1 : 0;
            result_.same_nodes += is_same ? 1 : 0;
            if (start == nullptr) {
                result_.missed +=
                    " " + of->name + "@" + std::to_string(t - recording_.first_second());
            }
            if (!of->job.request.whole_nodes) {
                holdings_[of->job.id] = is_same ? start->holding : likely_holding(*of, t);
            }
        }
    }

    /// Where passes do not come every second, only their seconds are judged.
    bool had_pass(std::int64_t t) const {
        if (recording_.settings.backfill.interval == 1 || !recording_.settings.backfill.on) {
            return true;
        }
        // A main pass at once follows an end; a backfill pass plans, and both may start.
        const auto& passes = recording_.backfill_passes;
        return std::find(passes.begin(), passes.end(), t) != passes.end();
    }

    /// Of several nodes the rows do not say how many CPUs a job had on each: as many as are free.
    Holding likely_holding(const RecordedJob& of, std::int64_t t) const {
        const Request& asked = of.job.request;
        Holding holding{of.nodes};
        std::uint32_t left = of.cpus;
        auto nodes = static_cast<std::uint32_t>(of.nodes.count());
        of.nodes.for_each([&](std::size_t node) {
            std::uint32_t free = recording_.settings.nodes[node].cpus;
            for (const RecordedJob& other : recording_.jobs) {
                const auto at = holdings_.find(other.job.id);
                if (other.start <= t && other.end > t && at != holdings_.end()) {
                    std::size_t k = 0;
                    at->second.nodes.for_each([&](std::size_t held) {
                        free -= held == node ? at->second.shares[k].cpus : 0;
                        ++k;
                    });
                }
            }
            --nodes;
            const std::uint32_t cpus =
                asked.tasks_per_node > 0 ? asked.tasks_per_node : std::min(left - nodes, free);
            left -= cpus;
            const std::uint64_t memory =
                asked.memory_per_cpu > 0 ? asked.memory_per_cpu * cpus : asked.memory_per_node;
            holding.shares.push_back({cpus, memory, {}});
            for (const AskedGres& gres : asked.gres) {
                holding.shares.back().gpus.push_back({gres.types.front(), gres.count});
            }
        });
        return holding;
    }

    const Recording& recording_;
    std::int64_t phase_;
    Priorities priorities_;
    std::map<std::uint64_t, double> now_;
    std::map<std::uint64_t, double> before_;  ///< the second's own changes
    std::map<std::uint64_t, std::uint32_t> planned_cpus_;
    std::map<std::uint64_t, Holding> holdings_;  ///< on shared nodes
    std::set<std::uint64_t> victims_;
    Foretold result_;
};

/// At least so many starts must be foretold, so many of them on the same nodes.
struct Bound {
    std::string name;
    int foretold;
    int same_nodes;
    /// Of the second run, whose controller's start was not logged: found by trying all.
    std::int64_t phase = 0;
};

Foretold of(const Bound& bound) {
    const Recording recording = read_recording(SCHEDFARM_RECORDINGS "/" + bound.name);
    // The thread of priorities begins within a second or two of the controller; snapshots say when.
    const std::int64_t phase =
        recording.controller_start > 0 ? recording.controller_start + 1 : bound.phase;
    Foretold result = Steps(recording, phase).run();
    if (result.lines_equal < result.lines) {
        const Foretold later = Steps(recording, phase + 1).run();
        result = later.lines_equal > result.lines_equal ? later : result;
    }
    std::printf(
        "%-16s %2d of %2d starts, %2d on the same nodes; quiet seconds wrong %d of %d",
        bound.name.c_str(),
        result.foretold,
        result.starts,
        result.same_nodes,
        result.quiet_wrong,
        result.quiet
    );
    if (result.victims > 0) {
        std::printf(
            "; victims %d of %d, %d wrong",
            result.victims_foretold,
            result.victims,
            result.victims_wrong
        );
    }
    if (result.lines > 0) {
        std::printf("; sprio and sshare %d of %d lines", result.lines_equal, result.lines);
    }
    std::printf("%s%s\n", result.missed.empty() ? "" : "; missed", result.missed.c_str());
    return result;
}

TEST_CASE("a recorded Slurm's starts on whole nodes are foretold by steps") {
    const std::vector<Bound> bounds = {
        {"backfill/run1", 38, 38},
        {"backfill/run2", 38, 38},
        {"bf_depth/run1", 37, 37},
        {"bf_depth/run2", 38, 38},
        {"bf_window/run1", 38, 38},
        {"bf_window/run2", 38, 38},
        {"builtin/run1", 38, 38},
        {"defaults/run1", 38, 38},
        {"fair/run1", 38, 38},
        {"fair/run2", 38, 38, 32},
        {"main_depth/run1", 38, 38},
        {"main_depth/run2", 38, 38},
        {"size/run1", 37, 37},
        {"size/run2", 38, 38, 47},
        {"small/run1", 38, 38},
        {"small/run2", 38, 36, 47},
        {"tiers/run1", 38, 38},
        {"tiers/run2", 38, 38, 47},
    };
    int foretold = 0;
    int same_nodes = 0;
    int quiet_wrong = 0;
    for (const Bound& bound : bounds) {
        const Foretold result = of(bound);
        CAPTURE(bound.name);
        CHECK(result.starts == 38);
        CHECK(result.foretold >= bound.foretold);
        CHECK(result.same_nodes >= bound.same_nodes);
        foretold += result.foretold;
        same_nodes += result.same_nodes;
        quiet_wrong += result.quiet_wrong;
    }
    CHECK(foretold >= 682);
    CHECK(same_nodes >= 680);
    CHECK(quiet_wrong <= 5);
    std::printf(
        "%-16s %d of 684 starts, %d on the same nodes\n", "whole nodes", foretold, same_nodes
    );
}

TEST_CASE("priorities and fair-share factors are those of every snapshot of sprio and sshare") {
    for (const char* name : {"fair/run1", "size/run1", "small/run1", "tiers/run1"}) {
        const Foretold result = of({name, 0, 0});
        CAPTURE(name);
        CHECK(result.lines > 0);
        CHECK(result.lines_equal == result.lines);
    }
}

TEST_CASE("limits, held and cancelled jobs, outages, shared nodes and preemption by steps") {
    const std::vector<Bound> bounds = {
        {"arrays/run1", 53, 53},
        {"cancel/run1", 3, 3},
        {"deps/run1", 50, 50},
        {"drain/run1", 41, 41},
        {"limits/run1", 44, 43},
        {"reserve/run1", 37, 36},
        {"reserve/run2", 37, 36},
        {"shared/run1", 42, 39},
        {"gpus/run1", 44, 44},
        {"threads/run1", 45, 45},
        {"nosel/run1", 32, 32},
        {"features/run1", 40, 40},
        {"weights/run1", 42, 42},
        {"memmix/run1", 50, 50},
        {"preempt/run1", 55, 54},
        {"preempt/run2", 55, 55},
    };
    for (const Bound& bound : bounds) {
        const Foretold result = of(bound);
        CAPTURE(bound.name);
        CHECK(result.foretold >= bound.foretold);
        CHECK(result.same_nodes >= bound.same_nodes);
        CHECK(result.quiet_wrong <= 1);
        CHECK(result.victims_foretold == result.victims);
        CHECK(result.victims_wrong == 0);
    }
}

}  // namespace

}  // namespace schedfarm::tests
