#include "referee/grading/verdict/advice.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>
#include <tuple>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/game/result/game_result.h"

namespace referee::verdict {
namespace {

// A line without its lengths of time (12 ms, 0.3 s), which tell nothing new where they differ.
std::string without_times(std::string_view what) {
    const auto is_digit_at = [&](std::size_t at) {
        return at < what.size() && base::is_digit(what[at]);
    };
    std::string kept;
    while (!what.empty()) {
        std::size_t end = 0;
        while (is_digit_at(end) || (end > 0 && what[end] == '.' && is_digit_at(end + 1))) ++end;
        const auto rest = what.substr(end);
        std::size_t unit = end == 0                  ? 0
                           : rest.starts_with(" ms") ? 3
                           : rest.starts_with(" s")  ? 2
                                                     : 0;
        if (unit < rest.size() && std::isalpha(static_cast<unsigned char>(rest[unit])) != 0)
            unit = 0;
        const auto taken = std::max<std::size_t>(end + unit, 1);
        if (unit == 0) kept += what.substr(0, taken);
        what.remove_prefix(taken);
    }
    return kept;
}

// Its words but for "first", "second" and "third", one and several alike: by these a line is known
// again, whatever numbers it tells and whatever data a program printed.
std::string words_in(const std::string& what) {
    static constexpr std::array<std::string_view, 3> ordinals{"first", "second", "third"};
    std::string words;
    std::string word;
    for (const char c : without_times(what) + ' ') {
        if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
            word += c;
            continue;
        }
        if (base::contains(ordinals, word)) word.clear();
        if (word.ends_with('s')) word.pop_back();
        if (!word.empty()) words += word + ' ';
        word.clear();
    }
    return words;
}

constexpr std::size_t names_max = 8;  // more are counted
constexpr std::size_t alike_max = 3;  // of lines that differ in numbers, told beside the first

using Texts = std::vector<std::string>;
using AdvicePlaces = std::vector<AdvicePlace>;

// With its stroke: "ann.s/" of "ann.s/1.2".
std::string run_of(const std::string& id) {
    return id.substr(0, id.find('/') + 1);
}

// Whether the second is the next game of the same match: 1.2 and 1.3.
bool follows(const std::string& id, const std::string& next) {
    const auto part = id.rfind('.') + 1;
    return part > 0 && next.starts_with(id.substr(0, part)) &&
           std::to_string(std::strtoul(id.c_str() + part, nullptr, 10) + 1) == next.substr(part);
}

// In the order in which the games of a run were played; runs, and inputs, stay as they came.
void sort_by_game(AdvicePlaces& places) {
    std::map<std::string, std::size_t> runs;
    for (const auto& place : places) runs.emplace(run_of(place.id), runs.size());
    const auto played = [&](const AdvicePlace& place) {
        const auto key = game_key(place.id);
        return std::tuple(runs[run_of(place.id)], key ? key->match : 0U, key ? key->number : 0U);
    };
    std::ranges::stable_sort(places, {}, played);
}

// "type2_01, type2_02", "ann.s/1.2 to 1.6, 2.1": games by their maps, else by their ids. What
// stands in `beside`, the run of a game or its id, is not said again.
std::string names_of(AdvicePlaces places, const std::string& beside) {
    sort_by_game(places);
    Texts names;
    std::size_t more = 0;  // games
    auto before = beside;
    for (const auto& [id, map, words, turn] : places) {
        if (id == before) continue;
        if (more == 0 && map.empty() && !names.empty() && follows(before, id)) {
            auto& name = names.back();
            name = name.substr(0, name.find(" to ")) + " to " + id.substr(run_of(id).size());
        } else if (names.size() == names_max) {
            ++more;
        } else if (!map.empty()) {
            names.push_back(map);
        } else {
            names.push_back(run_of(before) == run_of(id) ? id.substr(run_of(id).size()) : id);
        }
        before = id;
    }
    const auto text = base::joined(names, ", ");
    return more == 0 ? text : fmt::format("{} and {} more", text, more);
}

// Where the bracket that opens there is closed; there, where none closes it.
std::size_t closed_at(std::string_view what, std::size_t open) {
    int depth = 0;
    for (auto at = open; at < what.size(); ++at) {
        depth += what[at] == '(' ? 1 : what[at] == ')' ? -1 : 0;
        if (depth == 0) return at;
    }
    return open;
}

// Where the next of these marks stands that has a blank behind it and is in no brackets; else npos.
std::size_t next_mark(std::string_view what, std::size_t from, std::string_view marks) {
    for (auto at = from; at + 1 < what.size(); ++at) {
        if (what[at] == '(') at = closed_at(what, at);
        if (what.substr(at + 1).starts_with(' ') && marks.find(what[at]) != marks.npos) return at;
    }
    return what.npos;
}

// Its parts, each with the colon or semicolon that it stands behind; a turn with what was in it.
Texts parts_of(const std::string& what) {
    Texts parts;
    for (std::size_t at = 0; at < what.size();) {
        const auto from = what.find("turn ", at) == at + 2 ? what.find(": ", at + 1) : at;
        const auto end = from == std::string::npos
                             ? what.size()
                             : std::min(next_mark(what, from + 1, ":;"), what.size());
        parts.push_back(what.substr(at, end - at));
        at = end;
    }
    return parts;
}

// What is new in a line beside another that tells the same: its first parts that differ, and
// whether that is all. Data that a program printed is nothing new, nor what was expected without
// what was found.
std::string new_beside(const std::string& what, const std::string& other) {
    constexpr int told_max = 3;
    const auto parts = parts_of(what);
    const auto known = parts_of(other);
    std::string text;
    int told = 0;
    for (std::size_t i = 0; i < parts.size() && told <= told_max; ++i) {
        const bool is_known =
            i < known.size() && without_times(parts[i]) == without_times(known[i]);
        if (is_known || parts[i].find("expected ") == 2 || words_in(parts[i]).empty()) continue;
        text += told++ < told_max ? parts[i] : "; and more that differs";
    }
    if (text.ends_with('.')) text.pop_back();
    return text.substr(std::min<std::size_t>(2, text.size()));
}

// "1.3, turn 8" of "game ann.s/1.3, turn 8" beside a game of the same run.
std::string words_beside(const AdvicePlace& place, const AdvicePlace& other) {
    const auto run = "game " + run_of(other.id);
    return place.words.starts_with(run) ? place.words.substr(run.size()) : place.words;
}

// What a line says first: "a wall is there" of ": a wall is there; so: the game ends".
std::string begin_of(const std::string& what) {
    const auto text = what.substr(std::min<std::size_t>(2, what.size()));
    return text.substr(0, std::min(next_mark(text, 0, ";"), text.find_last_not_of('.') + 1));
}

struct Line {
    AdvicePlace place;
    std::string what;
    std::string known_by;
    bool is_like_others = false;  // but for numbers
    AdvicePlaces others{};        // where else
    Texts alike{};                // the first of these that tell something new, with that
};

std::set<std::string> ids_of(const AdvicePlaces& places) {
    std::set<std::string> ids;
    for (const auto& place : places) ids.insert(place.id);
    return ids;
}

// "game ann.s/1.1, turn 3, and 5 more times (1.2 to 1.6): it printed nothing".
std::string told_in_full(const Line& line) {
    auto text = line.place.words;
    if (const auto more = line.others.size(); more > 0) {
        const bool is_in_turn = text.find(',') != std::string::npos;
        const auto names = names_of(line.others, line.place.id);
        text += is_in_turn ? ", and " + base::counted(more, "more time")
                           : fmt::format(" and {} more", more);
        if (line.is_like_others) text += " like it";
        // Where they are more than the games that are named.
        auto games = ids_of(line.others);
        games.insert(line.place.id);
        if (games.size() > 1 && more >= games.size())
            text += " in " + base::counted(games.size(), "game");
        if (!names.empty() && more > line.alike.size()) text += " (" + names + ')';
    }
    text += line.what;
    if (!line.alike.empty() && text.ends_with('.')) text.pop_back();
    for (const auto& other : line.alike) text += "; likewise in " + other;
    return text;
}

}  // namespace

