// Gang scheduling without migration second by second: vanilla and push-down from the rules alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tests/policies/plain_gang.hpp"

namespace schedfarm::tests {

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
        return std::none_of(jobs_.begin(), jobs_.end(), [&](const PlainJob& job) {
            return job.runs && overlaps(first, size, job.first, node(log2(job.size)));
        });
    }
    bool is_bound(int first, int job_class) const {
        return std::any_of(jobs_.begin(), jobs_.end(), [&](const PlainJob& job) {
            return is_present(job) && job.first == first && log2(job.size) == job_class;
        });
    }
    int weight(int first, int size) const {
        return static_cast<int>(std::count_if(jobs_.begin(), jobs_.end(), [&](const PlainJob& job) {
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
        for (PlainJob& job : jobs_) {
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
        for (PlainJob& job : jobs_) {
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
        return std::any_of(jobs_.begin(), jobs_.end(), [&](const PlainJob& job) {
            const bool is_here = std::any_of(among.begin(), among.end(), [&job](const Tree& tree) {
                return job.first >= tree.first && job.first < tree.first + tree.second;
            });
            return is_present(job) && log2(job.size) == job_class
                   && (job.first < 0 ? free_node(job_class, among) >= 0 : is_here);
        });
    }
    bool runs(int job_class, const Tree& tree) const {
        return std::any_of(jobs_.begin(), jobs_.end(), [&](const PlainJob& job) {
            return job.runs && log2(job.size) == job_class && job.first >= tree.first
                   && job.first < tree.first + tree.second;
        });
    }
    Tree whole() const { return {0, processors_}; }

  private:
    void run(PlainJob& job, int slice_start) const {
        job.runs = true;
        job.works_from = slice_start + cost_;
    }

    bool by_weight_;
};

class PlainVanilla final : public PlainBound {
  public:
    using PlainBound::PlainBound;

  protected:
    void decide() override {
        const bool is_over =
            is_active_
            && now_ >= start_ + quanta_[static_cast<std::size_t>(top_class_ - row_class_)];
        if (is_active_ && !is_over) {
            serve_row();
            is_active_ = std::any_of(jobs_.begin(), jobs_.end(), [](const PlainJob& job) {
                return job.runs;
            });
            if (is_active_) {
                return;
            }
        }
        stop(0, processors_);
        is_active_ = false;
        for (int tried = 0; tried <= top_class_ && !is_active_; ++tried) {
            row_class_ = row_class_ == 0 ? top_class_ : row_class_ - 1;
            if (row_has_work()) {
                is_active_ = true;
                start_ = now_;
                serve_row();
            }
        }
    }

  private:
    std::vector<Tree> trees_of(int job_class) const {
        if (has_root_ && row_class_ == top_class_) {
            return job_class == top_class_ ? std::vector<Tree>{whole()} : std::vector<Tree>{};
        }
        std::vector<Tree> found;
        for (const Tree& tree : trees_) {
            if (row_class_ % (log2(tree.second) + 1) == job_class) {
                found.push_back(tree);
            }
        }
        return found;
    }
    void serve_row() {
        for (int job_class = top_class_; job_class >= 0; --job_class) {
            if (!trees_of(job_class).empty()) {
                serve(job_class, trees_of(job_class), start_);
            }
        }
    }
    bool row_has_work() const {
        for (int job_class = 0; job_class <= top_class_; ++job_class) {
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
        : PlainBound(cycle, std::move(given), by_weight), slices_(trees_.size()) {
        from_the_top();
    }

  protected:
    void decide() override {
        if (root_runs_) {
            if (now_ < root_start_ + quanta_[0]) {
                serve(top_class_, {whole()}, root_start_);
            } else {
                stop(0, processors_);
            }
            root_runs_ = runs(top_class_, whole());
            if (root_runs_) {
                return;
            }
            from_the_top();
        }
        for (std::size_t t = 0; t < trees_.size(); ++t) {
            decide(slices_[t], trees_[t]);
        }
        const bool all_wait = std::all_of(slices_.begin(), slices_.end(), [](const Slice& slice) {
            return slice.state == State::waits;
        });
        if (all_wait) {
            root_runs_ = true;
            root_start_ = now_;
            serve(top_class_, {whole()}, now_);
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
        return std::any_of(jobs_.begin(), jobs_.end(), [this](const PlainJob& job) {
            return is_present(job) && is_root(job);
        });
    }
    void from_the_top() {
        for (std::size_t t = 0; t < trees_.size(); ++t) {
            slices_[t] = {State::idle, log2(trees_[t].second) + 1, 0};
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
            && now_ < slice.start + quanta_[static_cast<std::size_t>(top_class_ - slice.row)]) {
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
        slice = {State::serves, job_class, now_};
        fill(slice, tree);
        return true;
    }

    std::vector<Slice> slices_;
    bool root_runs_ = false;
    int root_start_ = 0;
};

}  // namespace schedfarm::tests
