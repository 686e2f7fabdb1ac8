#include "referee/game/play/fingerprint.h"

namespace referee::play {

namespace {

constexpr std::uint64_t prime_of_fnv = 0x00000100000001B3U;
// No text holds this byte, so parts don't run into each other.
constexpr unsigned char end_of_part = 0xFF;

}  // namespace

void Fingerprint::add(std::string_view part) {
    for (const char c : part) {
        hash_ = (hash_ ^ static_cast<unsigned char>(c)) * prime_of_fnv;
    }
    hash_ = (hash_ ^ end_of_part) * prime_of_fnv;
}

std::string Fingerprint::text() const {
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr int bits = 64;
    constexpr int bits_a_digit = 4;
    std::string text;
    for (int shift = bits - bits_a_digit; shift >= 0; shift -= bits_a_digit) {
        text += digits[hash_ >> static_cast<unsigned>(shift) & 0xFU];
    }
    return text;
}

}  // namespace referee::play
