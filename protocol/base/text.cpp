#include "protocol/base/text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace base {
namespace {

constexpr std::size_t slips_max = 2;
constexpr std::size_t bytes_per_slip = 3;

std::size_t slips_between(std::string_view one, std::string_view other) {
    // Of the beginnings of `one` with 0, 1, ... bytes, to the beginning of `other` that is reached.
    std::vector<std::size_t> before;
    std::vector<std::size_t> last;
    std::vector<std::size_t> row(one.size() + 1);
    for (std::size_t i = 0; i <= one.size(); ++i) row[i] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
        before = std::move(last);
        last = row;
        row[0] = j;
        for (std::size_t i = 1; i <= one.size(); ++i) {
            const bool same = one[i - 1] == other[j - 1];
            row[i] = std::min({last[i] + 1, row[i - 1] + 1, last[i - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
                row[i] = std::min(row[i], before[i - 2] + 1);
        }
    }
    return row[one.size()];
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
    auto fewest = std::min(slips_max, name.size() / bytes_per_slip) + 1;
    std::string found;
    for (const auto& other : known) {
        const auto longer = std::max(name.size(), other.size());
        if (longer - std::min(name.size(), other.size()) >= fewest) continue;
        const auto slips = slips_between(name, other);
        if (slips >= fewest) continue;
        fewest = slips;
        found = other;
    }
    return found;
}

std::string did_you_mean(const std::string& near) {
    return near.empty() ? near : "; did you mean " + base::quoted(near) + '?';
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
    return did_you_mean(nearest(name, known));
}

std::string shell_word(std::string_view text) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=+,:@";
    if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos)
        return std::string(text);
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::vector<std::string> command_of(const std::string& text) {
    if (text.find_first_of("\"'\\$`|&;<>()*?[]{}~#\n") != std::string::npos)
        return {"sh", "-c", "exec " + text};
    std::vector<std::string> words;
    std::string word;
    for (const char c : text + " ") {
        if (c != ' ' && c != '\t') {
            word += c;
        } else if (!word.empty()) {
            words.push_back(std::exchange(word, {}));
        }
    }
    return words;
}

std::string listed(const std::vector<std::string>& texts) {
    std::string all;
    for (std::size_t i = 0; i < texts.size(); ++i)
        all += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
    return all;
}

std::string names_in(const std::vector<std::string>& names) {
    constexpr std::size_t shown_max = 8;
    return names.size() <= shown_max ? listed(names) : first_of(names, shown_max);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const auto end = std::min(text.find(separator, start), text.size());
        parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
    const auto begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string quoted(std::string_view text) {
    return std::string("\"").append(text) + '"';
}

std::string span_text(std::int64_t seconds) {
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> units{
        {{" d", 24 * 60 * 60}, {" h", 60 * 60}, {" min", 60}, {" s", 1}}};
    std::string text;
    int told = 0;
    for (const auto& [unit, length] : units) {
        const auto many = seconds / length;
        seconds %= length;
        if (many == 0 || told == 2) continue;
        text.append(told++ == 0 ? "" : " ").append(std::to_string(many)).append(unit);
    }
    return told == 0 ? "0 s" : text;
}

std::string thousandths_text(std::int64_t thousandths) {
    constexpr std::uint64_t whole = 1000;
    const auto given = static_cast<std::uint64_t>(thousandths);
    const auto size = thousandths < 0 ? 0 - given : given;
    auto decimals = std::to_string(whole + size % whole);
    decimals.front() = '.';
    decimals.erase(decimals.find_last_not_of(".0") + 1);
    return (thousandths < 0 ? "-" : "") + std::to_string(size / whole) + decimals;
}

}  // namespace base
