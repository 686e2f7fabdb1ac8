#include "protocol/json/writer.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace protocol::json {
namespace {

constexpr double exact_integer_max = 9.0e15;  // doubles below it hold every integer exactly
constexpr std::size_t short_text_bytes_max = 64;
constexpr unsigned char first_printable = 0x20;  // below it JSON wants an escape

bool needs_escape(char c) {
    return static_cast<unsigned char>(c) < first_printable || c == '"' || c == '\\';
}

bool needs_escape(std::string_view text) {
    // Eight bytes at a time: the high bit of a byte tells that it is zero, or below a number.
    constexpr std::uint64_t ones = 0x0101010101010101U;
    const auto below = [](std::uint64_t bytes, std::uint64_t n) {
        return (bytes - n * ones) & ~bytes;
    };
    for (std::uint64_t eight = 0; text.size() >= sizeof eight; text.remove_prefix(sizeof eight)) {
        std::memcpy(&eight, text.data(), sizeof eight);
        const auto found = below(eight, first_printable) | below(eight ^ '"' * ones, 1) |
                           below(eight ^ '\\' * ones, 1);
        if ((found & 0x80 * ones) != 0) return true;
    }
    return std::any_of(text.begin(), text.end(), [](char c) { return needs_escape(c); });
}

void append_escaped(std::string& out, char c) {
    constexpr std::string_view marks = "\"\\\n\r\t";
    constexpr std::string_view letters = "\"\\nrt";
    out += '\\';
    if (const auto found = marks.find(c); found != std::string_view::npos) {
        out += letters[found];
        return;
    }
    const auto code = static_cast<unsigned char>(c);
    out += "u00";
    out += base::hex_digits[code >> 4U];
    out += base::hex_digits[code & 0x0FU];
}

void append_escaped(std::string& out, std::string_view text) {
    std::size_t done = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!needs_escape(text[i])) continue;
        out.append(text, done, i - done);
        append_escaped(out, text[i]);
        done = i + 1;
    }
    out.append(text, done, text.size() - done);
}

}  // namespace

void Writer::separate() {
    if (comma_due_) out_ += ',';
    comma_due_ = true;
}

void Writer::open(char bracket) {
    separate();
    out_ += bracket;
    comma_due_ = false;
}

void Writer::close(char bracket) {
    out_ += bracket;
    comma_due_ = true;
}

void Writer::append_behind_comma(const char* comma, const char* end) {
    const auto* const begin = comma_due_ ? comma : comma + 1;
    out_.append(begin, static_cast<std::size_t>(end - begin));
    comma_due_ = true;
}

Writer& Writer::write_behind(char* piece, char* end, std::string_view value) {
    if (value.size() > short_text_bytes_max || needs_escape(value)) {
        append_behind_comma(piece, end);
        out_ += '"';
        append_escaped(out_, value);
        out_ += '"';
        return *this;
    }
    // Nearly all texts are short and plain.
    *end++ = '"';
    end = std::copy(value.begin(), value.end(), end);
    *end++ = '"';
    append_behind_comma(piece, end);
    return *this;
}

Writer& Writer::write_behind(char* piece, char* end, std::int64_t value) {
    if (value >= 0 && value <= '9' - '0') {  // many are, and this is quicker
        *end++ = static_cast<char>('0' + value);
    } else {
        end = std::to_chars(end, end + short_value_bytes_max, value).ptr;
    }
    append_behind_comma(piece, end);
    return *this;
}

Writer& Writer::write_behind(char* piece, char* end, std::uint64_t value) {
    append_behind_comma(piece, std::to_chars(end, end + short_value_bytes_max, value).ptr);
    return *this;
}

template <typename Value>
Writer& Writer::element(Value value) {
    std::array<char, 1 + short_value_bytes_max> piece;
    piece[0] = ',';
    return write_behind(piece.data(), piece.data() + 1, value);
}

Writer& Writer::begin_object() {
    open('{');
    return *this;
}

Writer& Writer::end_object() {
    close('}');
    return *this;
}

Writer& Writer::begin_array() {
    open('[');
    return *this;
}

Writer& Writer::end_array() {
    close(']');
    return *this;
}

Writer& Writer::key(std::string_view name) {
    string(name);
    out_ += ':';
    comma_due_ = false;
    return *this;
}

Writer& Writer::null() {
    return raw("null");
}

Writer& Writer::boolean(bool value) {
    return raw(value ? "true" : "false");
}

Writer& Writer::integer(std::int64_t value) {
    return element(value);
}

Writer& Writer::unsigned_integer(std::uint64_t value) {
    return element(value);
}

Writer& Writer::real(double value) {
    REFEREE_ASSERT(std::isfinite(value));
    if (std::trunc(value) == value && std::abs(value) < exact_integer_max) {
        return integer(static_cast<std::int64_t>(value));
    }
    std::array<char, short_value_bytes_max> text;
    return raw({text.data(), std::to_chars(text.begin(), text.end(), value).ptr});
}

Writer& Writer::string(std::string_view value) {
    return element(value);
}

Writer& Writer::raw(std::string_view json_text) {
    separate();
    out_ += json_text;
    return *this;
}

}  // namespace protocol::json
