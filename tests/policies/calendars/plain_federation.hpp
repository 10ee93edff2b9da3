// Clusters with calendars under managers, second by second and with every slot by itself: what
// `managers` over `calendar` decides, and `calendar` alone, without messages, delay or staleness.
// Backfilling is that of section 2.3 of the paper: over all clusters, the upper manager first, or
// in each cluster.
// For jobs that do not outlive their estimates.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "tests/engine/planning/plain_calendar.hpp"
#include "tests/policies/schedule_log.hpp"

namespace schedfarm::tests {

struct PlainRules {
    std::vector<std::vector<engine::SlotLevel>> levels;  ///< by cluster, in turn
    double threshold = 1;
    std::vector<std::uint32_t> spans;  ///< of the managers
    double share = 1e9;
    double length = 1e9;
    double bump = std::numeric_limits<double>::infinity();
    int tie = 0;  ///< lowest index, least loaded, home first
    bool roams = true;
};

class PlainFederation {
  public:
    PlainFederation(std::vector<std::uint32_t> clusters, PlainRules rules, Jobs jobs)
        : sizes_(std::move(clusters)), rules_(std::move(rules)), given_(std::move(jobs)) {
        for (std::size_t k = 0; k < sizes_.size(); ++k) {
            const std::uint32_t size = sizes_[k];
            const auto usable = static_cast<std::uint32_t>(rules_.threshold * size + 1e-6);
            calendars_.emplace_back(rules_.levels[k % rules_.levels.size()], size, usable);
        }
        loads_.assign(sizes_.size(), 0);
        supply.assign(sizes_.size(), 0);
        consume.assign(sizes_.size(), 0);
        local.assign(sizes_.size(), 0);
        jobs_.resize(given_.size());
    }

    /// Of all jobs.
    Times starts() {
        std::size_t left = given_.size();
        for (double now = 0; left > 0; now += 1) {
            std::vector<bool> divided(sizes_.size());
            std::vector<bool> early(sizes_.size());
            for (std::size_t k = 0; k < sizes_.size(); ++k) {
                divided[k] = calendars_[k].advance(now);
            }
            for (std::uint32_t id = 0; id < jobs_.size(); ++id) {
                if (jobs_[id].is_running && jobs_[id].start + given_[id].service_time == now) {
                    finish(id, now, early);
                    --left;
                }
            }
            backfill(divided, early, now);
            for (std::uint32_t id = 0; id < jobs_.size(); ++id) {
                if (given_[id].submit_time == now) {
                    submit(id, now);
                }
            }
            for (PlainJob& job : jobs_) {
                job.is_running = job.is_running || (!job.pieces.empty() && job.start == now);
            }
        }
        Times all;
        for (const PlainJob& job : jobs_) {
            all.push_back(job.start);
        }
        return all;
    }

    /// Processor-seconds by cluster.
    std::vector<double> supply;
    std::vector<double> consume;
    std::vector<double> local;
    double refused = 0;
    double offered_delay = 0;
    int roamed = 0;  ///< moves to another cluster

  private:
    struct PlainJob {
        std::map<std::uint32_t, std::uint32_t> pieces;  // processors by cluster
        double start = 0;
        bool is_promoted = false;
        std::size_t level = 0;  // of the manager that placed it
        bool is_fixed = false;
        bool is_running = false;
        bool is_done = false;
    };
    struct Range {
        std::uint32_t first;
        std::uint32_t end;
    };

    double estimate(std::uint32_t id) const {
        return given_[id].estimate.value_or(given_[id].service_time);
    }

    void finish(std::uint32_t id, double now, std::vector<bool>& early) {
        PlainJob& job = jobs_[id];
        const std::uint32_t home = given_[id].origin;
        for (const auto& [k, size] : job.pieces) {
            const double from = calendars_[k].next_begin(now);
            early[k] = early[k] || calendars_[k].end_of(id) > from;
            calendars_[k].give_up(id, from);
            loads_[k] -= size * estimate(id) / sizes_[k];
            const double used = size * given_[id].service_time;
            (k == home ? local[k] : supply[k]) += used;
            consume[home] += k == home ? 0 : used;
        }
        job.is_running = false;
        job.is_done = true;
    }

