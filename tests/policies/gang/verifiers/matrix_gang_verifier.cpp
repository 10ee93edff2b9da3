#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "policies/gang/gang.hpp"

#include "tests/policies/gang/verifiers/plain_gang_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

constexpr double tolerance = 1e-9;  // relative to the time

bool are_near(double a, double b, double time) {
    return std::abs(a - b) <= tolerance * (1 + time);
}

constexpr std::uint64_t nobody = ~std::uint64_t{0};

class MatrixVerifier final : public ScheduleVerifier {
  public:
    MatrixVerifier(const MatrixSettings& settings, BuddyTrees trees)
        : settings_(settings), trees_(std::move(trees)) {}

    void observe(const ScheduleStep& step) override;
    void end_of_instant(double time) override;
    void finish() override {}

  private:
    using Row = std::vector<std::uint64_t>;  // by processor: index of the job, or nobody

    struct Watched {
        JobId id;
        std::uint64_t index = 0;
        std::uint32_t size = 0;
        double left = 0;
        double since = 0;
        double paid = 0;
        std::vector<std::uint32_t> processors = {};  // on which it runs; empty: it does not
        std::vector<std::uint32_t> columns = {};     // empty: it waits for a slot
        bool should_run = false;
    };

    static void expect(bool holds, double time, std::uint64_t job, const char* problem) {
        if (!holds) {
            throw ScheduleError(fmt::format("at time {}: job {} {}", time, job, problem));
        }
    }
    Watched& watched(std::uint64_t index) {
        return *std::find_if(jobs_.begin(), jobs_.end(), [index](const Watched& job) {
            return job.index == index;
        });
    }
    static void start(const ScheduleStep& step, Watched& job) {
        job.since = step.time;
        for (const ProcessorRange& range : step.processors) {
            for (std::uint32_t i = 0; i < range.count; ++i) {
                job.processors.push_back(range.first.value + i);
            }
        }
    }
    static void stop(const ScheduleStep& step, Watched& job) {
        const double work = step.time - job.since - job.paid;
        const bool is_whole = work >= -tolerance * (1 + step.time);
        expect(is_whole, step.time, job.index, "stops while it pays a switch");
        job.left -= work;
        job.paid = 0;
        job.processors.clear();
    }
    void leave(const Watched& job);
    void unify();
    bool unify_rows(std::size_t to, std::size_t from);

    std::vector<std::uint32_t> idle_in(const Row& row) const;
    std::optional<std::vector<std::uint32_t>> room_in(const Row& row, std::uint32_t size) const;
    bool place(Watched& job);
    void place_waiting();

    bool is_own(std::uint64_t index) const {
        return turn_ && std::count(rows_[*turn_].begin(), rows_[*turn_].end(), index) > 0;
    }
    void name_row(std::size_t row);
    void name_fillers();
    void begin(double time);
    void name_by_rule(double time);
    void expect_rule(double time) const;

    MatrixSettings settings_;
    BuddyTrees trees_;
    std::vector<Watched> jobs_;  // in order of arrival
    std::vector<Row> rows_;
    std::optional<std::size_t> turn_;  // absent: the slot of the last slice is gone
    std::size_t next_ = 0;             // row, where turn_ is absent
    bool is_active_ = false;
    bool has_completions_ = false;
    double works_from_ = 0;
    double end_ = 0;  // of the slice
};

void MatrixVerifier::observe(const ScheduleStep& step) {
    if (step.job == nullptr) {
        return;
    }
    if (step.kind == ScheduleStep::Kind::arrival) {
        jobs_.push_back(
            {.id = step.id,
             .index = step.job->index,
             .size = step.job->size,
             .left = step.job->service_time}
        );
        return;
    }
    Watched& job = watched(step.job->index);
    if (step.kind == ScheduleStep::Kind::delay) {
        job.paid += step.amount;
    } else if (step.kind == ScheduleStep::Kind::start || step.kind == ScheduleStep::Kind::resume) {
        start(step, job);
    } else if (step.kind == ScheduleStep::Kind::suspend) {
        stop(step, job);
    } else if (step.kind == ScheduleStep::Kind::completion) {
        stop(step, job);
        const bool is_served = std::abs(job.left) <= tolerance * (1 + step.time);
        expect(is_served, step.time, job.index, "did not receive its service");
        leave(job);
        std::erase_if(jobs_, [&step](const Watched& one) { return one.index == step.job->index; });
        has_completions_ = true;
    }
}

void MatrixVerifier::leave(const Watched& job) {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        Row& row = rows_[r];
        std::replace(row.begin(), row.end(), job.index, nobody);
        if (idle_in(row).size() < row.size()) {
            continue;
        }
        rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(r));
        if (turn_ == r) {
            turn_.reset();
            next_ = r;
        } else if (turn_ && *turn_ > r) {
            --*turn_;
        } else if (!turn_ && next_ > r) {
            --next_;
        }
        return;
    }
}

bool MatrixVerifier::unify_rows(std::size_t to, std::size_t from) {
    for (std::size_t p = 0; p < rows_[to].size(); ++p) {
        if (rows_[to][p] != nobody && rows_[from][p] != nobody) {
            return false;
        }
    }
    for (std::size_t p = 0; p < rows_[to].size(); ++p) {
        rows_[to][p] = std::min(rows_[to][p], rows_[from][p]);
    }
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(from));
    if (turn_ && *turn_ >= from) {
        turn_ = *turn_ == from ? to : *turn_ - 1;
    } else if (!turn_ && next_ > from) {
        --next_;
    }
    return true;
}

