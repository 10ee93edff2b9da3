#include "engine/planning/node_memory.hpp"

#include <algorithm>

namespace schedfarm::engine {

double NodeMemory::begin_load(const Tenant& job) {
    if (is_whole(job.id)) {
        return 0;
    }
    const double rounding = capacity_ * 1e-12;
    double most_missing = 0;
    job.nodes.for_each([&](std::uint32_t node) {
        std::vector<Share>& shares = shares_[node];
        const auto own = std::find_if(shares.begin(), shares.end(), [&job](const Share& share) {
            return share.id == job.id;
        });
        const Share last{job.id, own == shares.end() ? 0 : own->amount};
        if (last.amount == job.amount) {
            return;
        }
        if (own != shares.end()) {
            shares.erase(own);
        }
        most_missing = std::max(most_missing, job.amount - last.amount);
        double used = job.amount;
        for (const Share& share : shares) {
            used += share.amount;
        }
        if (used > capacity_ + rounding) {
            make_room(node, used - capacity_);
        }
        shares.push_back(last);
    });
    for (const Charge& victim : displaced_) {
        charge(victim.id, seconds(victim.seconds));
    }
    displaced_.clear();
    set_whole(job.id, most_missing == 0);
    return seconds(most_missing);
}

void NodeMemory::make_room(std::uint32_t node, double needed) {
    std::vector<Share>& shares = shares_[node];
    std::size_t gone = 0;
    for (; needed > 0 && gone < shares.size(); ++gone) {
        Share& oldest = shares[gone];
        if (oldest.amount == 0) {
            continue;
        }
        const double taken = std::min(needed, oldest.amount);
        oldest.amount -= taken;
        needed -= taken;
        set_whole(oldest.id, false);
        set_resident(oldest.id, node, oldest.amount);
        const auto known =
            std::find_if(displaced_.begin(), displaced_.end(), [&oldest](const Charge& victim) {
                return victim.id == oldest.id;
            });
        if (known == displaced_.end()) {
            displaced_.push_back({oldest.id, taken});
        } else {
            known->seconds = std::max(known->seconds, taken);
        }
        if (oldest.amount > 0) {
            break;
        }
    }
    shares.erase(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(gone));
}

void NodeMemory::go_on_loading(const Tenant& job, double elapsed) {
    job.nodes.for_each([&](std::uint32_t node) {
        for (Share& share : shares_[node]) {
            if (share.id == job.id && share.amount < job.amount) {
                share.amount = std::min(job.amount, share.amount + rate_ * elapsed);
                set_resident(job.id, node, share.amount);
            }
        }
    });
}

void NodeMemory::finish_load(const Tenant& job) {
    job.nodes.for_each([&](std::uint32_t node) {
        for (Share& share : shares_[node]) {
            if (share.id == job.id && share.amount < job.amount) {
                share.amount = job.amount;
                set_resident(job.id, node, share.amount);
            }
        }
    });
    set_whole(job.id, true);
}

void NodeMemory::release(const Tenant& job) {
    job.nodes.for_each([&](std::uint32_t node) {
        std::erase_if(shares_[node], [&job](const Share& share) { return share.id == job.id; });
    });
    set_whole(job.id, false);
}

double NodeMemory::resident(JobId id, std::uint32_t node) const {
    for (const Share& share : shares_[node]) {
        if (share.id == id) {
            return share.amount;
        }
    }
    return 0;
}

void NodeMemory::set_whole(JobId id, bool whole) {
    if (whole_.size() <= id.value) {
        whole_.resize(id.value + std::size_t{1}, false);
    }
    whole_[id.value] = whole;
}

void NodeMemory::charge(JobId id, double seconds) {
    charges_.push_back({id, seconds});
}

// Neighbouring nodes in one change, unless the job had another one since.
void NodeMemory::set_resident(JobId id, std::uint32_t node, double amount) {
    constexpr std::size_t most_looked_at = 4;
    for (std::size_t back = 1; back <= std::min(changes_.size(), most_looked_at); ++back) {
        Change& change = changes_[changes_.size() - back];
        if (change.id == id) {
            if (change.amount == amount && change.nodes.first.value + change.nodes.count == node) {
                ++change.nodes.count;
                return;
            }
            break;
        }
    }
    changes_.push_back({id, {ProcessorId{node}, 1}, amount});
}

void NodeMemory::report(Actions& actions) {
    for (const Charge& one : charges_) {
        actions.delay(one.id, one.seconds);
    }
    for (const Change& change : changes_) {
        actions.set_resident_memory(change.id, {&change.nodes, 1}, change.amount);
    }
    charges_.clear();
    taken_ = 0;
    changes_.clear();
}

}  // namespace schedfarm::engine
