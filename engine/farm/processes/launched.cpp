#include "engine/farm/processes/launched.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include <mpi.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/farm/transport/framed_messages.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace schedfarm::engine {

namespace {

#ifdef OPEN_MPI
constexpr bool joins_pmix = true;  // and nothing else
#else
constexpr bool joins_pmix = false;  // but PMI
#endif

std::string_view variable(const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return value == nullptr ? std::string_view() : value;
}

std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() ? std::optional(value) : std::nullopt;
}

/// The first of these variables that is a number.
std::uint32_t number_of(std::initializer_list<const char*> names) {
    for (const char* name : names) {
        if (const auto found = number(variable(name))) {
            return *found;
        }
    }
    return 0;
}

/// Whether somebody listens at this port of this machine.
bool is_listening(std::uint16_t port) {
    const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address)
           == 0;
}

/// The server of PMIx is on this machine, at "<name>;tcp4://127.0.0.1:<port>". Of addresses of
/// other kinds MPI itself finds out.
bool has_pmix_server() {
    for (const char* name :
         {"PMIX_SERVER_URI41",
          "PMIX_SERVER_URI4",
          "PMIX_SERVER_URI3",
          "PMIX_SERVER_URI21",
          "PMIX_SERVER_URI2"}) {
        const std::string_view uri = variable(name);
        if (uri.empty()) {
            continue;
        }
        constexpr std::string_view scheme = ";tcp4://127.0.0.1:";
        const std::size_t at = uri.find(scheme);
        const auto port =
            at == std::string_view::npos ? std::nullopt : number(uri.substr(at + scheme.size()));
        return !port || is_listening(static_cast<std::uint16_t>(*port));
    }
    return false;
}

/// PMI 1 and 2: an open socket to the launcher, or where it listens.
bool has_pmi_server() {
    if (const auto descriptor = number(variable("PMI_FD"))) {
        struct stat found {};
        return ::fstat(static_cast<int>(*descriptor), &found) == 0 && S_ISSOCK(found.st_mode);
    }
    const std::string_view port = variable("PMI_PORT");  // "host:port"
    const auto at = port.rfind(':');
    const auto found = at == std::string_view::npos ? std::nullopt : number(port.substr(at + 1));
    return found && is_listening(static_cast<std::uint16_t>(*found));
}

/// Takes the variables of launchers out of the environment; returns those that a user may know. The
/// list of hosts is a setting of the user's.
std::vector<std::string> remove_variables() {
    constexpr std::array<std::string_view, 5> prefixes{
        "PMI_", "PMIX_", "OMPI_COMM_WORLD_", "OMPI_MCA_ess", "OMPI_MCA_orte_"};
    std::vector<std::string> names;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        for (const std::string_view prefix : prefixes) {
            if (text.starts_with(prefix) && !text.starts_with("OMPI_MCA_orte_default_")) {
                names.emplace_back(text.substr(0, text.find('=')));
            }
        }
    }
    std::vector<std::string> told;
    for (const std::string& name : names) {
        ::unsetenv(name.c_str());  // NOLINT(concurrency-mt-unsafe)
        if (name.ends_with("_RANK") || name.ends_with("_SIZE")) {
            told.push_back(name);
        }
    }
    return told.empty() ? names : told;
}

}  // namespace

Launched look_for_launcher() {
    Launched found;
    const bool has_pmix = has_pmix_server();
    const bool has_pmi = has_pmi_server();
    found.rank = number_of({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"});
    if (joins_pmix ? has_pmix : has_pmi) {
        found.is_rank = true;
        found.ranks = number_of({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"});
    } else if (has_pmix || has_pmi) {
        found.stranger = has_pmix ? "PMIx" : "PMI";
    } else {
        found.rank = 0;
        found.leftovers = remove_variables();
    }
    return found;
}

}  // namespace schedfarm::engine
