#include "app/submit/pilot.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <map>
#include <system_error>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/statistics/estimate.hpp"

#include "app/run/campaign_progress.hpp"
#include "app/run/replication.hpp"

namespace schedfarm::app {

namespace {

double steady_seconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

/// What a child says about a replication, followed by `size` bytes: observations or a message.
struct Heading {
    double seconds = 0;
    std::uint64_t size = 0;
    std::uint64_t failed = 0;
};

bool write_all(int file, const void* data, std::size_t size) {
    const char* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t written = write(file, bytes, size);
        if (written < 0) {
            return false;
        }
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

/// False at the end of the file, at the deadline, and on errors.
bool read_all(int file, void* data, std::size_t size, double deadline_s) {
    char* bytes = static_cast<char*>(data);
    while (size > 0) {
        const double left_s = deadline_s - steady_seconds();
        pollfd ready{file, POLLIN, 0};
        const int count = poll(&ready, 1, static_cast<int>(std::max(0.0, left_s) * 1000));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        const ssize_t got = count > 0 ? read(file, bytes, size) : -1;
        if (got <= 0) {
            return false;
        }
        bytes += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

struct CellWork {
    const Cell& cell;
    std::optional<double> utilization;
    std::uint32_t replications = 0;
};

/// The child: ends without unwinding, which would flush the parent's buffers a second time.
[[noreturn]] void work_in_child(const CellWork& work, int file) {
    bool is_heard = true;
    for (std::uint32_t i = 0; i < work.replications && is_heard; ++i) {
        const double start_s = steady_seconds();
        Heading heading;
        engine::Bytes bytes;
        try {
            bytes = encode(run_replication(work.cell, {i, work.utilization}));
        } catch (const std::exception& error) {
            const std::string text = error.what();
            bytes.resize(text.size());
            std::transform(text.begin(), text.end(), bytes.begin(), [](char c) {
                return static_cast<engine::Bytes::value_type>(c);
            });
            heading.failed = 1;
        }
        heading.seconds = steady_seconds() - start_s;
        heading.size = bytes.size();
        is_heard = write_all(file, &heading, sizeof heading)
                   && write_all(file, bytes.data(), bytes.size()) && heading.failed == 0;
    }
    _exit(0);
}

void take(MeasuredCell& measured, const Heading& heading, const engine::Bytes& bytes) {
    if (heading.failed == 0) {
        measured.replications.push_back({decode_observations(bytes), heading.seconds});
        return;
    }
    for (const auto byte : bytes) {
        measured.failure += static_cast<char>(byte);
    }
}

void listen(MeasuredCell& measured, int file, double deadline_s, std::uint32_t replications) {
    double last_s = steady_seconds();
    while (measured.replications.size() < replications && measured.failure.empty()) {
        Heading heading;
        if (!read_all(file, &heading, sizeof heading, deadline_s)) {
            break;
        }
        engine::Bytes bytes(heading.size);
        if (!read_all(file, bytes.data(), bytes.size(), deadline_s)) {
            break;
        }
        take(measured, heading, bytes);
        last_s = steady_seconds();
    }
    const bool is_complete =
        measured.replications.size() == replications || !measured.failure.empty();
    measured.cut_after_s = is_complete ? 0 : steady_seconds() - last_s;
}

/// The load to measure a cell at; absent where it is not known.
struct MeasuredLoad {
    bool is_known = true;
    std::optional<double> utilization;
};

MeasuredLoad load_of(const Cell& cell, const std::map<std::uint32_t, MeasuredCell>& measured) {
    if (cell.load_search) {
        return {true, (cell.load_search->low + cell.load_search->high) / 2};
    }
    if (!cell.placed_load) {
        return {};
    }
    const auto pilot = measured.find(cell.placed_load->pilot);
    if (pilot == measured.end() || pilot->second.replications.size() < 2) {
        return {false, std::nullopt};
    }
    return {true, pilot->second.utilization};
}

/// A pilot's maximal utilization becomes the load that the cells behind it are placed by.
double maximal_utilization(const Cell& cell, const MeasuredCell& measured) {
    CellProgress progress(cell, Governance::group);
    for (std::uint32_t i = 0; i < measured.replications.size(); ++i) {
        progress.accept(i, {{}, measured.replications[i].observations, "", ""});
    }
    const MetricSample sample =
        progress.metric_sample("gross_utilization", measured.replications.size());
    return engine::estimate_ratio(sample.values, sample.denominators, 0.95)->mean;
}

}  // namespace

MeasuredCell measure_cell(
    const Cell& cell, std::optional<double> utilization, double seconds, std::uint32_t replications
) {
    MeasuredCell measured;
    measured.cell = cell.index;
    measured.utilization = utilization;
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    const pid_t child = fork();
    if (child < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (child == 0) {
        close(ends[0]);
        work_in_child({cell, utilization, replications}, ends[1]);
    }
    close(ends[1]);
    listen(measured, ends[0], steady_seconds() + seconds, replications);
    kill(child, SIGKILL);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (measured.cut_after_s > 0 && WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL) {
        measured.failure = "crashed with signal " + std::to_string(WTERMSIG(status));
        measured.cut_after_s = 0;
    }
    return measured;
}

std::vector<std::uint32_t> measuring_order(const Plan& plan) {
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> others;
    for (const Cell& cell : plan.cells) {
        (cell.is_pilot ? order : others).push_back(cell.index);
    }
    // Positions by their bits reversed: 0, 1/2, 1/4, 3/4, … of the way through the grid.
    std::size_t size = 1;
    while (size < others.size()) {
        size *= 2;
    }
    for (std::size_t i = 0; i < size; ++i) {
        std::size_t position = 0;
        for (std::size_t bit = 1, mirror = size / 2; bit < size; bit *= 2, mirror /= 2) {
            position += (i & bit) != 0 ? mirror : 0;
        }
        if (position < others.size()) {
            order.push_back(others[position]);
        }
    }
    return order;
}

std::vector<MeasuredCell> run_pilot(const Plan& plan, const PilotLimits& limits) {
    std::map<std::uint32_t, MeasuredCell> measured;
    const double deadline_s = steady_seconds() + limits.seconds;
    const std::vector<std::uint32_t> order = measuring_order(plan);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Cell& cell = plan.cells[order[i]];
        const double left_s = deadline_s - steady_seconds();
        if (left_s <= 0) {
            break;
        }
        const double share_s = std::min(
            left_s,
            std::max(limits.least_seconds_per_cell, left_s / static_cast<double>(order.size() - i))
        );
        MeasuredLoad load = load_of(cell, measured);
        if (!load.is_known) {
            continue;
        }
        if (cell.placed_load) {
            load.utilization = placed_utilization(cell.placed_load->fraction, *load.utilization);
        }
        MeasuredCell result = measure_cell(cell, load.utilization, share_s, limits.replications);
        if (cell.is_pilot && result.replications.size() >= 2) {
            result.utilization = maximal_utilization(cell, result);
        }
        measured.emplace(cell.index, std::move(result));
    }
    std::vector<MeasuredCell> cells;
    for (auto& [index, cell] : measured) {
        cells.push_back(std::move(cell));
    }
    return cells;
}

}  // namespace schedfarm::app
