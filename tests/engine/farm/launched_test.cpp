// What a process finds that has, or has not, a launcher at its other end.
#include "engine/farm/processes/launched.hpp"

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <netdb.h>
#include <sys/socket.h>

#include "engine/farm/farm.hpp"
#include "engine/farm/transport/framed_messages.hpp"

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace): a test of this
                                    // namespace

namespace {

/// Somebody who listens, as the server of a launcher does.
class Listener {
  public:
    Listener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        REQUIRE(::bind(socket_.number(), any, size) == 0);
        REQUIRE(::listen(socket_.number(), 1) == 0);
        REQUIRE(::getsockname(socket_.number(), any, &size) == 0);
        port_ = ntohs(address.sin_port);
    }
    std::string uri() const { return "prterun.0;tcp4://127.0.0.1:" + std::to_string(port_); }
    void leave() { socket_.close(); }

  private:
    Descriptor socket_;
    int port_ = 0;
};

bool is_set(const char* name) {
    return std::getenv(name) != nullptr;  // NOLINT(concurrency-mt-unsafe)
}

void set(const char* name, const std::string& value) {
    ::setenv(name, value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace

TEST_CASE("a process that nobody launched finds nothing") {
    const Launched found = look_for_launcher();
    CHECK_FALSE(found.is_rank);
    CHECK(found.stranger.empty());
    CHECK(found.leftovers.empty());
}

TEST_CASE("a rank finds its launcher as long as that is there, and then what it left") {
    Listener launcher;
    set("PMIX_SERVER_URI2", launcher.uri());
    set("PMIX_RANK", "3");
    set("OMPI_COMM_WORLD_SIZE", "5");
    const Launched rank = look_for_launcher();
    CHECK(rank.is_rank);
    CHECK(rank.rank == 3);
    CHECK(rank.ranks == 5);
    CHECK(rank.leftovers.empty());
    CHECK(is_set("PMIX_RANK"));

    launcher.leave();
    const Launched left = look_for_launcher();
    CHECK_FALSE(left.is_rank);
    CHECK(left.leftovers.size() == 2);
    for (const char* name : {"PMIX_SERVER_URI2", "PMIX_RANK", "OMPI_COMM_WORLD_SIZE"}) {
        CHECK_FALSE(is_set(name));
    }
}

TEST_CASE("variables of PMI whose descriptor is nothing are left over") {
    set("PMI_RANK", "1");
    set("PMI_SIZE", "3");
    set("PMI_FD", "987");
    const Launched found = look_for_launcher();
    CHECK_FALSE(found.is_rank);
    CHECK(found.stranger.empty());
    CHECK(found.leftovers == std::vector<std::string>{"PMI_RANK", "PMI_SIZE"});
    CHECK_FALSE(is_set("PMI_FD"));
}

TEST_CASE("a launcher that speaks PMI alone is a stranger to Open MPI") {
    if (mpi_version().find("Open MPI") == std::string::npos) {
        return;
    }
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
    const Descriptor one(ends[0]);
    const Descriptor other(ends[1]);
    set("PMI_RANK", "2");
    set("PMI_FD", std::to_string(one.number()));
    const Launched found = look_for_launcher();
    CHECK_FALSE(found.is_rank);
    CHECK(found.rank == 2);
    CHECK(found.stranger == "PMI");
    ::unsetenv("PMI_RANK");  // NOLINT(concurrency-mt-unsafe)
    ::unsetenv("PMI_FD");    // NOLINT(concurrency-mt-unsafe)
}
