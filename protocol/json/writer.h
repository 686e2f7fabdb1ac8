#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace protocol::json {

// Writes JSON text straight into a buffer, without building a tree. Commas are put by the writer;
// the caller promises that begins and ends match and that every member has a key.
// A number without a fraction is written as an integer. Strings must be valid UTF-8.
// Not thread safe. The buffer must outlive the writer; text that stood in it stays.
class Writer {
 public:
    explicit Writer(std::string& out) : out_(out) {}

    Writer& begin_object();
    Writer& end_object();
    Writer& begin_array();
    Writer& end_array();
    Writer& key(std::string_view name);
    // The same for a literal, which has nothing to escape: it is not searched.
    template <std::size_t size>
    Writer& key(const char (&name)[size]) {
        std::array<char, size + key_marks> text;
        text[0] = ',';
        text[1] = '"';
        std::copy_n(name, size - 1, text.data() + 2);
        text[size + 1] = '"';
        text[size + 2] = ':';
        const std::size_t skipped = comma_due_ ? 0 : 1;
        out_.append(text.data() + skipped, text.size() - skipped);
        comma_due_ = false;
        return *this;
    }

    Writer& null();
    Writer& boolean(bool value);
    Writer& integer(std::int64_t value);
    Writer& unsigned_integer(std::uint64_t value);
    // A finite number; the shortest text that reads back as the same double.
    Writer& real(double value);
    Writer& string(std::string_view value);
    // A value that is JSON text already (a rendered state, params, a recorded move).
    Writer& raw(std::string_view json_text);

    // Shorthands for the commonest members: texts, numbers, booleans.
    template <std::size_t size, typename Value>
    Writer& member(const char (&name)[size], const Value& value) {
        return key(name).write(value);
    }
    template <typename Value>
    Writer& member(std::string_view name, const Value& value) {
        return key(name).write(value);
    }

    // The buffer that is written into.
    std::string& buffer() { return out_; }

 private:
    static constexpr std::size_t key_marks = 3;  // ,"": less the literal's own end

    Writer& write(std::string_view value) { return string(value); }
    Writer& write(std::int64_t value) { return integer(value); }
    Writer& write(int value) { return integer(value); }
    Writer& write(std::uint64_t value) { return unsigned_integer(value); }
    Writer& write(std::uint32_t value) { return unsigned_integer(value); }
    Writer& write(bool value) { return boolean(value); }
    Writer& write(double value) { return real(value); }
    Writer& write(const char* value) { return string(value); }

    void separate();
    // A piece that begins with a comma, which is left out where none is due.
    void append_behind_comma(const char* comma, const char* end);
    void open(char bracket);
    void close(char bracket);
    template <typename Number>
    void number(Number value);
    // The text in quotes and escaped, and what comes behind its last character.
    void quoted(std::string_view text, std::string_view behind);

    std::string& out_;
    bool comma_due_ = false;
};

}  // namespace protocol::json
