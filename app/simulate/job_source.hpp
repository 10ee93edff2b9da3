// The jobs of one simulation, from a log as it is or from a workload model, and what was left out
// or changed on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/simulation/workload_model.hpp"

#include "models/trace/prepared_log.hpp"
#include "models/trace/summary/oddity.hpp"

#include "app/campaign/checks/cell_settings.hpp"
#include "app/campaign/plan/plan.hpp"
#include "app/simulate/request.hpp"

namespace schedfarm::app {

struct JobSource {
    std::string name;            ///< the log, or the model with its parameters
    std::string not_dense = {};  ///< days and weeks of the log; empty: none
    std::string unserved;        ///< jobs that the site can never place; empty: there are none
    bool has_many_unserved = false;
    std::string notes;  ///< "23 left out (23 run time 0); 7,180 cut at …"; empty: nothing to say
    std::vector<models::trace::Oddity> oddities;  ///< of the log
    std::uint64_t left_waiting = 0;  ///< jobs of the log that left while they waited, beside these
    std::uint64_t jobs = 0;          ///< at least 1
    /// Of a replay of the whole log at its own load and machine; else null.
    std::shared_ptr<const models::trace::PreparedLog> replayed;
    /// Has the numbers of the jobs; null: they are 1, 2, … as submitted.
    std::shared_ptr<const models::trace::PreparedLog> numbered;

    std::int64_t number(std::size_t job) const;
};

/// A campaign's cell whose jobs are there.
struct OpenedCell {
    Node tree;
    CellSettings settings;
    /// Ends with the last of the jobs, none of which are a warm-up, and measures nothing.
    Cell cell;
    /// Of the experiment that the model is for; the same at every call.
    std::function<std::unique_ptr<engine::WorkloadModel>()> make_jobs;
    JobSource source;
};

/// The cell that the words mean; without a policy where they name none. Of a log: the jobs that fit
/// on the system, in the order of their submission, with the defaults of
/// models/trace/selection.hpp, but for a log in which no job has a requested time: each requests
/// its run time then. Of a model: replication 0. Throws LogError for what is no log, ConfigErrors
/// for words that mean nothing.
OpenedCell open_cell(const SimulationRequest& request);

}  // namespace schedfarm::app
