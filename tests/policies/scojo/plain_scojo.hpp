// Scojo-PECT second by second, written from the rules alone: no events, no profiles, no sets, only
// jobs, nodes and a clock. Whole seconds, run times of at least one second. Slow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace schedfarm::tests {

struct ScojoJob {
    int submit = 0;
    int size = 1;
    int run = 1;
    int memory = 0;
    int estimate = 0;  ///< 0: the run time

    int type = 0;
    std::vector<int> nodes = {};  ///< once it has started
    bool is_on = false;           ///< loads or runs
    bool was_on = false;          ///< when the slice began
    bool is_transient = false;
    int loading = 0;  ///< seconds that the load still takes
    int left = 0;     ///< to run
    int planned_left = 0;
    int overhead = 0;
    int start = -1;  ///< of the first load, or of the run
    int completion = -1;

    bool is_bound() const { return !nodes.empty() && completion < 0; }
};

struct ScojoCell {
    int nodes = 4;
    std::vector<int> slices = {600, 1200, 1800};
    std::vector<int> thresholds = {600, 10800};
    bool is_easy = false;
    std::string allocator = "first_free";
    std::string first_stage = "best_fit";
    std::string second_stage = "worst_fit";
    int memory = 0;  ///< of a node; 0: not modelled
    int rate = 4;
    bool is_printed = false;
    int prefetch = 0;  ///< seconds before the end of a slice
    bool relocates = false;
};

class PlainScojo {
  public:
    PlainScojo(const ScojoCell& cell, std::vector<ScojoJob> given)
        : cell_(cell)
        , jobs_(std::move(given))
        , resident_(nodes(), std::vector<int>(jobs_.size(), 0))
        , wanted_(resident_)
        , turn_(resident_)
        , is_loaded_(nodes(), std::vector<bool>(jobs_.size(), false)) {
        for (const int slice : cell_.slices) {
            interval_ += slice;
        }
        for (ScojoJob& job : jobs_) {
            job.left = job.run;
            job.planned_left = job.estimate == 0 ? job.run : job.estimate;
            job.memory = cell_.memory == 0 ? 0 : job.memory;
            while (job.type < types() - 1 && job.planned_left >= cell_.thresholds[at(job.type)]) {
                ++job.type;
            }
        }
    }

    /// The jobs as they went.
    const std::vector<ScojoJob>& run() {
        for (std::size_t done = 0; done < jobs_.size(); ++now_) {
            bool looks = false;
            for (std::size_t j = 0; j < jobs_.size(); ++j) {
                ScojoJob& job = jobs_[j];
                if (job.is_on && job.loading == 0 && job.left == 0) {
                    job.is_on = false;
                    job.completion = now_;
                    ++done;
                    looks = true;
                    for (int node = 0; node < cell_.nodes; ++node) {
                        resident_[at(node)][j] = 0;
                        wanted_[at(node)][j] = 0;
                        is_loaded_[at(node)][j] = false;
                    }
                }
                looks = looks || job.submit == now_;
            }
            const bool switches = types() > 1 && slice_begin(now_);
            if (switches) {
                wanted_ = std::vector(nodes(), std::vector<int>(jobs_.size(), 0));
            }
            if (looks || switches) {
                pass(switches);
            }
            if (cell_.prefetch > 0 && types() > 1 && now_ + cell_.prefetch == slice_end()) {
                prefetch();
            }
            live_a_second();
        }
        return jobs_;
    }

  private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    std::size_t nodes() const { return at(cell_.nodes); }
    int types() const { return static_cast<int>(cell_.slices.size()); }
    int load_seconds(int memory) const { return (memory + cell_.rate - 1) / cell_.rate; }

    int slice_of(int time) const {
        int type = 0;
        for (int into = time % interval_; into >= cell_.slices[at(type)]; ++type) {
            into -= cell_.slices[at(type)];
        }
        return type;
    }
    bool slice_begin(int time) const { return time == 0 || slice_of(time) != slice_of(time - 1); }
    int slice_end() const {
        int time = now_ + 1;
        while (!slice_begin(time)) {
            ++time;
        }
        return time;
    }

    void live_a_second() {
        for (int node = 0; node < cell_.nodes; ++node) {
            for (std::size_t j = 0; j < jobs_.size(); ++j) {
                int& there = resident_[at(node)][j];
                if (wanted_[at(node)][j] > there) {
                    there = std::min(wanted_[at(node)][j], there + cell_.rate);
                }
            }
        }
        for (std::size_t j = 0; j < jobs_.size(); ++j) {
            ScojoJob& job = jobs_[j];
            if (!job.is_on) {
                continue;
            }
            if (job.loading == 0) {
                --job.left;
                --job.planned_left;
                continue;
            }
            --job.loading;
            ++job.overhead;
            if (cell_.is_printed) {
                if (job.loading == 0) {
                    load_as_printed(j);
                }
                continue;
            }
            for (const int node : job.nodes) {
                int& there = resident_[at(node)][j];
                there = std::min(job.memory, there + cell_.rate);
            }
        }
    }

