#include "engine/farm/processes/isolation.hpp"

#include <array>
#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/farm/processes/isolation_server.hpp"

namespace schedfarm::engine {

IsolationServer::IsolationServer(const TaskFunction& function, const TaskLimits& limits) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw std::system_error(errno, std::generic_category(), "socketpair");
    }
    socket_ = Descriptor(ends[0]);
    Descriptor servers_end(ends[1]);
    const pid_t owner = ::getpid();
    server_ = ::fork();
    if (server_ < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (server_ == 0) {
        socket_.close();
        serve_isolated(servers_end.number(), owner, function, limits);
    }
}

IsolationServer::~IsolationServer() {
    socket_.close();
    while (server_ > 0 && ::waitpid(server_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

Bytes IsolationServer::execute(const Bytes& payload) {
    std::optional<Bytes> answer;
    if (send_message(socket_.number(), payload)) {
        answer = receive_message(socket_.number());
    }
    if (!answer) {
        throw WorkerBroken(
            "the process that replications are isolated in is gone (killed, or out of memory). Is "
            "the machine short of memory? What is done is in the journal"
        );
    }
    IsolatedOutcome outcome = decode_isolated_outcome(*answer);
    if (outcome.status != TaskStatus::done) {
        throw TaskFailure(outcome.status, outcome.message);
    }
    return std::move(outcome.payload);
}

}  // namespace schedfarm::engine
