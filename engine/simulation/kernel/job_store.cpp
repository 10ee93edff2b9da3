#include "engine/simulation/kernel/job_store.hpp"

#include <algorithm>

namespace schedfarm::engine {

JobId JobStore::add(const Job& job) {
    SCHEDFARM_EXPECT(
        job.components.size() <= max_components_,
        "job " + std::to_string(job.index) + " has more components than its workload declared"
    );
    JobId id;
    if (free_.empty()) {
        id.value = slots_;
        if (slots_ % chunk_size == 0) {
            chunks_.push_back(std::make_unique<Chunk>());
            chunks_.back()->components.resize(max_components_ * chunk_size);
        }
        ++slots_;
    } else {
        id.value = free_.back();
        free_.pop_back();
    }
    JobEntry& entry = slot(id);
    entry.job = job;
    std::uint32_t* const components = chunks_[id.value >> chunk_bits]->components.data()
                                      + id.value % chunk_size * max_components_;
    std::copy(job.components.begin(), job.components.end(), components);
    entry.job.components = {components, job.components.size()};
    entry.remaining = job.service_time;
    entry.added = 0;
    entry.cuts = 0;
    entry.size = job.size;
    entry.state = JobState::waiting;
    entry.present = true;
    entry.has_started = false;
    entry.is_listed = false;
    return id;
}

void JobStore::remove(JobId id) {
    JobEntry& entry = at(id);
    entry.present = false;
    ++entry.version;
    free_.push_back(id.value);
}

std::string JobStore::absent(JobId id) {
    return "slot " + std::to_string(id.value) + " holds no job (it has left the system)";
}

}  // namespace schedfarm::engine
