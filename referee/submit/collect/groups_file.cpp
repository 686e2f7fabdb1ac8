#include "referee/submit/collect/collection.h"

#include <set>
#include <sstream>

#include "protocol/base/text.h"
#include "protocol/json/text.h"
#include "referee/files/file.h"

namespace referee::collect {
namespace {

constexpr std::size_t groups_bytes_max = 1024 * 1024;
constexpr const char* blanks = " \t\r";

// By an id, or by the roster's name where that is one word.
base::Result<std::vector<std::size_t>, std::string> people_in(const std::string& text,
                                                              const matching::ClassList& people) {
    std::set<std::size_t> found;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        auto who = people.with(matching::Feature::id, word);
        if (who.size() != 1) who = people.with(matching::Feature::login, word);
        if (who.size() != 1)
            return base::failure("nobody of the roster has the id " +
                                 protocol::json::visible_line(word));
        found.insert(who.front());
    }
    return std::vector<std::size_t>(found.begin(), found.end());
}

}  // namespace

base::Result<WhoseByKey, std::string> read_groups_file(const std::string& file,
                                                       const matching::ClassList& people) {
    WhoseByKey whose;
    if (!files::is_there(file)) return whose;
    const auto text = files::read_named_file(file, groups_bytes_max);
    if (!text) return base::failure(file + " " + text.error());
    std::istringstream lines(*text);
    std::size_t number = 0;
    for (std::string raw; std::getline(lines, raw);) {
        ++number;
        const std::string line(base::trimmed(raw, blanks));
        if (line.empty() || line.front() == '#') continue;
        const auto place = file + ":" + std::to_string(number) + ": ";
        const auto sign = line.rfind('=');
        const std::string key(base::trimmed(std::string_view(line).substr(0, sign), blanks));
        const std::string names(
            sign == std::string::npos
                ? ""
                : base::trimmed(std::string_view(line).substr(sign + 1), blanks));
        if (key.empty() || names.empty()) {
            return base::failure(place +
                                 "expected a submission and the ids of who handed it in, such as "
                                 "\"Ann Lee_11 = 1001 1003\", found \"" +
                                 protocol::json::visible_line(line) + '"');
        }
        auto found = people_in(names, people);
        if (!found) return base::failure(place + found.error());
        if (!whose.emplace(key, *std::move(found)).second)
            return base::failure(place + key + " stands twice; expected a line for it");
    }
    return whose;
}

std::string groups_line(const matching::ClassList& people, const std::string& key,
                        const std::vector<std::size_t>& whose) {
    std::string ids;
    for (const auto place : whose) {
        const auto& person = people.people()[place];
        ids += " " + (person.ids.empty() ? person.bot : person.ids.front());
    }
    return protocol::json::visible_line(key) + " =" + (ids.empty() ? " ..." : ids);
}

}  // namespace referee::collect
