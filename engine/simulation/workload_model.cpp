#include "engine/simulation/workload_model.hpp"

#include <string>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/kernel/job_stream.hpp"

namespace schedfarm::engine {

namespace {

template <typename Column, typename Entry>
void set_if_present(const Column& column, std::size_t i, Entry& entry) {
    if (!column.empty()) {
        entry = column[i];
    }
}

// Trailing absent components are left out; one between others keeps its place (ordered requests).
std::span<const std::uint32_t> components_of(const JobBlock& block, std::size_t i) {
    if (block.components.empty()) {
        return {&block.size[i], 1};
    }
    std::span<const std::uint32_t> all(
        block.components.data() + i * block.component_stride, block.component_stride
    );
    while (!all.empty() && all.back() == 0) {
        all = all.first(all.size() - 1);
    }
    return all;
}

}  // namespace

Job JobBlock::job(std::size_t i) const {
    SCHEDFARM_EXPECT(i < count, "a job block was read beyond its end");
    Job job;
    job.index = first_index + i;
    set_if_present(submit_time, i, job.submit_time);
    set_if_present(service_time, i, job.service_time);
    job.estimate = job.service_time;
    set_if_present(estimate, i, job.estimate);
    job.size = size[i];
    job.structure = structure;
    job.components = components_of(*this, i);
    set_if_present(job_class, i, job.job_class);
    set_if_present(user, i, job.user);
    if (!origin.empty()) {
        SCHEDFARM_EXPECT(origin[i] <= 0xFFFF, "a job comes from a cluster beyond 65,536");
        job.origin = static_cast<std::uint16_t>(origin[i]);
    }
    set_if_present(queue, i, job.queue);
    set_if_present(priority, i, job.priority);
    set_if_present(weight, i, job.weight);
    set_if_present(memory_per_processor, i, job.memory_per_processor);
    set_if_present(fixed_start, i, job.fixed_start);
    set_if_present(moldable, i, job.moldable);
    set_if_present(request, i, job.request);
    return job;
}

void draw_next(WorkloadModel& workload, JobBlock& block) {
    const std::uint64_t seen = block.first_index + block.count;
    SCHEDFARM_EXPECT(
        draw_more(workload, block),
        "the workload ended after " + std::to_string(seen)
            + " jobs, before the horizon. Shorten the horizon."
    );
}

}  // namespace schedfarm::engine
