#include "protocol/json/writer.h"

#include <charconv>
#include <cmath>

#include "protocol/base/assertion.h"

namespace protocol::json {
namespace {

constexpr double exact_integer_max = 9.0e15;  // doubles below it hold every integer exactly
constexpr std::size_t short_text_bytes_max = 64;
constexpr unsigned char first_printable = 0x20;  // below it JSON wants an escape

bool needs_escape(char c) {
    return static_cast<unsigned char>(c) < first_printable || c == '"' || c == '\\';
}

void append_escaped(std::string& out, char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    switch (c) {
        case '"':
            out += "\\\"";
            return;
        case '\\':
            out += "\\\\";
            return;
        case '\n':
            out += "\\n";
            return;
        case '\r':
            out += "\\r";
            return;
        case '\t':
            out += "\\t";
            return;
        default:
            break;
    }
    const auto code = static_cast<unsigned char>(c);
    out += "\\u00";
    out += digits[code >> 4U];
    out += digits[code & 0x0FU];
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
    if (value.size() > short_text_bytes_max ||
        std::any_of(value.begin(), value.end(), [](char c) { return needs_escape(c); })) {
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
    append_behind_comma(piece, std::to_chars(end, end + short_value_bytes_max, value).ptr);
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
