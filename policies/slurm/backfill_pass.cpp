#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "policies/slurm/failed_tries.hpp"
#include "policies/slurm/preemption.hpp"
#include "policies/slurm/scheduler.hpp"
#include "policies/slurm/tres.hpp"
#include "policies/slurm/will_run.hpp"
#include "policies/slurm/windows.hpp"

namespace schedfarm::policies::slurm {

namespace {

std::int64_t rounded(std::int64_t time, std::int64_t resolution) {
    return time / resolution * resolution;
}

/// The end of a plan; since 24.11 rounded up.
std::int64_t rounded_end(std::int64_t time, const Settings& settings) {
    const std::int64_t resolution = settings.backfill.resolution;
    return rounded(settings.version >= slurm_24_11 ? time + resolution - 1 : time, resolution);
}

/// What a job that takes less gets of backfill.
std::int64_t limit_of(const WaitingJob& job) {
    return job.least_limit > 0 ? std::min(job.least_limit, job.limit) : job.limit;
}

/// How many entries of each user, partition and association a pass has counted
/// (_job_exceeds_max_bf_param).
class Counts {
  public:
    explicit Counts(const Settings& settings) : settings_(settings) {}

    /// Whether the entry is within bf_max_job_user and its like; then it counts.
    bool admit(const WaitingJob& job) {
        const Backfill& rules = settings_.backfill;
        const std::array<std::pair<Whose, std::uint32_t>, 4> counted{
            {{{job.user, job.partition, no_limit}, rules.max_job_user_part},
             {{no_limit, job.partition, no_limit}, rules.max_job_part},
             {{no_limit, no_limit, job.association}, rules.max_job_assoc},
             {{job.user, no_limit, no_limit}, rules.max_job_assoc > 0 ? 0 : rules.max_job_user}}};
        const auto is_full = [&](const auto& one) {
            const bool is_of_none = one.first == Whose{no_limit, no_limit, no_limit};
            return one.second > 0 && !is_of_none && counts_[one.first] >= one.second;
        };
        if (std::any_of(counted.begin(), counted.end(), is_full)) {
            return false;
        }
        for (const auto& [whose, most] : counted) {
            if (most > 0) {
                ++counts_[whose];
            }
        }
        return true;
    }

  private:
    /// User, partition and association; no_limit: any.
    using Whose = std::array<std::uint32_t, 3>;

    const Settings& settings_;
    std::map<Whose, std::uint32_t> counts_;
};

/// The last entry of a pass that may start at once. Plans only grow and free nodes only become
/// fewer in a pass, so that what cannot start at once now cannot later in the pass either.
class LastStart {
  public:
    LastStart(
        const std::vector<WaitingJob>& jobs,
        const std::vector<std::uint32_t>& order,
        const NodeSet& free,
        std::int64_t now
    )
        : jobs_(jobs), order_(order), now_(now), end_(order.size()) {
        free.for_each([&](std::size_t node) { free_.push_back(node); });
    }

    /// Whether all entries from the place on cannot. Cost: O(free nodes) and once a pass O(entries)
    bool is_before(std::size_t place, const Windows& windows) {
        while (end_ > place && !may_start(jobs_[order_[end_ - 1]], windows)) {
            --end_;
        }
        return end_ <= place;
    }

  private:
    bool may_start(const WaitingJob& job, const Windows& windows) const {
        const bool is_array = job.array != 0;  // the entry is for all of its tasks
        const std::size_t needed = is_array ? 1 : job.request.nodes;
        const std::int64_t until = is_array ? now_ : now_ + limit_of(job);
        const auto open = std::count_if(free_.begin(), free_.end(), [&](std::size_t node) {
            return windows.planned_from(node) > until;
        });
        return static_cast<std::size_t>(open) >= needed;
    }

