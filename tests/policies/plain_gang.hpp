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
        : processors_(cycle.processors), cost_(cycle.cost), jobs_(std::move(given)) {
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
        for (int row = 0; row < rows; ++row) {  // the largest class first
            quanta_.push_back(cycle.cycle / rows + (row < cycle.cycle % rows ? 1 : 0));
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

    int processors_;
    int cost_;
    std::vector<PlainJob> jobs_;
    std::vector<Tree> trees_;
    std::vector<int> quanta_;
    int top_class_ = 0;
    bool has_root_ = false;
    int now_ = 0;
};

class PlainMigration final : public PlainGang {
  public:
    PlainMigration(const PlainCycle& cycle, std::vector<PlainJob> given, bool leaves_first)
        : PlainGang(cycle, std::move(given)), leaves_first_(leaves_first) {}

  protected:
    void decide() override {
        if (now_ < next_) {
            return;
        }
        const int row_class = top_class_ - row_;
        next_ += quanta_[static_cast<std::size_t>(row_)];
        row_ = (row_ + 1) % (top_class_ + 1);
        for (PlainJob& job : jobs_) {
            job.runs = false;
        }
        idle_ = processors_;
        if (has_root_ && row_class == top_class_) {
            take(top_class_, 1);
        }
        for (const auto& [first, size] : trees_) {
            const int own = row_class % (log2(size) + 1);
            if (!has_root_ || row_class < top_class_) {
                take(own, size / node(own));
            }
        }
        const int largest = top_class_ - (has_root_ ? 1 : 0);
        for (int i = 0; i <= largest; ++i) {
            take(leaves_first_ ? i : largest - i, processors_);
        }
    }

  private:
    void take(int job_class, int most) {
        for (PlainJob& job : jobs_) {
            if (!is_present(job) || job.runs || log2(job.size) != job_class) {
                continue;
            }
            if (most-- <= 0 || node(job_class) > idle_) {
                return;
            }
            job.runs = true;
            job.works_from = now_ + cost_;
            idle_ -= node(job_class);
        }
    }

    bool leaves_first_;
    int next_ = 0;
    int row_ = 0;
    int idle_ = 0;
};

}  // namespace schedfarm::tests
