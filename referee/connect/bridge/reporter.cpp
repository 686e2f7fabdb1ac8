#include "referee/connect/bridge/reporter.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <ostream>
#include <vector>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/files/file.h"

namespace referee::bridge {
namespace {

namespace fs = std::filesystem;

bool is_plain(char c) {
    return base::is_of_id(c) || c == '.';
}

// Letters, digits and a few marks; all else could be a way elsewhere.
std::string file_name_of(std::string_view text) {
    std::string name(text);
    std::ranges::replace_if(name, std::not_fn(is_plain), '_');
    return name;
}

// The same, but what is not plain is written as in web addresses: no two names have one folder.
std::string web_escaped_name(std::string_view text) {
    std::string name;
    for (const char c : text)
        name +=
            is_plain(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    return name;
}

// Of a story's file; 0 where the name is no such name.
std::uint64_t number_of(const std::string& name) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool good = error == std::errc() && *end == ' ' && name.ends_with(".txt");
    return good ? number : 0;
}

std::vector<std::pair<std::uint64_t, fs::path>> stories_in(const std::string& folder) {
    std::vector<std::pair<std::uint64_t, fs::path>> found;
    for (const auto& name : files::names_in(folder)) {
        if (const auto number = number_of(name); number > 0)
            found.emplace_back(number, fs::path(folder) / name);
    }
    std::ranges::sort(found);
    return found;
}

std::string cant_write(const std::string& file, int error) {
    return file + " can't be written: " + std::strerror(error);
}

using base::visible_line;

// What a terminal shows of one line of the program.
constexpr std::size_t line_bytes_shown_max = 2000;
constexpr std::size_t kept_back_bytes_shown_max = 200;

// Of a program's standard error, when it has ended: a stack trace.
constexpr std::size_t error_lines_told_max = 15;

protocol::Framer framer_of_errors() {
    return protocol::Framer(line_bytes_shown_max, protocol::Beyond::is_passed_over);
}

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
    return base::visible_lines(text.substr(begin), base::further_line);
}

}  // namespace

std::string default_folder(std::string_view name) {
    return "referee-" + web_escaped_name(name);
}

base::Result<KeptFolder, std::string> KeptFolder::in(const std::string& folder) {
    std::error_code trouble;
    fs::create_directories(folder + "/games", trouble);
    if (trouble)
        return base::failure(folder + " can't be made: " + trouble.message() +
                             "; name another folder by --keep DIR");
    KeptFolder kept(folder);
    if (auto opened = kept.open_printed(); !opened)
        return base::failure(opened.error() + "; name another folder by --keep DIR");
    if (const auto stories = stories_in(folder + "/games"); !stories.empty())
        kept.stories_ = stories.back().first;
    return kept;
}

base::Result<void, std::string> KeptFolder::open_printed() {
    printed_ = std::ofstream(printed_file(), std::ios::app | std::ios::binary);
    if (!printed_) return base::failure(cant_write(printed_file(), errno));
    std::error_code ignored;
    printed_bytes_ = static_cast<std::size_t>(fs::file_size(printed_file(), ignored));
    return {};
}

base::Result<void, std::string> KeptFolder::print(std::string_view text) {
    if (printed_bytes_ > 0 && printed_bytes_ + text.size() > printed_bytes_max) {
        printed_.close();
        std::error_code ignored;
        fs::rename(printed_file(), folder_ + "/printed.old.log", ignored);
    }
    if (!printed_.is_open() || !printed_) {
        if (auto opened = open_printed(); !opened) return opened;
    }
    text = text.substr(text.size() - std::min(text.size(), printed_bytes_max));
    printed_.write(text.data(), static_cast<std::streamsize>(text.size()));
    printed_.flush();
    if (!printed_) return base::failure(cant_write(printed_file(), errno));
    printed_bytes_ += text.size();
    return {};
}

base::Result<void, std::string> KeptFolder::keep_story(std::string_view game_id,
                                                       std::string_view text) {
    const auto file =
        fmt::format("{}/games/{:06} {}.txt", folder_, ++stories_, file_name_of(game_id));
    std::ofstream out(file, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) return base::failure(cant_write(file, errno));
    auto stories = stories_in(folder_ + "/games");
    for (std::size_t i = 0; i + stories_kept < stories.size(); ++i) {
        std::error_code ignored;
        fs::remove(stories[i].second, ignored);
    }
    return {};
}

BridgeReporter::BridgeReporter(std::ostream& screen, KeptFolder folder, bool trace)
    : screen_(screen), folder_(std::move(folder)), trace_(trace), errors_(framer_of_errors()) {}

void BridgeReporter::say(std::string_view sentence) {
    screen_ << time_of_day() << sentence << std::endl;
}

void BridgeReporter::trace(std::string_view mark, std::string_view lines) const {
    if (!trace_) return;
    while (!lines.empty())
        screen_ << mark << visible_line(relay::without_secrets(base::next_line(lines))) << '\n';
    screen_.flush();
}

void BridgeReporter::program_began() {
    errors_ = framer_of_errors();
    error_lines_ = 0;
    kept_back_ = 0;
}

void BridgeReporter::program_ended(std::string_view error_tail) {
    if (errors_.pending() > 0) show_error_line(errors_.begun());
    if (error_lines_ > error_lines_shown_max)
        say("the end of its standard error:\n" + std::string(base::further_line) +
            last_lines(error_tail));
    screen_.flush();
}

void BridgeReporter::printed(std::string_view text) {
    keep(std::string(text));
    errors_.each_line(text, [this](auto line) { show_error_line(line); });
    screen_.flush();
}

void BridgeReporter::show_error_line(std::string_view line) {
    if (++error_lines_ > error_lines_shown_max) return;
    screen_ << "bot | " << relay::printed_text(line) << '\n';
    if (error_lines_ == error_lines_shown_max)
        say("your program prints much; from here on it is only kept, in " + folder_.printed_file());
}

void BridgeReporter::kept_back(const relay::RelayStep::KeptBack& line) {
    keep("standard output: " + line.line + "\n");
    if (++kept_back_ > kept_back_shown_max) return;
    say("your program printed on standard output what is no message (" + line.why + ")" +
        (line.sent ? ", and no move has come yet, so the referee is shown it"
                   : ", so it was not sent") +
        (line.line.empty() ? "" : ": " + shortened(line.line, kept_back_bytes_shown_max)));
    if (!std::exchange(taught_, true))
        say("standard output belongs to the protocol: one JSON object a line. Print everything "
            "else to standard error");
    if (kept_back_ == kept_back_shown_max)
        say("more of this is only kept, in " + folder_.printed_file());
}

void BridgeReporter::tell(relay::GameLog& log) {
    for (const auto& sentence : log.take_news()) say(sentence);
    for (const auto& story : log.take_stories())
        check(folder_.keep_story(story.game_id, story.text));
}

void BridgeReporter::check(const base::Result<void, std::string>& kept) {
    if (!kept && folder_is_good_) say(kept.error() + "; the games go on");
    folder_is_good_ = kept.has_value();
}

}  // namespace referee::bridge
