// Whole messages over a stream between two processes of one machine: length, then bytes. Calls that
// a signal interrupts go on.
#pragma once

#include <optional>

#include "engine/farm/task.hpp"

namespace schedfarm::engine {

/// An open descriptor of the operating system; closed when it goes.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor() { close(); }

    int number() const { return number_; }
    void close();
    /// Gives the number away.
    int release();

  private:
    int number_;
};

/// Appends a message as it goes over the stream.
void append_framed(Bytes& bytes, const Bytes& message);

/// False when the other end is gone.
[[nodiscard]] bool send_message(int descriptor, const Bytes& message);
/// Absent when the other end is gone, or went in the middle of a message.
std::optional<Bytes> receive_message(int descriptor);

}  // namespace schedfarm::engine
