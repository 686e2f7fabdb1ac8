#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engines/registry.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/grading/verdict/phrases.h"
#include "referee/grading/verdict/rules.h"

namespace referee::verdict {
namespace {

// "such as "U" (U, D, L, R or .)": the moves of a game, for a program whose move was none.
std::string moves_in_words(const std::string& game) {
    const engines::Registry registry;
    const auto* const rules = registry.find(game);
    if (rules == nullptr) return "as the game's page has it";
    const auto keys = rules->info().by_hand.keys;
    const auto example = "such as " + std::string(rules->info().move_example);
    return keys.starts_with("such as ") ? example : example + " (" + std::string(keys) + ')';
}

// The kind of a fault, which tells nothing of the game: "it took too long".
std::string kind_of(const Fault& fault, const std::string& game) {
    switch (fault.code) {
        case FaultCode::late:
        case FaultCode::hung:
        case FaultCode::over_budget:
            return "it took too long";
        case FaultCode::malformed:
            if (!fault.rule.ends_with(".missing_move") && !fault.rule.ends_with(".no_move"))
                return "its move had another form than the game's page gives: expected one " +
                       moves_in_words(game);
            return fault.message.find(and_so) == std::string::npos
                       ? "no move came"
                       : "no move came, because of an error, or because what it gave is no move: "
                         "expected one " +
                             moves_in_words(game);
        case FaultCode::illegal:
            return "its move was not legal";
        case FaultCode::crashed:
        case FaultCode::disconnected:
            return "it ended, or never came";
        case FaultCode::flooding:
        case FaultCode::protocol:
            return "it sent what is no message of the protocol";
    }
    return {};
}

// How a game ended, whatever it began from: "a ghost caught the ship in turn 9".
std::string end_in_kind(const rubric::Step& step, const PlayedGame& game) {
    if (is_complete(step, game)) return "nothing is missing";
    if (game.forfeited) return "what went wrong ended it";
    const auto first = std::ranges::count(game.placing, 1);
    const bool is_drawn =
        first > 1 && game.seat < game.placing.size() && game.placing[game.seat] == 1;
    return !game.end_in_kind.empty() ? game.end_in_kind
           : game.won()              ? "it was won"
           : is_drawn                ? "it was drawn"
           : game.can_be_won()       ? "it was not won"
                                     : "it came to its end";
}

// Games that ended alike.
struct End {
    std::string words;                             // without the number that they may end with
    std::map<std::size_t, std::size_t> numbers{};  // and how many games have each
    std::size_t games = 0;
    std::vector<std::pair<std::string, std::size_t>> things{};  // of their play; of how many games
};

// "a ghost caught the ship in turn 9 (2 games) and 12, and it only ever answered D, and no scrap
// was picked up (in 2 of these), a nebula held it (in 1)".
std::string in_words(End end) {
    constexpr std::size_t told_max = 10;  // of more the first and the last
    std::vector<std::string> numbers;
    for (const auto& [number, many] : end.numbers) {
        const bool is_counted = many > 1 && many < end.games && end.numbers.size() <= told_max;
        numbers.push_back(std::to_string(number) +
                          (is_counted ? " (" + base::counted(many, "game") + ')' : ""));
    }
    auto text = end.words + (numbers.size() > told_max ? numbers.front() + " to " + numbers.back()
                                                       : base::listed(numbers));
    // Those of all games come first; then things of one kind stand together, which begin alike.
    const auto begin_of = [](const std::string& thing) {
        return thing.substr(0, thing.find(' ', thing.find(' ') + 1));
    };
    std::map<std::string, std::size_t> of_kind;
    for (const auto& [thing, many] : end.things) of_kind[begin_of(thing)] += many;
    const auto place = [&](const auto& one) {
        const auto begin = begin_of(one.first);
        return std::tuple(one.second < end.games, end.games - of_kind[begin], begin,
                          end.games - one.second);
    };
    std::ranges::stable_sort(
        end.things, [&](const auto& one, const auto& other) { return place(one) < place(other); });
    bool is_first_of_some = true;
    for (const auto& [words, many] : end.things) {
        const bool in_all = many == end.games;
        text += (in_all || is_first_of_some ? ", and " : ", ") + words;
        if (in_all) continue;
        text += fmt::format(" (in {}{}", many, is_first_of_some ? " of these)" : ")");
        is_first_of_some = false;
    }
    return text;
}

void add_end(std::vector<End>& ends, const rubric::Step& step, const PlayedGame& game) {
    const auto words = end_in_kind(step, game);
    const auto kept = words.find_last_not_of("0123456789") + 1;
    auto known = std::ranges::find(ends, words.substr(0, kept), &End::words);
    if (known == ends.end()) known = ends.insert(known, End{words.substr(0, kept)});
    ++known->games;
    if (kept < words.size()) ++known->numbers[std::stoul(words.substr(kept))];
    if (is_complete(step, game) || game.forfeited) return;
    for (const auto& thing : game.play_in_kind) {
        auto& things = known->things;
        auto same =
            std::ranges::find_if(things, [&](const auto& other) { return other.first == thing; });
        if (same == things.end()) same = things.emplace(same, thing, 0);
        ++same->second;
    }
}

// "in 6 of 10 games a ghost caught the ship; in 4 nothing is missing": of each game, those first
// that are many.
std::string ends_of(const rubric::Step& step, const std::vector<const PlayedGame*>& games) {
    std::vector<End> ends;
    for (const auto* game : games) add_end(ends, step, *game);
    std::ranges::stable_sort(ends, std::ranges::greater(), &End::games);
    const auto all = std::to_string(games.size());
    if (ends.size() == 1)
        return (all == "1"   ? "in its game "
                : all == "2" ? "in both games "
                             : "in all " + all + " games ") +
               in_words(ends.front());
    std::string text;
    for (const auto& end : ends)
        text += (text.empty() ? fmt::format("in {} of {} games ", end.games, all)
                              : fmt::format("; in {} ", end.games)) +
                in_words(end);
    return text;
}

// Words of faults in games that are not hidden.
std::set<std::string> told_openly(const rubric::Rubric& rubric, const Played& played) {
    std::set<std::string> hidden;
    for (const auto& step : rubric.steps) {
        if (step.hidden) hidden.insert(step.series.begin(), step.series.end());
    }
    std::set<std::string> open;
    for (const auto& [id, series] : played.series) {
        const auto* const asked = rubric.series_named(id);
        if (asked == nullptr || asked->hidden || hidden.contains(id)) continue;
        for (const auto& game : series.games) {
            for (const auto& fault : game.faults) open.insert(fault.message);
        }
    }
    return open;
}

// What went wrong first in each of the games, each once. The words of a fault may hold what the
// program saw: so of a hidden game they are told only where they are the same in one that is not
// hidden, or in all of several that begin otherwise; else the kind of the fault.
std::string first_faults(const std::vector<const PlayedGame*>& games,
                         const std::set<std::string>& open, const std::string& of_game) {
    std::set<std::string> messages;
    std::set<std::string> begun_from;
    for (const auto* game : games) {
        messages.insert(game->faults.front().message);
        begun_from.insert(game->params);
    }
    const bool are_alike = messages.size() == 1 && begun_from.size() > 1;
    std::string told;
    std::set<std::string> known;
    for (const auto* game : games) {
        const auto& fault = game->faults.front();
        const auto words =
            are_alike || open.contains(fault.message) ? fault.message : kind_of(fault, of_game);
        if (known.insert(words).second) told += (told.empty() ? "" : "; or: ") + words;
    }
    return told;
}

}  // namespace

std::string told_of_hidden(const rubric::Step& step, const rubric::Rubric& rubric,
                           const Played& played) {
    std::vector<const PlayedGame*> games;
    std::vector<const PlayedGame*> wrong;
    std::size_t asked = 0;
    std::size_t turns = 0;  // in which it did something wrong
    for (const auto& id : step.series) {
        const auto* const series = base::find_in(played.series, id);
        if (series == nullptr) continue;
        for (const auto& game : series->games) {
            games.push_back(&game);
            if (game.faults.empty()) continue;
            wrong.push_back(&game);
            asked += game.asked;
            turns += game.wrong;
        }
    }
    if (games.empty()) return {};
    const auto open = told_openly(rubric, played);
    const auto all = played.games();
    const auto gave_none = [](const PlayedGame* game) {
        return !game->moved && !game->faults.empty();
    };
    if (std::ranges::all_of(all, gave_none))
        return "the program gave no valid move in any of the " + base::counted(all.size(), "game") +
               " of this grade: " + first_faults(all, open, rubric.game);
    const auto ends = ends_of(step, games);
    if (wrong.empty()) return "no move was invalid; " + ends;
    const auto in_turns = turns < asked
                              ? fmt::format("{} of {} of ", turns, base::counted(asked, "turn"))
                              : std::string();
    const auto told =
        (in_turns.empty() ? "in " : "wrong in " + in_turns) +
        (wrong.size() < games.size() ? std::to_string(wrong.size()) + " of " : std::string()) +
        base::counted(games.size(), "game") + ": " + first_faults(wrong, open, rubric.game) +
        worth_of_mending(wrong);
    const bool ended_all =
        std::ranges::all_of(games, [](const PlayedGame* game) { return game->forfeited; });
    return ended_all ? told : told + "; how the games ended: " + ends;
}

}  // namespace referee::verdict
