// When the clocks of a place change: the rules of a zone by its name, "Europe/Stockholm", from the
// machine's table of zones ($TZDIR, else /usr/share/zoneinfo), as the library cctz reads them.
// Neither TZ nor the zone of the machine is looked at or changed. Immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <cctz/time_zone.h>

namespace schedfarm::models::trace {

class ZoneRules {
  public:
    explicit ZoneRules(const cctz::time_zone& zone) : zone_(zone) {}

    /// Local time − UTC.
    std::int64_t utc_offset_s(std::int64_t unix_s) const;

    /// Of the winter of the half year before or after.
    std::int64_t winter_offset_s(std::int64_t unix_s) const;

    /// The instant of a local time, both in s since 1970. Of an hour that comes twice the first; of
    /// one that is left out as if the clock had not been changed.
    std::int64_t unix_time(std::int64_t local_s) const;

  private:
    cctz::time_zone zone_;
};

/// Null where the machine's table has no zone of that name, or none that is understood. A zone is
/// read once in the life of a process.
std::shared_ptr<const ZoneRules> zone_rules(std::string_view name);

}  // namespace schedfarm::models::trace
