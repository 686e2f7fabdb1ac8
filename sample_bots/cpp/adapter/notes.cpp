#include "sample_bots/cpp/adapter/notes.h"

#include <cstdio>
#include <utility>

#include "protocol/json/text.h"

namespace bots::adapter {
namespace {

constexpr std::size_t note_bytes_max = 500;  // well within a move's debug text

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
    return "'" + protocol::json::visible_line(printed.substr(0, bytes_max)) + (cut ? "...'" : "'");
}

}  // namespace bots::adapter
