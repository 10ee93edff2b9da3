// Gang scheduling by a matrix second by second: slots are sets of jobs, jobs have sets of
// processors, and everything is asked anew in every second. Whole seconds. Slow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/policies/gang/plain_gang.hpp"

namespace schedfarm::tests {

struct PlainPacking {
    std::string packing = "first_fit";
    int largest_small = 16;
    int slots = 0;
    bool unifies = true;
    bool alternatives = true;
    bool pays_changes_only = false;
    bool pays_outside = false;
    int slice = 10;
};

class PlainMatrix final : public PlainGang {
  public:
    PlainMatrix(const PlainCycle& cycle, std::vector<PlainJob> given, PlainPacking how)
        : PlainGang(cycle, std::move(given)), how_(std::move(how)), sets_(jobs_.size()) {}

  protected:
    void decide() override {
        clear_up();
        for (std::size_t j = 0; j < jobs_.size(); ++j) {
            if (is_present(jobs_[j]) && sets_[j].empty() && !place(j)) {
                break;
            }
        }
        bool goes_on = turn_ != nobody && now_ < end_;
        if (goes_on) {
            run_slot(turn_);
            goes_on = std::any_of(slots_.begin(), slots_.end(), [this](const Slot& slot) {
                return slot.number == turn_ && runs_any(slot);
            });
        }
        if (!goes_on) {
            begin();
        }
        if (how_.alternatives && turn_ != nobody) {
            // Those that appeared after the slot, then those before it.
            for (const Slot& slot : slots_) {
                if (slot.number > turn_) {
                    run_slot(slot.number);
                }
            }
            for (const Slot& slot : slots_) {
                if (slot.number < turn_) {
                    run_slot(slot.number);
                }
            }
        }
    }

  private:
    using Processors = std::set<int>;
    struct Slot {
        int number = 0;
        std::set<std::size_t> jobs;
    };
    static constexpr int nobody = -1;

    static bool meet(const Processors& a, const Processors& b) {
        return std::any_of(a.begin(), a.end(), [&b](int p) { return b.contains(p); });
    }
    Processors used(const Slot& slot) const {
        Processors all;
        for (const std::size_t j : slot.jobs) {
            all.insert(sets_[j].begin(), sets_[j].end());
        }
        return all;
    }
    bool runs_any(const Slot& slot) const {
        return std::any_of(slot.jobs.begin(), slot.jobs.end(), [this](std::size_t j) {
            return jobs_[j].runs;
        });
    }

    void clear_up() {
        bool somebody_left = false;
        for (Slot& slot : slots_) {
            somebody_left =
                std::erase_if(slot.jobs, [this](std::size_t j) { return jobs_[j].completion >= 0; })
                    > 0
                || somebody_left;
        }
        std::erase_if(slots_, [](const Slot& slot) { return slot.jobs.empty(); });
        for (std::size_t a = 0; how_.unifies && somebody_left && a < slots_.size(); ++a) {
            for (std::size_t b = a + 1; b < slots_.size(); ++b) {
                if (!meet(used(slots_[a]), used(slots_[b]))) {
                    slots_[a].jobs.insert(slots_[b].jobs.begin(), slots_[b].jobs.end());
                    turn_ = turn_ == slots_[b].number ? slots_[a].number : turn_;
                    last_ = last_ == slots_[b].number ? slots_[a].number : last_;
                    slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(b));
                    b = a;  // whether another meets it now is asked again
                }
            }
        }
    }

    /// Empty: no room.
    Processors room(const Slot& slot, int size) const {
        const Processors taken = used(slot);
        std::vector<int> idle;
        for (int p = 0; p < processors_; ++p) {
            if (!taken.contains(p)) {
                idle.push_back(p);
            }
        }
        if (how_.packing == "buddy") {
            const int wanted = node(log2(size));
            for (int first = 0; first + wanted <= processors_; first += wanted) {
                Processors all;
                for (int p = first; p < first + wanted; ++p) {
                    all.insert(p);
                }
                if (!meet(all, taken)) {
                    return all;
                }
            }
            return {};
        }
        if (static_cast<int>(idle.size()) < size) {
            return {};
        }
        if (how_.packing == "left_right" && size > how_.largest_small) {
            return {idle.end() - size, idle.end()};
        }
        return {idle.begin(), idle.begin() + size};
    }

    bool place(std::size_t j) {
        Slot* best = nullptr;
        for (Slot& slot : slots_) {
            if (room(slot, jobs_[j].size).empty()) {
                continue;
            }
            const bool is_fuller = best != nullptr && used(slot).size() > used(*best).size();
            if (best == nullptr || (how_.packing == "best_fit" && is_fuller)) {
                best = &slot;
            }
        }
        if (best == nullptr) {
            if (how_.slots > 0 && static_cast<int>(slots_.size()) >= how_.slots) {
                return false;
            }
            slots_.push_back({++numbers_, {}});
            best = &slots_.back();
        }
        sets_[j] = room(*best, jobs_[j].size);
        best->jobs.insert(j);
        return true;
    }

    void run_slot(int number) {
        for (const Slot& slot : slots_) {
            for (const std::size_t j : slot.jobs) {
                bool is_idle = slot.number == number && !jobs_[j].runs;
                for (std::size_t other = 0; is_idle && other < jobs_.size(); ++other) {
                    is_idle = !(jobs_[other].runs && meet(sets_[j], sets_[other]));
                }
                if (is_idle) {
                    jobs_[j].runs = true;
                    jobs_[j].works_from = works_from_;
                }
            }
        }
    }

    void begin() {
        for (PlainJob& job : jobs_) {
            job.runs = false;
        }
        turn_ = nobody;
        if (slots_.empty()) {
            return;
        }
        turn_ = slots_.front().number;
        for (const Slot& slot : slots_) {
            if (slot.number > last_) {
                turn_ = slot.number;
                break;
            }
        }
        works_from_ = now_ + (how_.pays_changes_only && turn_ == last_ ? 0 : cost_);
        end_ = (how_.pays_outside ? works_from_ : now_) + how_.slice;
        last_ = turn_;
        run_slot(turn_);
    }

    PlainPacking how_;
    std::vector<Processors> sets_;  // by job; empty: it waits
    std::vector<Slot> slots_;
    int numbers_ = 0;
    int turn_ = nobody;
    int last_ = 0;
    int works_from_ = 0;
    int end_ = 0;
};

}  // namespace schedfarm::tests
