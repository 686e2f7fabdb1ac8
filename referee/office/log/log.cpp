#include "referee/office/log/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <array>

#include "protocol/json/writer.h"

namespace referee::log {
namespace {

constexpr std::array<std::string_view, 6> levels{"trace", "debug", "info", "warn", "error", "off"};

// The message as a JSON string.
class JsonMessage final : public spdlog::custom_flag_formatter {
 public:
    void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
                spdlog::memory_buf_t& out) override {
        std::string text;
        protocol::json::Writer(text).string({message.payload.data(), message.payload.size()});
        out.append(text.data(), text.data() + text.size());
    }
    std::unique_ptr<custom_flag_formatter> clone() const override {
        return std::make_unique<JsonMessage>();
    }
};

}  // namespace

std::optional<std::string> start(const LogOptions& options) {
    if (std::find(levels.begin(), levels.end(), options.level) == levels.end()) {
        return "--log-level: expected trace, debug, info, warn, error or off, found " +
               options.level;
    }
    auto logger = std::make_shared<spdlog::logger>(
        "referee", std::make_shared<spdlog::sinks::stderr_sink_st>());
    if (options.json) {
        auto formatter = std::make_unique<spdlog::pattern_formatter>();
        formatter->add_flag<JsonMessage>('*').set_pattern(
            R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z","level":"%l","message":%*})");
        logger->set_formatter(std::move(formatter));
    } else {
        logger->set_pattern("%H:%M:%S.%e %-7l %v");
    }
    logger->set_level(spdlog::level::from_str(options.level));
    logger->flush_on(spdlog::level::warn);
    spdlog::set_default_logger(std::move(logger));
    return std::nullopt;
}

void set_level(const std::string& level) {
    spdlog::set_level(spdlog::level::from_str(level));
}

}  // namespace referee::log
