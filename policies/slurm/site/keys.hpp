// Every word of a site's files: what it is in the model, and for numbers and times the range. One
// table serves the reader, its messages and the page that lists them. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedfarm::policies::slurm {

/// Where a word stands.
enum class Place : std::uint8_t { conf, parameter, node, partition, reservation, association, qos };

enum class Use : std::uint8_t {
    modelled,
    harmless,  ///< touches no schedule: the note says why
    refused    ///< would change schedules: the note is the word that accepts it
};

enum class Kind : std::uint8_t { text, number, time, fraction, flag };

struct Key {
    Place place = Place::conf;
    std::string_view name = {};  ///< in small letters
    Use use = Use::modelled;
    Kind kind = Kind::text;
    std::int64_t least = 0;  ///< of numbers; of times in seconds
    std::int64_t most = 0;
    std::string_view unit = {};
    std::string_view note = {};  ///< of a modelled one: what it is
    std::string_view idle = {};  ///< of a refused one: values that change nothing, divided by |
    bool may_be_unlimited = false;
};

/// Nothing where there is no such word.
const Key* find_key(Place place, std::string_view name);

/// In the order of the table.
const std::vector<Key>& site_keys();

/// "a whole number from 1 to 65533 (CPUs of a node)".
std::string need_of(const Key& key);

/// The word of the same place that is nearest. Of a change the modelled ones alone: of slurm.conf,
/// and of SchedulerParameters.
std::string nearest_key(Place place, std::string_view name, bool is_change);

/// The line that begins it, or the file: "PartitionName", "sacctmgr show qos".
std::string_view name_of(Place place);

}  // namespace schedfarm::policies::slurm
