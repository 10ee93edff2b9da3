#include "engine/planning/node_memory.hpp"

#include <algorithm>

namespace schedfarm::engine {

/// How much of what is needed could not be had.
template <typename MayGo>
double NodeMemory::make_room(std::uint32_t node, double needed, MayGo may_go) {
    std::vector<Share>& shares = shares_[node];
    for (Share& oldest : shares) {
        if (needed <= 0) {
            break;
        }
        if (oldest.amount == 0 || !may_go(oldest.id)) {
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
    }
    std::erase_if(shares, [](const Share& share) { return share.amount == 0; });
    return needed;
}

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
        for (Share& share : shares) {
            share.wanted = 0;
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
            make_room(node, used - capacity_, [](JobId) { return true; });
        }
        shares.push_back(last);
    });
    charge_displaced();
    set_whole(job.id, most_missing == 0);
    return seconds(most_missing);
}

void NodeMemory::prefetch(const Tenant& job, const std::function<bool(JobId)>& may_go) {
    if (is_whole(job.id)) {
        return;
    }
    job.nodes.for_each([&](std::uint32_t node) {
        std::vector<Share>& shares = shares_[node];
        Share last{job.id, resident(job.id, node), job.amount};
        double used = job.amount - last.amount;
        for (const Share& share : shares) {
            if (share.wanted > share.amount) {
                return;  // one at a time
            }
            used += share.amount;
        }
        if (used > capacity_) {
            last.wanted -= make_room(node, used - capacity_, may_go);
        }
        if (last.wanted > last.amount) {
            std::erase_if(shares, [&job](const Share& share) { return share.id == job.id; });
            shares.push_back(last);
        }
    });
    charge_displaced();
}

void NodeMemory::go_on_prefetching(double elapsed) {
    for (std::uint32_t node = 0; node < shares_.size(); ++node) {
        for (Share& share : shares_[node]) {
            if (share.wanted > share.amount) {
                share.amount = std::min(share.wanted, share.amount + rate_ * elapsed);
                set_resident(share.id, node, share.amount);
            }
        }
    }
}

void NodeMemory::end_prefetching() {
    for (std::vector<Share>& shares : shares_) {
        for (Share& share : shares) {
            share.wanted = 0;
        }
    }
}

void NodeMemory::drop(const Tenant& job) {
    job.nodes.for_each([&](std::uint32_t node) {
        if (resident(job.id, node) > 0) {
            set_resident(job.id, node, 0);
        }
    });
    release(job);
}

void NodeMemory::charge_displaced() {
    for (const Charge& victim : displaced_) {
        charge(victim.id, seconds(victim.seconds));
    }
    displaced_.clear();
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
