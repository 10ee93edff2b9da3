#include "models/trace/log.hpp"

#include <algorithm>

namespace schedfarm::models::trace {

std::string Log::name_of(Field field, std::int64_t number) const {
    if (const auto texts = names.find(field); texts != names.end()) {
        const auto place = static_cast<std::uint64_t>(number) - 1;
        return number >= 1 && place < texts->second.size() ? texts->second[place] : "";
    }
    return header.name_of(trace::name(field), number);
}

std::optional<std::int64_t> Log::number_of(Field field, std::string_view text) const {
    const auto texts = names.find(field);
    if (texts == names.end()) {
        return std::nullopt;
    }
    const auto found = std::find(texts->second.begin(), texts->second.end(), text);
    return found == texts->second.end() ? std::nullopt
                                        : std::optional(found - texts->second.begin() + 1);
}

}  // namespace schedfarm::models::trace
