#include "referee/roster/names/looks.h"

#include <unicode/normalizer2.h>
#include <unicode/translit.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"

namespace referee::names {
namespace {

// Longer than any character's name in Unicode.
constexpr std::size_t character_name_bytes_max = 128;
// A name with more odd letters is told by its first ones.
constexpr std::size_t odd_letters_told_max = 4;
constexpr UChar32 ascii_end = 0x80;

using Checker = std::unique_ptr<USpoofChecker, decltype(&uspoof_close)>;

std::string utf8(const icu::UnicodeString& text) {
    std::string bytes;
    text.toUTF8String(bytes);
    return bytes;
}

icu::UnicodeString unicode(std::string_view text) {
    return icu::UnicodeString::fromUTF8(
        icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

icu::UnicodeString normalized(const icu::Normalizer2* (*form)(UErrorCode&),
                              const icu::UnicodeString& text) {
    UErrorCode error = U_ZERO_ERROR;
    const auto* normalizer = form(error);
    REFEREE_ASSERT(U_SUCCESS(error));
    auto result = normalizer->normalize(text, error);
    REFEREE_ASSERT(U_SUCCESS(error));
    return result;
}

// Capitals, wide and composed forms become one; invisible characters go.
icu::UnicodeString folded(const icu::UnicodeString& text) {
    return normalized(icu::Normalizer2::getNFKCCasefoldInstance, text);
}

std::vector<UChar32> letters_of(const icu::UnicodeString& text) {
    std::vector<UChar32> letters;
    for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1))
        letters.push_back(text.char32At(i));
    return letters;
}

// Letters that Unicode's data don't take for the Latin ones that they look like: they look like
// their capitals, made small.
struct Twin {
    UChar32 letter;
    UChar32 latin;
};
constexpr std::array<Twin, 12> twins = {{
    {0x043A, 'k'},
    {0x03BA, 'k'},
    {0x1D0B, 'k'},
    {0x043C, 'm'},
    {0x1D0D, 'm'},
    {0x0442, 't'},
    {0x03C4, 't'},
    {0x1D1B, 't'},
    {0x0432, 'b'},
    {0x0299, 'b'},
    {0x043D, 'h'},
    {0x029C, 'h'},
}};

// A mark that goes over or under any letter, such as a dot or a line.
bool is_loose_mark(UChar32 letter) {
    UErrorCode error = U_ZERO_ERROR;
    const auto kind = u_charType(letter);
    return (kind == U_NON_SPACING_MARK || kind == U_ENCLOSING_MARK) &&
           uscript_getScript(letter, &error) == USCRIPT_INHERITED;
}

// Without the marks that make no letter of any alphabet with what they stand on: an e with an acute
// is a letter of its own, an i with one more dot or an n with a line below are none.
icu::UnicodeString plain(const icu::UnicodeString& text) {
    icu::UnicodeString result;
    for (const auto letter : letters_of(normalized(icu::Normalizer2::getNFCInstance, text))) {
        if (is_loose_mark(letter)) continue;
        const auto* twin = std::ranges::find(twins, letter, &Twin::letter);
        result.append(twin == twins.end() ? letter : twin->latin);
    }
    return result;
}

icu::UnicodeString skeleton(const icu::UnicodeString& text) {
    UErrorCode error = U_ZERO_ERROR;
    const Checker checker(uspoof_open(&error), &uspoof_close);
    REFEREE_ASSERT(U_SUCCESS(error));
    icu::UnicodeString result;
    uspoof_getSkeletonUnicodeString(checker.get(), 0, text, result, &error);
    REFEREE_ASSERT(U_SUCCESS(error));
    return result;
}

std::string described(UChar32 letter) {
    std::array<char, character_name_bytes_max> text{};
    std::snprintf(text.data(), text.size(), "U+%04X", static_cast<unsigned>(letter));
    std::string found = text.data();
    UErrorCode error = U_ZERO_ERROR;
    const auto bytes = u_charName(letter, U_EXTENDED_CHAR_NAME, text.data(),
                                  static_cast<std::int32_t>(text.size()), &error);
    if (U_SUCCESS(error) && bytes > 0) found += " " + std::string(text.data());
    return found;
}

// The letters of `name` beyond ASCII that `other` doesn't have; empty where there are none.
std::string odd_letters(std::string_view name, std::string_view other) {
    const auto usual = letters_of(unicode(other));
    std::vector<UChar32> odd;
    for (const auto letter : letters_of(unicode(name))) {
        if (letter >= ascii_end && !base::contains(usual, letter) && !base::contains(odd, letter))
            odd.push_back(letter);
    }
    if (odd.size() > odd_letters_told_max) odd.resize(odd_letters_told_max);
    return base::joined(odd, ", ", described);
}

// What a name looks like. Two names look alike where either text is the same for both.
struct Look {
    std::string as_written;  // the look of its letters, then folded: "Hanna" is written as "hanna"
    std::string as_folded;   // folded, then the look of its letters
};

Look look_of(std::string_view name) {
    const auto text = unicode(name);
    return {utf8(folded(skeleton(plain(text)))), utf8(folded(skeleton(plain(folded(text)))))};
}

}  // namespace

std::string difference(std::string_view name, std::string_view other) {
    if (const auto odd = odd_letters(name, other); !odd.empty())
        return base::quoted(name) + " has " + odd;
    if (const auto odd = odd_letters(other, name); !odd.empty())
        return base::quoted(other) + " has " + odd;
    if (folded(unicode(name)) == folded(unicode(other))) return "they differ only in capitals";
    return "they differ only in letters and digits that look the same, such as 1, l and I";
}

void KnownLooks::add(const std::string& name) {
    const auto look = look_of(name);
    const auto put = [&name](std::vector<std::string>& names) {
        if (!base::contains(names, name)) names.push_back(name);
    };
    put(as_written_[look.as_written]);
    put(as_folded_[look.as_folded]);
}

std::string KnownLooks::like(std::string_view name) const {
    const auto look = look_of(name);
    const auto other_among = [name](const Names& names, const std::string& key) {
        const auto* alike = base::find_in(names, key);
        if (alike == nullptr) return std::string();
        const auto other =
            std::ranges::find_if(*alike, [name](const auto& each) { return each != name; });
        return other == alike->end() ? std::string() : *other;
    };
    auto found = other_among(as_written_, look.as_written);
    return found.empty() ? other_among(as_folded_, look.as_folded) : found;
}

void KnownLooks::clear() {
    as_written_.clear();
    as_folded_.clear();
}

std::string plain_letters(std::string_view name) {
    const auto is_ascii = [](char byte) { return static_cast<unsigned char>(byte) < 0x80; };
    if (std::ranges::all_of(name, is_ascii))  // most names, and far quicker
        return base::small(std::string(name));
    UErrorCode error = U_ZERO_ERROR;
    const std::unique_ptr<icu::Transliterator> plainly(icu::Transliterator::createInstance(
        "NFKD; [:Nonspacing Mark:] Remove; Latin-ASCII; NFKC; Lower", UTRANS_FORWARD, error));
    REFEREE_ASSERT(U_SUCCESS(error));
    auto text = unicode(name);
    plainly->transliterate(text);
    return utf8(text);
}

}  // namespace referee::names
