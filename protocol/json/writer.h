#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace protocol::json {

// Writes JSON text straight into a buffer, without building a tree. Commas are put by the writer;
// that begins and ends match and that every member has a key is the caller's promise.
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

    Writer& null();
    Writer& boolean(bool value);
    Writer& integer(std::int64_t value);
    Writer& unsigned_integer(std::uint64_t value);
    // A finite number; the shortest text that reads back as the same double.
    Writer& real(double value);
    Writer& string(std::string_view value);
    // A value that is JSON text already (a rendered state, params, a recorded move).
    Writer& raw(std::string_view json_text);

    // Shorthands for the commonest members.
    Writer& member(std::string_view name, std::string_view value) {
        return key(name).string(value);
    }
    Writer& member(std::string_view name, const char* value) { return key(name).string(value); }
    Writer& member(std::string_view name, const std::string& value) {
        return key(name).string(value);
    }
    Writer& member(std::string_view name, std::int64_t value) { return key(name).integer(value); }
    Writer& member(std::string_view name, int value) { return key(name).integer(value); }
    Writer& member(std::string_view name, std::uint64_t value) {
        return key(name).unsigned_integer(value);
    }
    Writer& member(std::string_view name, std::uint32_t value) {
        return key(name).unsigned_integer(value);
    }
    Writer& member(std::string_view name, bool value) { return key(name).boolean(value); }
    Writer& member(std::string_view name, double value) { return key(name).real(value); }

    // The buffer that is written into.
    std::string& buffer() { return out_; }

 private:
    void separate();

    std::string& out_;
    bool comma_due_ = false;
};

}  // namespace protocol::json
