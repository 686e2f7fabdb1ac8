#include "referee/grading/verdict/hidden_words.h"

#include <algorithm>
#include <map>

#include "engines/registry.h"
#include "referee/grading/verdict/words.h"

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
            return fault.message.find("; so: ") == std::string::npos
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

}  // namespace

HiddenWords::HiddenWords(const rubric::Rubric& rubric, const Played& played)
    : game_(rubric.game), played_(played) {
    std::set<std::string> hidden;
    for (const auto& step : rubric.steps) {
        if (step.hidden) hidden.insert(step.series.begin(), step.series.end());
    }
    for (const auto& [id, series] : played.series) {
        const auto* const asked = rubric.series_named(id);
        if (asked == nullptr || asked->hidden || hidden.contains(id)) continue;
        for (const auto& game : series.games) {
            for (const auto& fault : game.faults) open_.insert(fault.message);
        }
    }
}

std::string HiddenWords::first_faults(const std::vector<const PlayedGame*>& games) const {
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
            are_alike || open_.contains(fault.message) ? fault.message : kind_of(fault, game_);
        if (known.insert(words).second) told += (told.empty() ? "" : "; or: ") + words;
    }
    return told;
}

std::string HiddenWords::without_moves() const {
    std::vector<const PlayedGame*> all;
    for (const auto& [id, series] : played_.series) {
        for (const auto& game : series.games) {
            if (game.moved || game.faults.empty()) return {};
            all.push_back(&game);
        }
    }
    if (all.empty()) return {};
    return "the program gave no valid move in any of the " + count(all.size(), "game") +
           " of this grade: " + first_faults(all);
}

namespace {

// `it only ever answered "D" (down)`, `in 1 of 2 games it only ...`.
std::string habits_of(const std::vector<const PlayedGame*>& games) {
    std::map<std::string, std::size_t> habits;
    for (const auto* game : games) {
        if (!game->habit.empty()) ++habits[game->habit];
    }
    std::string told;
    for (const auto& [habit, many] : habits)
        told += (told.empty() ? "" : "; ") +
                (many == games.size()
                     ? std::string()
                     : "in " + std::to_string(many) + " of " + count(games.size(), "game") + ' ') +
                habit;
    return told;
}

// Of games without a fault that are not won.
std::string without_fault(const std::vector<const PlayedGame*>& games) {
    const auto habits = habits_of(games);
    return "no move was invalid" +
           (habits.empty() ? ": what is missing is lost by how it played, which is not shown"
                           : ", but " + habits);
}

}  // namespace

std::string HiddenWords::of(const rubric::Step& step, const std::string& reason) const {
    std::vector<const PlayedGame*> wrong;
    std::vector<const PlayedGame*> others;  // without a fault, and not won
    std::size_t all = 0;
    std::size_t asked = 0;
    std::size_t turns = 0;  // in which it did something wrong
    for (const auto& id : step.series) {
        const auto found = played_.series.find(id);
        if (found == played_.series.end()) continue;
        for (const auto& game : found->second.games) {
            ++all;
            if (game.faults.empty()) {
                if (!game.won()) others.push_back(&game);
                continue;
            }
            wrong.push_back(&game);
            asked += game.asked;
            turns += game.wrong;
        }
    }
    if (all == 0) return {};
    const auto told =
        std::holds_alternative<rubric::ShareOf>(step.rule) ? reason + "; " : std::string();
    if (wrong.empty()) return told + without_fault(others);
    const bool played_on =
        turns < asked && std::none_of(wrong.begin(), wrong.end(),
                                      [](const PlayedGame* game) { return game->forfeited; });
    const auto habits = habits_of(wrong);
    return told + (played_on ? "wrong in " : "in ") +
           (played_on ? std::to_string(turns) + " of " + count(asked, "turn") + " of "
                      : std::string()) +
           (wrong.size() < all ? std::to_string(wrong.size()) + " of " : std::string()) +
           count(all, "game") + ": " + first_faults(wrong) +
           (played_on ? "; the rest is lost by how it played" +
                            (habits.empty() ? ", which is not shown" : ": " + habits)
                      : std::string()) +
           (others.empty()
                ? std::string()
                : "; in " + count(others.size(), "other game") + ' ' + without_fault(others));
}

}  // namespace referee::verdict
