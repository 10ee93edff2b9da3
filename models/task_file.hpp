// A table of moldable jobs: the line `task,weight,p1,p2,…,pm`, then a line for each with its name,
// its weight and its times on 1, 2, … m processors. Lines that begin with '#' are comments.
#pragma once

#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"

namespace schedfarm::models {

struct TaskFile {
    std::vector<double> weights;
    std::vector<std::vector<double>> times;  ///< of each job on 1, 2, … processors
    std::string sha256;
};

/// At least one job; weights of at least 0, times above 0. A path from the current folder, or else
/// from that of the campaign. Throws trace::LogError with the first problem.
TaskFile read_task_file(const std::string& file, const engine::NamingFolders& folders);

}  // namespace schedfarm::models
