#include "protocol/json/utf8.h"

#include <array>
#include <cstdint>

namespace protocol::json {
namespace {

// The first bytes that begin a sequence, and what the second byte may then be. All further bytes
// are 0x80 to 0xBF.
struct Lead {
    unsigned char first, last;
    std::size_t bytes;
    unsigned char second_min, second_max;
};
constexpr std::array<Lead, 8> leads = {{
    {0xC2, 0xDF, 2, 0x80, 0xBF},
    {0xE0, 0xE0, 3, 0xA0, 0xBF},
    {0xE1, 0xEC, 3, 0x80, 0xBF},
    {0xED, 0xED, 3, 0x80, 0x9F},
    {0xEE, 0xEF, 3, 0x80, 0xBF},
    {0xF0, 0xF0, 4, 0x90, 0xBF},
    {0xF1, 0xF3, 4, 0x80, 0xBF},
    {0xF4, 0xF4, 4, 0x80, 0x8F},
}};
constexpr unsigned char ascii_max = 0x7F;

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

void append_hex(std::string& out, char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto code = static_cast<unsigned char>(c);
    out += "\\x";
    out += digits[code >> 4U];
    out += digits[code & 0x0FU];
}

}  // namespace

std::size_t utf8_sequence_bytes(std::string_view text) {
    if (text.empty()) return 0;
    const auto first = static_cast<unsigned char>(text[0]);
    if (first <= ascii_max) return 1;
    for (const auto& lead : leads) {
        if (first < lead.first || first > lead.last) continue;
        if (text.size() < lead.bytes) return 0;
        const auto second = static_cast<unsigned char>(text[1]);
        if (second < lead.second_min || second > lead.second_max) return 0;
        for (std::size_t i = 2; i < lead.bytes; ++i) {
            if (!is_continuation(text[i])) return 0;
        }
        return lead.bytes;
    }
    return 0;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto bytes = utf8_sequence_bytes(text);
        if (bytes == 0) return false;
        text.remove_prefix(bytes);
    }
    return true;
}

std::string_view utf8_prefix(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) return text;
    auto bytes = bytes_max;
    while (bytes > 0 && is_continuation(text[bytes])) --bytes;
    return text.substr(0, bytes);
}

std::string readable(std::string_view text, std::size_t bytes_max) {
    std::string out;
    while (!text.empty() && out.size() < bytes_max) {
        const auto bytes = utf8_sequence_bytes(text);
        if (bytes == 0) {
            append_hex(out, text[0]);
            text.remove_prefix(1);
            continue;
        }
        if (out.size() + bytes > bytes_max) break;
        out.append(text, 0, bytes);
        text.remove_prefix(bytes);
    }
    if (!text.empty()) out += "...";
    return out;
}

}  // namespace protocol::json