    void backfill(const std::vector<bool>& divided, const std::vector<bool>& early, double now) {
        for (std::uint32_t first = 0; first < sizes_.size();) {
            const std::uint32_t end = under(depth(), first).end;
            const bool any_divided = std::find(divided.begin() + first, divided.begin() + end, true)
                                     != divided.begin() + end;
            const bool at_once = rules_.roams && end - first > 1 && any_divided;
            if (at_once) {
                roam(first, end, now);
            }
            for (std::uint32_t k = first; k < end; ++k) {
                if (rules_.roams && end - first > 1) {
                    if (early[k] && !any_divided) {
                        roam(first, end, now);
                    }
                } else if (divided[k] || early[k]) {
                    move_ahead(k, true, now);
                }
                if (at_once || divided[k] || early[k]) {
                    move_ahead(k, false, now);
                }
            }
            first = end;
        }
    }

    // The upper manager backfills its jobs, in order of submission, over the clusters of each.
    void roam(std::uint32_t first, std::uint32_t end, double now) {
        for (std::uint32_t id = 0; id < jobs_.size(); ++id) {
            PlainJob& job = jobs_[id];
            const std::uint32_t home = given_[id].origin;
            if (home < first || home >= end || job.pieces.size() != 1 || !job.is_promoted
                || job.is_fixed || job.is_running || job.is_done || job.start <= now) {
                continue;
            }
            const auto [old, size] = *job.pieces.begin();
            calendars_[old].give_up(id, 0);
            std::map<std::uint32_t, std::uint32_t> pieces;
            const double start = best(id, under(job.level, home), pieces, now, false);
            if (start < job.start) {
                job.start = start;
                job.pieces = pieces;
            }
            const std::uint32_t k = job.pieces.begin()->first;
            calendars_[k].reserve(id, {job.start, estimate(id), size});
            if (k != old) {
                loads_[old] -= size * estimate(id) / sizes_[old];
                loads_[k] += size * estimate(id) / sizes_[k];
                ++roamed;
            }
        }
    }

    void move_ahead(std::uint32_t k, bool promoted, double now) {
        for (std::uint32_t id = 0; id < jobs_.size(); ++id) {
            PlainJob& job = jobs_[id];
            if (job.pieces.count(k) == 0 || job.is_fixed || job.is_running || job.is_done
                || job.is_promoted != promoted || job.start <= now) {
                continue;
            }
            calendars_[k].give_up(id, 0);
            job.start =
                std::min(job.start, calendars_[k].first_fit(given_[id].size(), estimate(id), now));
            calendars_[k].reserve(id, {job.start, estimate(id), given_[id].size()});
        }
    }

    // The clusters that share a manager of this level with `cluster`.
    Range under(std::size_t level, std::uint32_t cluster) const {
        std::uint32_t width = 1;
        for (std::size_t i = 0; i < level; ++i) {
            width *= rules_.spans[i];
        }
        const std::uint32_t first = cluster / width * width;
        return {
            first,
            std::min<std::uint32_t>(first + width, static_cast<std::uint32_t>(sizes_.size()))};
    }
    std::uint32_t processors(const Range& range) const {
        std::uint32_t sum = 0;
        for (std::uint32_t k = range.first; k < range.end; ++k) {
            sum += sizes_[k];
        }
        return sum;
    }
    /// Levels of managers that have anything to manage.
    std::size_t depth() const {
        std::size_t nodes = sizes_.size();
        std::size_t level = 0;
        while (level < rules_.spans.size() && nodes > 1) {
            nodes = (nodes + rules_.spans[level] - 1) / rules_.spans[level];
            ++level;
        }
        return level;
    }
    bool is_promoted(std::uint32_t id, std::size_t level) const {
        const std::uint32_t all = processors(under(level, given_[id].origin));
        return level < depth()
               && (given_[id].size() > all || given_[id].size() > rules_.share * all
                   || estimate(id) >= rules_.length);
    }

    double fixed_start_at(
        std::uint32_t k, std::uint32_t size, double duration, double time, double now
    ) const {
        const double begin = calendars_[k].begin_of(time);
        return calendars_[k].first_fit(size, duration, begin < now ? now : begin);
    }

    void submit(std::uint32_t id, double now) {
        const std::uint32_t home = given_[id].origin;
        std::size_t level = 0;
        while (is_promoted(id, level)) {
            ++level;
        }
        jobs_[id].is_promoted = level > 0;
        if (given_[id].fixed_start != no_fixed_start) {
            jobs_[id].is_fixed = true;
            if (!place(id, home, level, now, true)) {
                ++refused;
                jobs_[id].is_fixed = false;
                place(id, home, last_level_, now, false);
                was_refused_at_home_ = false;
            }
        } else {
            place(id, home, level, now, false);
        }
    }

