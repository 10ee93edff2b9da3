#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/foundation/hash.hpp"

#include "results_schema/checks/row_checks.hpp"
#include "results_schema/checks/validation.hpp"
#include "results_schema/job_logs.hpp"
#include "results_schema/job_pauses.hpp"

namespace schedfarm::results_schema {

namespace {

std::optional<std::size_t> replication_row(const ResultFile& results, const JobLogId& id) {
    const Table& table = *results.find("replications");
    const auto& cell = column_of<Counts>(table, "cell");
    const auto& replication = column_of<Counts>(table, "replication");
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (cell[row] == id.cell && replication[row] == id.replication) {
            return row;
        }
    }
    return std::nullopt;
}

void check_replication(
    const Table& jobs, const ResultFile& results, std::size_t row, Problems& problems
) {
    const Table& replications = *results.find("replications");
    const auto& job = column_of<Counts>(jobs, "job");
    const auto& start = column_of<Reals>(jobs, "start");
    const auto& finish = column_of<Reals>(jobs, "finish");
    std::uint64_t fingerprint = 0;
    for (std::size_t i = 0; i < job.size(); ++i) {
        fingerprint += engine::schedule_hash(job[i], start[i], finish[i]);
    }
    const std::uint64_t expected = column_of<Counts>(replications, "fingerprint")[row];
    if (fingerprint != expected) {
        problems.push_back(fmt::format(
            "{}: its jobs have the fingerprint {}, but 'replications' has {}",
            jobs.name,
            fingerprint,
            expected
        ));
    }
    if (job.size() != column_of<Counts>(replications, "jobs")[row]) {
        problems.push_back(fmt::format(
            "{}: {} jobs, but 'replications' has {}",
            jobs.name,
            job.size(),
            column_of<Counts>(replications, "jobs")[row]
        ));
    }
}

void check_times(const Table& jobs, Problems& problems) {
    const auto& submit = column_of<Reals>(jobs, "submit");
    const auto& start = column_of<Reals>(jobs, "start");
    const auto& finish = column_of<Reals>(jobs, "finish");
    for (std::size_t row = 0; row < jobs.rows(); ++row) {
        if (start[row] < submit[row] || !(start[row] <= finish[row])) {
            add_row_problem(
                problems,
                jobs,
                row,
                fmt::format(
                    "submitted at {}, started at {}, finished at {}",
                    submit[row],
                    start[row],
                    finish[row]
                )
            );
            return;
        }
    }
}

/// A stretch of a job's time, and the rows of the ranges that it held then.
struct Piece {
    std::size_t job = 0;  ///< its row
    double begin = 0;
    double end = 0;
    std::size_t first = 0;
    std::size_t count = 0;
};

bool has_pieces(const StoredJobLog& log) {
    return log.pieces.rows() > 0;
}

const Table& ranges_of(const StoredJobLog& log) {
    return has_pieces(log) ? log.pieces : log.processors;
}

/// By job, then in order of time; of a log without pieces every job from its start to its finish.
/// Ranges of other jobs are in none.
std::vector<Piece> pieces_of(const StoredJobLog& log) {
    const auto& number = column_of<Counts>(log.jobs, "job");
    const bool is_cut = has_pieces(log);
    const auto& begin =
        column_of<Reals>(is_cut ? log.pieces : log.jobs, is_cut ? "begin" : "start");
    const auto& end = column_of<Reals>(is_cut ? log.pieces : log.jobs, is_cut ? "end" : "finish");
    const auto& of = column_of<Counts>(ranges_of(log), "job");
    const auto& index = is_cut ? column_of<Counts>(log.pieces, "piece") : of;
    std::vector<Piece> pieces;
    std::size_t row = 0;
    for (std::size_t job = 0; job < number.size(); ++job) {
        const auto is_own = [&] {
            return row < of.size() && of[row] == number[job];
        };
        do {
            const std::size_t at = is_cut ? std::min(row, of.size() - 1) : job;
            Piece& piece = pieces.emplace_back(Piece{job, begin[at], end[at], row, 0});
            while (is_own() && index[row] == index[piece.first]
                   && (!is_cut || (begin[row] == piece.begin && end[row] == piece.end))) {
                ++row;
                ++piece.count;
            }
        } while (is_own());
    }
    return pieces;
}

/// Every piece has ranges of as many processors as its job held.
void check_sizes(const StoredJobLog& log, const std::vector<Piece>& pieces, Problems& problems) {
    const auto& held = column_of<Counts>(log.jobs, "processors");
    const auto& first = column_of<Counts>(ranges_of(log), "first");
    const auto& last = column_of<Counts>(ranges_of(log), "last");
    for (const Piece& piece : pieces) {
        std::uint64_t sum = 0;
        for (std::size_t row = piece.first; row < piece.first + piece.count; ++row) {
            sum += last[row] >= first[row] ? last[row] - first[row] + 1 : 0;
        }
        if (sum != held[piece.job]) {
            add_row_problem(
                problems,
                log.jobs,
                piece.job,
                fmt::format("{} processors, but ranges of {}", held[piece.job], sum)
            );
            return;
        }
    }
}

/// The pieces of a job follow one another, and the last ends at its finish.
void check_times_of_pieces(
    const StoredJobLog& log, const std::vector<Piece>& pieces, Problems& problems
) {
    const auto& finish = column_of<Reals>(log.jobs, "finish");
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Piece& piece = pieces[i];
        const bool is_last = i + 1 == pieces.size() || pieces[i + 1].job != piece.job;
        const double limit = is_last ? finish[piece.job] : pieces[i + 1].begin;
        if (!(piece.begin <= piece.end && piece.end <= limit && (!is_last || piece.end == limit))) {
            add_row_problem(
                problems,
                log.pieces,
                piece.first,
                fmt::format("held from {} to {}, before {}", piece.begin, piece.end, limit)
            );
            return;
        }
    }
}