void MatrixVerifier::unify() {
    for (std::size_t to = 0; to < rows_.size(); ++to) {
        for (std::size_t from = to + 1; from < rows_.size(); ++from) {
            if (unify_rows(to, from)) {
                unify();
                return;
            }
        }
    }
}

std::vector<std::uint32_t> MatrixVerifier::idle_in(const Row& row) const {
    std::vector<std::uint32_t> idle;
    for (std::uint32_t processor = 0; processor < trees_.processors(); ++processor) {
        if (row[processor] == nobody) {
            idle.push_back(processor);
        }
    }
    return idle;
}

std::optional<std::vector<std::uint32_t>> MatrixVerifier::room_in(
    const Row& row, std::uint32_t size
) const {
    std::vector<std::uint32_t> idle = idle_in(row);
    if (settings_.rule.packing != Packing::buddy) {
        if (idle.size() < size) {
            return {};
        }
        const bool is_large = size > settings_.rule.largest_small;
        if (settings_.rule.packing == Packing::left_right && is_large) {
            return {{idle.end() - size, idle.end()}};
        }
        return {{idle.begin(), idle.begin() + size}};
    }
    const std::uint32_t node = trees_.node_size(BuddyTrees::class_of(size));
    for (auto first = idle.begin(); idle.end() - first >= node; ++first) {
        if (*first % node == 0 && *(first + node - 1) == *first + node - 1) {
            return {{first, first + node}};
        }
    }
    return {};
}

bool MatrixVerifier::place(Watched& job) {
    std::size_t chosen = rows_.size();
    std::size_t fewest = trees_.processors() + 1;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        const std::size_t idle =
            settings_.rule.packing == Packing::best_fit ? idle_in(rows_[row]).size() : 0;
        if (idle < fewest && room_in(rows_[row], job.size)) {
            chosen = row;
            fewest = idle;
        }
    }
    if (chosen == rows_.size()) {
        if (settings_.rule.most_slots > 0 && rows_.size() == settings_.rule.most_slots) {
            return false;
        }
        rows_.emplace_back(trees_.processors(), nobody);
    }
    job.columns = *room_in(rows_[chosen], job.size);
    for (const std::uint32_t column : job.columns) {
        rows_[chosen][column] = job.index;
    }
    return true;
}

void MatrixVerifier::place_waiting() {
    for (Watched& job : jobs_) {
        if (job.columns.empty() && !place(job)) {
            return;
        }
    }
}

/// Names those jobs of a row whose columns no job that is named has.
void MatrixVerifier::name_row(std::size_t row) {
    for (Watched& job : jobs_) {
        if (std::count(rows_[row].begin(), rows_[row].end(), job.index) == 0 || job.should_run) {
            continue;
        }
        job.should_run = std::none_of(jobs_.begin(), jobs_.end(), [&job](const Watched& other) {
            return other.should_run
                   && std::find_first_of(
                          job.columns.begin(),
                          job.columns.end(),
                          other.columns.begin(),
                          other.columns.end()
                      ) != job.columns.end();
        });
    }
}

void MatrixVerifier::name_fillers() {
    for (std::size_t i = 1; settings_.alternatives && i < rows_.size(); ++i) {
        name_row((*turn_ + i) % rows_.size());
    }
}

void MatrixVerifier::begin(double time) {
    const std::size_t next = (turn_ ? *turn_ + 1 : next_) % rows_.size();
    const bool is_free = settings_.switches.paid == SwitchPaid::row_change && turn_ == next;
    works_from_ = is_free ? time : time + settings_.switches.seconds;
    const bool is_inside = settings_.switches.place == SwitchPlace::inside;
    end_ = (is_inside ? time : works_from_) + settings_.slice_s;
    turn_ = next;
}

void MatrixVerifier::name_by_rule(double time) {
    if (is_active_ && turn_ && time < end_) {
        name_row(*turn_);
        const bool own_runs = std::any_of(jobs_.begin(), jobs_.end(), [this](const Watched& job) {
            return job.should_run && is_own(job.index);
        });
        if (own_runs) {
            name_fillers();
            return;
        }
    }
    for (Watched& job : jobs_) {
        job.should_run = false;
    }
    is_active_ = !rows_.empty();
    if (is_active_) {
        begin(time);
        name_row(*turn_);
        name_fillers();
    }
}

void MatrixVerifier::expect_rule(double time) const {
    for (const Watched& job : jobs_) {
        expect(!job.should_run || !job.processors.empty(), time, job.index, "should run");
        expect(job.should_run || job.processors.empty(), time, job.index, "should not run");
        if (!job.should_run) {
            continue;
        }
        const std::vector<std::uint32_t> due(
            job.columns.begin(), job.columns.begin() + std::ptrdiff_t{job.size}
        );
        expect(job.processors == due, time, job.index, "is not on its processors");
        const double rest = std::max(0.0, works_from_ - job.since);
        const bool pays = are_near(job.paid, rest, time);
        expect(pays, time, job.index, "does not pay what the switch costs");
    }
}

void MatrixVerifier::end_of_instant(double time) {
    if (settings_.unifies && has_completions_) {
        unify();
    }
    has_completions_ = false;
    place_waiting();
    name_by_rule(time);
    expect_rule(time);
}

}  // namespace

std::unique_ptr<ScheduleVerifier> make_matrix_verifier(
    const MatrixSettings& settings, const BuddyTrees& trees
) {
    return std::make_unique<MatrixVerifier>(settings, trees);
}

}  // namespace schedfarm::tests
