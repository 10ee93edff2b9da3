// The messages between managers and clusters on their way: each takes a delay per level, or arrives
// at once, in the order of sending; some may be lost. And the alarms of those who wait for an
// answer. Both are timers of the policy.
// Cost: O(log messages under way) per message.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "engine/simulation/kernel/actions.hpp"

#include "policies/composition/managers/managers.hpp"

namespace schedfarm::policies {

struct Letter {
    MessageKind kind = MessageKind::request;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    engine::JobId job;
    std::uint64_t index = 0;  ///< of the job
    double time = 0;
};

class ManagerMail {
  public:
    /// `lost`: numbers, from 1, ascending.
    ManagerMail(double delay, std::vector<std::uint32_t> lost)
        : delay_(delay), lost_(std::move(lost)) {}

    /// Whether an answer may be late.
    bool may_be_late() const { return delay_ > 0 || !lost_.empty(); }

    void send(const Letter& letter, std::uint32_t levels, engine::Actions& actions) {
        actions.announce({engine::Observation{messages_sent, 1}});
        if (std::binary_search(lost_.begin(), lost_.end(), ++sent_)) {
            return;
        }
        if (delay_ == 0) {
            here_.push_back(letter);
        } else {
            under_way_.emplace(sent_, letter);
            actions.set_timer(actions.now() + delay_ * levels, {.tag = sent_ << 2});
        }
    }
    /// The next message that has arrived.
    std::optional<Letter> receive() {
        if (here_.empty()) {
            return {};
        }
        const Letter letter = here_.front();
        here_.pop_front();
        return letter;
    }

    /// Who waits: the manager that decides on a job, or who handed it up.
    enum class Waiting : std::uint8_t { manager = 1, sender = 2 };
    static engine::Timer alarm(engine::JobId job, Waiting who) {
        return {.tag = (std::uint64_t{job.value} << 2) | static_cast<std::uint64_t>(who)};
    }
    /// Takes a message in, or returns whose alarm it is.
    struct Alarm {
        engine::JobId job;
        Waiting who = Waiting::manager;
    };
    std::optional<Alarm> go_off(engine::Timer timer) {
        if ((timer.tag & 3U) == 0) {
            const auto letter = under_way_.find(timer.tag >> 2);
            here_.push_back(letter->second);
            under_way_.erase(letter);
            return {};
        }
        return Alarm{
            {static_cast<std::uint32_t>(timer.tag >> 2)}, static_cast<Waiting>(timer.tag & 3U)};
    }

  private:
    double delay_;
    std::vector<std::uint32_t> lost_;
    std::uint64_t sent_ = 0;
    std::deque<Letter> here_;
    std::map<std::uint64_t, Letter> under_way_;  // by number
};

}  // namespace schedfarm::policies
