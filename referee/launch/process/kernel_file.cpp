#include "referee/launch/process/kernel_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace referee::process {
namespace {

constexpr std::size_t piece_bytes = 4096;
// No line of counters is longer.
constexpr std::size_t counters_line_bytes_max = 256;

// Reads on until the end. Where lines have a bound, a read that leaves more room than the longest
// line takes was the last: the kernel gives as many whole lines as there is room for.
bool read_to_the_end(int descriptor, std::string& text, std::optional<std::size_t> line_bytes_max) {
    std::array<char, piece_bytes> piece;
    text.clear();
    for (;;) {
        const ssize_t got =
            ::pread(descriptor, piece.data(), piece.size(), static_cast<off_t>(text.size()));
        if (got < 0 && errno == EINTR) continue;
        const auto bytes = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        text.append(piece.data(), bytes);
        if (got > 0 && (!line_bytes_max || piece.size() - bytes < *line_bytes_max)) continue;
        return got >= 0;
    }
}

}  // namespace

Descriptor open_file(const std::string& path, int flags) {
    return Descriptor(::open(path.c_str(), flags | O_CLOEXEC));
}

bool reread_counters(int descriptor, std::string& text) {
    return read_to_the_end(descriptor, text, counters_line_bytes_max);
}

std::optional<std::string> read_kernel_file(const std::string& path) {
    const Descriptor file = open_file(path, O_RDONLY);
    std::string text;
    if (!file || !read_to_the_end(file.get(), text, std::nullopt)) return std::nullopt;
    return text;
}

int write_kernel_file(const std::string& path, std::string_view text) {
    const Descriptor file = open_file(path, O_WRONLY);
    if (!file) return errno;
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    return written < 0 ? errno : 0;
}

std::vector<std::string> directory_names(const std::string& path) {
    std::vector<std::string> names;
    DIR* directory = ::opendir(path.c_str());
    if (directory == nullptr) return names;
    while (const dirent* entry = ::readdir(directory)) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") names.emplace_back(name);
    }
    ::closedir(directory);
    std::ranges::sort(names);
    return names;
}

std::string error_text(int error) {
    const char* text = ::strerrordesc_np(error);
    return text != nullptr ? text : "error " + std::to_string(error);
}

std::string_view take_word(std::string_view& text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n'; };
    const auto* const begin = std::ranges::find_if_not(text, is_blank);
    const auto* const end = std::find_if(begin, text.end(), is_blank);
    text = {end, text.end()};
    return {begin, end};
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    for (auto word = take_word(text); !word.empty(); word = take_word(text)) words.push_back(word);
    return words;
}

std::uint64_t counted_in(const std::string& path, std::string_view name) {
    const auto text = read_kernel_file(path);
    const auto words = words_of(text ? *text : std::string_view());
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        if (words[i] == name) return whole_number(words[i + 1]).value_or(0);
    }
    return 0;
}

}  // namespace referee::process
