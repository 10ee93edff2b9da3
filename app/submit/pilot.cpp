#include "app/submit/pilot.hpp"

#include <algorithm>
#include <map>

#include "engine/farm/processes/worker_server.hpp"
#include "engine/farm/stopwatch.hpp"
#include "engine/farm/transport/serialization.hpp"
#include "engine/farm/transport/socket_transport.hpp"
#include "engine/statistics/estimate.hpp"

#include "app/run/campaign_progress.hpp"
#include "app/run/replication.hpp"

namespace schedfarm::app {

namespace {

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

/// What becomes of one task in a process of its own, which may take so long.
engine::TaskResult result_of_child(const engine::TaskFunction& run, double seconds) {
    engine::WorkerServer server(1, run, {seconds, std::nullopt});
    engine::ChildrenTransport transport(server, 0);
    transport.send(0, {engine::OrderKind::work, {engine::Task{}}});
    constexpr double long_s = 3600;
    while (true) {
        const auto received = transport.receive(long_s);
        if (received && received->report.kind == engine::ReportKind::results) {
            return received->report.results.front();
        }
    }
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
    const engine::Stopwatch since_begin;
    while (measured.replications.size() < replications) {
        const engine::Stopwatch since_start;
        const double left_s = seconds - since_begin.seconds();
        const auto index = static_cast<std::uint32_t>(measured.replications.size());
        const auto run = [&](const engine::Bytes& /*task*/) {
            const engine::Stopwatch own;
            const engine::Bytes observations = encode(run_replication(cell, {index, utilization}));
            engine::ByteWriter writer;
            writer.real(own.seconds());
            writer.bytes(observations);
            return writer.take();
        };
        const engine::TaskResult result = result_of_child(run, std::max(left_s, 1e-6));
        if (result.status == engine::TaskStatus::timeout) {
            measured.cut_after_s = since_start.seconds();
            break;
        }
        if (result.status != engine::TaskStatus::done) {
            measured.failure = result.message;
            break;
        }
        engine::ByteReader reader(result.payload);
        const double own_s = reader.real();
        measured.replications.push_back({decode_observations(reader.bytes()), own_s});
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
    const engine::Stopwatch since_begin;
    const std::vector<std::uint32_t> order = measuring_order(plan);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Cell& cell = plan.cells[order[i]];
        const double left_s = limits.seconds - since_begin.seconds();
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
