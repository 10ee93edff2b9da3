// `schedfarm init`: a campaign to start from.
#include "app/campaign/keys/describe.hpp"

namespace schedfarm::app {

std::string init_template() {
    return R"(# A campaign: which systems, workloads and policies, and how precise the answer must be.
#   schedfarm plan FILE     shows the cells and the configuration in effect; runs nothing
#   schedfarm run FILE      runs it on all cores and writes results (HDF5)
#   schedfarm list          documents everything that can be named here
campaign_format: 1
name: FCFS against FPFS

# Equal seeds give equal results, on any number of cores.
seed: 1

# open: jobs arrive. saturated: a constant backlog. bin_filling: no time at all.
experiment: open

# Processors of each cluster: [32] is a single cluster, [8, 8, 8, 8] are four.
system: {clusters: [32]}

workload:
  model: coallocation
  request: total                     # or ordered, unordered, grouped
  components: 4                      # sizes that are added up to one request
  component_size: {uniform: [1, 4]}
  service: {exponential: {mean: 1}}  # the time unit is the mean service time

# Jobs per replication, and how many of them are not measured.
horizon: {jobs: 5000, warm_up: {fraction: 0.2}}

# Replications until the interval is short enough ...
precision: {metric: response_time, relative: 0.05, confidence: 0.95, method: auto}
# ... or a fixed number of them:
# replications: 100

probes:
  - response_time: {quantiles: [0.5, 0.95]}

# Every combination of the factors' levels is a cell.
factors:
  policy: [fcfs, {fpfs: {max_jumps: 7}}]
  load.utilization: [0.5, 0.6, 0.7]

report:
  title: Mean response time by policy and load
  metrics: [response_time.mean]
)";
}

}  // namespace schedfarm::app
