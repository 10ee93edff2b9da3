// Gang scheduling with tree packing second by second: what is kept busy is asked by going down the
// tree anew each time. Whole seconds. Slow.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/policies/gang/plain_gang.hpp"

namespace schedfarm::tests {

class PlainTreePacking final : public PlainSliced {
  public:
    PlainTreePacking(const PlainCycle& cycle, std::vector<PlainJob> given, bool leaves_first)
        : PlainSliced(cycle, std::move(given)), leaves_first_(leaves_first) {}

  protected:
    void decide() override {
        const bool begins = now_ == next_;
        if (begins) {
            begin_slice();
        }
        if (begins || cycle_.refills) {
            fill();
        }
    }

  private:
    using Jobs = std::vector<const PlainJob*>;

    int node_of(const PlainJob& job) const { return node(log2(job.size)); }
    /// The class that the processors from `first` on serve in a row.
    int served(int row, int first) const {
        if (has_root_ && row == top_class_) {
            return top_class_;
        }
        for (const Tree& tree : trees_) {
            if (first >= tree.first && first < tree.first + tree.second) {
                return row % (log2(tree.second) + 1);
            }
        }
        return -1;
    }

    /// The best set of these jobs, no two on one processor, within a node.
    Jobs best(const Jobs& from, int first, int size) const {
        Jobs halves;
        if (size > 1) {
            halves = best(from, first, size / 2);
            const Jobs right = best(from, first + size / 2, size / 2);
            halves.insert(halves.end(), right.begin(), right.end());
        }
        for (const PlainJob* job : from) {
            if (job->first == first && node_of(*job) == size) {
                const int by_halves = busy(halves);
                const bool is_better = by_halves < size || (by_halves == size && !leaves_first_);
                return is_better ? Jobs{job} : halves;
            }
        }
        return halves;
    }
    int busy(const Jobs& set) const {
        int sum = 0;
        for (const PlainJob* job : set) {
            sum += node_of(*job);
        }
        return sum;
    }

    /// In a row with nothing queued: its own bound jobs and the best beside them.
    int busy_in(int row) const {
        Jobs own;
        for (const PlainJob& job : jobs_) {
            if (is_present(job) && job.first >= 0 && log2(job.size) == served(row, job.first)) {
                own.push_back(&job);
            }
        }
        Jobs others;
        for (const PlainJob& job : jobs_) {
            const bool is_apart = std::none_of(own.begin(), own.end(), [&](const PlainJob* one) {
                return overlaps(job.first, node_of(job), one->first, node_of(*one));
            });
            if (is_present(job) && job.first >= 0 && !is_root(job) && is_apart) {
                others.push_back(&job);
            }
        }
        int sum = busy(own);
        for (const Tree& tree : trees_) {
            sum += busy(best(others, tree.first, tree.second));
        }
        return sum;
    }
    int busy_in_cycle() const {
        int sum = 0;
        for (const int row : rows_) {
            sum += has_root_ && row == top_class_ ? 0 : busy_in(row);
        }
        return sum;
    }

    void run(PlainJob& job) {
        job.runs = true;
        job.works_from = works_from_;
    }
    /// The heads of a queue on nodes of their class, only where the row serves it if so.
    void run_queued(int job_class, bool only_served) {
        for (PlainJob& job : jobs_) {
            if (!is_present(job) || job.first >= 0 || log2(job.size) != job_class) {
                continue;
            }
            int best_node = -1;
            int most = -1;
            const int size = node(job_class);
            for (int first = 0; first + size <= processors_; first += size) {
                const bool is_bound =
                    std::any_of(jobs_.begin(), jobs_.end(), [&](const PlainJob& other) {
                        return is_present(other) && other.first == first
                               && log2(other.size) == job_class;
                    });
                if (is_bound || !is_idle(first, size)
                    || (only_served && served(rows_[slice_], first) != job_class)) {
                    continue;
                }
                job.first = first;
                const int kept = is_root(job) ? 0 : busy_in_cycle();
                if (kept > most) {
                    best_node = first;
                    most = kept;
                }
            }
            job.first = best_node;
            if (best_node < 0) {
                return;
            }
            run(job);
        }
    }

    void fill() {
        for (int job_class = top_class_; job_class >= 0; --job_class) {
            for (PlainJob& job : jobs_) {
                if (is_present(job) && job.first >= 0 && !job.runs && log2(job.size) == job_class
                    && served(rows_[slice_], job.first) == job_class
                    && is_idle(job.first, node_of(job))) {
                    run(job);
                }
            }
            run_queued(job_class, true);
        }
        Jobs idle;
        for (const PlainJob& job : jobs_) {
            if (is_present(job) && job.first >= 0 && !job.runs && !is_root(job)
                && is_idle(job.first, node_of(job))) {
                idle.push_back(&job);
            }
        }
        for (const Tree& tree : trees_) {
            for (const PlainJob* job : best(idle, tree.first, tree.second)) {
                run(*std::find_if(jobs_.begin(), jobs_.end(), [job](const PlainJob& one) {
                    return &one == job;
                }));
            }
        }
        for (int job_class = top_class_ - (has_root_ ? 1 : 0); job_class >= 0; --job_class) {
            run_queued(job_class, false);
        }
    }

    bool leaves_first_;
};

}  // namespace schedfarm::tests
