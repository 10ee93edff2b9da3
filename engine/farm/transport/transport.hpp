// How messages travel between master and workers. A transport keeps the order of the messages
// between two parties and never makes the master wait for a worker that is not listening.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/farm/transport/messages.hpp"

namespace schedfarm::engine {

struct ReceivedReport {
    std::uint32_t worker = 0;
    WorkerReport report;
};

/// The master's end. Workers are numbered from 0.
class MasterTransport {
  public:
    MasterTransport() = default;
    MasterTransport(const MasterTransport&) = delete;
    MasterTransport& operator=(const MasterTransport&) = delete;
    virtual ~MasterTransport() = default;

    virtual std::uint32_t workers() const = 0;
    /// The next report; waits for about `at_most_seconds` without burning processor time.
    virtual std::optional<ReceivedReport> receive(double at_most_seconds) = 0;
    virtual void send(std::uint32_t worker, const Order& order) = 0;
    /// Returns when every order has left; called once, after the last one.
    virtual void finish() = 0;
    /// Whether a worker may be lost without a word, so that silence tells it.
    virtual bool may_lose_workers() const { return false; }
    /// Seconds since some fixed moment; with virtual time not those of the wall.
    virtual double now_s() const = 0;
    /// How long receive() has waited with nothing to take, all calls together.
    virtual double waited_seconds() const = 0;
};

/// A worker's end.
class WorkerTransport {
  public:
    WorkerTransport() = default;
    WorkerTransport(const WorkerTransport&) = delete;
    WorkerTransport& operator=(const WorkerTransport&) = delete;
    virtual ~WorkerTransport() = default;

    virtual std::uint32_t rank() const = 0;
    /// The next order; waits for it without burning processor time.
    virtual Order receive() = 0;
    virtual void send(const WorkerReport& report) = 0;
};

}  // namespace schedfarm::engine
