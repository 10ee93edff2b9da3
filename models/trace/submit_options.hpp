// What the command line of a submission asks for, as far as it decides where and when a job runs.
// Lines of a script are not among its words: what they do not say may have been asked for all the
// same.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace schedfarm::models::trace {

/// 0, empty: it does not say.
struct SubmitOptions {
    std::uint32_t nodes = 0;      ///< of "-N 2-4" 2
    std::uint32_t max_nodes = 0;  ///< of "-N 2-4" 4, of "-N 2" 2
    std::uint32_t tasks = 0;
    std::uint32_t cpus_per_task = 0;
    std::uint32_t tasks_per_node = 0;
    std::uint32_t gpus_per_node = 0;
    double memory_per_node = 0;  ///< MB; infinity: all, --mem=0
    double memory_per_cpu = 0;
    double limit_s = 0;        ///< -t
    double least_limit_s = 0;  ///< --time-min
    bool is_exclusive = false;
    bool is_all = false;  ///< there is no script that may ask for more
    std::string gpu_type = {};
    auto operator<=>(const SubmitOptions&) const = default;
};

/// Options that cannot be read say nothing.
SubmitOptions submit_options(std::string_view submit_line);

/// Options, numbered from 0 in the order in which they come.
class NumberedOptions {
  public:
    /// −1 for an empty line.
    std::int32_t number_of(std::string_view submit_line) {
        if (submit_line.empty()) {
            return -1;
        }
        const auto number = static_cast<std::int32_t>(numbers_.size());
        return numbers_.try_emplace(submit_options(submit_line), number).first->second;
    }
    std::vector<SubmitOptions> taken() const {
        std::vector<SubmitOptions> all(numbers_.size());
        for (const auto& [options, number] : numbers_) {
            all[static_cast<std::size_t>(number)] = options;
        }
        return all;
    }

  private:
    std::map<SubmitOptions, std::int32_t> numbers_;
};

}  // namespace schedfarm::models::trace
