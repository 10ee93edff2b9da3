// Gang scheduling second by second, written from the rules alone: no events, no trees, no tables,
// only jobs, processors and a clock. Whole seconds, service of at least one second. Slow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace schedfarm::tests {

struct PlainJob {
    int submit = 0;
    int size = 1;
    int service = 1;

    int left = 0;
    int first = -1;  ///< processor of the node that it is bound to; −1: queued
    int works_from = 0;
    bool runs = false;
    int completion = -1;
};

struct PlainCycle {
    int processors = 1;
    int cycle = 1;
    int cost = 0;
};

/// What all three have in common: the machine and the clock.
class PlainGang {
  public:
    PlainGang(const PlainCycle& cycle, std::vector<PlainJob> given)
        : processors(cycle.processors), cost(cycle.cost), jobs(std::move(given)) {
        while ((1 << top_class) < processors) {
            ++top_class;
        }
        for (int first = 0, size = 1 << top_class; size > 0; size /= 2) {
            if (first + size <= processors) {
                trees.emplace_back(first, size);
                first += size;
            }
        }
        has_root = trees.size() > 1;
        const int rows = top_class + 1;
        for (int row = 0; row < rows; ++row) {  // the largest class first
            quanta.push_back(cycle.cycle / rows + (row < cycle.cycle % rows ? 1 : 0));
        }
        for (PlainJob& job : jobs) {
            job.left = job.service;
        }
    }
    PlainGang(const PlainGang&) = delete;
    PlainGang& operator=(const PlainGang&) = delete;
    virtual ~PlainGang() = default;

    std::vector<double> completions() {
        for (now = 0; std::any_of(
                 jobs.begin(), jobs.end(), [](const PlainJob& job) { return job.completion < 0; }
             );
             ++now) {
            decide();
            for (PlainJob& job : jobs) {
                if (job.runs && now >= job.works_from && --job.left == 0) {
                    job.runs = false;
                    job.completion = now + 1;
                }
            }
        }
        std::vector<double> found;
        for (const PlainJob& job : jobs) {
            found.push_back(job.completion);
        }
        return found;
    }

  protected:
    using Tree = std::pair<int, int>;  // first processor, size

    /// Says which jobs run in the second that begins now.
    virtual void decide() = 0;

    static int log2(int n) {
        int power = 0;
        while ((1 << power) < n) {
            ++power;
        }
        return power;
    }
    int node(int job_class) const { return std::min(1 << job_class, processors); }
    bool is_root(const PlainJob& job) const { return has_root && log2(job.size) == top_class; }
    bool is_present(const PlainJob& job) const { return job.submit <= now && job.completion < 0; }
    void stop(int from, int to) {
        for (PlainJob& job : jobs) {
            if (job.runs && job.first >= from && job.first < to) {
                job.runs = false;
            }
        }
    }

    int processors;
    int cost;
    std::vector<PlainJob> jobs;
    std::vector<Tree> trees;
    std::vector<int> quanta;
    int top_class = 0;
    bool has_root = false;
    int now = 0;
};

class PlainMigration final : public PlainGang {
  public:
    PlainMigration(const PlainCycle& cycle, std::vector<PlainJob> given, bool leaves_first)
        : PlainGang(cycle, std::move(given)), leaves_first_(leaves_first) {}

  protected:
    void decide() override {
        if (now < next_) {
            return;
        }
        const int row_class = top_class - row_;
        next_ += quanta[static_cast<std::size_t>(row_)];
        row_ = (row_ + 1) % (top_class + 1);
        for (PlainJob& job : jobs) {
            job.runs = false;
        }
        idle_ = processors;
        if (has_root && row_class == top_class) {
            take(top_class, 1);
        }
        for (const auto& [first, size] : trees) {
            const int own = row_class % (log2(size) + 1);
            if (!has_root || row_class < top_class) {
                take(own, size / node(own));
            }
        }
        const int largest = top_class - (has_root ? 1 : 0);
        for (int i = 0; i <= largest; ++i) {
            take(leaves_first_ ? i : largest - i, processors);
        }
    }

  private:
    void take(int job_class, int most) {
        for (PlainJob& job : jobs) {
            if (!is_present(job) || job.runs || log2(job.size) != job_class) {
                continue;
            }
            if (most-- <= 0 || node(job_class) > idle_) {
                return;
            }
            job.runs = true;
            job.works_from = now + cost;
            idle_ -= node(job_class);
        }
    }

