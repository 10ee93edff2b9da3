#include "campaigns/cli/messages_above_bar.hpp"

#include <cstdio>
#include <utility>

#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

namespace schedfarm::campaigns {

namespace {

/// Stands before the sinks of a logger; they keep their pattern and colours.
class ErasingSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
  public:
    explicit ErasingSink(std::shared_ptr<spdlog::logger> next) : next_(std::move(next)) {}

  protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        std::fwrite(bar_erasure.data(), 1, bar_erasure.size(), stderr);
        for (const auto& beneath : next_->sinks()) {
            beneath->log(message);
        }
    }
    void flush_() override { next_->flush(); }

  private:
    std::shared_ptr<spdlog::logger> next_;
};

}  // namespace

MessagesAboveBar::MessagesAboveBar() : before_(spdlog::default_logger()) {
    auto logger =
        std::make_shared<spdlog::logger>(before_->name(), std::make_shared<ErasingSink>(before_));
    logger->set_level(before_->level());
    spdlog::set_default_logger(std::move(logger));
}

MessagesAboveBar::~MessagesAboveBar() {
    spdlog::set_default_logger(before_);
}

}  // namespace schedfarm::campaigns
