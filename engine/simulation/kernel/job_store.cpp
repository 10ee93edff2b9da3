#include "engine/simulation/kernel/job_store.hpp"

#include <algorithm>
#include <utility>

namespace schedfarm::engine {

JobStore::JobStore(std::size_t max_components, std::size_t clusters)
    : max_components_(max_components), clusters_(clusters) {}

void JobStore::add_chunk() {
    auto chunk = std::make_unique<Chunk>();
    chunk->components.resize(max_components_ * chunk_size);
    chunk->shares.resize(clusters_ * chunk_size);
    for (std::size_t i = 0; i < chunk_size; ++i) {
        chunk->entries[i].components = chunk->components.data() + i * max_components_;
        chunk->entries[i].shares = chunk->shares.data() + i * clusters_;
    }
    chunks_.push_back(std::move(chunk));
}

JobId JobStore::add(const Job& job) {
    SCHEDFARM_EXPECT(
        job.components.size() <= max_components_,
        "job " + std::to_string(job.index) + " has more components than its workload declared"
    );
    JobId id;
    if (free_.empty()) {
        id.value = slots_;
        if (slots_ % chunk_size == 0) {
            add_chunk();
        }
        ++slots_;
    } else {
        id.value = free_.back();
        free_.pop_back();
    }
    JobEntry& entry = slot(id);
    entry.job = job;
    std::copy(job.components.begin(), job.components.end(), entry.components);
    entry.job.components = {entry.components, job.components.size()};
    entry.service = job.service_time;
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
