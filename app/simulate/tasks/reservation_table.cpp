#include "app/simulate/tasks/reservation_table.hpp"

#include <array>
#include <cmath>
#include <set>
#include <span>

#include <fmt/format.h>

#include "engine/planning/profile/availability_profile.hpp"

#include "app/config/yaml/numbers.hpp"
#include "app/simulate/tasks/table_file.hpp"

namespace schedfarm::app {

namespace {

const char* const reservation_header_suggestion =
    "Write reservation,start,end,processors as the first line?";

enum Column : std::size_t { name_column, start_column, end_column, processors_column };

class ReservationReader {
  public:
    ReservationReader(const std::string& file, std::uint32_t processors)
        : file_(file), processors_(processors), free_(processors) {}

    std::vector<Reservation> read(const std::string& content) {
        const std::vector<CsvRecord> records = read_csv(file_, content);
        if (records.empty()) {
            throw_problem(
                {file_, 1, 1},
                "there is no header (the file is empty)",
                reservation_header_suggestion
            );
        }
        expect_columns(file_, records.front(), columns_, reservation_header_suggestion);
        expect_all(records.front());
        if (records.size() == 1) {
            throw_problem(
                {file_, records.front().line, 1},
                "no reservation follows the header (nothing is reserved)",
                "A line per reservation, or leave --reservations out?"
            );
        }
        for (const CsvRecord& record : std::span(records).subspan(1)) {
            expect_all(record);
            add(record);
        }
        return std::move(reservations_);
    }

  private:
    void expect_all(const CsvRecord& record) const {
        if (record.fields.size() != columns_.size()) {
            throw_problem(
                {file_, record.line, 1},
                fmt::format(
                    "{} fields, not {} (a reservation has name, start, end and processors)",
                    record.fields.size(),
                    columns_.size()
                ),
                reservation_header_suggestion
            );
        }
    }

    void add(const CsvRecord& record) {
        Reservation reservation{
            .name = record.fields[name_column],
            .start = number_in(file_, record, start_column, columns_[start_column]),
            .end = number_in(file_, record, end_column, columns_[end_column]),
            .processors = count_of(record)};
        if (reservation.name.empty() || !names_.insert(reservation.name).second) {
            throw_problem(
                position_of(file_, record, name_column),
                reservation.name.empty()
                    ? "the reservation has no name (messages could not name it)"
                    : fmt::format(
                        "a second reservation {} (names tell them apart)",
                        shown_field(reservation.name)
                    ),
                "Another name?"
            );
        }
        if (reservation.start < 0) {
            throw_problem(
                position_of(file_, record, start_column),
                "the start is negative (tasks are there from 0 on)",
                "A start of at least 0?"
            );
        }
        if (!(reservation.end > reservation.start) || !(reservation.time() > 0)) {
            throw_problem(
                position_of(file_, record, end_column),
                fmt::format(
                    "the end {} is not after the start (nothing would be reserved)",
                    record.fields[end_column]
                ),
                "A later end?"
            );
        }
        if (!free_.is_free(reservation.start, reservation.end, reservation.processors)) {
            throw_problem(
                position_of(file_, record, processors_column),
                fmt::format(
                    "with those before it {} reserves more than the {} processors of the machine",
                    shown_field(reservation.name),
                    processors_
                ),
                "Fewer processors, or another time?"
            );
        }
        free_.reserve(reservation.start, reservation.end, reservation.processors);
        reservations_.push_back(reservation);
    }

    std::uint32_t count_of(const CsvRecord& record) const {
        const auto count = parse_integer(record.fields[processors_column]);
        if (!count || *count < 1 || *count > processors_) {
            throw_problem(
                position_of(file_, record, processors_column),
                fmt::format(
                    "{} is no number of processors of this machine (it has {})",
                    shown_field(record.fields[processors_column]),
                    processors_
                ),
                fmt::format("A whole number from 1 to {}?", processors_)
            );
        }
        return static_cast<std::uint32_t>(*count);
    }

    const std::string& file_;
    std::uint32_t processors_;
    std::array<std::string, 4> columns_{"reservation", "start", "end", "processors"};
    engine::AvailabilityProfile free_;
    std::set<std::string> names_;
    std::vector<Reservation> reservations_;
};

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
    return ReservationReader(file, processors).read(content);
}

std::vector<Reservation> open_reservations(const std::string& file, std::uint32_t processors) {
    return read_reservations(file, table_text(file), processors);
}

}  // namespace schedfarm::app
