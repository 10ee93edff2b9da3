// The balance of trade of clusters (Hollingsworth & Maneewongvatana 1999, sections 2.2 and 3.2), in
// processor-hours: what jobs of others used of a cluster (supply), what its jobs used elsewhere
// (consume), their difference, and what its jobs used at home. Published as jobs complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/simulation/actions.hpp"

#include "policies/composition/managers.hpp"

namespace schedfarm::policies {

class TradeAccounts {
  public:
    explicit TradeAccounts(std::size_t clusters) : deficits_(clusters) {
        for (std::size_t k = 0; k < clusters; ++k) {
            names_.push_back(
                {trade_column("supply", k),
                 trade_column("consume", k),
                 trade_column("balance", k),
                 trade_column("local", k)}
            );
        }
    }

    static constexpr double seconds_per_hour = 3600;

    /// What it publishes.
    static std::vector<engine::ObservationColumn> columns(std::size_t clusters) {
        struct Account {
            const char* name;
            const char* meaning;
        };
        std::vector<engine::ObservationColumn> all;
        for (std::size_t k = 0; k < clusters; ++k) {
            for (const Account& account :
                 {Account{"supply", "used by jobs of other clusters"},
                  Account{"consume", "used by its jobs on other clusters"},
                  Account{"balance", "consumed less supplied"},
                  Account{"local", "used by its jobs at home"}}) {
                all.push_back(
                    {.name = trade_column(account.name, k),
                     .unit = "processor-hours",
                     .meaning = account.meaning}
                );
            }
        }
        return all;
    }

    /// `processors` × `time` of a job of one cluster are reserved at another, or were not used.
    void plan(std::uint32_t home, std::uint32_t at, double processor_seconds) {
        if (at != home) {
            deficits_[home] += processor_seconds / seconds_per_hour;
            deficits_[at] -= processor_seconds / seconds_per_hour;
        }
    }
    /// Consume less supply, planned uses included.
    double deficit(std::uint32_t cluster) const { return deficits_[cluster]; }

    void publish(
        engine::JobId id,
        std::uint32_t home,
        std::uint32_t at,
        double processor_seconds,
        engine::Actions& actions
    ) const {
        const double hours = processor_seconds / seconds_per_hour;
        if (at == home) {
            actions.publish_of(id, names_[home].local, hours);
            return;
        }
        actions.publish_of(id, names_[at].supply, hours);
        actions.publish_of(id, names_[at].balance, -hours);
        actions.publish_of(id, names_[home].consume, hours);
        actions.publish_of(id, names_[home].balance, hours);
    }

  private:
    struct Names {
        std::string supply;
        std::string consume;
        std::string balance;
        std::string local;
    };

    std::vector<Names> names_;
    std::vector<double> deficits_;
};

}  // namespace schedfarm::policies
