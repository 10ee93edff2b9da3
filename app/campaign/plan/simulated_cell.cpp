#include "app/campaign/plan/simulated_cell.hpp"

#include <memory>

#include "app/campaign/checks/counted_jobs.hpp"

namespace schedfarm::app {

Cell simulated_cell(const CellSettings& settings) {
    Cell cell;
    cell.system = *settings.system;
    cell.experiment.kind = *settings.experiment;
    cell.experiment.horizon = settings.horizon->horizon;
    cell.experiment.series_bins = settings.load_search ? 0 : settings.horizon->series_bins;
    if (lengthens(settings)) {
        cell.lengthening = std::make_shared<const Lengthening>(Lengthening{
            settings.horizon->horizon, settings.horizon->warm_up_grows});
    }
    cell.probes = settings.probes->set;
    cell.workload = {settings.workload, &settings.workload->choice};
    if (settings.policy) {
        cell.policy = {settings.policy, &settings.policy->choice};
    }
    cell.utilization = settings.utilization;
    cell.random.generator = settings.random->generator;
    return cell;
}

}  // namespace schedfarm::app
