#include "engines/superball/move.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>

#include "protocol/base/result.h"

namespace engines::superball {
namespace {

constexpr std::string_view white_space = " \t\n\v\f\r";
constexpr std::size_t swap_numbers = 4;
constexpr std::size_t score_numbers = 2;
constexpr std::size_t words_max = 1 + swap_numbers;
constexpr std::size_t quoted_max = 20;  // characters of a word that a message repeats

struct Words {
    std::array<std::string_view, words_max> list;
    std::size_t count = 0;  // of all words, also beyond those kept
};

Words split(std::string_view text) {
    Words words;
    for (;;) {
        const auto begin = text.find_first_not_of(white_space);
        if (begin == std::string_view::npos) return words;
        text.remove_prefix(begin);
        const auto end = std::min(text.find_first_of(white_space), text.size());
        if (words.count < words_max) words.list[words.count] = text.substr(0, end);
        ++words.count;
        text.remove_prefix(end);
    }
}

std::optional<int> leading_number(std::string_view word) {
    if (word.starts_with('+')) {
        word.remove_prefix(1);
        if (word.starts_with('-')) return std::nullopt;
    }
    int number = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    if (read.ec != std::errc()) return std::nullopt;
    return number;
}

std::string quote(std::string_view word) {
    const auto printable = [](char c) { return c > ' ' && c <= '~'; };
    std::string quoted = "'";
    for (const char c : word.substr(0, quoted_max)) quoted += printable(c) ? c : '.';
    return quoted + (word.size() > quoted_max ? "...'" : "'");
}

// The numbers behind the first word, or what is wrong with them.
template <std::size_t count>
base::Result<std::array<int, count>, BadMove> numbers(const Words& words, std::string_view form) {
    if (words.count != 1 + count) {
        return base::failure(BadMove{
            std::string(words.list[0]) + " takes " + std::to_string(count) + " numbers, and " +
                std::to_string(words.count - 1) + " words follow it; expected " + std::string(form),
            true});
    }
    std::array<int, count> found{};
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = leading_number(words.list[1 + i]);
        if (!number) {
            return base::failure(
                BadMove{quote(words.list[1 + i]) +
                            " does not begin with the number of a row or column; expected " +
                            std::string(form),
                        true});
        }
        found[i] = *number;
    }
    return found;
}

}  // namespace

ParsedMove parse_move(std::string_view text) {
    const Words words = split(text);
    if (words.count == 0) return BlankMove{};
    if (words.list[0] == "SWAP") {
        const auto read =
            numbers<swap_numbers>(words, "'SWAP r1 c1 r2 c2', such as 'SWAP 0 1 7 2'");
        if (!read) return read.error();
        const auto& n = *read;
        return Swap{{n[0], n[1]}, {n[2], n[3]}};
    }
    if (words.list[0] == "SCORE") {
        const auto read = numbers<score_numbers>(words, "'SCORE r c', such as 'SCORE 5 0'");
        if (!read) return read.error();
        const auto& n = *read;
        return Collect{{n[0], n[1]}};
    }
    return BadMove{"a move begins with SWAP or SCORE, in capitals, not with " +
                   quote(words.list[0])};
}

std::string to_text(const Move& move) {
    const auto cell = [](Cell at) {
        return ' ' + std::to_string(at.row) + ' ' + std::to_string(at.col);
    };
    if (const auto* swap = std::get_if<Swap>(&move))
        return "SWAP" + cell(swap->first) + cell(swap->second);
    return "SCORE" + cell(std::get<Collect>(move).goal);
}

}  // namespace engines::superball
