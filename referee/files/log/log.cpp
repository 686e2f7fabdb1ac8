#include "referee/files/log/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <array>
#include <utility>

#include "protocol/base/visible_text.h"
#include "protocol/json/writer.h"

namespace referee::log {
namespace {

constexpr std::string_view order = "referee ctl ";

// The options that lead to the daemon whose log it is; empty: no orders are taken.
std::string& options_to_daemon() {
    static std::string options;
    return options;
}

std::string text_of(const spdlog::details::log_msg& message) {
    return complete_orders({message.payload.data(), message.payload.size()}, options_to_daemon());
}

// The message, as a function writes it.
class WrittenMessage final : public spdlog::custom_flag_formatter {
 public:
    using Write = std::string (*)(std::string_view text);
    explicit WrittenMessage(Write write) : write_(write) {}

    void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
                spdlog::memory_buf_t& out) override {
        const auto text = write_(text_of(message));
        out.append(text.data(), text.data() + text.size());
    }
    std::unique_ptr<custom_flag_formatter> clone() const override {
        return std::make_unique<WrittenMessage>(write_);
    }

 private:
    Write write_;
};

std::string as_json(std::string_view message) {
    std::string text;
    protocol::json::Writer(text).string(message);
    return text;
}

// For people, who may read it on a terminal: a bot that prints can't make a line that looks like
// one of ours.
std::string as_visible(std::string_view message) {
    return base::visible_lines(message, base::further_line);
}

// Gives each line to a function.
class ShownLines final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
    explicit ShownLines(std::function<void(const std::string& line)> show)
        : show_(std::move(show)) {}

 private:
    void sink_it_(const spdlog::details::log_msg& message) override {
        spdlog::memory_buf_t buffer;
        formatter_->format(message, buffer);
        std::string line(buffer.data(), buffer.size());
        while (line.ends_with('\n')) line.pop_back();
        show_(line);
    }
    void flush_() override {}

    std::function<void(const std::string& line)> show_;
};

constexpr const char* pattern_for_people = "%H:%M:%S.%e %-7l %*";

std::unique_ptr<spdlog::formatter> formatter_for_people() {
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<WrittenMessage>('*', as_visible).set_pattern(pattern_for_people);
    return formatter;
}

}  // namespace

base::Result<void, std::string> start(const LogOptions& options) {
    if (std::ranges::find(levels, options.level) == levels.end())
        return base::failure(
            "--log-level: expected trace, debug, info, warn, error or off, found " + options.level);
    auto logger = std::make_shared<spdlog::logger>(
        "referee", std::make_shared<spdlog::sinks::stderr_sink_st>());
    if (options.json) {
        auto formatter = std::make_unique<spdlog::pattern_formatter>();
        formatter->add_flag<WrittenMessage>('*', as_json)
            .set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z","level":"%l","message":%*})");
        logger->set_formatter(std::move(formatter));
    } else {
        logger->set_formatter(formatter_for_people());
    }
    logger->set_level(spdlog::level::from_str(options.level));
    logger->flush_on(spdlog::level::warn);
    spdlog::set_default_logger(std::move(logger));
    return {};
}

base::Result<void, std::string> go_on_in(const std::string& file) {
    try {
        auto sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(file);
        auto logger = std::make_shared<spdlog::logger>("referee", std::move(sink));
        logger->set_formatter(formatter_for_people());
        logger->set_level(std::min(spdlog::get_level(), spdlog::level::info));
        logger->flush_on(spdlog::level::info);
        spdlog::set_default_logger(std::move(logger));
    } catch (const spdlog::spdlog_ex& error) {
        return base::failure(std::string("the log can't be written: ") + error.what());
    }
    return {};
}

std::function<void()> show_by(std::function<void(const std::string& line)> show) {
    auto sink = std::make_shared<ShownLines>(std::move(show));
    sink->set_formatter(formatter_for_people());
    auto logger = spdlog::default_logger();
    auto before = std::exchange(logger->sinks(), {std::move(sink)});
    return [logger = std::move(logger), before = std::move(before)] { logger->sinks() = before; };
}

std::string complete_orders(std::string text, std::string_view to_daemon) {
    if (to_daemon.empty()) return text;
    for (auto at = text.find(order); at != std::string::npos; at = text.find(order, at)) {
        at += order.size();
        text.insert(at, std::string(to_daemon) + ' ');
        at += to_daemon.size() + 1;
    }
    return text;
}

void complete_orders_by(std::string to_daemon) {
    options_to_daemon() = std::move(to_daemon);
}

void set_level(const std::string& level) {
    spdlog::set_level(spdlog::level::from_str(level));
}

}  // namespace referee::log
