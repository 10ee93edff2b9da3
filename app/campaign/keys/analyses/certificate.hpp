// What a coverage certificate expects of a cell, as the campaign says it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace schedfarm::app {

enum class CertificateSubject : std::uint8_t {
    interval,        ///< coverage: every interval of the rows meant contains the truth
    bias,            ///< mean relative error of the estimate
    decision,        ///< share of seeds in which every row meant decides as expected
    ordered_prefix,  ///< bias of the mean over the first N by index
    first_finished,  ///< bias of the mean over the first N that finish
    every_look,      ///< share in which the intervals at all looks hold the truth together
};

inline constexpr std::array certificate_subjects{
    "interval", "bias", "decision", "ordered_prefix", "first_finished", "every_look"};

constexpr const char* word_of(CertificateSubject subject) {
    return certificate_subjects.at(static_cast<std::size_t>(subject));
}

/// Which rows of a result table are meant.
enum class CertificateScope : std::uint8_t {
    cell,      ///< those of the cell; of comparisons: those in which it is the first
    campaign,  ///< all
};

/// What `schedfarm certify` expects of a number or a decision in the results of a campaign of many
/// seeds.
struct Certificate {
    CertificateSubject subject = CertificateSubject::interval;
    std::string table = "estimates";  ///< of the result file
    CertificateScope scope = CertificateScope::cell;
    /// Column and value of the rows meant; of `metric` without saying so.
    std::vector<std::pair<std::string, std::string>> where = {};
    std::string metric;                ///< observation; empty: rows of any
    std::string ends;                  ///< of the interval: columns `lower` and `upper` behind this
    std::string truth = "exact";       ///< label of the known value that is right, or a number
    double truth_value = 0;            ///< of a decision: none
    std::string source;                ///< where the truth is from
    std::string column;                ///< of a decision
    std::vector<std::string> is = {};  ///< the words expected there, or …
    double at_least = -std::numeric_limits<double>::infinity();  ///< … the least number
    double low = 0;  ///< band of the coverage, the bias or the share
    double high = 1;
    bool is_negative_control = false;   ///< must lie outside the band
    double judged = 0.9;                ///< share of seeds that must end as planned
    std::uint32_t virtual_workers = 0;  ///< that take as long as the metric says; 0: the ranks
    std::vector<std::string> procedure = {};  ///< source files of what is certified

    friend bool operator==(const Certificate&, const Certificate&) = default;
};

}  // namespace schedfarm::app
