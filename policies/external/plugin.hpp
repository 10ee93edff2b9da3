// Policies in C++ that are built without this tree: a shared library, behind which its row stands
// as JSON, so that plans and lists know its parameters without running any of its code. The row
// also has the version of the interface, which is held to this program's before the library is
// loaded. `schedfarm build-policy` writes such files.
#pragma once

#include <filesystem>
#include <string>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/policy.hpp"

namespace schedfarm::policies {

/// What the function of this name in the library fills in; it returns the compiler and its version.
inline constexpr const char* plugin_entry = "schedfarm_describe_policy";
using PluginEntry = const char*(engine::PolicyDescription&);

#ifdef __clang__
inline constexpr const char* plugin_compiler = "Clang " __clang_version__;
#else
inline constexpr const char* plugin_compiler = "GNU " __VERSION__;
#endif

/// Of which a library has further parameters.
inline bool is_plugin(const engine::Alternative& policy) {
    return policy.name == "plugin";
}

/// Checksum of the interface's headers: libraries serve programs that have the same.
std::string plugin_interface();

/// The policy `plugin`, as the library has it: its name and summary, `library`, its parameters.
/// Throws ExternalPolicyError: no such file, none that build-policy wrote, another interface.
engine::Alternative plugin_row(const std::filesystem::path& library);

/// Loads the library of a policy, and throws ExternalPolicyError where that does not take the
/// parameters, or not on this system, which no row says. Nothing where the policy is no `plugin`.
void expect_plugin_takes(const engine::Choice& policy, const engine::SystemDescription& system);

/// Loads a library, and writes the row of its policy behind it. Throws ExternalPolicyError: it
/// lacks a symbol, or its policy cannot be described by a row; std::system_error: it cannot be
/// written.
void add_plugin_row(const std::filesystem::path& library);

}  // namespace schedfarm::policies
