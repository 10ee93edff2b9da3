// What was read of equal parts of cells: each is read once, however many cells have it, and shared.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/campaign/yaml/node.hpp"

namespace schedfarm::app {

template <typename T>
class KnownParts {
  public:
    /// `parts`: all of a cell that `read` looks at; it gives a std::optional<T>. Null: absent.
    std::shared_ptr<const T> of(std::vector<Tree> parts, const auto& read) {
        const auto found = known_.find(parts);
        if (found != known_.end()) {
            return found->second;
        }
        std::optional<T> value = read();
        auto shared = value ? std::make_shared<const T>(std::move(*value)) : nullptr;
        known_.emplace(std::move(parts), shared);
        return shared;
    }

  private:
    struct Hash {
        std::size_t operator()(const std::vector<Tree>& parts) const {
            std::size_t hash = parts.size();
            for (const Tree& part : parts) {
                hash = 31 * hash + part.hash();
            }
            return hash;
        }
    };
    std::unordered_map<std::vector<Tree>, std::shared_ptr<const T>, Hash> known_;
};

}  // namespace schedfarm::app
