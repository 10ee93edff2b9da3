#include "results_schema/tables/stored_text.hpp"

#include "engine/foundation/utf8.hpp"

namespace schedfarm::results_schema {

std::string stored_text(std::string_view text) {
    const std::string valid = engine::valid_utf8(text);
    std::string stored;
    for (std::size_t begin = 0;;) {
        const std::size_t end = valid.find('\0', begin);
        stored.append(valid, begin, end - begin);
        if (end == std::string::npos) {
            return stored;
        }
        stored += engine::replacement_character;
        begin = end + 1;
    }
}

}  // namespace schedfarm::results_schema
