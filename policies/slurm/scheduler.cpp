#include "policies/slurm/scheduler.hpp"

#include <algorithm>
#include <tuple>

#include "policies/slurm/tres.hpp"

namespace schedfarm::policies::slurm {

Scheduler::Scheduler(const Settings& settings, const Usage* usage)
    : settings_(settings)
    , empty_(settings.nodes)
    , free_(settings.nodes)
    , limits_(settings, usage)
    , free_licences_(settings.licences)
    , completing_(settings.nodes.size())
    , usable_(NodeSet::all(settings.nodes.size())) {}

void Scheduler::begin(RunningJob job) {
    free_.take(job.holding);
    hold_licences(job, 1);
    job.parts = job.holding.nodes.parts();
    job.held = held_by(job.holding, job.held.tres[at(Tres::memory)], job.partition, settings_);
    limits_.start(job);
    const auto place = std::upper_bound(
        running_.begin(),
        running_.end(),
        job,
        [](const RunningJob& a, const RunningJob& b) { return a.limit_end < b.limit_end; }
    );
    running_.insert(place, std::move(job));
}

bool Scheduler::has_licences(const WaitingJob& job) const {
    return std::ranges::all_of(job.request.licences, [&](const Licence& asked) {
        return asked.count <= free_licences_[asked.number];
    });
}

void Scheduler::hold_licences(const RunningJob& job, int sign) {
    for (const Licence& held : job.licences) {
        std::uint32_t& free = free_licences_[held.number];
        free = sign > 0 ? free - held.count : free + held.count;
    }
}

void Scheduler::submit(WaitingJob job) {
    if (job.request.features == nullptr && free_.serves_idle(job.request)) {
        job.fixed_cpus = free_.nodes_for(job.request) * settings_.nodes.front().cpus;
    }
    waiting_.push_back(std::move(job));
}

void Scheduler::withdraw(std::uint64_t id) {
    std::erase_if(waiting_, [id](const WaitingJob& job) { return job.id == id; });
}

RunningJob Scheduler::end(std::uint64_t id) {
    const auto at = std::find_if(running_.begin(), running_.end(), [&](const RunningJob& job) {
        return job.id == id;
    });
    RunningJob job = std::move(*at);
    running_.erase(at);
    std::erase(leaving_, id);
    free_.give(job.holding);
    hold_licences(job, -1);
    limits_.end(job);
    return job;
}

Held Scheduler::held(const WaitingJob& job, const Holding& holding) const {
    const Held cpus = held_by(holding, 0, job.partition, settings_);
    const std::uint64_t memory =
        memory_of(job.request, holding.nodes, cpus.tres[at(Tres::cpu)], settings_);
    return memory == 0 ? cpus : held_by(holding, memory, job.partition, settings_);
}

const WaitingJob* Scheduler::used_up() const {
    const auto found = std::find_if(waiting_.begin(), waiting_.end(), [&](const WaitingJob& job) {
        return !job.leaves && limits_.is_used_up(job);
    });
    return found == waiting_.end() ? nullptr : &*found;
}

std::vector<std::uint32_t> Scheduler::queue(std::int64_t now) {
    const auto comes_first = [&](const WaitingJob& a, const WaitingJob& b) {
        const auto key = [&](const WaitingJob& job) {
            return std::make_tuple(
                job.reservation == no_limit,
                -static_cast<std::int64_t>(settings_.partitions[job.partition].tier),
                -job.priority,
                job.submit,
                job.order,
                job.array != 0 ? job.array : job.id,
                job.id
            );
        };
        return key(a) < key(b);
    };
    if (!std::is_sorted(waiting_.begin(), waiting_.end(), comes_first)) {
        std::sort(waiting_.begin(), waiting_.end(), comes_first);
    }
    const auto is_in = [&](const WaitingJob& job) {
        const bool passes = job.qos != no_limit && settings_.qos[job.qos].passes_max_nodes;
        return job.eligible <= now
               && (passes || job.request.nodes <= settings_.partitions[job.partition].max_nodes);
    };
    std::map<std::uint64_t, std::uint64_t> first_of_array;
    for (const WaitingJob& job : waiting_) {
        if (job.array != 0 && is_in(job)) {
            const auto [at, is_new] = first_of_array.try_emplace(job.array, job.id);
            at->second = std::min(at->second, job.id);
        }
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t k = 0; k < waiting_.size(); ++k) {
        const WaitingJob& job = waiting_[k];
        if (is_in(job) && (job.array == 0 || first_of_array[job.array] == job.id)) {
            order.push_back(k);
        }
    }
    if (settings_.preempts == Preempts::listed_qos) {
        put_before_victims(order);
    }
    return order;
}

/// A job comes before all of a QOS whose jobs make room for its own (sort_job_queue2). Where that
/// and priorities go round, Slurm's order follows from how it sorts, and this one from the order
/// of priorities. Cost: O(jobs x QOS), and the entries that are passed.
void Scheduler::put_before_victims(std::vector<std::uint32_t>& order) const {
    std::vector<std::size_t> first(settings_.qos.size(), order.size());  // entry of each QOS
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::uint32_t qos = waiting_[order[k]].qos;
        if (qos == no_limit) {
            continue;
        }
        std::size_t to = k;
        for (const std::uint32_t victim : settings_.qos[qos].preempts) {
            to = std::min(to, first[victim]);
        }
        const auto begin = order.begin();
        std::rotate(
            begin + static_cast<std::ptrdiff_t>(to),
            begin + static_cast<std::ptrdiff_t>(k),
            begin + static_cast<std::ptrdiff_t>(k + 1)
        );
        for (std::size_t& place : first) {
            place += place >= to && place < k ? 1 : 0;
        }
        first[qos] = std::min(first[qos], to);
    }
}

