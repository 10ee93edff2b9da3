// Gang scheduling with migration second by second, from the rules alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tests/policies/gang/plain_gang.hpp"

namespace schedfarm::tests {

enum class PlainOrder { leaves, root, adaptive };

class PlainMigration final : public PlainSliced {
  public:
    PlainMigration(const PlainCycle& cycle, std::vector<PlainJob> given, PlainOrder order)
        : PlainSliced(cycle, std::move(given)), order_(order) {}

  protected:
    void decide() override {
        if (now_ < next_) {
            if (cycle_.refills) {
                fill();
            }
            return;
        }
        begin_slice();
        if (slice_ == 0) {
            from_leaves_ =
                order_ == PlainOrder::leaves || (order_ == PlainOrder::adaptive && adapt());
        }
        fill();
    }

  private:
    int fillers() const { return top_class_ + (has_root_ ? 0 : 1); }

    /// Whether the larger half of the classes asks for no more than the smaller one.
    bool adapt() const {
        int larger = 0;
        for (const PlainJob& job : jobs_) {
            const int job_class = log2(job.size);
            if (!is_present(job) || is_root(job) || 2 * job_class + 1 == fillers()) {
                continue;
            }
            larger += 2 * job_class + 1 > fillers() ? node(job_class) : -node(job_class);
        }
        return larger <= 0;
    }

    void fill() {
        const int row = rows_[slice_];
        if (has_root_ && row == top_class_) {
            if (is_idle(0, processors_)) {
                take(top_class_, 1);
            }
        } else {
            for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
                take_own(tree, row);
            }
        }
        for (int i = 0; i < fillers(); ++i) {
            take(from_leaves_ ? i : fillers() - 1 - i, processors_);
        }
    }

    /// The class that the tree serves, if no tree before serves it, on all trees that do.
    void take_own(std::size_t tree, int row) {
        const int own = row % (log2(trees_[tree].second) + 1);
        int nodes = 0;
        for (std::size_t other = 0; other < trees_.size(); ++other) {
            if (row % (log2(trees_[other].second) + 1) == own) {
                if (other < tree) {
                    return;
                }
                nodes += trees_[other].second / node(own);
            }
        }
        take(own, nodes - running(own));
    }

    int running(int job_class) const {
        return static_cast<int>(std::count_if(jobs_.begin(), jobs_.end(), [&](const PlainJob& job) {
            return job.runs && log2(job.size) == job_class;
        }));
    }

    void take(int job_class, int most) {
        for (PlainJob& job : jobs_) {
            if (!is_present(job) || job.runs || log2(job.size) != job_class) {
                continue;
            }
            const int first =
                is_root(job) ? (is_idle(0, processors_) ? 0 : -1) : best_fit(job_class);
            if (most-- <= 0 || first < 0) {
                return;
            }
            job.runs = true;
            job.first = first;
            job.works_from = works_from_;
        }
    }

    /// The first processor of the smallest idle block that is no half of one: −1 where none is
    /// large enough.
    int best_fit(int job_class) const {
        for (int size = node(job_class); size <= processors_; size *= 2) {
            for (const auto& [tree, tree_size] : trees_) {
                for (int at = tree; size <= tree_size && at < tree + tree_size; at += size) {
                    const int whole = (at - tree) / (2 * size) * (2 * size) + tree;
                    const bool is_half = 2 * size <= tree_size && is_idle(whole, 2 * size);
                    if (is_idle(at, size) && !is_half) {
                        return at;
                    }
                }
            }
        }
        return -1;
    }

    PlainOrder order_;
    bool from_leaves_ = true;
};

}  // namespace schedfarm::tests