    void pass(bool switches) {
        const int own = slice_of(now_);
        for (ScojoJob& job : jobs_) {
            job.was_on = job.is_on;
            if (switches && job.is_on) {
                job.is_on = false;
                job.is_transient = false;  // it runs longer than planned
            }
        }
        std::vector<int> others;
        for (int type = 0; type < types(); ++type) {
            if (type != own) {
                others.push_back(type);
            }
        }
        go_on(own);
        start_waiting(own);
        for (const int type : others) {
            go_on(type);
        }
        for (const int type : others) {
            relocate(type);
        }
        for (const int type : others) {
            start_waiting(type);
        }
    }

    bool is_free(int node) const {
        return std::none_of(jobs_.begin(), jobs_.end(), [node](const ScojoJob& job) {
            return job.is_on && std::count(job.nodes.begin(), job.nodes.end(), node) > 0;
        });
    }
    bool is_held_by(int node, int type) const {
        return std::any_of(jobs_.begin(), jobs_.end(), [node, type](const ScojoJob& job) {
            return job.is_bound() && !job.is_transient && job.type == type
                   && std::count(job.nodes.begin(), job.nodes.end(), node) > 0;
        });
    }

    void go_on(int type) {
        for (const int j : started_) {
            ScojoJob& job = jobs_[at(j)];
            const bool waits = job.is_bound() && !job.is_on && job.type == type;
            if (waits && std::all_of(job.nodes.begin(), job.nodes.end(), [this](int node) {
                    return is_free(node);
                })) {
                begin(j);
            }
        }
    }

    void relocate(int type) {
        for (const int j : started_) {
            ScojoJob& job = jobs_[at(j)];
            const bool waits = job.is_bound() && !job.is_on && job.type == type;
            if (!cell_.relocates || !waits || now_ + load_seconds(job.memory) >= slice_end()) {
                continue;
            }
            std::vector<int> from;
            for (int node = 0; node < cell_.nodes; ++node) {
                const bool is_own = std::count(job.nodes.begin(), job.nodes.end(), node) > 0;
                if (is_free(node) && (is_own || !is_held_by(node, type))) {
                    from.push_back(node);
                }
            }
            if (static_cast<int>(from.size()) >= job.size) {
                for (int node = 0; node < cell_.nodes; ++node) {
                    resident_[at(node)][at(j)] = wanted_[at(node)][at(j)] = 0;
                }
                job.nodes.clear();
                job.nodes = choice(job, from);
                begin(j);
            }
        }
    }

    void start_waiting(int type) {
        std::vector<int> used;  // by second of the type's own time
        for (const ScojoJob& job : jobs_) {
            if (job.is_bound() && !job.is_transient && job.type == type) {
                take(used, 0, left(job), job.size);
            }
        }
        bool has_reserved = false;
        for (std::size_t j = 0; j < jobs_.size(); ++j) {
            ScojoJob& job = jobs_[j];
            if (job.submit > now_ || job.start >= 0 || job.type != type) {
                continue;
            }
            const int takes = load_seconds(job.memory) + job.planned_left;
            std::vector<int> free;
            std::vector<int> own;
            for (int node = 0; node < cell_.nodes; ++node) {
                if (is_free(node)) {
                    free.push_back(node);
                    if (!is_held_by(node, type)) {
                        own.push_back(node);
                    }
                }
            }
            int place = 0;
            while (!has_room(used, place, place + takes, job.size)) {
                ++place;
            }
            const bool is_foreign = slice_of(now_) != type;
            if (place == 0 && static_cast<int>(own.size()) >= job.size) {
                take(used, 0, takes, job.size);
                job.nodes = choice(job, own);
            } else if (is_foreign && static_cast<int>(free.size()) >= job.size && now_ + takes <= slice_end()) {
                job.nodes = choice(job, free);
                job.is_transient = true;
            } else {
                if (!cell_.is_easy || !has_reserved) {
                    take(used, place, place + takes, job.size);
                    has_reserved = true;
                }
                continue;
            }
            started_.push_back(static_cast<int>(j));
            job.start = now_;
            begin(static_cast<int>(j));
        }
    }

    static int left(const ScojoJob& job) {
        return job.planned_left + (job.is_on ? job.loading : 0);
    }
    static void take(std::vector<int>& used, int from, int until, int size) {
        for (int second = from; second < until; ++second) {
            used.resize(std::max(used.size(), at(second) + 1), 0);
            used[at(second)] += size;
        }
    }
    bool has_room(const std::vector<int>& used, int from, int until, int size) const {
        for (int second = from; second < until && at(second) < used.size(); ++second) {
            if (used[at(second)] + size > cell_.nodes) {
                return false;
            }
        }
        return true;
    }

