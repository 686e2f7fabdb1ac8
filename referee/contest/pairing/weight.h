#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

// A whole number of a fixed number of 64-bit words, two's complement: wide enough to hold all
// pairing criteria one after the other, each in bits of its own, so that comparing sums of
// weights compares the criteria exactly and in order.

namespace referee::pairing {

template <std::size_t Words>
class Weight {
 public:
    static constexpr std::size_t bits = 64 * Words;

    constexpr Weight() = default;

    // value * 2^shift, added. Requires: value >= 0, and the result fits.
    constexpr void add(std::uint64_t value, std::size_t shift) {
        const std::size_t word = shift / word_bits;
        const std::size_t offset = shift % word_bits;
        add_word(value << offset, word);
        if (offset != 0 && word + 1 < Words) add_word(value >> (word_bits - offset), word + 1);
    }

    constexpr Weight& operator+=(const Weight& other) {
        unsigned carry = 0;
        for (std::size_t i = 0; i < Words; ++i) {
            const std::uint64_t partial = words_[i] + carry;
            const std::uint64_t sum = partial + other.words_[i];
            carry = static_cast<unsigned>(partial < carry) + static_cast<unsigned>(sum < partial);
            words_[i] = sum;
        }
        return *this;
    }

    constexpr Weight& operator-=(const Weight& other) {
        unsigned borrow = 0;
        for (std::size_t i = 0; i < Words; ++i) {
            const std::uint64_t partial = words_[i] - other.words_[i];
            const std::uint64_t difference = partial - borrow;
            borrow = static_cast<unsigned>(words_[i] < other.words_[i]) +
                     static_cast<unsigned>(partial < borrow);
            words_[i] = difference;
        }
        return *this;
    }

    friend constexpr Weight operator+(Weight a, const Weight& b) { return a += b; }
    friend constexpr Weight operator-(Weight a, const Weight& b) { return a -= b; }

    constexpr Weight doubled() const { return *this + *this; }

    // Requires: the number is even.
    constexpr Weight halved() const {
        Weight half;
        for (std::size_t i = 0; i + 1 < Words; ++i)
            half.words_[i] = (words_[i] >> 1) | (words_[i + 1] << (word_bits - 1));
        half.words_[Words - 1] =
            static_cast<std::uint64_t>(static_cast<std::int64_t>(words_[Words - 1]) >> 1);
        return half;
    }

    constexpr bool is_zero() const {
        std::uint64_t any = 0;
        for (const std::uint64_t word : words_) any |= word;
        return any == 0;
    }

    constexpr bool operator==(const Weight&) const = default;

    constexpr std::strong_ordering operator<=>(const Weight& other) const {
        const auto top = static_cast<std::int64_t>(words_[Words - 1]);
        const auto other_top = static_cast<std::int64_t>(other.words_[Words - 1]);
        if (top != other_top) return top <=> other_top;
        for (std::size_t i = Words - 1; i-- > 0;)
            if (words_[i] != other.words_[i]) return words_[i] <=> other.words_[i];
        return std::strong_ordering::equal;
    }

 private:
    static constexpr std::size_t word_bits = 64;

    constexpr void add_word(std::uint64_t value, std::size_t word) {
        words_[word] += value;
        bool carry = words_[word] < value;
        while (carry && ++word < Words) carry = ++words_[word] == 0;
    }

    std::array<std::uint64_t, Words> words_{};  // the least significant first
};

// A part of what an edge is worth: value * 2^shift.
struct Term {
    std::uint64_t value = 0;
    std::size_t shift = 0;
};

class Valuation {
 public:
    virtual ~Valuation() = default;

    // Wide enough for the sum over any matching.
    virtual std::size_t bits() const = 0;

    // Appends the terms of edge (u, v). Requires: u < v.
    virtual void terms(int u, int v, std::vector<Term>& terms) const = 0;
};

// Gives bits to quantities, the least significant ones first.
class BitLayout {
 public:
    struct Place {
        std::size_t shift = 0;
        bool used = false;  // a quantity that is always zero has no bits
    };

    Place place(std::uint64_t greatest);
    std::size_t bits() const { return bits_; }

 private:
    std::size_t bits_ = 0;
};

}  // namespace referee::pairing
