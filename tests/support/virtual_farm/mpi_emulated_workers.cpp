#include "tests/support/virtual_farm/mpi_emulated_workers.hpp"

#include <queue>

#include "engine/farm/transport/backoff.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

constexpr BackoffLimits emulation_waits{.looks = 20};
constexpr int master_rank = 0;

struct PendingReport {
    double at_s = 0;
    std::uint32_t worker = 0;
    Bytes bytes;
};

struct Later {
    bool operator()(const PendingReport& a, const PendingReport& b) const {
        return a.at_s != b.at_s ? a.at_s > b.at_s : a.worker > b.worker;
    }
};

/// The workers of one rank.
class EmulatedWorkers {
  public:
    EmulatedWorkers(std::uint32_t per_rank, const TaskDuration& duration) : duration_(duration) {
        workers_.assign(per_rank, VirtualWorker(mpi_rank()));
    }

    void run() {
        const Bytes hello = encode(WorkerReport{ReportKind::hello, "virtual", {}, {}});
        for (std::uint32_t worker = 0; worker < workers_.size(); ++worker) {
            send_and_wait(hello, master_rank, static_cast<int>(worker));
        }
        Backoff backoff(emulation_waits);
        while (stopped_ < workers_.size()) {
            const bool has_sent = send_due();
            if (has_sent | take_order()) {
                backoff = Backoff(emulation_waits);
            } else {
                backoff.wait();
            }
        }
    }

  private:
    bool send_due() {
        if (pending_.empty() || pending_.top().at_s > clock_.seconds()) {
            return false;
        }
        send_and_wait(pending_.top().bytes, master_rank, static_cast<int>(pending_.top().worker));
        pending_.pop();
        return true;
    }

    bool take_order() {
        const auto message = receive_if_there(master_rank, MPI_ANY_TAG);
        if (!message) {
            return false;
        }
        const Order order = decode_order(message->bytes);
        stopped_ += order.kind == OrderKind::stop ? 1U : 0U;
        const auto worker = static_cast<std::uint32_t>(message->tag);
        for (const TimedReport& timed :
             workers_[worker].work(order, clock_.seconds(), duration_, {})) {
            pending_.push({timed.at_s, worker, encode(timed.report)});
        }
        return true;
    }

    const TaskDuration& duration_;
    Stopwatch clock_;
    std::vector<VirtualWorker> workers_;
    std::priority_queue<PendingReport, std::vector<PendingReport>, Later> pending_;
    std::size_t stopped_ = 0;
};

}  // namespace

MpiEmulatedTransport::MpiEmulatedTransport(
    std::uint32_t ranks, std::uint32_t per_rank, std::uint32_t group_workers
)
    : ranks_(ranks), per_rank_(per_rank), group_workers_(group_workers) {
    SCHEDFARM_EXPECT(ranks > 0 && per_rank > 0, "no emulated workers");
}

std::vector<std::uint32_t> MpiEmulatedTransport::group_sizes() const {
    if (group_workers_ == 0) {
        return {};
    }
    return std::vector<std::uint32_t>(workers(), group_workers_);
}

std::optional<ReceivedReport> MpiEmulatedTransport::receive(double at_most_seconds) {
    outbox_.release_some();
    auto message = receive_if_there(MPI_ANY_SOURCE, MPI_ANY_TAG);
    if (!message) {
        const Stopwatch waited;
        Backoff backoff(emulation_waits);
        while (!message && waited.seconds() < at_most_seconds) {
            backoff.wait();
            message = receive_if_there(MPI_ANY_SOURCE, MPI_ANY_TAG);
        }
        waited_seconds_ += waited.seconds();
    }
    if (!message) {
        return std::nullopt;
    }
    const auto rank = static_cast<std::uint32_t>(message->source);
    const auto number = static_cast<std::uint32_t>(message->tag);
    return ReceivedReport{(rank - 1) * per_rank_ + number, decode_report(message->bytes)};
}

void MpiEmulatedTransport::send(std::uint32_t worker, const Order& order) {
    outbox_.send(
        encode(order), static_cast<int>(rank_of(worker)), static_cast<int>(worker % per_rank_)
    );
}

void MpiEmulatedTransport::finish() {
    Backoff backoff(emulation_waits);
    while (!outbox_.is_empty()) {
        backoff.wait();
        outbox_.release_some();
    }
}

void impersonate_workers(std::uint32_t per_rank, const TaskDuration& duration) {
    EmulatedWorkers(per_rank, duration).run();
}

}  // namespace schedfarm::engine
