#include "referee/roster/extra_columns.h"

#include <algorithm>
#include <array>
#include <string>

#include "referee/roster/names/plain.h"

namespace referee::roster {
namespace {

struct Heading {
    std::string_view words;
    Extra extra;
};
constexpr std::array headings = {
    Heading{"fullname", Extra::full_name},
    Heading{"student", Extra::full_name},
    Heading{"studentname", Extra::full_name},
    Heading{"displayname", Extra::full_name},
    Heading{"sortablename", Extra::full_name},
    Heading{"firstname", Extra::first_name},
    Heading{"givenname", Extra::first_name},
    Heading{"lastname", Extra::last_name},
    Heading{"surname", Extra::last_name},
    Heading{"familyname", Extra::last_name},
    Heading{"login", Extra::login},
    Heading{"username", Extra::login},
    Heading{"github", Extra::login},
    Heading{"githubusername", Extra::login},
    Heading{"sisloginid", Extra::login},
    Heading{"id", Extra::canvas_id},
    Heading{"canvasid", Extra::canvas_id},
    Heading{"sisuserid", Extra::school_id},
    Heading{"idnumber", Extra::school_id},
    Heading{"schoolid", Extra::school_id},
    Heading{"section", Extra::section},
};

}  // namespace

Extra extra_of(std::string_view header) {
    std::string words;
    for (const char byte : names::plain_letters(header)) {
        if (word_ends.find(byte) == std::string_view::npos) words += byte;
    }
    const auto* const found =
        std::find_if(headings.begin(), headings.end(),
                     [&words](const auto& heading) { return heading.words == words; });
    return found == headings.end() ? Extra::none : found->extra;
}

}  // namespace referee::roster
