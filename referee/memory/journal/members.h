#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/json/document.h"

namespace referee::journal {

namespace json = protocol::json;

// Reads members of one object and keeps the first thing that is wrong. What is wrong reads as
// empty.
class Members {
 public:
    // `path` stands before the names in messages: "result.".
    Members(json::View object, std::string path, std::string& wrong)
        : object_(object), path_(std::move(path)), wrong_(wrong) {}

    json::View find(std::string_view name) const { return object_.find(name); }

    void expected(std::string_view name, std::string_view what) {
        if (!wrong_.empty()) return;
        const auto value = find(name);
        wrong_ = path_ + std::string(name) + ": expected " + std::string(what) + ", found " +
                 (value ? std::string(json::describe(value.kind())) : "nothing");
        if (const auto text = value.string()) wrong_ += " \"" + std::string(*text) + '"';
        if (const auto number = value.integer()) wrong_ += ' ' + std::to_string(*number);
    }

    std::string text(std::string_view name) {
        const auto value = find(name).string();
        if (!value) expected(name, "a string");
        return std::string(value.value_or(""));
    }

    template <typename Number>
    Number number(std::string_view name, std::uint64_t most) {
        constexpr std::uint64_t most_of_type = std::numeric_limits<Number>::max();
        const auto top = std::min(most, most_of_type);
        const auto value = in_range<Number>(find(name));
        if (!value || (*value > 0 && static_cast<std::uint64_t>(*value) > top)) {
            expected(name, "a whole number of " +
                               std::to_string(std::numeric_limits<Number>::min()) + " to " +
                               std::to_string(top));
        }
        return value.value_or(0);
    }

    Members object(std::string_view name) {
        if (!find(name).is_object()) expected(name, "an object");
        return {find(name), path_ + std::string(name) + '.', wrong_};
    }

    template <typename Number>
    static std::optional<Number> in_range(json::View view) {
        if constexpr (std::is_same_v<Number, std::uint64_t>) {
            return view.unsigned_integer();
        } else {
            const auto value = view.integer();
            if (!value || *value < std::numeric_limits<Number>::min() ||
                *value > std::numeric_limits<Number>::max()) {
                return std::nullopt;
            }
            return static_cast<Number>(*value);
        }
    }

 private:
    json::View object_;
    std::string path_;
    std::string& wrong_;
};

}  // namespace referee::journal
