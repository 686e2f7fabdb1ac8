#include "referee/connect/bridge/reporter.h"

#include <array>
#include <ctime>
#include <ostream>

#include "protocol/json/printable.h"

namespace referee::bridge {
namespace {

using protocol::json::visible_line;

// What a terminal shows of one line of the program.
constexpr std::size_t line_bytes_shown_max = 2000;
constexpr std::size_t kept_back_bytes_shown_max = 200;

// Of a program's standard error, when it has ended: a stack trace.
constexpr std::size_t error_lines_told_max = 15;

std::string time_of_day() {
    const auto now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 16> text{};
    const auto size = std::strftime(text.data(), text.size(), "%H:%M:%S ", &local);
    return {text.data(), size};
}

std::string shortened(std::string_view text, std::size_t bytes_max) {
    return visible_line(text.substr(0, bytes_max)) + (text.size() > bytes_max ? " ..." : "");
}

// The last lines of a text, each behind a margin.
std::string last_lines(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    std::size_t begin = text.size();
    for (std::size_t lines = 0; lines < error_lines_told_max && begin > 0; ++lines) {
        const auto end = text.rfind('\n', begin - 1);
        begin = end == std::string_view::npos ? 0 : end;
    }
    if (begin < text.size() && text[begin] == '\n') ++begin;
    return protocol::json::visible_lines(text.substr(begin), protocol::json::further_line);
}

}  // namespace

BridgeReporter::BridgeReporter(std::ostream& screen, KeptFolder folder, bool trace)
    : screen_(screen), folder_(std::move(folder)), trace_(trace), errors_(line_bytes_shown_max) {}

void BridgeReporter::say(std::string_view sentence) {
    screen_ << time_of_day() << sentence << std::endl;
}

void BridgeReporter::trace(std::string_view mark, std::string_view lines) const {
    if (!trace_) return;
    while (!lines.empty()) {
        const auto end = lines.find('\n');
        screen_ << mark << visible_line(relay::without_secrets(lines.substr(0, end))) << '\n';
        lines.remove_prefix(end + 1);
    }
    screen_.flush();
}

void BridgeReporter::program_began() {
    errors_ = relay::LineCutter(line_bytes_shown_max);
    error_lines_ = 0;
    kept_back_ = 0;
}

void BridgeReporter::program_ended(std::string_view error_tail) {
    if (!errors_.rest().empty()) show_error_line(errors_.rest());
    if (error_lines_ > error_lines_shown_max)
        say("the end of its standard error:\n" + std::string(protocol::json::further_line) +
            last_lines(error_tail));
    screen_.flush();
}

void BridgeReporter::printed(std::string_view text) {
    keep(std::string(text));
    for (const auto line : errors_.push(text).lines) show_error_line(line);
    screen_.flush();
}

void BridgeReporter::show_error_line(std::string_view line) {
    if (++error_lines_ > error_lines_shown_max) return;
    screen_ << "bot | " << visible_line(line) << '\n';
    if (error_lines_ == error_lines_shown_max)
        say("your program prints much; from here on it is only kept, in " + folder_.printed_file());
}

void BridgeReporter::kept_back(const relay::RelayStep::KeptBack& line) {
    keep("standard output: " + line.line + "\n");
    if (++kept_back_ > kept_back_shown_max) return;
    say("your program printed on standard output what is no message (" + line.why +
        "), so it was not sent" +
        (line.line.empty() ? "" : ": " + shortened(line.line, kept_back_bytes_shown_max)));
    if (!std::exchange(taught_, true))
        say("standard output belongs to the protocol: one JSON object a line. Print everything "
            "else to standard error");
    if (kept_back_ == kept_back_shown_max)
        say("more of this is only kept, in " + folder_.printed_file());
}

void BridgeReporter::tell(relay::Record& record) {
    for (const auto& sentence : record.take_news()) say(sentence);
    for (const auto& story : record.take_stories())
        check(folder_.keep_story(story.game_id, story.text));
}

void BridgeReporter::keep(const std::string& text) {
    check(folder_.print(text));
}

void BridgeReporter::check(const base::Result<void, std::string>& kept) {
    if (!kept && folder_is_good_) say(kept.error() + "; the games go on");
    folder_is_good_ = kept.has_value();
}

}  // namespace referee::bridge
