// Where claims are measured: combinations of factor levels and job classes, and the cells that they
// name.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/campaign/keys/analyses/claim_reader.hpp"
#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// What is wrong with a claim.
class ClaimError : public std::runtime_error {
  public:
    ClaimError(const std::string& message, std::string suggestion)
        : std::runtime_error(message), suggestion_(std::move(suggestion)) {}
    const std::string& suggestion() const { return suggestion_; }

  private:
    std::string suggestion_;
};

/// A factor, by name or the last part of its name, and the level that is asked for.
struct ClaimLevel {
    std::string factor;
    std::string level;
};

/// "normalized[8]{policy=easy, switch_cost_s=1}"
struct ClaimTerm {
    std::string name;
    std::optional<std::uint32_t> job_class;
    std::vector<ClaimLevel> levels;
};

/// Throws ClaimError.
ClaimTerm parse_term(const std::string& path);

struct ClaimPlace {
    std::string label;
    std::vector<ClaimLevel> levels;
    std::optional<std::uint32_t> job_class;
};

class ClaimPlaces {
  public:
    /// The cells outlive it.
    explicit ClaimPlaces(const std::vector<Cell>& cells) : cells_(cells) {}

    /// All combinations, the last axis varying fastest. Throws ClaimError.
    std::vector<ClaimPlace> of(const std::vector<ClaimAxis>& axes) const;

    /// The cell of the first seed that a term names at a place. Throws ClaimError where it is none,
    /// or several whose replications differ.
    const Cell& cell_of(const ClaimTerm& term, const ClaimPlace& place) const;

  private:
    std::size_t factor_index(const std::string& name) const;
    std::vector<std::string> values_of(const ClaimAxis& axis) const;
    void put(ClaimPlace& place, const ClaimAxis& axis, const std::string& value) const;

    const std::vector<Cell>& cells_;
};

}  // namespace schedfarm::app
