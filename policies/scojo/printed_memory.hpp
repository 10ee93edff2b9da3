// The memory of nodes as the thesis's listing has it (Esbaugh 2010, appendix A, loadJob), with its
// slips: room is made when the load is finished; displaced jobs lose all that they have, but for
// the last of them on a node as much counts as resident as it had to give up, and only that one is
// charged; what a load has brought when it is cut is lost.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/planning/node_memory.hpp"

namespace schedfarm::policies {

class PrintedMemory final : public engine::NodeMemory {
  public:
    PrintedMemory(std::uint32_t nodes, double capacity, double rate)
        : NodeMemory(nodes, capacity, rate), shares_(nodes) {}

    double begin_load(const Tenant& job) override {
        double missing = 0;
        bool is_loaded = true;
        job.nodes.for_each([&](std::uint32_t node) {
            const auto own = find(node, job.id);
            const bool is_known = own != shares_[node].end();
            is_loaded = is_loaded && is_known && own->is_loaded;
            missing = std::max(missing, job.amount - (is_known ? own->counted : 0));
        });
        if (missing <= 0 && !is_loaded) {
            finish_load(job);
        }
        return seconds(std::max(missing, 0.0));
    }
    void go_on_loading(const Tenant& /*job*/, double /*elapsed*/) override {}
    void finish_load(const Tenant& job) override {
        job.nodes.for_each([&](std::uint32_t node) { load(node, job); });
        job.nodes.for_each([&](std::uint32_t node) { set_resident(job.id, node, job.amount); });
        for (const Charge& one : displaced_) {
            charge(one.id, std::floor(one.seconds / rate()));
        }
        displaced_.clear();
    }
    void release(const Tenant& job) override {
        job.nodes.for_each([&](std::uint32_t node) {
            const auto own = find(node, job.id);
            if (own != shares_[node].end()) {
                shares_[node].erase(own);
            }
        });
    }

  private:
    struct Share {
        engine::JobId id;
        double needed = 0;
        double counted = 0;  ///< as resident, when it is loaded again
        bool is_loaded = false;
    };
    using Shares = std::vector<Share>;

    Shares::iterator find(std::uint32_t node, engine::JobId id) {
        return std::find_if(shares_[node].begin(), shares_[node].end(), [id](const Share& share) {
            return share.id == id;
        });
    }

    void load(std::uint32_t node, const Tenant& job) {
        Shares& shares = shares_[node];
        const auto own = find(node, job.id);
        if (own != shares.end()) {
            if (own->is_loaded) {
                return;
            }
            shares.erase(own);
        }
        double free = capacity();
        for (const Share& share : shares) {
            free -= share.is_loaded ? share.needed : 0;
        }
        for (Share& oldest : shares) {
            if (free >= job.amount) {
                break;
            }
            if (!oldest.is_loaded) {
                continue;
            }
            const double lacking = job.amount - free;
            free += oldest.needed;
            oldest.is_loaded = false;
            oldest.counted = free >= job.amount ? lacking : 0;
            set_resident(oldest.id, node, 0);
            if (free >= job.amount) {
                note(oldest.id, lacking);
            }
        }
        shares.push_back({job.id, job.amount, job.amount, true});
    }

    void note(engine::JobId id, double amount) {
        for (Charge& one : displaced_) {
            if (one.id == id) {
                one.seconds = std::max(one.seconds, amount);
                return;
            }
        }
        displaced_.push_back({id, amount});
    }

    std::vector<Shares> shares_;     // by node, in the order in which loads were finished
    std::vector<Charge> displaced_;  // by the load that is finished: amounts
};

}  // namespace schedfarm::policies
