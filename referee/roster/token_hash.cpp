#include "referee/roster/token_hash.h"

#include <algorithm>
#include <charconv>

namespace referee::roster {
namespace {

std::string in_digits(std::string_view what, std::size_t expected, std::string_view found) {
    return "a hashed token whose " + std::string(what) + " isn't " + std::to_string(expected) +
           " of the digits 0-9 and a-f, but " + std::to_string(found.size()) + " bytes";
}

bool is_hex(std::string_view text, std::size_t digits) {
    return text.size() == digits && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

// A plain number: no sign, no zero in front.
unsigned rounds_in(std::string_view text) {
    unsigned rounds = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), rounds);
    const bool plain = read.ec == std::errc() && read.ptr == text.data() + text.size() &&
                       !text.starts_with('0') && rounds <= hash_rounds_max;
    return plain ? rounds : 0;
}

std::string expectation(const std::string& found) {
    return "expected a hash as `referee roster hashes` writes it, pbkdf2-sha256$ROUNDS$SALT$HASH, "
           "found " +
           found + "; copy it again, or put the token itself there";
}

}  // namespace

base::Result<TokenHash, std::string> read_token_hash(std::string_view text) {
    if (!text.starts_with(hashed_token_begins))
        return base::failure(expectation("a text that doesn't begin so"));
    text.remove_prefix(hashed_token_begins.size());
    const auto first = text.find('$');
    const auto second = first == std::string_view::npos ? first : text.find('$', first + 1);
    if (second == std::string_view::npos)
        return base::failure(expectation("a hashed token that ends too early"));
    const TokenHash hash{rounds_in(text.substr(0, first)),
                         text.substr(first + 1, second - first - 1), text.substr(second + 1)};
    if (hash.rounds == 0)
        return base::failure(expectation("a hashed token whose rounds are no number from 1 to " +
                                         std::to_string(hash_rounds_max)));
    if (!is_hex(hash.salt, salt_digits))
        return base::failure(expectation(in_digits("salt", salt_digits, hash.salt)));
    if (!is_hex(hash.hash, hash_digits))
        return base::failure(expectation(in_digits("hash", hash_digits, hash.hash)));
    return hash;
}

}  // namespace referee::roster
