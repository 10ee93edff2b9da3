// The factors of a campaign: ordered, each a grid axis.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// A value to be set at a path of a cell's tree.
struct Assignment {
    std::string path;
    SourcePosition at;  ///< of the key that names the path
    Tree value;
};

struct Level {
    std::string label;
    std::optional<double> number;
    std::vector<Assignment> sets;
    /// A load placed by the program: this fraction of the cell's maximal utilization. The label is
    /// then the fraction in as few digits as tell the levels apart, at least 3 where the program
    /// chose it; the cell has a label and a number of its own.
    std::optional<double> saturation_fraction;
};

struct Factor {
    std::string name;
    SourcePosition at;               ///< of the name
    SourcePosition spec_at;          ///< of what is written behind it
    std::vector<std::string> paths;  ///< that its levels set
    std::vector<Level> levels;

    bool is_placed() const { return !levels.empty() && levels[0].saturation_fraction.has_value(); }
};

/// Reads the section `factors`; factors with problems are left out, their paths excused.
std::vector<Factor> read_factors(const Node& section, Problems& problems);

/// n fractions of the maximal utilization with 1 − fraction geometric from 0.8 down to 0.05; a
/// single one lies in the (geometric) middle.
std::vector<double> saturation_fractions(std::size_t n);

/// "0.83 of saturation". REQUIRES: a load placed by the program.
std::string saturation_label(const Level& level);

/// Whether one of two paths is the other or lies within it.
bool overlap(const std::string& a, const std::string& b);

/// A problem unless the path begins with a key that may differ between cells; the seed does so by a
/// factor of its own only. True when it may, or when the key is not known at all (which the cell's
/// own check tells).
bool expect_variable(
    const std::string& path, const SourcePosition& at, const char* verb, Problems& problems
);

}  // namespace schedfarm::app