/// Something that happens to the processors of a job; at one instant they are given back first, and
/// jobs without service come and go before the others.
struct Change {
    enum class Kind : std::uint8_t { finish, pass, start };
    double time;
    Kind kind;
    std::size_t piece;

    auto key() const { return std::tuple(time, kind, piece); }
};

std::vector<Change> changes_of(const std::vector<Piece>& pieces) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i].begin == pieces[i].end) {
            changes.push_back({pieces[i].begin, Change::Kind::pass, i});
        } else {
            changes.push_back({pieces[i].begin, Change::Kind::start, i});
            changes.push_back({pieces[i].end, Change::Kind::finish, i});
        }
    }
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return a.key() < b.key();
    });
    return changes;
}

/// No processor is held by two jobs at a time.
void check_no_overlap(
    const StoredJobLog& log, const std::vector<Piece>& pieces, Problems& problems
) {
    const auto& job = column_of<Counts>(log.jobs, "job");
    const auto& first = column_of<Counts>(ranges_of(log), "first");
    const auto& last = column_of<Counts>(ranges_of(log), "last");
    std::map<std::uint64_t, std::uint64_t> held;  // last by first
    const auto is_free = [&](std::size_t range) {
        const auto next = held.lower_bound(first[range]);
        return (next == held.end() || next->first > last[range])
               && (next == held.begin() || std::prev(next)->second < first[range]);
    };
    for (const Change& change : changes_of(pieces)) {
        const Piece& piece = pieces[change.piece];
        for (std::size_t range = piece.first; range < piece.first + piece.count; ++range) {
            if (change.kind == Change::Kind::finish) {
                held.erase(first[range]);
            } else if (!is_free(range)) {
                add_row_problem(
                    problems,
                    ranges_of(log),
                    range,
                    fmt::format("job {} gets a processor that another holds", job[piece.job])
                );
                return;
            } else if (change.kind == Change::Kind::start) {
                held[first[range]] = last[range];
            }
        }
    }
}

/// Without pieces it is not known where a job was that paused.
void check_processors(const StoredJobLog& log, Problems& problems) {
    const std::size_t before = problems.size();
    const std::vector<Piece> pieces = pieces_of(log);
    check_sizes(log, pieces, problems);
    const std::string& name = ranges_of(log).name;
    if (problems.size() == before
        && (pieces.empty() || pieces.back().first + pieces.back().count < ranges_of(log).rows())) {
        problems.push_back(fmt::format("{}: ranges of a job that is not there", name));
    }
    if (has_pieces(log)) {
        check_times_of_pieces(log, pieces, problems);
    }
    if (problems.size() == before && (has_pieces(log) || !has_pauses(log.jobs))) {
        check_no_overlap(log, pieces, problems);
    }
}

}  // namespace

std::vector<std::string> structural_problems(const StoredJobLog& log) {
    std::vector<TableSchema> schema = job_log_schema();  // under their names in the file
    for (TableSchema& table : schema) {
        table.name += fmt::format("/{}/{}", log.id.cell, log.id.replication);
    }
    ResultFile file;
    file.tables = {log.jobs, log.processors, log.pieces};
    return table_problems(file, schema);
}

std::vector<std::string> job_log_problems(const StoredJobLog& log, const ResultFile& results) {
    Problems problems = structural_problems(log);
    if (!problems.empty()) {
        return problems;
    }
    if (const auto row = replication_row(results, log.id)) {
        check_replication(log.jobs, results, *row, problems);
    } else {
        problems.push_back(fmt::format(
            "{}: replication {} of cell {} is not in 'replications'",
            log.jobs.name,
            log.id.replication,
            log.id.cell
        ));
    }
    const std::size_t before = problems.size();
    check_times(log.jobs, problems);
    if (problems.size() == before && ranges_of(log).rows() > 0) {
        check_processors(log, problems);
    }
    return problems;
}

}  // namespace schedfarm::results_schema
