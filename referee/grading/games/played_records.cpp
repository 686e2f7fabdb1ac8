#include "referee/grading/games/played_records.h"

#include <algorithm>
#include <set>
#include <variant>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "referee/config/read_config.h"
#include "referee/contest/formats/gauntlet.h"
#include "referee/contest/formats/match_fold.h"
#include "referee/grading/verdict/pass_probability.h"
#include "referee/grading/verdict/phrases.h"
#include "referee/launch/supply/launch_hints.h"
#include "referee/run/bot_times.h"

namespace referee::grading {

namespace {

using config::TournamentConfig;
using formats::MatchResult;
using verdict::PlayedGame;
using verdict::PlayedSeries;

constexpr double halves = 2;

std::optional<engines::Seat> seat_of(const GameResult& result, const std::string& player) {
    const auto found = std::ranges::find(result.bots, player);
    if (found == result.bots.end()) return std::nullopt;
    return static_cast<engines::Seat>(found - result.bots.begin());
}

bool is_of_code(const engines::Game& rules, const Fault& fault, std::string_view code) {
    return !code.empty() && fault.rule == std::string(rules.info().id) + "." + std::string(code);
}

bool is_plan_over(const engines::Game& rules, const Fault& fault) {
    return fault.turn > 1 && is_of_code(rules, fault, rules.info().plan_over);
}

// Of a player that had no good move left, or whose plan was over before the game was.
bool is_blameless(const engines::Game& rules, const Fault& fault) {
    const auto& codes = rules.info().blameless;
    return is_plan_over(rules, fault) || std::ranges::any_of(codes, [&](std::string_view code) {
               return is_of_code(rules, fault, code);
           });
}

// How the game ended for the seat, with what left it no good move, or none at all, where nothing
// else was wrong and `play`, what its pieces did, doesn't tell it.
std::string story_of(const engines::Game& rules, const GameResult& result, engines::Seat seat,
                     const std::string& play) {
    std::string no_way;
    for (const auto& fault : result.faults) {
        if (fault.seat != seat) continue;
        if (!is_blameless(rules, fault)) return told_end(rules, result, seat) + play;
        const auto words = std::string_view(fault.message).substr(0, fault.message.size() - 1);
        if (!words.empty() && play.find(words) != std::string::npos) continue;
        const bool was_over = is_plan_over(rules, fault);
        // A program that is asked once knows of no turns.
        const auto when = was_over ? "" : fmt::format("turn {}: ", fault.turn);
        if (!was_over || no_way.empty())
            no_way = "; " + when + fault.message.substr(0, fault.message.find(verdict::and_so));
    }
    return told_end(rules, result, seat) + no_way + play;
}

PlayedGame game_of(const engines::Game& rules, const GameResult& result, engines::Seat seat) {
    PlayedGame game;
    game.id = game_id(result.key);
    game.seed = result.seed;
    game.by_seed = result.bots.size() == 1 && rules.maps() == nullptr;
    game.setup = result.key.number - 1;
    game.seat = seat;
    if (seat < result.outcome.scores.size())
        game.score = static_cast<double>(result.outcome.scores[seat].in_halves()) / halves;
    game.placing = result.outcome.placing;
    game.detail = verdict::with_attainable(rules, result.params, result.outcome.detail);
    std::set<std::int64_t> wrong;
    for (const auto& fault : result.faults) {
        if (is_blameless(rules, fault) || fault.seat != seat) continue;
        game.faults.push_back(fault);
        game.forfeited |= fault.consequence == Consequence::forfeit;
        if (fault.turn > 0) wrong.insert(fault.turn);
    }
    game.turns = result.turns;
    game.moved = seat >= result.valid_moves.size() || result.valid_moves[seat] > 0;
    game.wrong = wrong.size();
    game.costs_pieces = rules.info().bad_move == engines::BadMove::loses_pieces;
    game.costs_turns = rules.info().bad_move == engines::BadMove::skipped && !wrong.empty() &&
                       *wrong.rbegin() < result.turns;
    if (seat < result.valid_moves.size()) {  // a valid move may be wrong: it came too late
        game.asked = static_cast<std::size_t>(std::min(
            result.valid_moves[seat] + static_cast<std::int64_t>(game.wrong), result.turns));
    }
    game.params = result.params;
    game.reason = result.reason;
    protocol::json::Document detail;
    if (detail.parse(result.outcome.detail))
        game.end_in_kind = rules.tell_end_without_map(detail.root());
    return game;
}

// What an opponent did wrong in the game: then it shows nothing of the player's strength.
std::string fault_of_opponent(const engines::Game& rules, const GameResult& result,
                              engines::Seat seat) {
    for (const auto& fault : result.faults) {
        if (fault.seat == seat || fault.seat >= result.bots.size() || is_blameless(rules, fault))
            continue;
        return "the opponent " + result.bots[fault.seat] + " failed in game " +
               game_id(result.key) + ": " + fault.message;
    }
    return {};
}

// Where the machine ended the player's process: then it shows nothing of its strength either. What
// is told of a crash has no words of the program's own.
std::string trouble_of_machine(const GameResult& result, engines::Seat seat) {
    for (const auto& fault : result.faults) {
        if (fault.seat == seat && fault.code == FaultCode::crashed &&
            fault.message.find(supply::no_memory_left) != std::string::npos)
            return "in game " + game_id(result.key) + ' ' + std::string(supply::no_memory_left);
    }
    return {};
}

// By the names of its bots, as it was drawn.
formats::Pairing pairing_of(const Plan& plan, const TournamentConfig& config, std::uint64_t match,
                            const std::vector<std::string>& bots) {
    formats::Pairing pairing{match, static_cast<std::uint32_t>(match), {}};
    for (const auto& bot : bots) {
        for (std::size_t i = 0; i < config.bots.size(); ++i) {
            if (plan.config.bots[config.bots[i]].name == bot) pairing.seats.push_back(i);
        }
    }
    return pairing;
}

// The name of the map or the maze that a game began from; empty where it has none.
std::string map_of(const TournamentConfig& config, const formats::Pairing& pairing,
                   std::uint32_t number) {
    const auto planned = formats::planned_game(config.match, pairing, number, config.seed, {});
    protocol::json::Document setup;
    if (!setup.parse(config.setups[planned.setup])) return {};
    return std::string(verdict::map_named_in(setup.root()).value_or(std::string_view()));
}

// The matches of a gauntlet, folded from their games.
std::vector<MatchResult> matches_of(const Plan& plan, const TournamentConfig& config,
                                    const std::map<std::uint64_t, std::vector<std::string>>& drawn,
                                    const std::map<GameKey, GameResult>& games,
                                    const engines::Game& rules) {
    std::vector<MatchResult> found;
    for (const auto& [number, bots] : drawn) {
        const auto pairing = pairing_of(plan, config, number, bots);
        std::vector<GameResult> results;
        for (const auto& [key, result] : games) {
            if (key.match == number) results.push_back(result);
        }
        if (pairing.seats.size() != bots.size()) continue;
        auto tally = formats::fold_match(config.match, pairing, results, rules);
        if (tally.over) found.push_back(std::move(tally.result));
    }
    return found;
}

}  // namespace

void PlayedRecords::take(const records::Record& record) {
    if (const auto* pairing = std::get_if<records::PairingRecord>(&record)) {
        if (pairing->match > 0)
            tournaments_[pairing->tournament].matches[pairing->match] = pairing->bots;
    } else if (const auto* game = std::get_if<records::GameRecord>(&record)) {
        const auto& key = game->result.key;
        if (counts(game->result.status)) tournaments_[key.tournament].games[key] = game->result;
    } else if (const auto* annulled = std::get_if<records::AnnulmentRecord>(&record)) {
        auto& played = tournaments_[annulled->key.tournament];
        if (auto play = played.games.extract(annulled->key))
            played.annulled.insert(std::move(play));
    } else if (const auto* restored = std::get_if<records::RestorationRecord>(&record)) {
        auto& played = tournaments_[restored->key.tournament];
        if (auto play = played.annulled.extract(restored->key))
            played.games.insert(std::move(play));
    } else if (const auto* state = std::get_if<records::StateRecord>(&record)) {
        auto& played = tournaments_[state->tournament];
        played.finished = state->state == records::TournamentState::finished;
        const bool aborted = state->state == records::TournamentState::aborted;
        const bool by_the_program =
            state->reason == run::unanswered_reason || state->reason == run::withdrawn_reason;
        played.given_up = aborted && by_the_program ? state->reason : std::string();
    } else if (const auto* gone = std::get_if<records::WithdrawalRecord>(&record)) {
        tournaments_[gone->tournament].withdrawn[gone->bot] = gone->reason;
    }
}

PlayedSeries PlayedRecords::played(const Plan& plan, const PlannedSeries& series) const {
    PlayedSeries played;
    const auto& config = plan.config.tournaments[series.tournament];
    const auto* const its = base::find_in(tournaments_, config.id);
    if (its == nullptr || !its->finished) played.trouble = "not all games are played";
    if (its == nullptr) return played;
    const auto registry = config::registry_for(config);
    const auto* rules = registry ? (*registry)->find(config.game) : nullptr;
    if (rules == nullptr) {
        played.trouble = "its maps can't be read any more";
        return played;
    }
    const bool by_adapter = std::ranges::any_of(plan.config.bots, [&](const auto& bot) {
        return bot.name == series.player && bot.program;
    });
    for (const auto& [key, result] : its->games) {
        const auto seat = seat_of(result, series.player);
        if (!seat) continue;
        const auto worded = with_words(result, *seat, by_adapter, games_);
        auto game = game_of(*rules, worded, *seat);
        if (const auto* const drawn = base::find_in(its->matches, key.match))
            game.map = map_of(config, pairing_of(plan, config, key.match, *drawn), key.number);
        auto [play, in_kind] = game.won() ? ToldPlay{} : told_play(*rules, result, *seat, games_);
        game.story = story_of(*rules, worded, *seat, verdict::with_short_times(play));
        game.play_in_kind = std::move(in_kind);
        played.games.push_back(std::move(game));
        if (played.trouble.empty()) played.trouble = fault_of_opponent(*rules, result, *seat);
        if (played.trouble.empty()) played.trouble = trouble_of_machine(result, *seat);
    }
    if (const auto& why = its->given_up; !why.empty()) {
        played.trouble.clear();
        const auto* const withdrawn = base::find_in(its->withdrawn, series.player);
        played.cut_short = (why == run::withdrawn_reason && withdrawn != nullptr
                                ? *withdrawn
                                : base::counted(run::unanswered_max, "game") +
                                      " in a row ended without an answer in time") +
                           ", so the rest was not played";
        return played;
    }
    const auto* bounds = formats::sequential_test(config.format);
    if (bounds == nullptr) return played;
    const auto matches = matches_of(plan, config, its->matches, its->games, *rules);
    const auto state = formats::gauntlet_state(*bounds, matches);
    played.test = state.test.verdict;
    played.test_matches = state.matches;
    played.test_share = formats::share_of_candidate(matches);
    return played;
}

bool PlayedRecords::finished(const std::string& tournament) const {
    const auto* const its = base::find_in(tournaments_, tournament);
    return its != nullptr && its->finished;
}

std::map<std::string, std::size_t> PlayedRecords::unanswered(const Plan& plan) const {
    std::map<std::string, std::size_t> in_a_row;
    for (const auto& planned : plan.series) {
        const auto& id = plan.config.tournaments[planned.tournament].id;
        const auto* const its = base::find_in(tournaments_, id);
        if (planned.of_reference || its == nullptr) continue;
        for (const auto& [key, result] : its->games)
            in_a_row[id] = run::ended_unanswered(result, planned.player) ? in_a_row[id] + 1 : 0;
    }
    return in_a_row;
}

Duration PlayedRecords::own_time(const Plan& plan, const std::string& player) const {
    std::int64_t used_us = 0;
    for (const auto& planned : plan.series) {
        if (planned.player != player || planned.of_reference) continue;
        const auto& id = plan.config.tournaments[planned.tournament].id;
        const auto* const its = base::find_in(tournaments_, id);
        if (its == nullptr) continue;
        for (const auto& [key, result] : its->games) {
            const auto seat = seat_of(result, player);
            if (seat && *seat < result.used_us.size()) used_us += result.used_us[*seat];
        }
    }
    return std::chrono::microseconds(used_us);
}

LaunchedProgram PlayedRecords::program_of(const TournamentConfig& config,
                                          const std::string& player) const {
    LaunchedProgram program;
    const auto* const its = base::find_in(tournaments_, config.id);
    if (its == nullptr) return program;
    for (const auto& [key, result] : its->games) {
        const auto seat = seat_of(result, player);
        if (!seat || *seat >= result.program.size()) continue;
        program.program = result.program[*seat];
        if (*seat < result.sandbox.size()) program.sandbox = result.sandbox[*seat];
    }
    return program;
}

}  // namespace referee::grading
