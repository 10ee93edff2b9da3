// A site's own files as settings of the scheduler: slurm.conf, and what sacctmgr -P shows of
// associations and QOS (Slurm 22.05). What would change schedules and is not modelled is refused.
#pragma once

#include <cstddef>
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
    std::vector<std::string> changes = {};
    std::vector<std::string> accept = {};  ///< words of what is refused otherwise

    bool accepts(std::string_view word) const;
};

struct SiteProblem {
    std::string file = {};
    std::size_t line = 0;
    std::string message = {};
};

struct Site {
    Settings settings = {};
    std::vector<std::string> passed_over = {};  ///< keys that do not touch scheduling
    std::vector<SiteProblem> problems = {};
};

Site read_site(const SiteFiles& files);

/// Of parameters that are called as the policy's.
SiteFiles site_files(const engine::Parameters& given);

/// The text of a file, with what it includes in place of each Include line. Throws
/// std::runtime_error where a file cannot be read.
std::string site_file(const std::string& path);

}  // namespace schedfarm::policies::slurm
