#include "referee/connect/bridge/kept_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <vector>

namespace referee::bridge {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t number_digits = 6;

bool is_plain(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
           c == '.' || c == '_';
}

// Letters, digits and a few marks; all else could be a way elsewhere.
std::string file_name_of(std::string_view text) {
    std::string name(text);
    std::replace_if(name.begin(), name.end(), std::not_fn(is_plain), '_');
    return name;
}

// The same, but what is not plain is written as in web addresses: no two names have one folder.
std::string folder_name_of(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    constexpr unsigned bits_a_digit = 4;
    std::string name;
    for (const char c : text) {
        if (is_plain(c)) {
            name += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        name += '%';
        name += digits[byte >> bits_a_digit];
        name += digits[byte % digits.size()];
    }
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
    std::error_code trouble;
    for (fs::directory_iterator at(folder, trouble), end; !trouble && at != end;
         at.increment(trouble)) {
        if (const auto number = number_of(at->path().filename().string()); number > 0)
            found.emplace_back(number, at->path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::string cant_write(const std::string& file, int error) {
    return file + " can't be written: " + std::strerror(error);
}

}  // namespace

std::string default_folder(std::string_view name) {
    return "referee-" + folder_name_of(name);
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
    auto number = std::to_string(++stories_);
    if (number.size() < number_digits) number.insert(0, number_digits - number.size(), '0');
    const auto file = folder_ + "/games/" + number + " " + file_name_of(game_id) + ".txt";
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

}  // namespace referee::bridge
