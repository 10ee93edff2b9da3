#include "engine/farm/transport/framed_messages.hpp"

#include <cerrno>
#include <cstdint>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

namespace schedfarm::engine {

namespace {

bool write_all(int descriptor, const std::byte* data, std::size_t size) {
    while (size > 0) {
        const ssize_t written = ::send(descriptor, data, size, MSG_NOSIGNAL);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        data += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

bool read_all(int descriptor, std::byte* data, std::size_t size) {
    while (size > 0) {
        const ssize_t count = ::read(descriptor, data, size);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        data += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        close();
        number_ = other.release();
    }
    return *this;
}

void Descriptor::close() {
    if (number_ >= 0) {
        ::close(release());
    }
}

int Descriptor::release() {
    return std::exchange(number_, -1);
}

void append_framed(Bytes& bytes, const Bytes& message) {
    const std::uint64_t size = message.size();  // both ends are one machine
    const auto* const begin = reinterpret_cast<const std::byte*>(&size);
    bytes.insert(bytes.end(), begin, begin + sizeof size);
    bytes.insert(bytes.end(), message.begin(), message.end());
}

bool send_message(int descriptor, const Bytes& message) {
    Bytes framed;
    append_framed(framed, message);
    return write_all(descriptor, framed.data(), framed.size());
}

std::optional<Bytes> receive_message(int descriptor) {
    std::uint64_t size = 0;
    if (!read_all(descriptor, reinterpret_cast<std::byte*>(&size), sizeof size)) {
        return std::nullopt;
    }
    Bytes message(size);
    if (!read_all(descriptor, message.data(), message.size())) {
        return std::nullopt;
    }
    return message;
}

}  // namespace schedfarm::engine
