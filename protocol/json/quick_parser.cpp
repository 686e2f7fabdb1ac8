#include "protocol/json/quick_parser.h"

#include <array>
#include <cstring>

#include "protocol/base/text.h"

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

}  // namespace

bool QuickParser::parse() {
    skip_blanks();
    if (!value(0)) return false;
    skip_blanks();
    if (at_ != text_.data() + text_.size()) return false;
    tape_.resize(used_);
    tape_.front().as_given = !blanks_;
    return true;
}

// The rest may be like what was read so far.
void QuickParser::grow() {
    constexpr std::size_t few = 16;
    const auto done = static_cast<std::size_t>(at_ - text_.data()) + 1;
    tape_.resize(few + used_ * text_.size() / done);
}

void QuickParser::skip_some_blanks() {
    for (; *at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r'; ++at_) blanks_ = true;
}

bool QuickParser::value(std::size_t depth) {
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
    const auto opened = static_cast<std::uint32_t>(used_);
    add(Kind::object, at_++);
    std::uint32_t size = 0;
    skip_blanks();
    if (!take('}')) {
        do {
            skip_blanks();
            if (*at_ != '"' || !string()) return false;
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
    const auto opened = static_cast<std::uint32_t>(used_);
    add(Kind::array, at_++);
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
    while (is_plain(*behind)) ++behind;
    if (*behind != '"') return false;
    at_ = behind + 1;
    add(Kind::string, begin).size = static_cast<std::uint32_t>(behind - begin);
    return true;
}

bool QuickParser::integer() {
    const bool negative = *at_ == '-';
    const char* const begin = negative ? at_ + 1 : at_;
    const char* behind = begin;
    std::int64_t number = 0;
    while (base::is_digit(*behind) && behind - begin < digits_max)
        number = number * decimal + (*behind++ - '0');
    const auto digits = behind - begin;
    // A zero before other digits is wrong, and -0 is no usual number.
    if (digits == 0 || (*begin == '0' && (digits > 1 || negative))) return false;
    if (base::is_digit(*behind) || *behind == '.' || *behind == 'e' || *behind == 'E') return false;
    auto& token = add(Kind::integer, at_);
    token.size = static_cast<std::uint32_t>(behind - at_);
    token.integer = negative ? -number : number;
    at_ = behind;
    return true;
}

bool QuickParser::word(std::string_view expected) {
    if (std::strncmp(at_, expected.data(), expected.size()) != 0) return false;
    auto& token = add(expected == "null" ? Kind::null : Kind::boolean, at_);
    token.size = static_cast<std::uint32_t>(expected.size());
    token.boolean = expected == "true";
    at_ += expected.size();
    return true;
}

void QuickParser::close(std::uint32_t opened, std::uint32_t size) {
    auto& token = tape_[opened];
    token.size = size;
    token.end = static_cast<std::size_t>(at_ - text_.data());
    token.next = static_cast<std::uint32_t>(used_);
}

bool QuickParser::members_differ(std::uint32_t opened) const {
    const auto end = tape_[opened].next;
    for (auto key = opened + 1; key < end; key = tape_[key + 1].next) {
        const auto& name = tape_[key];
        for (auto earlier = opened + 1; earlier < key; earlier = tape_[earlier + 1].next) {
            const auto& other = tape_[earlier];
            if (other.size == name.size &&
                std::memcmp(&text_[other.text], &text_[name.text], name.size) == 0)
                return false;
        }
    }
    return true;
}

}  // namespace protocol::json
