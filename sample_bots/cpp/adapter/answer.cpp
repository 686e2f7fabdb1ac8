#include "sample_bots/cpp/adapter/answer.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/writer.h"

namespace bots::adapter {
namespace {

constexpr std::size_t note_bytes_max = 500;  // well within a move's debug text

using std::chrono::microseconds;
using std::chrono::milliseconds;

// As the games' pages have it where nobody says how long a turn may take.
constexpr microseconds limit_default{std::chrono::seconds(60)};
constexpr microseconds more_least{milliseconds(200)};
// Of a line on standard error.
constexpr std::size_t error_bytes_max = 200;
constexpr microseconds more_most{milliseconds(5'000)};

}  // namespace

void Notes::add(std::string words) {
    if (!words.empty() && words_.size() < note_bytes_max)
        words_ += (words_.empty() ? "" : "; ") + std::move(words);
}

std::string Notes::take(std::int64_t turn) {
    auto words = std::exchange(words_, {});
    if (!words.empty() && words != last_)
        std::fprintf(stderr, "turn %lld: %s\n", static_cast<long long>(turn), words.c_str());
    last_ = words;
    return words;
}

std::string quoted(const std::string& printed, std::size_t bytes_max) {
    const bool cut = printed.size() > bytes_max;
    return "'" + base::visible_line(printed.substr(0, bytes_max)) + (cut ? "...'" : "'");
}

Deadline deadline_of(const kit::Turn& turn) {
    const auto limit = turn.wall_limit_us > 0 ? microseconds(turn.wall_limit_us) : limit_default;
    return std::chrono::steady_clock::now() + limit + std::clamp(limit, more_least, more_most);
}

std::string told_of(Stopped stopped, const std::string& ending) {
    switch (stopped) {
        case Stopped::deadline:
            return "the program was stopped: it gave no answer in time";
        case Stopped::too_much:
            return "the program was stopped: it printed more than " +
                   std::to_string(output_bytes_max >> 20) + " MiB";
        case Stopped::line:
        case Stopped::end:
            return ending.empty() ? std::string() : "the program " + ending;
    }
    return {};
}

std::string last_error_of(const ChildProgram& program) {
    const std::string line(base::last_line(program.errors()));
    if (line.empty()) return {};
    return "its last line on standard error is " + quoted(line, error_bytes_max);
}

std::string move_text(std::string_view text) {
    std::string plain(text);
    const auto is_plain = [](char c) { return c >= ' ' && c <= '~'; };
    std::replace_if(
        plain.begin(), plain.end(), [&](char c) { return !is_plain(c); }, '?');
    std::string json;
    protocol::json::Writer writer(json);
    writer.string(plain);
    return json;
}

}  // namespace bots::adapter
