// Reads jobs in JSON: what `sacct --json` writes, of Slurm 22.05 and later, and the files of
// Batsim,
// {"nb_res": 4, "jobs": [{"id": "1", "subtime": 0, "res": 2, "profile": "d", "walltime": 60}],
// "profiles": {"d": {"type": "delay", "delay": 30}}}. Profiles of other types have no length of
// their own: their jobs have no run time. One job at a time is held; of Batsim what is known of
// all, since profiles may stand behind the jobs. Brackets too deep, keys that come twice in an
// object and texts that do not end are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/trace/reading/log_builder.hpp"
#include "models/trace/tables/table_jobs.hpp"

namespace schedfarm::models::trace {

class JsonReader final : public FormatReader {
  public:
    JsonReader(LogBuilder& log, const RowChoice& choice);

    std::size_t add(std::string_view text, bool is_last) override;
    void finish() override;

  private:
    /// Of Batsim, until its profile is known.
    struct BatsimJob {
        std::uint64_t line;
        std::string id;
        std::string profile;
        double submit;
        double limit;
        double processors;
    };

    void add_letter(char c);
    void add_job();
    void add_batsim_jobs();

    LogBuilder& log_;
    TableJobs jobs_;
    std::string job_;   ///< the one that is being read
    std::string rest_;  ///< all but the jobs
    std::string key_;   ///< of the outermost object, read last
    std::vector<BatsimJob> batsim_;
    std::uint64_t line_ = 1;
    std::uint64_t job_line_ = 0;
    std::size_t depth_ = 0;
    bool is_in_text_ = false;
    bool is_escaped_ = false;
    bool is_in_jobs_ = false;
    bool has_jobs_ = false;
};

}  // namespace schedfarm::models::trace
