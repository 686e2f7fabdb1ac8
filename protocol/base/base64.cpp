#include "protocol/base/base64.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cstddef>

namespace base {
namespace {

constexpr std::size_t bytes_of_group = 3;
constexpr std::size_t letters_of_group = 4;
constexpr std::size_t padding_max = 2;

const unsigned char* raw(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* raw(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

bool is_letter(char one) {
    return (one >= 'A' && one <= 'Z') || (one >= 'a' && one <= 'z') || (one >= '0' && one <= '9') ||
           one == '+' || one == '/';
}

}  // namespace

std::string base64_of(std::string_view bytes) {
    // The library writes a zero behind it.
    std::string text((bytes.size() + bytes_of_group - 1) / bytes_of_group * letters_of_group + 1,
                     '\0');
    EVP_EncodeBlock(raw(text), raw(bytes), static_cast<int>(bytes.size()));
    text.pop_back();
    return text;
}

// The library passes over blanks and reads padding as zeros, so both are looked at before.
std::optional<std::string> from_base64(std::string_view text) {
    if (text.size() % letters_of_group != 0) return std::nullopt;
    auto letters = text;
    while (letters.ends_with('=') && text.size() - letters.size() < padding_max)
        letters.remove_suffix(1);
    if (!std::all_of(letters.begin(), letters.end(), is_letter)) return std::nullopt;
    std::string bytes(text.size() / letters_of_group * bytes_of_group, '\0');
    if (EVP_DecodeBlock(raw(bytes), raw(text), static_cast<int>(text.size())) < 0)
        return std::nullopt;
    bytes.resize(bytes.size() - (text.size() - letters.size()));
    return bytes;
}

}  // namespace base
