// docs/reference/campaign-file.md is what the tables say. SCHEDFARM_UPDATE=1 writes it anew.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include "app/campaign/keys/describe.hpp"

namespace schedfarm::app {

TEST_CASE("the reference page of the campaign file is current") {
    const std::string path = std::string(SCHEDFARM_SOURCE) + "/docs/reference/campaign-file.md";
    if (std::getenv("SCHEDFARM_UPDATE") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
        std::ofstream(path) << reference_markdown();
    }
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    const bool is_current = text.str() == reference_markdown();
    CHECK_MESSAGE(is_current, "write it anew with SCHEDFARM_UPDATE=1 and this program");
}

}  // namespace schedfarm::app
