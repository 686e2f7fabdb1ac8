#include "protocol/json/writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "protocol/json/assertion.h"

namespace protocol::json {
namespace {

constexpr std::size_t number_text_max = 32;      // any 64-bit integer or shortest double fits
constexpr double exact_integer_max = 9.0e15;     // doubles below it hold every integer exactly
constexpr unsigned char first_printable = 0x20;  // below it JSON wants an escape

template <typename Number>
void append_number(std::string& out, Number value) {
    std::array<char, number_text_max> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    out.append(text.data(), end.ptr);
}

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

}  // namespace

void Writer::separate() {
    if (comma_due_) out_ += ',';
    comma_due_ = true;
}

Writer& Writer::begin_object() {
    separate();
    out_ += '{';
    comma_due_ = false;
    return *this;
}

Writer& Writer::end_object() {
    out_ += '}';
    comma_due_ = true;
    return *this;
}

Writer& Writer::begin_array() {
    separate();
    out_ += '[';
    comma_due_ = false;
    return *this;
}

Writer& Writer::end_array() {
    out_ += ']';
    comma_due_ = true;
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
    separate();
    append_number(out_, value);
    return *this;
}

Writer& Writer::unsigned_integer(std::uint64_t value) {
    separate();
    append_number(out_, value);
    return *this;
}

Writer& Writer::real(double value) {
    REFEREE_ASSERT(std::isfinite(value));
    if (std::trunc(value) == value && std::abs(value) < exact_integer_max) {
        return integer(static_cast<std::int64_t>(value));
    }
    separate();
    append_number(out_, value);
    return *this;
}

Writer& Writer::string(std::string_view value) {
    separate();
    out_ += '"';
    std::size_t done = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (!needs_escape(value[i])) continue;
        out_.append(value, done, i - done);
        append_escaped(out_, value[i]);
        done = i + 1;
    }
    out_.append(value, done, value.size() - done);
    out_ += '"';
    return *this;
}

Writer& Writer::raw(std::string_view json_text) {
    separate();
    out_ += json_text;
    return *this;
}

}  // namespace protocol::json
