// Seeds that follow one another, as levels of the factor `seed`.
#pragma once

#include "app/campaign/keys/schema.hpp"

namespace schedfarm::app {

/// The key of the campaign that gives the seed; as a factor it makes a campaign of every level.
inline constexpr const char* seed_key = "seed";

inline const Section& seed_range_section() {
    static const Section section =
        Section(
            "factors.seed",
            "`seed` as a factor, in place of the key: every seed is a campaign of its own. Its "
            "cells have the bits of the campaign with that `seed` alone, and comparisons, "
            "selections, claims and common random numbers stay within a seed. Such a campaign "
            "shows how often an interval contains the truth, or a decision is right "
            "(`certificate`). A list of seeds will do, too."
        )
            .integer("first", {1, 1e15})
            .means("the first seed", 1)
            .integer("count", {1, 1e5}, "seeds")
            .required("how many seeds, each the last plus 1");
    return section;
}

}  // namespace schedfarm::app