    const std::vector<WaitingJob>& jobs_;
    const std::vector<std::uint32_t>& order_;
    std::vector<std::size_t> free_;
    std::int64_t now_;
    std::size_t end_;
};

}  // namespace

/// What a pass has planned so far, and decided.
struct Scheduler::Plan {
    std::int64_t now = 0;
    Windows windows;
    FailedTries failed_tries = {};
    Decisions decisions = {};
};

/// One entry's tries, each from a later time on, until it starts, is planned or is passed over.
struct Scheduler::Tries {
    Scheduler& own;
    WaitingJob& job;
    Plan& plan;
    const bool every_try;
    const Settings& settings = own.settings_;
    const Backfill& rules = settings.backfill;
    Windows& windows = plan.windows;
    const std::size_t table =
        rules.node_space_size > 0 ? rules.node_space_size : rules.max_job_test;
    const std::int64_t now = plan.now;
    // Jobs that reserve nothing are tried as short ones where jobs may be sent away.
    const bool reserves = job.qos == no_limit || !settings.qos[job.qos].reserves_nothing;
    const bool is_brief = !reserves && settings.may_preempt();
    const std::int64_t limit = is_brief ? 60 : limit_of(job);
    const bool now_only = own.no_reservation(job, now);
    const bool is_timed = settings.version >= slurm_24_11;
    const bool may_skip = !every_try && !now_only && !settings.may_preempt() && !is_timed;
    const NodeSet usable = own.usable_by(job);
    // Nodes that are free by the end of a try, as far as running jobs let them: where too few are
    // open, the try fails. What shows of it for all that is made up for by a round with every try.
    NodeSet free_then = own.free_.partly_free();
    std::size_t free_count = free_then.count();
    std::vector<RunningJob>::const_iterator next_end = own.running_.begin();
    bool skipped = false;
    bool counted = false;
    bool found = false;
    std::int64_t from = now;
    std::int64_t until = 0;
    std::size_t first = 0;   ///< of the windows that the try looks at
    std::int64_t later = 0;  ///< the next try; 0: there is none
    Reserved reserved = {};
    NodeSet open = {};
    NodeSet open_and_free = {};
    const FailedTries::Times& known = plan.failed_tries.for_job(job, limit);
    std::size_t known_at = 0;
    FailedTries::Times tries{now};

    Outcome run() {
        const Outcome outcome = try_all();
        if (tries.size() > 1) {
            plan.failed_tries.add(job, limit, std::move(tries));
        }
        return outcome;
    }

    Outcome try_all() {
        for (;;) {
            if (settings.version >= slurm_23_11_2
                && from > rounded(now + rules.window, rules.resolution)) {
                return Outcome::passed_over;
            }
            look_ahead();
            if (skips()) {
                continue;
            }
            if (const auto outcome = try_once()) {
                return *outcome;
            }
        }
    }

    /// What is open to this try, and when the next one is.
    void look_ahead() {
        until = from + limit;
        first = windows.first_that_ends_after(from, first);
        reserved = own.reserved_for_others(job, from, is_brief ? from + job.limit : until, now);
        later = windows.later(reserved.first_end > 0 ? nodes_open() : usable, first, until);
        if (is_timed && later == 0) {
            later = windows.behind(until);
        }
        if (reserved.first_end > 0) {
            const std::int64_t candidate =
                rounded(reserved.first_end + rules.resolution - 1, rules.resolution) + 1;
            if (candidate < rounded(now + rules.window, rules.resolution)
                && (later == 0 || candidate < later)) {
                later = candidate;
            }
        }
    }

    const NodeSet& nodes_open() {
        open = usable;
        open -= reserved.nodes;
        return open;
    }

    /// Whether it goes on to the next try, since this one would fail.
    bool skips() {
        if (!may_skip || later == 0 || !(is_known_to_fail() || fails())) {
            return false;
        }
        if (tries.back() == from && reserved.first_end == 0) {
            tries.push_back(later);
        }
        from = later;
        skipped = true;
        found = false;
        return true;
    }

    /// Another job's try from here or from before looked at no later nodes.
    bool is_known_to_fail() {
        while (known_at + 1 < known.size() && known[known_at + 1] <= from) {
            ++known_at;
        }
        return known_at + 1 < known.size() && later <= known[known_at + 1];
    }