    // Nodes.
    int assigned(int node) const {
        int sum = 0;
        for (const ScojoJob& job : jobs_) {
            if (job.is_bound() && std::count(job.nodes.begin(), job.nodes.end(), node) > 0) {
                sum += job.memory;
            }
        }
        return sum;
    }

    std::vector<int> choice(const ScojoJob& job, std::vector<int> from) const {
        if (cell_.allocator == "intelligent") {
            sort_by(from, [&](int node) {
                return std::count_if(jobs_.begin(), jobs_.end(), [&](const ScojoJob& other) {
                    return other.is_bound() && other.type != job.type
                           && std::count(other.nodes.begin(), other.nodes.end(), node) > 0;
                });
            });
        } else if (cell_.allocator == "memory_aware") {
            from = by_memory(job, from);
        }
        from.resize(at(job.size));
        std::sort(from.begin(), from.end());
        return from;
    }

    std::vector<int> by_memory(const ScojoJob& job, const std::vector<int>& from) const {
        std::vector<int> roomy;
        std::vector<int> full;
        for (const int node : from) {
            (assigned(node) + job.memory <= cell_.memory ? roomy : full).push_back(node);
        }
        if (static_cast<int>(roomy.size()) >= job.size) {
            fit(roomy, cell_.first_stage);
            return roomy;
        }
        if (cell_.is_printed) {
            roomy.clear();
            full.clear();
            for (const int node : from) {
                (assigned(node) < job.memory ? full : roomy).push_back(node);
            }
        }
        sort_by(full, [&](int node) {
            std::vector<std::pair<int, int>> leaving;  // time left, memory
            for (const ScojoJob& other : jobs_) {
                if (other.is_bound()
                    && std::count(other.nodes.begin(), other.nodes.end(), node) > 0) {
                    leaving.emplace_back(left(other), other.memory);
                }
            }
            std::sort(leaving.begin(), leaving.end());
            int used = assigned(node);
            int time = 0;
            for (const auto& [time_left, memory] : leaving) {
                if (used + job.memory > cell_.memory) {
                    used -= memory;
                    time = time_left;
                }
            }
            return time;
        });
        fit(roomy, cell_.second_stage);
        full.insert(full.end(), roomy.begin(), roomy.end());
        return full;
    }

    void fit(std::vector<int>& nodes, const std::string& word) const {
        if (word == "best_fit") {
            sort_by(nodes, [this](int node) { return -assigned(node); });
        } else if (word == "worst_fit") {
            if (cell_.is_printed) {
                std::reverse(nodes.begin(), nodes.end());
            }
            sort_by(nodes, [this](int node) { return assigned(node); });
        }
    }
    template <typename Key>
    static void sort_by(std::vector<int>& nodes, Key key) {
        std::stable_sort(nodes.begin(), nodes.end(), [&key](int a, int b) {
            return key(a) < key(b);
        });
    }

    // Memory. What is missing of the next type's jobs, where no other job is loaded: room is made
    // of jobs that are off and not of that type, who has been there longest first.
    void prefetch() {
        const int next = (slice_of(now_) + 1) % types();
        std::vector<int> displaced(jobs_.size(), 0);
        const auto charge_displaced = [&] {
            for (std::size_t k = 0; k < jobs_.size(); ++k) {
                charge(jobs_[k], load_seconds(displaced[k]));
                displaced[k] = 0;
            }
        };
        for (const int j : started_) {
            const ScojoJob& job = jobs_[at(j)];
            const auto is_loading = [this](int node) {
                return std::any_of(jobs_.begin(), jobs_.end(), [node](const ScojoJob& other) {
                    return other.is_on && other.loading > 0
                           && std::count(other.nodes.begin(), other.nodes.end(), node) > 0;
                });
            };
            if (!job.is_bound() || job.is_on || job.type != next
                || std::any_of(job.nodes.begin(), job.nodes.end(), is_loading)) {
                continue;
            }
            for (const int node : job.nodes) {
                std::vector<int>& there = resident_[at(node)];
                int room = cell_.memory;
                bool is_busy = false;
                for (std::size_t k = 0; k < jobs_.size(); ++k) {
                    room -= there[k];
                    is_busy = is_busy || wanted_[at(node)][k] > there[k];
                }
                const int missing = job.memory - there[at(j)];
                if (is_busy || missing == 0) {
                    continue;
                }
                while (room < missing) {
                    const std::size_t oldest = oldest_of(node, [&](std::size_t k) {
                        return !jobs_[k].is_on && jobs_[k].type != next;
                    });
                    if (oldest == jobs_.size()) {
                        break;
                    }
                    const int taken = std::min(missing - room, there[oldest]);
                    there[oldest] -= taken;
                    room += taken;
                    displaced[oldest] = std::max(displaced[oldest], taken);
                }
                if (room > 0) {
                    wanted_[at(node)][at(j)] = there[at(j)] + std::min(room, missing);
                    turn_[at(node)][at(j)] = ++turns_;
                }
            }
            charge_displaced();
        }
    }
    template <typename MayGo>
    std::size_t oldest_of(int node, MayGo may_go) const {
        std::size_t oldest = jobs_.size();
        for (std::size_t k = 0; k < jobs_.size(); ++k) {
            if (resident_[at(node)][k] > 0 && may_go(k)
                && (oldest == jobs_.size() || turn_[at(node)][k] < turn_[at(node)][oldest])) {
                oldest = k;
            }
        }
        return oldest;
    }
    static void charge(ScojoJob& job, int seconds) {
        job.left += seconds;
        job.planned_left += seconds;
        job.overhead += seconds;
    }

