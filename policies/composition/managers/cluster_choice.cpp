#include "policies/composition/managers/cluster_choice.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "engine/foundation/special_values.hpp"
#include "engine/simulation/kernel/unserved_job.hpp"

namespace schedfarm::policies {

using engine::Job;
using engine::never;

bool Ticket::all_are(JobPiece::State state) const {
    return std::all_of(pieces.begin(), pieces.end(), [state](const JobPiece& piece) {
        return piece.state == state;
    });
}

JobPiece* Ticket::find_piece(std::uint32_t cluster) {
    if (move && move->to.cluster == cluster) {
        return &move->to;
    }
    const auto found = std::find_if(pieces.begin(), pieces.end(), [cluster](const auto& piece) {
        return piece.cluster == cluster;
    });
    return found == pieces.end() ? nullptr : &*found;
}

Job Ticket::as_seen(Job job, const JobPiece& piece, double at) const {
    job.size = piece.size;
    if (pieces.size() > 1) {
        job.fixed_start = at;
    }
    return job;
}

void ClusterChoice::choose(Ticket& job, const Job& seen, double now) {
    const auto clusters = plan_.tree.clusters(job.node);
    const bool fits_one = std::any_of(clusters.begin(), clusters.end(), [&](std::uint32_t k) {
        return seen.size <= plan_.tree.processors(k);
    });
    job.pieces.clear();
    std::erase_if(job.told, [soonest = soonest(job, now, true)](const Ticket::Told& one) {
        return one.time < soonest;
    });
    if (fits_one) {
        choose_one(job, seen, now);
    } else {
        choose_several(job, seen, now);
    }
}

std::optional<Ticket::Told> ClusterChoice::choose_earlier(
    const Ticket& job, const Job& seen, const Ahead& ahead, double now
) {
    std::optional<Ticket::Told> best;
    for (const std::uint32_t k : plan_.tree.clusters(job.node)) {
        const bool is_own = k == job.pieces.front().cluster;
        if (plan_.tree.processors(k) < seen.size || clusters_[k].moving_ahead() == nullptr
            || (!is_own && !ahead.may_leave)) {
            continue;
        }
        const double start = is_own ? ahead.own : known_start(k, seen, ahead.from, now);
        if (start < (best ? best->time : ahead.planned)
            || (best && start == best->time && tie_key(k, job) < tie_key(best->cluster, job))) {
            best = {k, start};
        }
    }
    return best;
}

bool ClusterChoice::is_told(const Ticket& job) {
    return std::any_of(job.told.begin(), job.told.end(), [&](const Ticket::Told& one) {
        return one.cluster == job.pieces.front().cluster;
    });
}

void ClusterChoice::choose_one(Ticket& job, const Job& seen, double now) {
    std::optional<std::uint32_t> best;
    for (const std::uint32_t k : plan_.tree.clusters(job.node)) {
        if (plan_.tree.processors(k) < seen.size) {
            continue;
        }
        const auto told = std::find_if(job.told.rbegin(), job.told.rend(), [k](const auto& one) {
            return one.cluster == k;
        });
        const double start = told == job.told.rend()
                                 ? known_start(k, seen, soonest(job, now, false), now)
                                 : told->time;
        if (!best || start < job.start
            || (start == job.start && tie_key(k, job) < tie_key(*best, job))) {
            best = k;
            job.start = start;
        }
    }
    job.pieces.push_back({*best, seen.size});
}

void ClusterChoice::choose_several(Ticket& job, const Job& seen, double now) {
    const auto clusters = plan_.tree.clusters(job.node);
    std::vector<std::uint32_t> order(clusters.begin(), clusters.end());
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return tie_key(a, job) < tie_key(b, job);
    });
    std::uint64_t together = 0;
    for (std::size_t i = 0; together < seen.size; ++i) {
        job.pieces.push_back({order[i], 0});
        together += plan_.tree.processors(order[i]);
    }
    divide(job, seen.size, together);
    job.start = common_start(job, seen, now);
}

// In proportion to the clusters' processors; what rounding leaves goes to the first of them.
void ClusterChoice::divide(Ticket& job, std::uint32_t size, std::uint64_t processors) const {
    std::uint32_t left = size;
    for (JobPiece& piece : job.pieces) {
        const std::uint64_t own = plan_.tree.processors(piece.cluster);
        piece.size = static_cast<std::uint32_t>(own * size / processors);
        left -= piece.size;
    }
    for (JobPiece& piece : job.pieces) {
        const bool has_room = left > 0 && piece.size < plan_.tree.processors(piece.cluster);
        piece.size += has_room ? 1 : 0;
        left -= has_room ? 1 : 0;
    }
    std::erase_if(job.pieces, [](const JobPiece& piece) { return piece.size == 0; });
}

// An advance reservation is tried at its own time first. The clusters may begin slots at other
// times than each other.
double ClusterChoice::common_start(const Ticket& job, Job seen, double now) {
    const double first = soonest(job, now, false);
    double start = job.is_fixed() ? first : std::max(job.from, first);
    constexpr std::size_t most = 1'000'000;
    for (std::size_t tries = 0; tries < most; ++tries) {
        double earliest = never;
        double latest = -never;
        for (const JobPiece& piece : job.pieces) {
            seen.size = piece.size;
            const double one = known_start(piece.cluster, seen, start, now);
            earliest = std::min(earliest, one);
            latest = std::max(latest, one);
        }
        if (earliest == latest) {
            return latest;
        }
        start = latest;
        seen.fixed_start = engine::no_fixed_start;
    }
    throw engine::UnservedJobError(fmt::format(
        "job {} is to run on {} clusters together, whose slots never begin at the same time (it "
        "could never start). Give them slots of the same sizes.",
        seen.index,
        job.pieces.size()
    ));
}

double ClusterChoice::known_start(std::uint32_t cluster, const Job& seen, double from, double now) {
    if (plan_.staleness == 0) {
        return clusters_[cluster].earliest_start(seen, from, now);
    }
    Shadow& shadow = shadows_[cluster];
    if (!shadow.outlook || now - shadow.time >= plan_.staleness) {
        shadow = {clusters_[cluster].outlook(now), now};
    }
    return shadow.outlook->earliest_start(seen, from);
}

double ClusterChoice::soonest(const Ticket& job, double now, bool is_asked) const {
    return plan_.after_messages(is_asked ? 3 : 5, job.node, now);
}

std::tuple<bool, double, std::uint32_t> ClusterChoice::tie_key(
    std::uint32_t cluster, const Ticket& job
) const {
    const bool home_first =
        plan_.tie == TieRule::home_first || job.standing == Part::Standing::local;
    const double load = plan_.tie == TieRule::least_loaded ? loads_[cluster] : 0;
    return {home_first && cluster != job.home, load, cluster};
}

}  // namespace schedfarm::policies