    bool fails() {
        for (; next_end != own.running_.end() && next_end->limit_end <= later; ++next_end) {
            free_count += free_then.add(next_end->parts);
        }
        open_and_free = usable;
        open_and_free -= reserved.nodes;
        open_and_free &= free_then;
        return free_count < job.request.nodes
               || !windows.keep_open(open_and_free, first, until, job.request.nodes);
    }

    /// Nothing: there is another try.
    std::optional<Outcome> try_once() {
        nodes_open();
        if (!windows.keep_open(open, first, until, job.request.nodes)) {
            return fail();
        }
        plan.decisions.tested += counted ? 0 : 1;
        counted = true;
        if (settings.may_preempt() && !job.leaves && from == now
            && !own.free_.choose(job.request, open)) {
            if (auto room = preempt(job, open, own.free_, own.running_, own.leaving_, settings)) {
                own.send_away(job, room->victims, plan.decisions);
                return plan_nodes(
                    rounded(now, rules.resolution),
                    rounded(now + limit, rules.resolution),
                    room->holding.nodes
                );
            }
        }
        auto planned = will_run(
            job.request, open, {own.free_, own.running_, settings, now, now_only, {from, later}}
        );
        found = found || planned;
        return planned ? settle(*std::move(planned)) : fail();
    }

    std::optional<Outcome> fail() {
        if (later > 0 && !now_only) {
            return try_from(later);
        }
        if (!skipped || found) {
            return Outcome::passed_over;
        }
        plan.decisions.tested -= counted ? 1 : 0;
        return own.backfill(job, plan, true);
    }

    std::nullopt_t try_from(std::int64_t time) {
        from = std::max(time, from + 1);
        return std::nullopt;
    }

    Outcome plan_nodes(std::int64_t begin, std::int64_t end, const NodeSet& nodes) {
        if (windows.entries() >= table) {
            return Outcome::table_full;
        }
        windows.plan(begin, end, nodes);
        return Outcome::planned;
    }

    /// What comes of a time and nodes.
    std::optional<Outcome> settle(PlannedStart planned) {
        std::int64_t time = std::max(planned.time, from);
        if (time <= now && planned.holding.nodes.meets(own.completing_)) {
            time = now + 1;
            later = 0;
        }
        Held wanted;  // for limits, and for CPUs that depend on the nodes
        if (settings.enforce_limits || job.fixed_cpus == 0) {
            wanted = own.held(job, planned.holding);
        }
        job.planned_cpus = job.fixed_cpus > 0
                               ? job.fixed_cpus
                               : static_cast<std::uint32_t>(wanted.tres[at(Tres::cpu)]);
        if (time <= now && planned.is_free) {
            return start(std::move(planned.holding), wanted);
        }
        if (now_only) {
            return Outcome::passed_over;
        }
        later = time <= now ? 0 : later;  // jobs past their limits hold the nodes still
        if (later > 0 && time > later) {
            from = later;
            return std::nullopt;
        }
        if (time > now + rules.window) {
            return Outcome::passed_over;
        }
        const std::int64_t begin = rounded(time, rules.resolution);
        std::int64_t end = rounded_end(time + limit, settings);
        if (settings.version >= slurm_24_05_4) {
            end = std::max(end, begin + rules.resolution);
        }
        if (windows.planned(begin, end, planned.holding.nodes)) {
            return try_from(time);
        }
        if (!reserves || !own.limits_.admits(job, wanted)) {
            return Outcome::passed_over;
        }
        return plan_nodes(begin, end, planned.holding.nodes);
    }