    void begin(int j) {
        ScojoJob& job = jobs_[at(j)];
        job.is_on = true;
        if (cell_.is_printed) {
            begin_as_printed(at(j));
            return;
        }
        int missing = 0;
        std::vector<int> displaced(jobs_.size(), 0);
        for (const int node : job.nodes) {
            std::vector<int>& there = resident_[at(node)];
            if (there[at(j)] == job.memory) {
                continue;
            }
            missing = std::max(missing, job.memory - there[at(j)]);
            int too_much = job.memory - there[at(j)] - cell_.memory;
            for (const int amount : there) {
                too_much += amount;
            }
            turn_[at(node)][at(j)] = ++turns_;
            std::fill(wanted_[at(node)].begin(), wanted_[at(node)].end(), 0);
            while (too_much > 0) {
                const std::size_t oldest =
                    oldest_of(node, [j](std::size_t k) { return k != at(j); });
                const int taken = std::min(too_much, there[oldest]);
                there[oldest] -= taken;
                too_much -= taken;
                displaced[oldest] = std::max(displaced[oldest], taken);
            }
        }
        job.loading = load_seconds(missing);
        for (std::size_t k = 0; k < jobs_.size(); ++k) {
            charge(jobs_[k], load_seconds(displaced[k]));
        }
    }

    // The listing's loadJob.
    void begin_as_printed(std::size_t j) {
        ScojoJob& job = jobs_[j];
        if (job.was_on && job.loading > 0) {
            return;
        }
        int missing = 0;
        bool is_loaded = true;
        for (const int node : job.nodes) {
            missing = std::max(missing, job.memory - resident_[at(node)][j]);
            is_loaded = is_loaded && is_loaded_[at(node)][j];
        }
        job.loading = load_seconds(missing);
        if (missing == 0 && !is_loaded) {
            load_as_printed(j);
        }
    }
    void load_as_printed(std::size_t j) {
        std::vector<int> displaced(jobs_.size(), 0);
        for (const int node : jobs_[j].nodes) {
            std::vector<bool>& loaded = is_loaded_[at(node)];
            int free = cell_.memory;
            for (std::size_t k = 0; k < jobs_.size(); ++k) {
                free -= loaded[k] ? jobs_[k].memory : 0;
            }
            while (!loaded[j] && free < jobs_[j].memory) {
                std::size_t oldest = jobs_.size();
                for (std::size_t k = 0; k < jobs_.size(); ++k) {
                    if (loaded[k]
                        && (oldest == jobs_.size() || turn_[at(node)][k] < turn_[at(node)][oldest]
                        )) {
                        oldest = k;
                    }
                }
                const int lacking = jobs_[j].memory - free;
                loaded[oldest] = false;
                free += jobs_[oldest].memory;
                const bool is_last = free >= jobs_[j].memory;
                resident_[at(node)][oldest] = is_last ? lacking : 0;
                displaced[oldest] = std::max(displaced[oldest], is_last ? lacking : 0);
            }
            if (!loaded[j]) {
                loaded[j] = true;
                turn_[at(node)][j] = ++turns_;
                resident_[at(node)][j] = jobs_[j].memory;
            }
        }
        for (std::size_t k = 0; k < jobs_.size(); ++k) {
            charge(jobs_[k], displaced[k] / cell_.rate);
        }
    }

    ScojoCell cell_;
    std::vector<ScojoJob> jobs_;
    std::vector<int> started_;                  // in order
    std::vector<std::vector<int>> resident_;    // by node and job
    std::vector<std::vector<int>> wanted_;      // up to which a job is prefetched; 0: it is not
    std::vector<std::vector<int>> turn_;        // of the last load
    std::vector<std::vector<bool>> is_loaded_;  // as printed
    int turns_ = 0;
    int interval_ = 0;
    int now_ = 0;
};

}  // namespace schedfarm::tests
