// Byte messages over MPI: what is there is taken, what is sent leaves without being waited for.
// Waiting is left to the caller, who sleeps between looks: a blocking receive of MPI would burn a
// core.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include <mpi.h>

#include "engine/farm/task.hpp"

namespace schedfarm::engine {

constexpr int order_tag = 1;
constexpr int report_tag = 2;

struct MpiMessage {
    int source = 0;
    int tag = 0;
    Bytes bytes;
};

/// The next message from `source` (or MPI_ANY_SOURCE) with `tag` (or MPI_ANY_TAG), if it is there.
std::optional<MpiMessage> receive_if_there(int source, int tag);

/// Messages on their way.
class MpiOutbox {
  public:
    MpiOutbox() = default;
    MpiOutbox(const MpiOutbox&) = delete;
    MpiOutbox& operator=(const MpiOutbox&) = delete;
    /// What has not left stays in memory: MPI may still read it until the process ends, which after
    /// an exception, the only way to get here with messages left, it is about to do.
    ~MpiOutbox();

    void send(Bytes bytes, int rank, int tag);
    /// Lets go of some messages that have left; O(1), so that it may be called with every message.
    void release_some();
    /// True when everything has left.
    bool is_empty() const { return under_way_.empty(); }

  private:
    struct Sending {
        Bytes bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    static bool has_left(Sending& sending);

    std::deque<std::unique_ptr<Sending>> under_way_;
};

}  // namespace schedfarm::engine
