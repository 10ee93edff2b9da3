// Gang scheduling without migration second by second: vanilla and push-down from the rules alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tests/policies/gang/plain_gang.hpp"

namespace schedfarm::tests {

/// Jobs stay on the node that they were first given.
class PlainBound : public PlainGang {
  public:
    PlainBound(const PlainCycle& cycle, std::vector<PlainJob> given, bool by_weight)
        : PlainGang(cycle, std::move(given)), by_weight_(by_weight) {}

  protected:
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
    void serve(int job_class, const std::vector<Tree>& among, int works_from) {
        for (PlainJob& job : jobs_) {
            if (!is_present(job) || job.runs || log2(job.size) != job_class) {
                continue;
            }
            const bool is_here = std::any_of(among.begin(), among.end(), [&job](const Tree& tree) {
                return job.first >= tree.first && job.first < tree.first + tree.second;
            });
            if (job.first >= 0 && is_here && is_idle(job.first, node(job_class))) {
                run(job, works_from);
            }
        }
        for (PlainJob& job : jobs_) {
            if (is_present(job) && job.first < 0 && log2(job.size) == job_class) {
                job.first = free_node(job_class, among);
                if (job.first < 0) {
                    return;
                }
                run(job, works_from);
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
    static void run(PlainJob& job, int works_from) {
        job.runs = true;
        job.works_from = works_from;
    }

    bool by_weight_;
};

class PlainVanilla final : public PlainBound {
  public:
    PlainVanilla(const PlainCycle& cycle, std::vector<PlainJob> given, bool by_weight)
        : PlainBound(cycle, std::move(given), by_weight), slice_(slices() - 1) {}

  protected:
    void decide() override {
        if (is_active_ && now_ < end_) {
            if (cycle_.refills) {
                serve_row();
            }
            is_active_ = std::any_of(jobs_.begin(), jobs_.end(), [](const PlainJob& job) {
                return job.runs;
            });
            if (is_active_) {
                return;
            }
        } else if (!is_active_ && cycle_.starts_at_top) {
            slice_ = slices() - 1;
        }
        stop(0, processors_);
        is_active_ = false;
        for (std::size_t tried = 0; tried < slices() && !is_active_; ++tried) {
            slice_ = (slice_ + 1) % slices();
            if (row_has_work()) {
                is_active_ = true;
                const int paid = pays(rows_[slice_], row_before_);
                row_before_ = rows_[slice_];
                works_from_ = now_ + paid;
                end_ = now_ + length(slice_, paid);
                serve_row();
            }
        }
    }

  private:
    std::vector<Tree> trees_of(int job_class) const {
        if (has_root_ && rows_[slice_] == top_class_) {
            return job_class == top_class_ ? std::vector<Tree>{whole()} : std::vector<Tree>{};
        }
        std::vector<Tree> found;
        for (const Tree& tree : trees_) {
            if (rows_[slice_] % (log2(tree.second) + 1) == job_class) {
                found.push_back(tree);
            }
        }
        return found;
    }
    void serve_row() {
        for (int job_class = top_class_; job_class >= 0; --job_class) {
            if (!trees_of(job_class).empty()) {
                serve(job_class, trees_of(job_class), works_from_);
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

    std::size_t slice_;
    int row_before_ = -1;
    int works_from_ = 0;
    int end_ = 0;
    bool is_active_ = false;
};

class PlainPushDown final : public PlainBound {
  public:
    PlainPushDown(const PlainCycle& cycle, std::vector<PlainJob> given, bool by_weight)
        : PlainBound(cycle, std::move(given), by_weight)
        , first_(has_root_ && rows_.front() == top_class_ ? 0 : slices() - 1)
        , states_(trees_.size()) {
        for (State& state : states_) {
            state.at = first_;
        }
    }

  protected:
    void decide() override {
        if (root_runs_) {
            if (now_ >= root_end_) {
                stop(0, processors_);
            } else if (cycle_.refills) {
                serve(top_class_, {whole()}, root_works_from_);
            }
            root_runs_ = runs(top_class_, whole());
            if (root_runs_) {
                return;
            }
            for (State& state : states_) {
                state.what = What::goes_on;
            }
        }
        if (cycle_.root_first && root_exists()) {
            wait_if_nobody_serves();
        }
        for (std::size_t t = 0; t < trees_.size(); ++t) {
            decide(states_[t], trees_[t]);
        }
        if (std::all_of(states_.begin(), states_.end(), [](const State& state) {
                return state.what == What::waits;
            })) {
            begin_root();
        }
    }

  private:
    enum class What { idle, serves, waits, goes_on };
    struct State {
        What what = What::idle;
        std::size_t at = 0;   // slice of now or the last
        int row_before = -1;  // −1 also after a root slice
        int works_from = 0;
        int end = 0;
    };

    bool root_exists() const {
        return std::any_of(jobs_.begin(), jobs_.end(), [this](const PlainJob& job) {
            return is_present(job) && is_root(job);
        });
    }
    void wait_if_nobody_serves() {
        for (const State& state : states_) {
            if (state.what == What::serves || state.what == What::goes_on) {
                return;
            }
        }
        for (State& state : states_) {
            if (state.what == What::idle) {
                state.at = cycle_.starts_at_top ? first_ : state.at;
                do {
                    state.at = (state.at + 1) % slices();
                } while (rows_[state.at] != top_class_);
                state.what = What::waits;
            }
        }
    }
    void begin_root() {
        root_runs_ = true;
        const int paid = pays(top_class_, nothing_since_root_ ? top_class_ : -1);
        root_works_from_ = now_ + paid;
        root_end_ = now_ + length(states_.front().at, paid);
        nothing_since_root_ = true;
        for (State& state : states_) {
            state.row_before = -1;
        }
        serve(top_class_, {whole()}, root_works_from_);
    }
    void fill(const State& state, const Tree& tree) {
        for (int job_class = rows_[state.at]; job_class >= 0; --job_class) {
            serve(job_class, {tree}, state.works_from);
        }
    }
    void decide(State& state, const Tree& tree) {
        if (state.what == What::waits) {
            return;
        }
        if (state.what == What::serves && now_ < state.end) {
            if (cycle_.refills) {
                serve(rows_[state.at], {tree}, state.works_from);
            }
            if (runs(rows_[state.at], tree)) {
                if (cycle_.refills) {
                    fill(state, tree);
                }
                return;
            }
        }
        if (state.what == What::idle && cycle_.starts_at_top) {
            state.at = first_;
        }
        stop(tree.first, tree.first + tree.second);
        state.what = What::idle;
        for (std::size_t tried = 0; tried < slices() && state.what == What::idle; ++tried) {
            state.at = (state.at + 1) % slices();
            const int row = rows_[state.at];
            if (has_root_ && row == top_class_) {
                state.what = root_exists() ? What::waits : What::idle;
            } else if (row <= log2(tree.second) && has_work(row, {tree})) {
                begin(state, tree);
            }
        }
    }
    void begin(State& state, const Tree& tree) {
        const int row = rows_[state.at];
        const int paid = pays(row, state.row_before);
        state.what = What::serves;
        state.row_before = row;
        state.works_from = now_ + paid;
        state.end = now_ + length(state.at, paid);
        nothing_since_root_ = false;
        fill(state, tree);
    }

    std::size_t first_;
    std::vector<State> states_;
    bool root_runs_ = false;
    bool nothing_since_root_ = false;
    int root_works_from_ = 0;
    int root_end_ = 0;
};

}  // namespace schedfarm::tests
