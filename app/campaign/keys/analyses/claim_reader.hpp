// Reads the claims of a campaign as they are written; what they mean for its cells shows when the
// plan is laid out (app/campaign/plan/analyses/claims.hpp).
#pragma once

#include <string>
#include <vector>

#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// A name and what stands for it: an expression, or a list of numbers.
struct NamedText {
    std::string name;
    SourcePosition at;  ///< of the text
    std::string text;
    std::vector<double> numbers;  ///< not empty: in place of the text
};

/// A factor or `class`, and the values that are combined with those of the others.
struct ClaimAxis {
    std::string name;
    SourcePosition at;
    std::vector<std::string> values;  ///< as written; {"all"}: every level
};

enum class ClaimNeeds : std::uint8_t { every, most, some };

/// The values for which a claim is true.
struct ClaimRegion {
    enum class Kind : std::uint8_t { above, below, between };
    Kind kind = Kind::above;
    double low = 0;   ///< above, between
    double high = 0;  ///< below, between
};

struct ClaimRequest {
    std::string id;
    std::string paper;
    std::string where;
    std::string printed;
    NamedText value;
    std::vector<ClaimAxis> in;
    ClaimRegion region;
    ClaimNeeds needs = ClaimNeeds::every;
    std::string expected;
    std::string note;
};

struct ClaimsRequest {
    double confidence = 0.95;
    std::vector<NamedText> quantities;
    std::vector<NamedText> names;
    std::vector<ClaimRequest> list = {};
};

/// No quantities and no claims where the campaign has none.
ClaimsRequest read_claims(const Node& campaign, Problems& problems);

}  // namespace schedfarm::app