    /// Up to the manager that finds a start that is not too late.
    bool place(std::uint32_t id, std::uint32_t home, std::size_t level, double now, bool is_fixed) {
        const double wanted = is_fixed ? given_[id].fixed_start : now;
        for (;; ++level) {
            const Range range = under(level, home);
            std::map<std::uint32_t, std::uint32_t> pieces;
            const double start = best(id, range, pieces, now, is_fixed);
            const bool is_refused = is_fixed && start > wanted;
            // A manager refuses before it looks further up; a cluster hands up what comes too late.
            const bool too_late =
                start - wanted > rules_.bump && level < depth() && !was_refused_at_home_;
            if (level == 0 && too_late) {
                continue;
            }
            if (is_refused) {
                offered_delay += start - wanted;
                last_level_ = level;
                was_refused_at_home_ = level == 0;
                return false;
            }
            if (too_late) {
                continue;
            }
            jobs_[id].pieces = pieces;
            jobs_[id].level = level;
            jobs_[id].start = start;
            for (const auto& [k, size] : pieces) {
                calendars_[k].reserve(id, {start, estimate(id), size});
                loads_[k] += size * estimate(id) / sizes_[k];
            }
            jobs_[id].is_fixed = is_fixed || pieces.size() > 1;
            return true;
        }
    }

    double best(
        std::uint32_t id,
        const Range& range,
        std::map<std::uint32_t, std::uint32_t>& pieces,
        double now,
        bool is_fixed
    ) {
        const std::uint32_t size = given_[id].size();
        std::vector<std::uint32_t> order;
        for (std::uint32_t k = range.first; k < range.end; ++k) {
            order.push_back(k);
        }
        const bool home_first = rules_.tie == 2 || !jobs_[id].is_promoted;
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            const bool a_home = home_first && a == given_[id].origin;
            const bool b_home = home_first && b == given_[id].origin;
            if (a_home != b_home) {
                return a_home;
            }
            return rules_.tie == 1 && loads_[a] < loads_[b];
        });
        double start = std::numeric_limits<double>::infinity();
        for (const std::uint32_t k : order) {
            if (sizes_[k] >= size) {
                const double found =
                    is_fixed ? fixed_start_at(k, size, estimate(id), given_[id].fixed_start, now)
                             : calendars_[k].first_fit(size, estimate(id), now);
                if (found < start) {
                    start = found;
                    pieces = {{k, size}};
                }
            }
        }
        if (!pieces.empty()) {
            return start;
        }
        std::uint64_t together = 0;
        std::vector<std::uint32_t> used;
        for (std::size_t i = 0; together < size; ++i) {
            used.push_back(order[i]);
            together += sizes_[order[i]];
        }
        std::uint32_t left = size;
        for (const std::uint32_t k : used) {
            pieces[k] = static_cast<std::uint32_t>(std::uint64_t{sizes_[k]} * size / together);
            left -= pieces[k];
        }
        for (const std::uint32_t k : used) {
            if (left > 0 && pieces[k] < sizes_[k]) {
                ++pieces[k];
                --left;
            }
        }
        std::erase_if(used, [&pieces](std::uint32_t k) { return pieces[k] == 0; });
        std::erase_if(pieces, [](const auto& piece) { return piece.second == 0; });
        // The first slot, of those of all clusters alike, in which all pieces fit.
        start = is_fixed ? calendars_[used[0]].begin_of(given_[id].fixed_start) : now;
        for (start = calendars_[used[0]].next_begin(std::max(start, now));;
             start = calendars_[used[0]].next_begin(start + 1)) {
            const bool all_fit = std::all_of(used.begin(), used.end(), [&](std::uint32_t k) {
                return calendars_[k].first_fit(pieces[k], estimate(id), start) == start;
            });
            if (all_fit) {
                return start;
            }
        }
    }

    std::vector<std::uint32_t> sizes_;
    PlainRules rules_;
    Jobs given_;
    std::vector<PlainCalendar> calendars_;
    std::vector<PlainJob> jobs_;
    std::vector<double> loads_;
    std::size_t last_level_ = 0;        // that refused
    bool was_refused_at_home_ = false;  // then it stays there
};

}  // namespace schedfarm::tests