    bool leaves_first_;
    int next_ = 0;
    int row_ = 0;
    int idle_ = 0;
};

/// Jobs stay on the node that they were first given.
class PlainBound : public PlainGang {
  public:
    PlainBound(const PlainCycle& cycle, std::vector<PlainJob> given, bool by_weight)
        : PlainGang(cycle, std::move(given)), by_weight_(by_weight) {}

  protected:
    static bool overlaps(int first, int size, int other, int other_size) {
        return first < other + other_size && other < first + size;
    }
    bool is_idle(int first, int size) const {
        return std::none_of(jobs.begin(), jobs.end(), [&](const PlainJob& job) {
            return job.runs && overlaps(first, size, job.first, node(log2(job.size)));
        });
    }
    bool is_bound(int first, int job_class) const {
        return std::any_of(jobs.begin(), jobs.end(), [&](const PlainJob& job) {
            return is_present(job) && job.first == first && log2(job.size) == job_class;
        });
    }
    int weight(int first, int size) const {
        return static_cast<int>(std::count_if(jobs.begin(), jobs.end(), [&](const PlainJob& job) {
            return is_present(job) && job.first >= first && job.first < first + size
                   && node(log2(job.size)) <= size;
        }));
    }
    /// −1: no node of the trees is free.
    int free_node(int job_class, const std::vector<Tree>& among) const {
        int best = -1;
        for (const auto& [first, size] : among) {
            for (int at = first; at + node(job_class) <= first + size; at += node(job_class)) {
                const bool is_free = !is_bound(at, job_class) && is_idle(at, node(job_class));
                const bool is_better =
                    best < 0
                    || (by_weight_ && weight(at, node(job_class)) < weight(best, node(job_class)));
                best = is_free && is_better ? at : best;
            }
        }
        return best;
    }
    /// Runs bound jobs of the class on the trees whose nodes are idle, then queued ones.
    void serve(int job_class, const std::vector<Tree>& among, int slice_start) {
        for (PlainJob& job : jobs) {
            if (!is_present(job) || job.runs || log2(job.size) != job_class) {
                continue;
            }
            const bool is_here = std::any_of(among.begin(), among.end(), [&job](const Tree& tree) {
                return job.first >= tree.first && job.first < tree.first + tree.second;
            });
            if (job.first >= 0 && is_here && is_idle(job.first, node(job_class))) {
                run(job, slice_start);
            }
        }
        for (PlainJob& job : jobs) {
            if (is_present(job) && job.first < 0 && log2(job.size) == job_class) {
                job.first = free_node(job_class, among);
                if (job.first < 0) {
                    return;
                }
                run(job, slice_start);
            }
        }
    }
    /// While nothing runs on these trees.
    bool has_work(int job_class, const std::vector<Tree>& among) const {
        return std::any_of(jobs.begin(), jobs.end(), [&](const PlainJob& job) {
            const bool is_here = std::any_of(among.begin(), among.end(), [&job](const Tree& tree) {
                return job.first >= tree.first && job.first < tree.first + tree.second;
            });
            return is_present(job) && log2(job.size) == job_class
                   && (job.first < 0 ? free_node(job_class, among) >= 0 : is_here);
        });
    }
    bool runs(int job_class, const Tree& tree) const {
        return std::any_of(jobs.begin(), jobs.end(), [&](const PlainJob& job) {
            return job.runs && log2(job.size) == job_class && job.first >= tree.first
                   && job.first < tree.first + tree.second;
        });
    }
    Tree whole() const { return {0, processors}; }

  private:
    void run(PlainJob& job, int slice_start) const {
        job.runs = true;
        job.works_from = slice_start + cost;
    }

    bool by_weight_;
};

class PlainVanilla final : public PlainBound {
  public:
    using PlainBound::PlainBound;

