#include "models/trace/summary/machine_size.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "models/trace/reading/log_error.hpp"

namespace schedfarm::models::trace {

void give_machine_size(Log& log, std::uint32_t processors) {
    if (const auto said = log.header.processors()) {
        if (*said != processors) {
            throw LogError(fmt::format(
                "{}: its header says {} processors, not {} (the log's machine is meant). Leave "
                "--processors out.",
                log.name,
                *said,
                processors
            ));
        }
        return;
    }
    std::erase_if(log.header.lines, [](const HeaderLine& line) {
        return is_same_key(line.key, "MaxProcs");  // it says none that can be read
    });
    log.header.lines.push_back({.key = "MaxProcs", .value = std::to_string(processors)});
    std::erase_if(log.oddities, [](const Oddity& oddity) {
        return oddity.kind == OddityKind::no_machine_size
               || oddity.kind == OddityKind::unreadable_size;
    });
    Oddity larger{.kind = OddityKind::more_than_machine};
    for (std::size_t row = 0; row < log.jobs(); ++row) {
        const std::int64_t size =
            std::max(log.allocated_processors[row], log.requested_processors[row]);
        larger.count += size > std::int64_t{processors} ? 1U : 0U;
    }
    if (larger.count > 0) {
        log.oddities.push_back(larger);
    }
}

}  // namespace schedfarm::models::trace
