#include "referee/roster/names/plain.h"

#include <unicode/translit.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <memory>

#include "protocol/base/assertion.h"

namespace referee::names {

namespace {

bool is_ascii(char byte) {
    return static_cast<unsigned char>(byte) < 0x80;
}

char small(char byte) {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

}  // namespace

std::string plain_letters(std::string_view name) {
    if (std::all_of(name.begin(), name.end(), is_ascii)) {  // most names, and far quicker
        std::string text(name);
        std::transform(text.begin(), text.end(), text.begin(), small);
        return text;
    }
    UErrorCode error = U_ZERO_ERROR;
    const std::unique_ptr<icu::Transliterator> plainly(icu::Transliterator::createInstance(
        "NFKD; [:Nonspacing Mark:] Remove; Latin-ASCII; NFKC; Lower", UTRANS_FORWARD, error));
    REFEREE_ASSERT(U_SUCCESS(error));
    auto text = icu::UnicodeString::fromUTF8(
        icu::StringPiece(name.data(), static_cast<std::int32_t>(name.size())));
    plainly->transliterate(text);
    std::string bytes;
    text.toUTF8String(bytes);
    return bytes;
}

}  // namespace referee::names
