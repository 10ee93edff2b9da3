// The balance of trade of clusters (Hollingsworth & Maneewongvatana 1999, sections 2.2 and 3.2), in
// processor-hours: what jobs of others used of a cluster (supply), what its jobs used elsewhere
// (consume), their difference, and what its jobs used at home. Published as jobs complete.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/measurement/observations.hpp"

namespace schedfarm::policies {

class TradeAccounts {
  public:
    explicit TradeAccounts(std::size_t clusters) : deficits_(clusters) {
        for (const engine::ObservationColumn& column : columns(clusters)) {
            names_.push_back(column.name);
        }
    }

    /// What it publishes: "supply[cluster=1]", cluster by cluster.
    static std::vector<engine::ObservationColumn> columns(std::size_t clusters) {
        constexpr std::array<std::array<const char*, 2>, accounts> table{
            {{"supply", "used by jobs of other clusters"},
             {"consume", "used by its jobs on other clusters"},
             {"balance", "consumed less supplied"},
             {"local", "used by its jobs at home"}}};
        std::vector<engine::ObservationColumn> all;
        for (std::size_t k = 1; k <= clusters; ++k) {
            for (const auto& [name, meaning] : table) {
                all.push_back(
                    {.name = fmt::format("{}[cluster={}]", name, k),
                     .unit = "processor-hours",
                     .meaning = meaning}
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
        const auto add = [&](std::uint32_t cluster, Account account, double amount) {
            actions.announce({engine::Observation{names_[cluster * accounts + account], amount}, id}
            );
        };
        if (at == home) {
            add(home, local, hours);
            return;
        }
        add(at, supply, hours);
        add(at, balance, -hours);
        add(home, consume, hours);
        add(home, balance, hours);
    }

  private:
    enum Account : std::uint8_t { supply, consume, balance, local };
    static constexpr std::size_t accounts = 4;
    static constexpr double seconds_per_hour = 3600;

    std::vector<std::string> names_;  // by cluster and account
    std::vector<double> deficits_;
};

}  // namespace schedfarm::policies
