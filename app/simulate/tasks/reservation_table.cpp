#include "app/simulate/tasks/reservation_table.hpp"

#include <cmath>

#include <fmt/format.h>

#include "engine/planning/profile/availability_profile.hpp"

#include "app/config/yaml/numbers.hpp"
#include "app/simulate/tasks/table_file.hpp"

namespace schedfarm::app {

namespace {

enum Column : std::size_t { name_column, start_column, end_column, processors_column };

/// The processors that a line reserves, of so many.
std::uint32_t count_in(const TableFile& table, const CsvRecord& record, std::uint32_t processors) {
    const auto count = parse_integer(record.fields[processors_column]);
    if (!count || *count < 1 || *count > processors) {
        table.refuse(
            record,
            processors_column,
            fmt::format(
                "{} is no number of processors of this machine (it has {})",
                shown_field(record.fields[processors_column]),
                processors
            ),
            fmt::format("A whole number from 1 to {}?", processors)
        );
    }
    return static_cast<std::uint32_t>(*count);
}

void check_times(const TableFile& table, const CsvRecord& record, const Reservation& reservation) {
    if (reservation.start < 0) {
        table.refuse(
            record,
            start_column,
            "the start is negative (tasks are there from 0 on)",
            "A start of at least 0?"
        );
    }
    if (!(reservation.end > reservation.start) || !(reservation.time() > 0)) {
        table.refuse(
            record,
            end_column,
            fmt::format(
                "the end {} is not after the start (nothing would be reserved)",
                record.fields[end_column]
            ),
            "A later end?"
        );
    }
}

}  // namespace

double Reservation::time() const {
    double time = end - start;
    while (start + time > end) {
        time = std::nextafter(time, 0.0);
    }
    return time;
}

std::vector<Reservation> read_reservations(
    const std::string& file, const std::string& content, std::uint32_t processors
) {
    TableFile table(file, content, "reservation", "reservation,start,end,processors");
    table.expect_columns({"reservation", "start", "end", "processors"});
    engine::AvailabilityProfile free(processors);
    std::vector<Reservation> reservations;
    for (const CsvRecord& record : table.rows()) {
        const Reservation reservation{
            .name = table.name_in(record),
            .start = table.number_in(record, start_column),
            .end = table.number_in(record, end_column),
            .processors = count_in(table, record, processors)};
        check_times(table, record, reservation);
        if (!free.is_free(reservation.start, reservation.end, reservation.processors)) {
            table.refuse(
                record,
                processors_column,
                fmt::format(
                    "with those before it {} reserves more than the {} processors of the machine",
                    shown_field(reservation.name),
                    processors
                ),
                "Fewer processors, or another time?"
            );
        }
        free.reserve(reservation.start, reservation.end, reservation.processors);
        reservations.push_back(reservation);
    }
    return reservations;
}

std::vector<Reservation> open_reservations(const std::string& file, std::uint32_t processors) {
    return read_reservations(file, table_text(file), processors);
}

}  // namespace schedfarm::app
