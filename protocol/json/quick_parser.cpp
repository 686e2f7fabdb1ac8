#include "protocol/json/quick_parser.h"

#include <array>

namespace protocol::json {
namespace {

// Beyond so many members comparing each with each is no longer quick.
constexpr std::uint32_t members_max = 16;
// Any number of so many digits fits into 64 bits.
constexpr int digits_max = 18;
constexpr int decimal = 10;

// Which bytes stand for themselves in a string.
constexpr auto plain_bytes = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = ' '; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
    return plain;
}();

bool is_plain(char c) {
    return plain_bytes[static_cast<unsigned char>(c)];
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

bool QuickParser::parse() {
    document_.texts_ = text_;  // without escapes strings stand in it as they are
    skip_blanks();
    if (!value(0)) return false;
    skip_blanks();
    return at_ == end_;
}

bool QuickParser::value(std::size_t depth) {
    if (at_ == end_) return false;
    switch (*at_) {
        case '{':
            return object(depth);
        case '[':
            return array(depth);
        case '"':
            return string();
        case 't':
            return word("true");
        case 'f':
            return word("false");
        case 'n':
            return word("null");
        default:
            return integer();
    }
}

bool QuickParser::object(std::size_t depth) {
    if (depth >= depth_max_) return false;
    ++at_;
    const auto opened = static_cast<std::uint32_t>(document_.tape_.size());
    add(Kind::object);
    std::uint32_t size = 0;
    skip_blanks();
    if (!take('}')) {
        do {
            skip_blanks();
            if (at_ == end_ || *at_ != '"' || !string()) return false;
            skip_blanks();
            if (!take(':')) return false;
            skip_blanks();
            if (!value(depth + 1)) return false;
            ++size;
            skip_blanks();
        } while (take(','));
        if (!take('}')) return false;
    }
    close(opened, size);
    return size <= members_max && members_differ(opened);
}

bool QuickParser::array(std::size_t depth) {
    if (depth >= depth_max_) return false;
    ++at_;
    const auto opened = static_cast<std::uint32_t>(document_.tape_.size());
    add(Kind::array);
    std::uint32_t size = 0;
    skip_blanks();
    if (!take(']')) {
        do {
            skip_blanks();
            if (!value(depth + 1)) return false;
            ++size;
            skip_blanks();
        } while (take(','));
        if (!take(']')) return false;
    }
    close(opened, size);
    return true;
}

bool QuickParser::string() {
    const char* const begin = at_ + 1;
    const char* behind = begin;
    while (behind != end_ && is_plain(*behind)) ++behind;
    at_ = behind;
    if (!take('"')) return false;
    auto& token = add(Kind::string);
    token.text = static_cast<std::size_t>(begin - text_.data());
    token.size = static_cast<std::uint32_t>(behind - begin);
    return true;
}

bool QuickParser::integer() {
    const bool negative = take('-');
    const char* const begin = at_;
    std::int64_t number = 0;
    while (at_ != end_ && is_digit(*at_) && at_ - begin < digits_max)
        number = number * decimal + (*at_++ - '0');
    const auto digits = at_ - begin;
    // A zero before other digits is wrong, and -0 is no usual number.
    if (digits == 0 || (*begin == '0' && (digits > 1 || negative))) return false;
    if (at_ != end_ && (is_digit(*at_) || *at_ == '.' || *at_ == 'e' || *at_ == 'E')) return false;
    add(Kind::integer).integer = negative ? -number : number;
    return true;
}

bool QuickParser::word(std::string_view expected) {
    if (!std::string_view(at_, end_).starts_with(expected)) return false;
    at_ += expected.size();
    if (expected == "null") {
        add(Kind::null);
    } else {
        add(Kind::boolean).boolean = expected == "true";
    }
    return true;
}

void QuickParser::close(std::uint32_t opened, std::uint32_t size) {
    auto& token = document_.tape_[opened];
    token.size = size;
    token.next = static_cast<std::uint32_t>(document_.tape_.size());
}

bool QuickParser::members_differ(std::uint32_t opened) const {
    const auto& tape = document_.tape_;
    const auto end = tape[opened].next;
    for (auto key = opened + 1; key < end; key = tape[key + 1].next) {
        const auto name = document_.text_of(tape[key]);
        for (auto earlier = opened + 1; earlier < key; earlier = tape[earlier + 1].next) {
            if (document_.text_of(tape[earlier]) == name) return false;
        }
    }
    return true;
}

}  // namespace protocol::json
