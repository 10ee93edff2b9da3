// The part of results_schema/SCHEMA.md that is made of the schema.
#pragma once

#include <string>

namespace schedfarm::tests {

std::string schema_markdown();

}  // namespace schedfarm::tests
