// What the command line of a submission asks for, as far as it decides where and when a job runs.
// Lines of a script are not among its words: what they do not say may have been asked for all the
// same.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/trace/tables/submit_line.hpp"

namespace schedfarm::models::trace {

/// 0, empty: it does not say.
struct SubmitOptions {
    std::uint32_t nodes = 0;      ///< of "-N 2-4" 2
    std::uint32_t max_nodes = 0;  ///< of "-N 2-4" 4, of "-N 2" 2
    std::uint32_t tasks = 0;
    std::uint32_t cpus_per_task = 0;
    std::uint32_t tasks_per_node = 0;
    std::uint32_t tasks_per_core = 0;
    std::uint32_t threads_per_core = 0;  ///< --threads-per-core, --hint=nomultithread
    std::uint32_t gpus_per_node = 0;
    std::uint32_t cpus_per_gpu = 0;
    double memory_per_node = 0;  ///< MB; infinity: all, --mem=0
    double memory_per_cpu = 0;
    double memory_per_gpu = 0;
    double limit_s = 0;        ///< -t
    double least_limit_s = 0;  ///< --time-min
    bool is_exclusive = false;
    bool is_oversubscribed = false;  ///< -s
    bool is_all = false;             ///< there is no script that may ask for more
    bool names_nodes = false;        ///< -w, -x, -F: nodes that it wants, or does not
    std::string gpu_type = {};
    std::string gres = {};  ///< beside GPUs, of each node: "fpga:2,nic:a:1"
    std::string constraint = {};
    std::string licences = {};
    auto operator<=>(const SubmitOptions&) const = default;
};

/// What columns say of a job that its command line need not say: its script may have asked for it.
struct AskedColumns {
    std::string_view constraint = {};
    std::string_view licences = {};
    std::string_view tres = {};  ///< ReqTRES, "cpu=4,gres/fpga:x=2,node=2"
};

/// Options that cannot be read say nothing. What a column says counts more.
SubmitOptions submit_options(const SubmitLine& line, const AskedColumns& columns = {});
inline SubmitOptions submit_options(std::string_view line, const AskedColumns& columns = {}) {
    return submit_options(SubmitLine(line), columns);
}

/// Options, numbered from 0 in the order in which they come.
class NumberedOptions {
  public:
    /// −1 where nothing is said.
    std::int32_t number_of(const SubmitLine& line, const AskedColumns& columns = {}) {
        const bool has_gres = columns.tres.find("gres/") != std::string_view::npos;
        if (line.is_empty() && columns.constraint.empty() && columns.licences.empty()
            && !has_gres) {
            return -1;
        }
        const auto number = static_cast<std::int32_t>(all_.size());
        const auto [at, is_new] = numbers_.try_emplace(submit_options(line, columns), number);
        if (is_new) {
            all_.push_back(at->first);
        }
        return at->second;
    }
    const SubmitOptions& at(std::int32_t number) const {
        return all_[static_cast<std::size_t>(number)];
    }
    /// The object is spent.
    std::vector<SubmitOptions> taken() { return std::move(all_); }

  private:
    std::map<SubmitOptions, std::int32_t> numbers_;
    std::vector<SubmitOptions> all_;
};

}  // namespace schedfarm::models::trace
