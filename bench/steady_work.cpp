#include "bench/steady_work.hpp"

#include <ctime>
#include <utility>

namespace schedfarm::bench {

double process_cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

SteadyWork::SteadyWork(SteadySettings settings, std::function<double()> clock)
    : settings_(std::move(settings)), clock_(std::move(clock)) {}

std::optional<engine::Task> SteadyWork::next_task() {
    if (is_closed_) {
        return std::nullopt;
    }
    return engine::Task{{given_++}, settings_.payload, settings_.task_seconds};
}

void SteadyWork::accept(const engine::TaskResult& /*result*/) {
    ++accepted_;
    if (is_closed_ || accepted_ < settings_.warm_up_results) {
        return;
    }
    const double now_s = clock_();
    if (accepted_ == settings_.warm_up_results) {
        opened_s_ = now_s;
        cpu_at_opening_ = process_cpu_seconds();
        return;
    }
    ++window_.results;
    const bool ends_wave = window_.results % settings_.wave_results == 0;
    if (ends_wave && now_s - opened_s_ >= settings_.seconds) {
        is_closed_ = true;
        window_.seconds = now_s - opened_s_;
        window_.cpu_seconds = process_cpu_seconds() - cpu_at_opening_;
    }
}

}  // namespace schedfarm::bench
