#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

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
        std::array<char, size + key_marks> piece;
        append_behind_comma(piece.data(), put_key(piece.data(), name));
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

    // Shorthands for the commonest members: texts, numbers, booleans. A literal's name and a short
    // value are one piece: one growth of the buffer.
    template <std::size_t size, typename Value>
    Writer& member(const char (&name)[size], const Value& value) {
        if constexpr (std::is_same_v<Value, bool> || std::is_floating_point_v<Value>) {
            return key(name).write(value);
        } else {
            std::array<char, size + key_marks + short_value_bytes_max> piece;
            return write_behind(piece.data(), put_key(piece.data(), name), widest(value));
        }
    }
    template <typename Value>
    Writer& member(std::string_view name, const Value& value) {
        return key(name).write(value);
    }

    // An array of texts: each element of the range is one, or `text_of` makes one of it.
    template <typename Range, typename TextOf = std::identity>
    Writer& texts(const Range& range, TextOf text_of = {}) {
        begin_array();
        for (const auto& element : range) string(std::invoke(text_of, element));
        return end_array();
    }

    // The buffer that is written into.
    std::string& buffer() { return out_; }

 private:
    static constexpr std::size_t key_marks = 3;  // ,"": less the literal's own end
    // Any 64-bit integer fits, and nearly all texts with their quotes.
    static constexpr std::size_t short_value_bytes_max = 66;

    Writer& write(std::string_view value) { return string(value); }
    Writer& write(std::int64_t value) { return integer(value); }
    Writer& write(int value) { return integer(value); }
    Writer& write(std::uint64_t value) { return unsigned_integer(value); }
    Writer& write(std::uint32_t value) { return unsigned_integer(value); }
    Writer& write(bool value) { return boolean(value); }
    Writer& write(double value) { return real(value); }
    Writer& write(const char* value) { return string(value); }

    // Returns where it ends.
    template <std::size_t size>
    static char* put_key(char* piece, const char (&name)[size]) {
        *piece++ = ',';
        *piece++ = '"';
        piece = std::copy_n(name, size - 1, piece);
        *piece++ = '"';
        *piece++ = ':';
        return piece;
    }

    template <typename Value>
    static auto widest(const Value& value) {
        if constexpr (std::unsigned_integral<Value>) {
            return std::uint64_t{value};
        } else if constexpr (std::integral<Value>) {
            return std::int64_t{value};
        } else {
            return std::string_view(value);
        }
    }

    void separate();
    // A piece that begins with a comma, which is left out where none is due.
    void append_behind_comma(const char* comma, const char* end);
    // The same with a value behind it, for which the piece has short_value_bytes_max of room.
    Writer& write_behind(char* piece, char* end, std::string_view value);
    Writer& write_behind(char* piece, char* end, std::int64_t value);
    Writer& write_behind(char* piece, char* end, std::uint64_t value);
    template <typename Value>
    Writer& element(Value value);
    void open(char bracket);
    void close(char bracket);

    std::string& out_;
    bool comma_due_ = false;
};

// An object as text; `fill` writes its members into the writer that it is given.
template <typename Fill>
std::string object_text(const Fill& fill) {
    std::string text;
    Writer writer(text);
    writer.begin_object();
    fill(writer);
    writer.end_object();
    return text;
}

}  // namespace protocol::json