std::vector<AdviceText> first_of(Advice kind, const std::vector<AdviceLine>& advice,
                                 const rubric::Step& step, EarlierAdvice& told) {
    // Another step's line on an end is known again where it is of the same game.
    const auto key_of = [kind](const AdvicePlace& place, const std::string& known_by) {
        return kind == Advice::on_ends ? place.id + known_by : known_by;
    };
    std::vector<Line> all;
    std::map<std::pair<std::string, std::string>, AdvicePlaces> before;  // by who said what of it
    for (const auto& [place, what] : advice) {
        Line one{place, what, words_in(what)};
        const auto same = std::ranges::find_if(
            all, [&](const Line& other) { return other.known_by == one.known_by; });
        const auto known = told.by.find(key_of(place, one.known_by));
        if (same != all.end()) {
            same->is_like_others |= what != same->what;
            same->others.push_back(place);
            const auto found = new_beside(what, same->what);
            const auto is_told = [&](const std::string& other) {
                return other.ends_with(": " + found);
            };
            if (!found.empty() && same->alike.size() < alike_max &&
                std::ranges::none_of(same->alike, is_told))
                same->alike.push_back(words_beside(place, same->place) + ": " + found);
        } else if (known != told.by.end() && !step.hidden && kind != Advice::on_slips) {
            const auto& [title, said] = known->second;
            // Where several things are told there, it is said which, if in the same words.
            const bool is_clear =
                kind == Advice::on_ends || told.things[title] == 1 || begin_of(what) != said;
            before[{title, is_clear ? "" : " (" + said + ')'}].push_back(place);
        } else {
            all.push_back(std::move(one));
        }
    }
    std::vector<AdviceText> lines;
    // A single one more has room where it would be said that there is one more.
    const auto shown = all.size() == advice_max + 1 ? all.size() : advice_max;
    AdvicePlaces unsaid;
    for (auto& one : all) {
        if (lines.size() == shown) {
            unsaid.push_back(one.place);
            unsaid.insert(unsaid.end(), one.others.begin(), one.others.end());
            continue;
        }
        lines.push_back({one.place, told_in_full(one)});
        if (step.hidden) continue;
        one.others.push_back(one.place);
        for (const auto& place : one.others)
            told.by.emplace(key_of(place, one.known_by), std::pair(step.title, begin_of(one.what)));
    }
    if (!step.hidden && unsaid.empty() && kind == Advice::on_faults)
        told.things[step.title] = lines.size();
    if (!unsaid.empty())
        lines.push_back({{}, fmt::format("and {} more: {}", unsaid.size(), names_of(unsaid, {}))});
    for (const auto& [said, places] : before)
        lines.push_back({{},
                         "in " +
                             base::counted(ids_of(places).size(),
                                           rubric::is_of_runs(step.rule) ? "input" : "game") +
                             " the same happened as in \"" + said.first + '"' + said.second + ": " +
                             names_of(places, {})});
    return lines;
}

}  // namespace referee::verdict
