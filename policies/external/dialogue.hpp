// What is said between the simulator and a policy that is a program of its own: one line of JSON
// per instant each way, of what has changed and of what is to be done. docs/reference says it for
// those who write such programs; interface_version grows when a line means something else.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/kernel/machine.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/external/process.hpp"

namespace schedfarm::policies {

inline constexpr int interface_version = 1;

/// What has happened since the last line, in the order in which it was told.
class InstantNews {
  public:
    void arrive(const engine::Job& job);
    void finish(std::uint64_t job);
    void withdraw(std::uint64_t job);

    bool empty() const { return arrived_.empty() && finished_.empty() && withdrawn_.empty(); }
    /// The line; what has happened is forgotten.
    const std::string& take_line(double now, std::span<const std::uint32_t> free_by_cluster);

  private:
    std::string arrived_;
    std::string finished_;
    std::string withdrawn_;
    std::string line_;
};

/// One job to be started: counted as the placement rule finds, or as it says.
struct AskedStart {
    std::uint64_t job = 0;
    std::vector<engine::ClusterShare> shares = {};
    std::vector<engine::ProcessorRange> processors = {};
};

struct PolicyAnswer {
    std::vector<AskedStart> starts;
    std::vector<double> wakes;
};

/// What a line says. Throws std::runtime_error with what is wrong with it.
void read_answer(std::string_view line, PolicyAnswer& answer);

/// One replication's dialogue with a process; errors are ExternalPolicyError, after which there is
/// none any more.
class Dialogue {
  public:
    enum class Process : std::uint8_t { any, fresh };

    Dialogue(const engine::Parameters& given, const engine::PolicyContext& context, Process wanted);
    Dialogue(const Dialogue&) = delete;
    Dialogue& operator=(const Dialogue&) = delete;
    /// The process serves others where nothing was wrong with it.
    ~Dialogue();

    /// Valid until the next.
    const PolicyAnswer& ask(const std::string& line, double now);

    /// Ends the dialogue for a reason that the answer is wrong for.
    [[noreturn]] void refuse(double now, const std::string& problem);

  private:
    void begin(const engine::Parameters& given, const engine::PolicyContext& context);
    [[noreturn]] void fail(const std::string& when, const std::string& problem);

    double timeout_s_;
    Process wanted_;
    std::string text_;  // of the command
    std::unique_ptr<PolicyProcess> process_;
    PolicyAnswer answer_;
};

/// A number as JSON that reads back to the same double, and as no integer.
std::string json_real(double value);

}  // namespace schedfarm::policies
