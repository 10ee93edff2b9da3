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

/// A slice of the cycle: class of the row and length.
struct PlainSlice {
    int row = 0;
    int quantum = 1;
};

struct PlainCycle {
    int processors = 1;
    int cycle = 1;
    int cost = 0;
    std::vector<PlainSlice> slices = {};  ///< empty: equal ones, the largest class first

    // The readings.
    bool only_changes_pay = false;
    bool is_longer_by_costs = false;
    bool refills = false;
    bool starts_at_top = false;
    bool root_first = true;
};

/// What all three have in common: the machine and the clock.
class PlainGang {
  public:
    PlainGang(const PlainCycle& cycle, std::vector<PlainJob> given)
        : cycle_(cycle), processors_(cycle.processors), cost_(cycle.cost), jobs_(std::move(given)) {
        while ((1 << top_class_) < processors_) {
            ++top_class_;
        }
        for (int first = 0, size = 1 << top_class_; size > 0; size /= 2) {
            if (first + size <= processors_) {
                trees_.emplace_back(first, size);
                first += size;
            }
        }
        has_root_ = trees_.size() > 1;
        const int rows = top_class_ + 1;
        for (int row = 0; row < rows && cycle.slices.empty(); ++row) {  // the largest class first
            rows_.push_back(top_class_ - row);
            quanta_.push_back(cycle.cycle / rows + (row < cycle.cycle % rows ? 1 : 0));
        }
        for (const PlainSlice& slice : cycle.slices) {
            rows_.push_back(slice.row);
            quanta_.push_back(slice.quantum);
        }
        for (PlainJob& job : jobs_) {
            job.left = job.service;
        }
    }
    PlainGang(const PlainGang&) = delete;
    PlainGang& operator=(const PlainGang&) = delete;
    virtual ~PlainGang() = default;

    std::vector<double> completions() {
        for (now_ = 0; std::any_of(
                 jobs_.begin(), jobs_.end(), [](const PlainJob& job) { return job.completion < 0; }
             );
             ++now_) {
            decide();
            for (PlainJob& job : jobs_) {
                if (job.runs && now_ >= job.works_from && --job.left == 0) {
                    job.runs = false;
                    job.completion = now_ + 1;
                }
            }
        }
        std::vector<double> found;
        for (const PlainJob& job : jobs_) {
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
    int node(int job_class) const { return std::min(1 << job_class, processors_); }
    bool is_root(const PlainJob& job) const { return has_root_ && log2(job.size) == top_class_; }
    bool is_present(const PlainJob& job) const { return job.submit <= now_ && job.completion < 0; }
    void stop(int from, int to) {
        for (PlainJob& job : jobs_) {
            if (job.runs && job.first >= from && job.first < to) {
                job.runs = false;
            }
        }
    }

    static bool overlaps(int first, int size, int other, int other_size) {
        return first < other + other_size && other < first + size;
    }
    bool is_idle(int first, int size) const {
        return std::none_of(jobs_.begin(), jobs_.end(), [&](const PlainJob& job) {
            return job.runs && overlaps(first, size, job.first, node(log2(job.size)));
        });
    }
    std::size_t slices() const { return rows_.size(); }
    /// What a slice of the row pays after one of `before`, and how long it is then.
    int pays(int row, int before) const {
        return cycle_.only_changes_pay && row == before ? 0 : cost_;
    }
    int length(std::size_t slice, int paid) const {
        return quanta_[slice] + (cycle_.is_longer_by_costs ? paid : 0);
    }

    PlainCycle cycle_;
    int processors_;
    int cost_;
    std::vector<PlainJob> jobs_;
    std::vector<Tree> trees_;
    std::vector<int> rows_;    // by slice
    std::vector<int> quanta_;  // by slice
    int top_class_ = 0;
    bool has_root_ = false;
    int now_ = 0;
};

/// Slices one after another on the whole machine.
class PlainSliced : public PlainGang {
  protected:
    PlainSliced(const PlainCycle& cycle, std::vector<PlainJob> given)
        : PlainGang(cycle, std::move(given)), slice_(slices() - 1) {}

    /// Nobody runs yet.
    void begin_slice() {
        const int before = rows_[slice_];
        slice_ = (slice_ + 1) % slices();
        const int paid = pays(rows_[slice_], before);
        works_from_ = now_ + paid;
        next_ = now_ + length(slice_, paid);
        for (PlainJob& job : jobs_) {
            job.runs = false;
        }
    }

    std::size_t slice_;  // of now
    int works_from_ = 0;
    int next_ = 0;
};

}  // namespace schedfarm::tests
