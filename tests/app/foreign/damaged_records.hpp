// What another program, or a hand, does to a journal: records with right checksums that are none of
// this campaign's. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace schedfarm::tests {

/// One to three records changed, added, exchanged or taken away; every checksum is right. A
/// function of the arguments. REQUIRES: a good journal.
std::string damaged_records(const std::string& journal, std::uint64_t seed);

}  // namespace schedfarm::tests
