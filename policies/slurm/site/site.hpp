// A site's own files as settings of the scheduler: slurm.conf, and what sacctmgr -P shows of
// associations and QOS (Slurm 22.05). Every word is modelled, harmless, or refused by its name with
// file and line; what is refused can be accepted, and is ignored then.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/parameters.hpp"

#include "policies/slurm/settings.hpp"

namespace schedfarm::policies::slurm {

/// The files' texts. An Include is carried out before: where another file begins or goes on, a
/// line "#file NAME LINE" says which line comes next.
struct SiteFiles {
    std::string conf = {};
    std::string associations = {};  ///< sacctmgr -P show assoc
    std::string qos = {};           ///< sacctmgr -P show qos
    /// Lines of slurm.conf that come last, of SchedulerParameters by their names alone.
    /// "PartitionName=P Nodes=+8" adds eight nodes like the first of P; "ReservationName=r
    /// StartTime=0 EndTime=9 Nodes=n[1-8]", in seconds of the Unix clock, a reservation, which is
    /// known from the beginning, or from Created=S on.
    std::vector<std::string> changes = {};
    std::vector<std::string> accept = {};  ///< words of what is refused otherwise

    bool accepts(std::string_view word) const;
};

struct SiteProblem {
    std::string file = {};
    std::size_t line = 0;
    std::string message = {};
    const char* given = "conf";  ///< which of the files it is: conf, associations, qos, changes
};

/// Words by their keys, these in small letters.
using SiteWords = std::map<std::string, std::string>;

struct Site {
    Settings settings = {};
    std::vector<std::string> passed_over = {};  ///< keys that do not touch scheduling
    std::vector<SiteProblem> problems = {};     ///< the first hundred
    SiteWords keys = {};                        ///< of slurm.conf, as they stand there
    SiteWords parameters = {};                  ///< of SchedulerParameters
    std::map<std::string, SiteWords> partitions = {};
};

Site read_site(const SiteFiles& files);

/// The change that says whose rules hold.
std::string version_change(const std::string& release);

/// Whose rules are followed, and how to have another release's; empty: those of 22.05, as asked.
std::string rules_note(const Settings& site);

/// What jobs without a limit get in each partition, and what those without end, in s:
/// "short=600/3600,=3600/86400"; the last is of the default partition.
std::string partition_limits(const Settings& site);

/// Likewise of a slurm.conf among parameters that are called as the policy's; empty: there is none.
std::string rules_note(const engine::Parameters& given);

/// Of parameters that are called as the policy's.
SiteFiles site_files(const engine::Parameters& given);

/// The text of slurm.conf, with what it includes in place of each Include line: regular files, at
/// most 1,000, together at most 16 MiB. Throws std::runtime_error with file and line otherwise.
std::string site_conf(const std::string& path);

/// The text of a dump of sacctmgr: a regular file of at most 256 MiB. Throws std::runtime_error.
std::string site_dump(const std::string& path);

}  // namespace schedfarm::policies::slurm
