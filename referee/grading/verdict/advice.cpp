#include "referee/grading/verdict/advice.h"

#include <algorithm>
#include <set>

#include "referee/grading/verdict/words.h"
#include "referee/limits.h"

namespace referee::verdict {
namespace {

// What a line says without its numbers (12 and 0.3), by which it is known where it stands again.
std::string without_numbers(const std::string& what) {
    const auto is_digit_at = [&](std::size_t at) {
        return at < what.size() && what[at] >= '0' && what[at] <= '9';
    };
    std::string kept;
    for (std::size_t at = 0; at < what.size(); ++at) {
        kept += is_digit_at(at) ? '0' : what[at];
        if (!is_digit_at(at)) continue;
        while (is_digit_at(at + 1) || (what[at + 1] == '.' && is_digit_at(at + 2))) ++at;
    }
    return kept;
}

}  // namespace

std::vector<std::string> first_of(Advice kind, const std::vector<std::string>& advice,
                                  const rubric::Step& step, Told& told) {
    struct Line {
        std::string where;
        std::string what;
        std::string known_by;
        std::size_t more = 0;
        bool alike = false;  // but for its numbers
    };
    std::vector<Line> all;
    std::map<std::string, std::set<std::string>> before;  // games, by the step that told of them
    for (const auto& line : advice) {
        const auto end = std::min(line.find(": "), line.size());
        Line one{line.substr(0, end), line.substr(end), {}};
        one.known_by = kind == Advice::on_ends ? one.what : without_numbers(one.what);
        const auto same = std::find_if(all.begin(), all.end(), [&](const Line& other) {
            return other.known_by == one.known_by;
        });
        if (same != all.end()) {
            ++same->more;
            same->alike = same->alike || same->what != one.what;
        } else if (const auto known = told.find(one.known_by);
                   known != told.end() && !step.hidden) {
            before[known->second].insert(one.where.substr(0, one.where.find(", turn ")));
        } else {
            all.push_back(std::move(one));
        }
    }
    std::vector<std::string> lines;
    // A single one more has room where it would be said that there is one more.
    const auto shown = all.size() == limits::advice_max + 1 ? all.size() : limits::advice_max;
    std::size_t more = 0;
    for (const auto& one : all) {
        if (lines.size() == shown) {
            more += 1 + one.more;
            continue;
        }
        const auto others = one.more == 0 ? std::string()
                                          : " and " + std::to_string(one.more) +
                                                (one.alike ? " more like it" : " more");
        lines.push_back(one.where + others + one.what);
        if (!step.hidden) told.emplace(one.known_by, step.title);
    }
    if (more > 0) lines.push_back("and " + std::to_string(more) + " more");
    for (const auto& [title, games] : before)
        lines.push_back("in " +
                        count(games.size(), rubric::is_of_runs(step.rule) ? "input" : "game") +
                        (kind == Advice::on_faults ? " the same went wrong as in \""
                                                   : " the same happened as in \"") +
                        title + '"');
    return lines;
}

}  // namespace referee::verdict