/// Tasks that %N has held back are eligible once it lets one of them go.
bool Scheduler::array_admits(const WaitingJob& job, std::int64_t now) {
    if (job.array == 0 || job.array_limit == no_limit) {
        return true;
    }
    const auto count =
        std::count_if(running_.begin(), running_.end(), [&](const RunningJob& other) {
            return other.array == job.array;
        });
    if (static_cast<std::uint64_t>(count) >= job.array_limit) {
        full_arrays_.insert(job.array);
        return false;
    }
    if (full_arrays_.erase(job.array) > 0) {
        for (WaitingJob& task : waiting_) {
            task.let_go = task.array == job.array ? now : task.let_go;
        }
    }
    return true;
}

std::uint32_t Scheduler::next_task(std::uint64_t array, const std::vector<char>& gone) const {
    std::uint32_t first = no_limit;
    for (std::uint32_t k = 0; k < waiting_.size(); ++k) {
        if (waiting_[k].array == array && gone[k] == 0
            && (first == no_limit || waiting_[k].id < waiting_[first].id)) {
            first = k;
        }
    }
    return first;
}

NodeSet Scheduler::usable_by(const WaitingJob& job) const {
    NodeSet usable = settings_.partitions[job.partition].nodes & usable_;
    if (job.reservation != no_limit) {
        usable &= settings_.reservations[job.reservation].nodes;
    }
    return usable;
}

Scheduler::Reserved Scheduler::reserved_for_others(
    const WaitingJob& job, std::int64_t from, std::int64_t until, std::int64_t now
) const {
    Reserved taken;
    for (std::uint32_t k = 0; k < settings_.reservations.size(); ++k) {
        const Reservation& other = settings_.reservations[k];
        if (k != job.reservation && other.announced <= now && other.begin < until
            && other.end > from) {
            if (taken.first_end == 0) {
                taken = {other.nodes, other.end};
            }
            taken.nodes |= other.nodes;
            taken.first_end = std::min(taken.first_end, other.end);
        }
    }
    return taken;
}

void Scheduler::start(
    const WaitingJob& job,
    Holding holding,
    std::int64_t now,
    std::int64_t limit,
    Decisions& decisions
) {
    decisions.starts.push_back({job.id, holding, job.let_go, job.leaves});
    if (job.leaves) {
        return;
    }
    begin({
        .id = job.id,
        .array = job.array,
        .partition = job.partition,
        .qos = job.qos,
        .association = job.association,
        .user = job.user,
        .start = now,
        .limit_end = now + limit,
        .held = held(job, holding),
        .holding = std::move(holding),
        .licences = job.request.licences,
    });
}

void Scheduler::send_away(
    const WaitingJob& job, const std::vector<std::uint64_t>& victims, Decisions& decisions
) {
    leaving_.insert(leaving_.end(), victims.begin(), victims.end());
    decisions.victims.insert(decisions.victims.end(), victims.begin(), victims.end());
    waits_for_victims_.push_back(job.id);
}

bool Scheduler::no_reservation(const WaitingJob& job, std::int64_t now) const {
    return now - job.eligible < settings_.backfill.min_age_reserve
           || job.priority < settings_.backfill.min_prio_reserve;
}

void Scheduler::remove_waiting(const std::vector<Start>& starts) {
    if (starts.empty()) {
        return;
    }
    std::vector<std::uint64_t> ids;
    for (const Start& start : starts) {
        ids.push_back(start.id);
    }
    std::sort(ids.begin(), ids.end());
    std::erase_if(waiting_, [&](const WaitingJob& job) {
        return std::binary_search(ids.begin(), ids.end(), job.id);
    });
}

}  // namespace schedfarm::policies::slurm
