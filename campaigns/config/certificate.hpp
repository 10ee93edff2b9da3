// What a coverage certificate expects of a cell, as the campaign says it.
#pragma once

#include <cstdint>
#include <string>

namespace schedfarm::campaigns {

enum class CertificateSubject : std::uint8_t {
    interval,              ///< coverage of the cell's interval
    ordered_prefix,        ///< bias of the mean over the first N by index
    first_finished,        ///< bias of the mean over the first N that finish
    mser_per_replication,  ///< coverage when every replication is cut by its own MSER-5
};

/// What `schedfarm certify` expects of a cell, repeated with many seeds.
struct Certificate {
    CertificateSubject subject = CertificateSubject::interval;
    std::string metric;  ///< column
    std::string truth;   ///< label of the known value that is right: "exact"
    double low = 0;      ///< band of the coverage, or of the relative bias
    double high = 1;
    bool is_negative_control = false;   ///< must lie outside the band
    std::uint32_t virtual_workers = 1;  ///< that take as long as the metric says
};

}  // namespace schedfarm::campaigns
