#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/base/split_mix.h"

// Random bytes for tests, the same on every machine for a seed.

namespace protocol::testing {

class RandomBytes {
 public:
    explicit RandomBytes(std::uint64_t seed) : numbers_(seed) {}

    std::uint64_t below(std::uint64_t bound) { return numbers_.below(bound); }

    // Any bytes, at most so many.
    std::string any(std::size_t bytes_max) {
        std::string text(below(bytes_max + 1), '\0');
        for (auto& c : text) c = static_cast<char>(below(256));
        return text;
    }

    // Bytes of the kind that JSON text is made of.
    std::string json_like(std::size_t pieces_max) {
        static constexpr std::string_view pieces[] = {
            "{",     "}",        "[",    "]",    ":",  ",",  "\"",    "\"a\":",    "\"b\":", "1",
            "-2",    "0.5",      "1e9",  " ",    "\"", "\\", "\\u00", "true",      "false",  "null",
            "\"x\"", "\xC3\xA9", "\xFF", "e400", "//", "\r", "[1]",   "{\"a\":1}", "[[",     "]]",
        };
        std::string text;
        for (auto i = below(pieces_max) % (1 + below(pieces_max)); i > 0; --i) {
            text += pieces[below(std::size(pieces))];
        }
        return text;
    }

    // The text with a byte changed, put in or taken out, at one to three places.
    std::string damaged(std::string_view good) {
        std::string text(good);
        for (auto i = 1 + below(3); i > 0 && !text.empty(); --i) {
            const auto at = below(text.size());
            const auto byte = static_cast<char>(below(256));
            switch (below(3)) {
                case 0:
                    text[at] = byte;
                    break;
                case 1:
                    text.insert(at, 1, byte);
                    break;
                default:
                    text.erase(at, 1);
                    break;
            }
        }
        return text;
    }

 private:
    base::SplitMix numbers_;
};

}  // namespace protocol::testing