    Outcome start(Holding holding, const Held& wanted) {
        if (!own.limits_.admits(job, wanted, &holding.nodes)) {
            return Outcome::passed_over;
        }
        const NodeSet nodes = holding.nodes;
        own.start(job, std::move(holding), now, is_brief ? job.limit : limit, plan.decisions);
        // select/linear does not mark its jobs as of whole nodes.
        if (job.request.whole_nodes && !settings.linear && !job.leaves && windows.entries() < table
            && !may_be_sent_away(job, settings)) {
            windows.plan(now, rounded_end(now + limit, settings), nodes);
        }
        return Outcome::started;
    }
};

Scheduler::Outcome Scheduler::backfill(WaitingJob& job, Plan& plan, bool every_try) {
    return Tries{*this, job, plan, every_try}.run();
}

/// Plans show where jobs make room for others, where tests take time, and in the CPUs that a job is
/// counted with, where its size gives priority and these are not those that it finds anyway.
std::size_t Scheduler::end_of_shown_plans(const std::vector<std::uint32_t>& order) const {
    const PriorityRules& rules = settings_.priorities;
    if (settings_.may_preempt() || settings_.backfill.seconds_per_test > 0) {
        return order.size();
    }
    if (!rules.multifactor || rules.weights.job_size == 0) {
        return 0;
    }
    const auto shows = [](const WaitingJob& job) {
        return job.counted_cpus() != job.fixed_cpus;
    };
    std::set<std::uint64_t> arrays;  // an entry is for all tasks
    for (const WaitingJob& job : waiting_) {
        if (job.array != 0 && shows(job)) {
            arrays.insert(job.array);
        }
    }
    std::size_t end = order.size();
    for (; end > 0; --end) {
        const WaitingJob& job = waiting_[order[end - 1]];
        if (job.array != 0 ? arrays.contains(job.array) : shows(job)) {
            break;
        }
    }
    return end;
}

Decisions Scheduler::backfill_pass(std::int64_t now) {
    const Backfill& rules = settings_.backfill;
    Plan plan{
        .now = now,
        .windows = {
            rounded(now, rules.resolution),
            rounded(now + rules.window, rules.resolution),
            rules.resolution,
            usable_}};
    Decisions& decisions = plan.decisions;
    const std::vector<Start>& starts = decisions.starts;
    std::vector<char> gone(waiting_.size());
    Counts counts(settings_);
    std::uint32_t& tested = decisions.tested;
    const auto max_time = static_cast<double>(rules.max_time > 0 ? rules.max_time : rules.interval);
    bool ends_here = false;
    const std::vector<std::uint32_t> order = queue(now);
    LastStart last_start(waiting_, order, free_.partly_free(), now);
    const std::size_t shown = end_of_shown_plans(order);
    for (std::size_t place = 0; place < order.size(); ++place) {
        if (place >= shown && last_start.is_before(place, plan.windows)) {
            break;
        }
        std::uint32_t entry = order[place];
        std::uint32_t tasks_planned = 0;
        while (entry != no_limit && !ends_here) {
            WaitingJob& job = waiting_[entry];
            const bool is_late = rules.seconds_per_test * tested >= max_time;
            if (is_late
                || (tested >= rules.max_job_test
                    && (tasks_planned == 0 || settings_.version >= slurm_23_02_1))) {
                ends_here = true;
                break;
            }
            if (!array_admits(job, now) || !limits_.admits(job)
                || std::find(waits_for_victims_.begin(), waits_for_victims_.end(), job.id)
                       != waits_for_victims_.end()
                || !counts.admit(job) || !has_licences(job)) {
                break;
            }
            const Outcome outcome = backfill(job, plan, false);
            if (outcome == Outcome::table_full) {
                ends_here = true;
            }
            if (outcome == Outcome::passed_over) {
                break;
            }
            gone[entry] = 1;
            if (rules.max_job_start > 0 && starts.size() >= rules.max_job_start) {
                ends_here = true;
            }
            tasks_planned += outcome == Outcome::planned ? 1 : 0;
            entry = job.array != 0 && tasks_planned < rules.max_job_array_resv
                        ? next_task(job.array, gone)
                        : no_limit;
        }
        if (ends_here) {
            break;
        }
    }
    remove_waiting(starts);
    return decisions;
}

}  // namespace schedfarm::policies::slurm