  protected:
    void decide() override {
        const bool is_over =
            is_active_ && now >= start_ + quanta[static_cast<std::size_t>(top_class - row_class_)];
        if (is_active_ && !is_over) {
            serve_row();
            is_active_ =
                std::any_of(jobs.begin(), jobs.end(), [](const PlainJob& job) { return job.runs; });
            if (is_active_) {
                return;
            }
        }
        stop(0, processors);
        is_active_ = false;
        for (int tried = 0; tried <= top_class && !is_active_; ++tried) {
            row_class_ = row_class_ == 0 ? top_class : row_class_ - 1;
            if (row_has_work()) {
                is_active_ = true;
                start_ = now;
                serve_row();
            }
        }
    }

  private:
    std::vector<Tree> trees_of(int job_class) const {
        if (has_root && row_class_ == top_class) {
            return job_class == top_class ? std::vector<Tree>{whole()} : std::vector<Tree>{};
        }
        std::vector<Tree> found;
        for (const Tree& tree : trees) {
            if (row_class_ % (log2(tree.second) + 1) == job_class) {
                found.push_back(tree);
            }
        }
        return found;
    }
    void serve_row() {
        for (int job_class = top_class; job_class >= 0; --job_class) {
            if (!trees_of(job_class).empty()) {
                serve(job_class, trees_of(job_class), start_);
            }
        }
    }
    bool row_has_work() const {
        for (int job_class = 0; job_class <= top_class; ++job_class) {
            if (has_work(job_class, trees_of(job_class))) {
                return true;
            }
        }
        return false;
    }

    int row_class_ = 0;  // the next is the largest
    int start_ = 0;
    bool is_active_ = false;
};

class PlainPushDown final : public PlainBound {
  public:
    PlainPushDown(const PlainCycle& cycle, std::vector<PlainJob> given, bool by_weight)
        : PlainBound(cycle, std::move(given), by_weight), slices_(trees.size()) {
        from_the_top();
    }

  protected:
    void decide() override {
        if (root_runs_) {
            if (now < root_start_ + quanta[0]) {
                serve(top_class, {whole()}, root_start_);
            } else {
                stop(0, processors);
            }
            root_runs_ = runs(top_class, whole());
            if (root_runs_) {
                return;
            }
            from_the_top();
        }
        for (std::size_t t = 0; t < trees.size(); ++t) {
            decide(slices_[t], trees[t]);
        }
        const bool all_wait = std::all_of(slices_.begin(), slices_.end(), [](const Slice& slice) {
            return slice.state == State::waits;
        });
        if (all_wait) {
            root_runs_ = true;
            root_start_ = now;
            serve(top_class, {whole()}, now);
        }
    }

  private:
    enum class State { idle, serves, waits };
    struct Slice {
        State state = State::idle;
        int row = 0;  // class served now or last
        int start = 0;
    };

    bool root_exists() const {
        return std::any_of(jobs.begin(), jobs.end(), [this](const PlainJob& job) {
            return is_present(job) && is_root(job);
        });
    }
    void from_the_top() {
        for (std::size_t t = 0; t < trees.size(); ++t) {
            slices_[t] = {State::idle, log2(trees[t].second) + 1, 0};
        }
    }
    void fill(const Slice& slice, const Tree& tree) {
        for (int job_class = slice.row; job_class >= 0; --job_class) {
            serve(job_class, {tree}, slice.start);
        }
    }
    void decide(Slice& slice, const Tree& tree) {
        if (slice.state == State::waits) {
            return;
        }
        if (slice.state == State::serves
            && now < slice.start + quanta[static_cast<std::size_t>(top_class - slice.row)]) {
            serve(slice.row, {tree}, slice.start);
            if (runs(slice.row, tree)) {
                fill(slice, tree);
                return;
            }
        }
        stop(tree.first, tree.first + tree.second);
        const int last = slice.row;
        slice.state = State::idle;
        for (int job_class = last - 1; job_class >= 0; --job_class) {
            if (begin(slice, tree, job_class)) {
                return;
            }
        }
        if (root_exists()) {
            slice.state = State::waits;
            return;
        }
        for (int job_class = log2(tree.second); job_class >= last; --job_class) {
            if (begin(slice, tree, job_class)) {
                return;
            }
        }
    }
    bool begin(Slice& slice, const Tree& tree, int job_class) {
        if (!has_work(job_class, {tree})) {
            return false;
        }
        slice = {State::serves, job_class, now};
        fill(slice, tree);
        return true;
    }

    std::vector<Slice> slices_;
    bool root_runs_ = false;
    int root_start_ = 0;
};

}  // namespace schedfarm::tests
