// Collects the problems of a campaign while it is read, so that all of them are shown at once. A
// problem that several cells share is kept once, at the position that causes it.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/campaign/yaml/config_error.hpp"

namespace schedfarm::app {

class Problems {
  public:
    /// Problems beyond this many are counted, not kept.
    static constexpr std::size_t most_kept = 100;

    /// Keeps a problem unless the same reason is already known for this position.
    void add(
        const SourcePosition& at,
        std::string key_path,
        std::string reason,
        std::string suggestion = {}
    );

    /// Keeps only the first problem of this rule at this position, whatever its reason says: for
    /// what depends on the cell and would otherwise come again with other numbers.
    void add_once(std::string_view rule, ConfigProblem problem);

    /// Keys that must not be called missing, because a misspelt or broken one stands for them.
    void excuse(std::string_view key_path) { excused_.insert(std::string(key_path)); }
    bool is_excused(std::string_view key_path) const {
        return excused_.contains(std::string(key_path));
    }

    bool empty() const { return problems_.empty(); }
    std::size_t size() const { return problems_.size() + dropped_; }
    bool is_full() const { return dropped_ > 0; }

    /// Throws ConfigErrors with everything kept, in order of position, if there is anything.
    void throw_if_any() const;

  private:
    std::vector<ConfigProblem> problems_;
    std::set<std::string> seen_;
    std::set<std::string> excused_;
    std::size_t dropped_ = 0;
};

}  // namespace schedfarm::app
