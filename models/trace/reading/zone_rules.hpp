// When the clocks of a place change: the rules of a zone by its name, "Europe/Stockholm", from the
// machine's table of zones ($TZDIR, else /usr/share/zoneinfo; files of RFC 8536). Neither TZ nor
// the zone of the machine is looked at or changed. Immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace schedfarm::models::trace {

class ZoneRules {
  public:
    struct Change {
        std::int64_t from = 0;          ///< s since 1970, UTC
        std::int64_t utc_offset_s = 0;  ///< from then on
    };

    /// REQUIRES: at least one change, in order of time; the first holds before, too.
    explicit ZoneRules(std::vector<Change> changes);

    /// Local time − UTC. Cost: O(log changes).
    std::int64_t utc_offset_s(std::int64_t unix_s) const;

    /// Of the winter of the half year before or after.
    std::int64_t winter_offset_s(std::int64_t unix_s) const;

    /// The instant of a local time, both in s since 1970. Of an hour that comes twice the first; of
    /// one that is left out as if the clock had not been changed.
    std::int64_t unix_time(std::int64_t local_s) const;

  private:
    std::vector<Change> changes_;
};

/// Null where the machine's table has no zone of that name, or not in a form that is understood.
/// Rules that go on for ever are followed to the year 2200.
std::shared_ptr<const ZoneRules> zone_rules(std::string_view name);

}  // namespace schedfarm::models::trace
